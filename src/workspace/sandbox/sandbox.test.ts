import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProcess } from '../process/run-process.ts'
import { createSecretFileRule } from '../secrets/secret-files.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

// Not in /tmp, whose place a folder of the session takes; a checkout may lie there too.
const isTemporary = (path: string): boolean => /^(\/var)?\/tmp\//.test(path)
const place = [resolve('node_modules'), homedir(), '/opt'].find((path) => !isTemporary(path))!
const folder = realpathSync(mkdtempSync(join(place, '.codehound-sandbox-')))
const root = join(folder, 'work')
const home = join(folder, 'home')
const KEY = 'planted-key-0123456789'
/** What a home folder and a workspace hold that nobody should read. */
const IN_HOME = [
  ...'.ssh/id_rsa .ssh/config .aws/credentials .aws/config .azure/token .kube/config .gnupg/key .netrc .npmrc'.split(
    ' ',
  ),
  ...'.pypirc .pgpass .my.cnf .git-credentials .docker/config.json .cargo/credentials.toml .terraformrc'.split(' '),
  ...'.bash_history .zsh_history .config/gh/hosts.yml .config/gcloud/x .config/hub .vault-token .boto'.split(' '),
  ...'.m2/settings.xml .gradle/gradle.properties .gem/credentials .cache/huggingface/token'.split(' '),
  ...'.local/share/keyrings/a .mozilla/firefox/cookies other-project/.env'.split(' '),
]
const IN_WORKSPACE =
  '.env .env.local a/.env id_ed25519 key.pem a/b/server.key credentials.json .npmrc secrets.yml x.p12'.split(' ')
const createRule = () => {
  const rule = createSecretFileRule()
  return (path: string) => rule(path) !== null
}
const GIT_ENV = { PATH: process.env['PATH']!, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }
const isSecret = (path: string): boolean => /\/(?:\.env|id_rsa)$/.test(path)

mkdirSync(join(root, '.git', 'hooks'), { recursive: true })
mkdirSync(join(root, 'deep'), { recursive: true })
mkdirSync(join(home, '.ssh'), { recursive: true })
writeFileSync(join(root, '.git', 'config'), '[core]\n')
writeFileSync(join(root, '.env'), KEY)
writeFileSync(join(root, 'deep', 'id_rsa'), KEY)
writeFileSync(join(home, '.ssh', 'id_ed25519'), KEY)
writeFileSync(join(home, '.bashrc'), '')

const open = (options: Partial<Parameters<typeof openSandbox>[0]> = {}) =>
  openSandbox({ setting: 'auto', root, home, temp: join(folder, 'temp'), isSecret, ...options })

const sandbox: Sandbox = await open()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (command: string, inside = sandbox, network = false) =>
  runProcess({
    command,
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: home },
    timeoutMs: 10_000,
    wrap: (argv) => inside.wrap(argv, { cwd: root, network }),
  })

test('a sandbox works on this machine', (context) => {
  if (sandbox.active) return
  expect(process.env['CI'], `${sandbox.status}: CI needs one`).not.toBe('true')
  context.skip(`${sandbox.status} — on Debian: apt install bubblewrap`)
})

describe.runIf(sandbox.active)('a command in the sandbox', () => {
  test('runs where it should, with its exit code and output', async () => {
    const result = await run('pwd; echo problem >&2; exit 7')
    expect([result.exitCode, result.stdout.text, result.stderr.text]).toEqual([7, `${root}\n`, 'problem\n'])
    expect(result.leftRunning).toBe(false)
  })

  test('writes in the workspace and in a temporary folder that the next command sees', async () => {
    await run('echo made > made.txt; echo kept > /tmp/kept.txt')
    expect(readFileSync(join(root, 'made.txt'), 'utf8')).toBe('made\n')
    expect((await run('cat /tmp/kept.txt "$TMPDIR/kept.txt"')).stdout.text).toBe('kept\nkept\n')
    expect(existsSync('/tmp/kept.txt')).toBe(false)
  })

  test.each([
    ['a file beside the workspace', () => join(folder, 'outside.txt')],
    ['the startup file of the shell', () => join(home, '.bashrc')],
    ['a file of the system', () => '/etc/codehound-test'],
    ['a git hook', () => join(root, '.git', 'hooks', 'pre-commit')],
    ["git's settings", () => join(root, '.git', 'config')],
  ])('cannot write %s', async (_, path) => {
    const before = existsSync(path()) ? readFileSync(path(), 'utf8') : undefined
    const result = await run(`echo harm > '${path()}'`)
    // What is written to the home folder goes into one of the command's own.
    if (!path().startsWith(home)) expect(result.exitCode).not.toBe(0)
    expect(existsSync(path()) ? readFileSync(path(), 'utf8') : undefined).toBe(before)
  })

  test.each([
    ['read', 'cat .env deep/id_rsa "$HOME/.ssh/id_ed25519"'],
    ['copied', 'cp .env x; cp deep/id_rsa y; cat x y'],
    ['linked', 'ln .env x; ln -s .env z; cat x z'],
    ['moved', 'mv .env x; mv deep deeper; cat x deeper/id_rsa'],
    ['moved by a command before', 'ls -R; cat deeper/id_rsa x'],
    ['found', 'grep -r planted . "$HOME"; find . "$HOME" -type f -exec cat {} +'],
    ['seen through another process', 'cat /proc/*/environ /proc/*/root/.env'],
    ['uncovered by mounting', `unshare -Ur sh -c 'umount .env; mount --bind / /mnt; cat .env /mnt${root}/.env'`],
  ])('a planted key cannot be %s', async (_, command) => {
    const result = await run(command)
    expect(result.stdout.text + result.stderr.text).not.toContain(KEY)
    expect(readFileSync(join(root, '.env'), 'utf8')).toBe(KEY)
  })

  test('sees neither the processes outside nor their environment', async () => {
    const result = await run('ls /proc | grep -c "^[0-9]"')
    expect(Number(result.stdout.text)).toBeLessThan(10)
  })

  test('dies with its tree when it is stopped', async () => {
    const stop = new AbortController()
    const running = runProcess({
      command: 'setsid sleep 61.5 & sleep 61.5',
      cwd: root,
      signal: stop.signal,
      wrap: (argv) => sandbox.wrap(argv, { cwd: root }),
    })
    await new Promise((done) => setTimeout(done, 200))
    stop.abort()
    expect((await running).outcome).toBe('cancelled')
    const left = await runProcess({ command: 'pgrep -f "sleep 61.5" | grep -v $$', cwd: root })
    expect(left.stdout.text).toBe('')
  })

  test('40 planted credential files, in the home folder and the workspace, are not readable', async () => {
    const planted = [...IN_HOME.map((path) => join(home, path)), ...IN_WORKSPACE.map((path) => join(root, path))]
    expect(planted).toHaveLength(40)
    for (const path of planted) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, KEY)
    }
    const strict = await open({ isSecret: createRule() })
    const each = await run(planted.map((path) => `cat '${path}'`).join('; '), strict)
    expect(each.stdout.text).not.toContain(KEY)
    const all = await run(
      `grep -rs planted-key / --exclude-dir=proc --exclude-dir=usr --exclude-dir=node_modules`,
      strict,
    )
    expect(all.stdout.text).toBe('')
    for (const path of IN_WORKSPACE) rmSync(join(root, path))
  })

  test('a unix socket outside of the workspace is not reachable', async () => {
    const path = join(home, '.colima', 'docker.sock')
    mkdirSync(dirname(path), { recursive: true })
    const server = createServer((socket) => socket.end('reached'))
    await new Promise<void>((done) => server.listen(path, done))
    const ask = `node -e 'require("net").connect(process.argv[1]).on("data",(d)=>console.log(String(d))).on("error",(e)=>console.log(e.code))' '${path}'`
    expect((await run(ask)).stdout.text).toBe('ENOENT\n')
    server.close()
  })

  test('git takes a tracked file that is hidden for unchanged, and commits it as it was', async () => {
    const own = join(folder, 'tracked')
    mkdirSync(own)
    writeFileSync(join(own, '.env'), `KEY=${KEY}\n`)
    writeFileSync(join(own, 'a.txt'), 'a\n')
    utimesSync(join(own, '.env'), 1_600_000_000, 1_600_000_000)
    const identity = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a'
    await runProcess({
      command: `${identity}; git init -q; git add -f .; git commit -qm first`,
      cwd: own,
      env: GIT_ENV,
    })
    const inside = await open({ root: own })
    const looked = await runProcess({
      command: `${identity}; echo b >> a.txt; git status --short; git diff --stat; git commit -qam second; cat .env`,
      cwd: own,
      env: GIT_ENV,
      wrap: (argv) => inside.wrap(argv, { cwd: own }),
    })
    expect(looked.stderr.text).toBe('')
    expect(looked.stdout.text).toMatch(/^ M a\.txt\n a\.txt \| 1 \+\n/)
    expect(looked.stdout.text).not.toContain(KEY)
    const kept = await runProcess({ command: 'git show HEAD:.env; git show --stat --format=', cwd: own, env: GIT_ENV })
    expect(kept.stdout.text).toBe(`KEY=${KEY}\n a.txt | 1 +\n 1 file changed, 1 insertion(+)\n`)
  })

  test('a file and a process may grow to their limits and no further', async () => {
    const limits = { processes: 0, memory: 512, fileSize: 1, disk: 0 }
    const limited = await open({ limits })
    const full = await run('head -c 3000000 /dev/zero > big; wc -c < big', limited)
    expect(full.stdout.text.trim()).toBe(String(1024 * 1024))
    const much = await run(`python3 -c 'x = bytearray(900 * 1024 * 1024)' && echo got it`, limited)
    expect(much.stdout.text).toBe('')
  })

  test('what starts too many processes, or fills the disk, is stopped with its reason', async () => {
    const stopped = await runProcess({
      command: 'for i in $(seq 200); do sleep 20 & done; wait',
      cwd: root,
      wrap: (argv) => sandbox.wrap(argv, { cwd: root }),
      watchdog: { processes: 100, disk: 0, folders: [root] },
    })
    expect([stopped.outcome, stopped.error]).toEqual([
      'over-limit',
      'It was stopped: it started more than 100 processes (sandbox.limits.processes).',
    ])
    const filled = await runProcess({
      command: 'head -c 80000000 /dev/zero > big; sync big; sleep 20',
      cwd: root,
      wrap: (argv) => sandbox.wrap(argv, { cwd: root }),
      watchdog: { processes: 0, disk: 40, folders: [root] },
    })
    expect(filled.outcome).toBe('over-limit')
    rmSync(join(root, 'big'))
  })

  describe('on the network', () => {
    let server: Server
    let port: number
    let connections = 0
    beforeAll(async () => {
      server = createServer((socket) => {
        connections++
        socket.end('reached')
      })
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      port = (server.address() as { port: number }).port
    })
    afterAll(() => server.close())
    const dial = () => `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`

    test('does not reach a listener of this machine', async () => {
      expect((await run(dial())).stdout.text).toBe('')
      expect(connections).toBe(0)
    })

    test('reaches it when the network is allowed', async () => {
      expect((await run(dial(), sandbox, true)).stdout.text).toBe('reached')
      expect(connections).toBe(1)
    })

    test('may serve and ask itself', async () => {
      const own = `node -e 'const s=require("net").createServer(c=>c.end("own")).listen(0,"127.0.0.1",()=>require("net").connect(s.address().port,"127.0.0.1").on("data",d=>{console.log(String(d));process.exit()}))'`
      expect((await run(own)).stdout.text).toBe('own\n')
    })
  })
})

test.runIf(sandbox.active)('a working sandbox is remembered until the program or the machine changes', async () => {
  const cacheFile = join(folder, 'probe')
  const other = join(folder, 'other')
  mkdirSync(other)
  expect((await open({ root: other, cacheFile })).active).toBe(true)
  expect(readFileSync(cacheFile, 'utf8')).toContain(other)
})

describe('when there is none', () => {
  const broken = { probe: async () => '/usr/bin/bwrap does not work here (No permissions)' }

  test('auto goes without and says why', async () => {
    const opened = await open(broken)
    expect(opened).toMatchObject({
      kind: 'none',
      active: false,
      status: 'sandbox: none, /usr/bin/bwrap does not work here (No permissions)',
    })
    expect(opened.wrap(['ls'])).toEqual(['ls'])
  })

  test('strict refuses commands with the reason', async () => {
    expect((await open({ ...broken, setting: 'strict' })).refusal).toBe(
      'Commands run in a sandbox or not at all (sandbox: strict), and /usr/bin/bwrap does not work here (No permissions).',
    )
  })

  test('off says so', async () => {
    expect((await open({ setting: 'off' })).status).toBe('sandbox: off')
  })

  test('a home folder, what holds it, and other systems have none', async () => {
    expect((await open({ root: home })).status).toContain('the workspace is the home folder')
    expect((await open({ root: folder })).status).toContain('the workspace holds the home folder')
    expect((await open({ root: '/' })).status).toContain('the root of the file system')
    expect((await open({ platform: 'win32' })).status).toBe('sandbox: none, there is none for win32')
  })
})
