import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBackgroundProcesses } from '../process/background.ts'
import { runProcess } from '../process/run-process.ts'
import { openSandbox } from '../sandbox/sandbox.ts'
import { createProtectedGuard } from './guard.ts'
import { openSnapshotFile, recoverProtected } from './stored.ts'

const GIT = { PATH: process.env['PATH']!, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main', ...args], {
    cwd,
    env: GIT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

let folder: string
let root: string
let canary: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-guard-')))
  root = join(folder, 'work')
  canary = join(folder, 'canary')
  mkdirSync(join(root, 'src'), { recursive: true })
  writeFileSync(join(root, 'src', 'a.txt'), 'a\n')
  git(root, 'init', '-q')
  git(root, 'add', '.')
  git(root, 'commit', '-qm', 'first')
  writeFileSync(join(folder, 'evil.sh'), `#!/bin/sh\ntouch '${canary}'\n`)
  chmodSync(join(folder, 'evil.sh'), 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const guardOf = () => createProtectedGuard({ roots: [root], keepFolder: join(folder, 'kept') })

/** What a user does next, outside: look at the repository, commit, enter a folder of it. */
function lookAround(): void {
  for (const args of [
    ['status'],
    ['diff'],
    ['log', '-1'],
    ['add', '-A'],
    ['commit', '-qm', 'x', '--allow-empty'],
    ['checkout', '-q', '-b', `b${Date.now()}${Math.random()}`],
  ])
    try {
      git(root, ...args)
    } catch {
      // What matters is what ran.
    }
}

const EVIL = (): string => join(folder, 'evil.sh')

/** Each makes the user's next look at the repository run something, where nothing holds it. */
const plants: [string, () => string][] = [
  [
    'a copy of .git with core.fsmonitor in its place',
    () => `mv .git x && cp -r x .git && rm -rf x && git config core.fsmonitor '${EVIL()}'`,
  ],
  ['core.fsmonitor in .git/config', () => `printf '[core]\\n\\tfsmonitor = ${EVIL()}\\n' >> .git/config`],
  ['a hook', () => `mkdir -p .git/hooks && cp '${EVIL()}' .git/hooks/pre-commit`],
  [
    'hooks moved away and made again',
    () => `mv .git/hooks h; mkdir .git/hooks; cp '${EVIL()}' .git/hooks/post-checkout`,
  ],
  [
    'a common folder of its own',
    () =>
      `mkdir c && cp -r .git/objects .git/refs c/ && printf '[core]\\n\\tfsmonitor = ${EVIL()}\\n' > c/config && echo ../c > .git/commondir`,
  ],
  [
    'a filter by info/attributes',
    () =>
      `mkdir -p .git/info; echo '* filter=x' > .git/info/attributes; git config filter.x.clean '${EVIL()}'; touch src/a.txt; echo >> src/a.txt`,
  ],
  [
    '.git as a file that leads elsewhere',
    () => `mv .git g && git -C . --git-dir=g config core.fsmonitor '${EVIL()}'; echo 'gitdir: g' > .git`,
  ],
  [
    '.git as a link that leads elsewhere',
    () => `mv .git g && printf '[core]\\n\\tfsmonitor = ${EVIL()}\\n' >> g/config; ln -s g .git`,
  ],
  [
    'a repository without a work tree in place of .git',
    () =>
      `cp -r .git/objects .git/refs .git/HEAD . && printf '[core]\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = ${EVIL()}\\n' > config; rm .git/HEAD || true`,
  ],
]

describe.each([
  ['without a sandbox', false],
  ['in the sandbox', true],
])('%s', (_, sandboxed) => {
  const runIn = async (command: string) => {
    const guard = guardOf()
    const sandbox = await openSandbox({
      setting: sandboxed ? 'auto' : 'off',
      root,
      home: join(folder, 'home'),
      temp: join(folder, 'temp'),
      isSecret: () => false,
      readable: [join(folder, 'evil.sh')],
      places: () => guard.places(),
    })
    return await runProcess({
      command,
      cwd: root,
      env: GIT,
      timeoutMs: 20_000,
      guard: { begin: () => guard.begin({ mounted: sandbox.active }) },
      ...(sandbox.active ? { wrap: (argv: readonly string[]) => sandbox.wrap(argv, { cwd: root }) } : {}),
    })
  }

  test.each(plants)('%s does not run when the user looks', async (_name, command) => {
    await runIn(command())
    lookAround()
    expect(existsSync(canary)).toBe(false)
  })

  test.each([
    '.codehound/config.yaml',
    '.claude/settings.json',
    '.vscode/tasks.json',
    '.husky/pre-commit',
    '.mcp.json',
    '.envrc',
    'packages/a/.envrc',
  ])('%s cannot come to be, and the result says so', async (path) => {
    const { protectedChanges } = await runIn(`mkdir -p "$(dirname ${path})"; echo x > ${path}`)
    expect(existsSync(join(root, path))).toBe(false)
    expect(protectedChanges).toHaveLength(1)
    expect(protectedChanges![0]).toMatchObject({ change: 'created', putBack: true })
    expect(join(root, path).startsWith(protectedChanges![0]!.path)).toBe(true)
  })

  test('what was there keeps content and mode, whatever is done with the folders above it', async () => {
    mkdirSync(join(root, 'deep', '.vscode'), { recursive: true })
    const tasks = join(root, 'deep', '.vscode', 'tasks.json')
    writeFileSync(tasks, '{}')
    await runIn(
      `mv deep other; mkdir -p deep/.vscode; echo evil > deep/.vscode/tasks.json; chmod 777 deep/.vscode/tasks.json`,
    )
    expect(readFileSync(tasks, 'utf8')).toBe('{}')
  })

  test.each([
    ['.vscode', '.claude-like/settings.json', 'settings.json'],
    ['.git/info', 'info/attributes', 'attributes'],
  ])('a link %s that leads outside is taken away, and nothing outside is touched', async (link, outside, name) => {
    const target = join(folder, 'outside', outside)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, 'of the user')
    await runIn(`rm -rf ${link}; ln -s '${dirname(target)}' ${link}`)
    expect(readFileSync(target, 'utf8'), name).toBe('of the user')
    expect(existsSync(join(root, link, name))).toBe(false)
  })

  test('what is protected through a link stays where the link led', async () => {
    for (const path of ['tools/vs', 'tools/hooks']) mkdirSync(join(root, path), { recursive: true })
    writeFileSync(join(root, 'tools/vs/tasks.json'), '{}')
    writeFileSync(join(root, 'tools/conf'), '[core]\n')
    symlinkSync('tools/vs', join(root, '.vscode'))
    symlinkSync('tools/hooks', join(root, 'hk'))
    symlinkSync('tools/conf', join(root, 'conf'))
    git(root, 'config', 'core.hooksPath', 'hk')
    git(root, 'config', 'include.path', '../conf')
    await runIn(
      `mkdir ev; cp '${EVIL()}' ev/pre-commit; echo '{"evil":1}' > ev/tasks.json; printf '[core]\\nfsmonitor = ${EVIL()}\\n' > evconf; for l in .vscode hk; do rm -f $l; ln -s ev $l; done; rm -f conf; ln -s evconf conf`,
    )
    lookAround()
    expect(existsSync(canary)).toBe(false)
    expect(readFileSync(join(root, '.vscode/tasks.json'), 'utf8')).toBe('{}')
  })

  test('a link that leads nowhere yet is taken away where its end would be protected', async () => {
    await runIn('ln -s z .vscode; mkdir z')
    expect(existsSync(join(root, '.vscode'))).toBe(false)
  })

  test('ordinary work with git is let through', async () => {
    const result = await runIn(
      `set -e; ${IDENTITY} git init -q sub; git -C sub commit -q --allow-empty -m x; git checkout -q -b next; echo b > b.txt; git add b.txt; git commit -qm second; git stash list; echo c >> b.txt; git stash -q; git stash pop -q; git worktree add -q wt main; git checkout -q -b third`,
    )
    expect([result.stderr.text, result.exitCode, result.protectedChanges]).toEqual(['', 0, undefined])
    expect(git(join(root, 'sub'), 'log', '--oneline').split('\n')).toHaveLength(2)
    expect(git(join(root, 'wt'), 'status', '--short')).toBe('')
  })
})

const IDENTITY = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b;'

/** Plants, says so, and stays until somebody ends it. */
const PLANTS_AND_STAYS = `echo evil > .envrc; printf '[core]\\n\\tfsmonitor = ./evil\\n' >> .git/config; echo planted; sleep 60`

test('what a command planted is put back when the user ends it, and when its time is over', async () => {
  const before = readFileSync(join(root, '.git/config'), 'utf8')
  for (const ending of ['cancelled', 'timed-out'] as const) {
    const guard = guardOf()
    const stop = new AbortController()
    const { outcome, protectedChanges = [] } = await runProcess({
      command: PLANTS_AND_STAYS,
      cwd: root,
      env: GIT,
      guard: { begin: () => guard.begin({ mounted: false }) },
      ...(ending === 'cancelled' ? { signal: stop.signal, onOutput: () => stop.abort() } : { timeoutMs: 3_000 }),
    })
    expect(outcome).toBe(ending)
    expect(new Map(protectedChanges.map(({ path, putBack }) => [path, putBack]))).toEqual(
      new Map([
        [join(root, '.envrc'), true],
        [join(root, '.git/config'), true],
      ]),
    )
    expect([readFileSync(join(root, '.git/config'), 'utf8'), existsSync(join(root, '.envrc'))]).toEqual([before, false])
  }
})

test('what a background command planted is put back when it is stopped', async () => {
  const before = readFileSync(join(root, '.git/config'), 'utf8')
  const guard = guardOf()
  const commands = createBackgroundProcesses({ outputFolder: join(folder, 'background') })
  const held = { guard: { begin: () => guard.begin({ mounted: false }) } }
  const { id } = commands.start({ command: PLANTS_AND_STAYS, cwd: root, env: GIT, ...held })
  await vi.waitFor(() => expect(commands.read(id, 0)?.text).toContain('planted'), { timeout: 20_000 })
  const ended = await commands.stop(id)
  expect(ended?.protectedChanges).toMatchObject([{ putBack: true }, { putBack: true }])
  expect([readFileSync(join(root, '.git/config'), 'utf8'), existsSync(join(root, '.envrc'))]).toEqual([before, false])
})

test('a remote that a command adds without a sandbox stays', async () => {
  const guard = guardOf()
  const run = guard.begin({ mounted: false })
  git(root, 'remote', 'add', 'origin', 'https://git.example/a')
  expect(run.end()).toEqual([])
  expect(git(root, 'remote')).toBe('origin\n')
})

test('what a kill left is put back at the next start, before anything is run', () => {
  const stored = join(folder, 'stored')
  const guard = createProtectedGuard({
    roots: [root],
    keepFolder: join(folder, 'kept'),
    stored: openSnapshotFile(stored, 's'),
  })
  guard.begin({ mounted: false })
  git(root, 'config', 'core.fsmonitor', EVIL())
  // As the next process finds it: the one that wrote it is gone.
  const [name] = execFileSync('ls', [stored], { encoding: 'utf8' }).split('\n')
  const file = join(stored, name!)
  expect(recoverProtected(stored)).toEqual([])
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"started":"[^"]*"/, '"started":"other"'))
  expect(recoverProtected(stored)).toMatchObject([
    { path: join(root, '.git', 'config'), change: 'changed', putBack: true },
  ])
  lookAround()
  expect(existsSync(canary)).toBe(false)
  expect(existsSync(file)).toBe(false)
})

test('what the user lets a tool write stays', () => {
  const guard = guardOf()
  const run = guard.begin({ mounted: true })
  mkdirSync(join(root, '.vscode'))
  writeFileSync(join(root, '.vscode', 'settings.json'), '{}')
  guard.accept()
  expect(run.end()).toEqual([])
  expect(existsSync(join(root, '.vscode', 'settings.json'))).toBe(true)
})
