// What the policy says only looks, held against the programs themselves: argument lists made of the options each program names in
// its own help, judged in plan mode and, when free, run in a folder of its own. Nothing there may be made, changed or gone after; no
// editor, pager or program of the network may have been started, and nothing secret or outside of the folder may have been printed.
//   node test/proof/read-only-programs.ts --count 20000 --seed 1
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { READ_ONLY } from '../../src/policy/commands/read-only.ts'
import { quoted } from '../../src/policy/commands/segment.ts'
import { createPolicy } from '../../src/policy/policy.ts'
import { commandFacts } from '../../src/workspace/command-facts.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { picker, type Pick } from './picker.ts'

/** They wait, have no end, or need what is not there. */
const LEFT_OUT = new Set(['sleep', 'docker', 'npm', 'man', 'wait', 'yes', 'vmstat'])
/** Builtins of the shell: they have no help to read, and their options are few. */
const BUILTINS = new Set(
  'cd type command : exit return break continue shift set export local read [[ umask jobs true false'.split(' '),
)
const GIT =
  'status diff log show blame grep ls-files branch tag remote stash reflog config describe shortlog notes'.split(' ')
const WORDS = [
  'in',
  'in',
  'other',
  'dir',
  '-x',
  'out',
  'new/out',
  '--',
  './evil',
  'evil',
  '1',
  '2',
  '.',
  'a=b',
  '*',
  'in*',
  '1p',
  '/a/',
  'w out',
  '{print > "out"}',
  'HEAD',
  '',
  '.env',
  'away',
  'away/text',
]

const OPERANDS = ['--', 'in', '-x', 'out', 'other']

/** Stands in a secret file, and in one outside to which a link leads. */
const CANARY = 'canary-4711'
/** Programs that others start, and that are none of the table: each is replaced by one that tells its name. */
const STUBS = [
  'vi',
  'vim',
  'nano',
  'ed',
  'emacs',
  'ssh',
  'gpg',
  'curl',
  'wget',
  'lp',
  'lpr',
  'sendmail',
  'xdg-open',
  'w3m',
]

/** A folder with the stubs, and with the file that the link leads to. */
function plantOutside(): string {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-outside-')))
  writeFileSync(join(outside, 'text'), `${CANARY}\n`)
  mkdirSync(join(outside, 'bin'))
  for (const name of STUBS)
    writeFileSync(join(outside, 'bin', name), `#!/bin/sh\necho ${name} >> '${join(outside, 'started')}'\n`, {
      mode: 0o755,
    })
  return outside
}

/** Options a program names in its help, short and long. */
function optionsOf(program: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(program[0]!, [...program.slice(1), program[0] === 'git' ? '-h' : '--help'], {
    encoding: 'utf8',
    input: '',
    timeout: 10_000,
    env: { PATH: process.env['PATH'] ?? '', PAGER: 'cat', TERM: 'dumb' },
  })
  const named = `${stdout}\n${stderr}`.match(/(?<![\w-])--?[A-Za-z0-9][\w-]*/g) ?? []
  return [...new Set([...named, '-o', '-w', '-i', '-r', '-c', '-f'])]
}

function argument(options: readonly string[], pick: Pick): string {
  const option = pick(options)
  return pick([
    pick(WORDS),
    pick(WORDS),
    option,
    option,
    // Shortened, joined to a value, or bundled with another.
    option.slice(0, Math.max(3, option.length - 2)),
    `${option}=${pick(WORDS)}`,
    `${option}${pick(WORDS)}`,
    `-${option.replace(/^-+/, '').slice(0, 1)}${pick(options).replace(/^-+/, '').slice(0, 1)}`,
  ])
}

function plant(root: string): void {
  mkdirSync(join(root, 'dir'), { recursive: true })
  writeFileSync(join(root, 'in'), 'b\na\na\n')
  writeFileSync(join(root, 'other'), '41 62 63\n')
  writeFileSync(join(root, '-x'), 'dash\n')
  writeFileSync(join(root, 'dir', 'inner'), 'inner\n')
  writeFileSync(join(root, 'evil'), '#!/bin/sh\ntouch "${0%/*}/ran"\ncat\n')
  chmodSync(join(root, 'evil'), 0o755)
}

/** Every entry with its kind, mode, content and time of change; the index of git is its own to refresh. */
function stateOf(folder: string): string {
  const hash = createHash('sha256')
  const visit = (at: string): void => {
    for (const name of readdirSync(at).toSorted()) {
      const path = join(at, name)
      if (/\/\.git\/index(?:\.lock)?$/.test(path)) continue
      const stat = lstatSync(path)
      hash.update(`${path} ${stat.mode} ${stat.isDirectory() ? '' : stat.mtimeMs}\n`)
      if (stat.isDirectory()) visit(path)
      else if (stat.isSymbolicLink()) hash.update(readlinkSync(path))
      else if (stat.isFile()) hash.update(readFileSync(path))
    }
  }
  visit(folder)
  return hash.digest('hex')
}

export interface Outcome {
  commands: number
  /** Those that were judged to only look, and were run. */
  run: number
  failures: string[]
}

export async function proveReadOnly({ count, seed }: { count: number; seed: number }): Promise<Outcome> {
  const pick = picker(seed)
  const outcome: Outcome = { commands: 0, run: 0, failures: [] }
  const installed = Object.keys(READ_ONLY).filter(
    (name) =>
      !LEFT_OUT.has(name) &&
      !BUILTINS.has(name) &&
      name !== 'git' &&
      spawnSync('which', [name], { stdio: 'ignore' }).status === 0,
  )
  const programs = [...installed.map((name) => [name]), ...GIT.map((subcommand) => ['git', subcommand])]
  const known = new Map<string, string[]>()
  let root = ''
  const outside = plantOutside()
  let policy: ReturnType<typeof createPolicy> | undefined
  const fresh = (): void => {
    if (root !== '') rmSync(root, { recursive: true, force: true })
    root = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-looks-')))
    plant(root)
    const env = {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.org',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.org',
    }
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'first'],
    ])
      spawnSync('git', args, { cwd: root, stdio: 'ignore', env })
    writeFileSync(join(root, 'in'), 'b\na\nc\n')
    writeFileSync(join(root, '.env'), `KEY=${CANARY}\n`)
    symlinkSync(outside, join(root, 'away'))
    const workspace = openWorkspace({ root })
    policy = createPolicy({
      root,
      mode: 'plan',
      interactive: true,
      sandboxed: false,
      noSandbox: true,
      trusted: true,
      // What lies in the temporary folder may be read otherwise, and both folders lie there.
      facts: { ...commandFacts(workspace, { HOME: root }), temp: [] },
    })
  }
  fresh()
  for (; outcome.commands < count; outcome.commands++) {
    const program = pick(programs)
    const name = program.join(' ')
    const options = known.get(name) ?? optionsOf(program)
    known.set(name, options)
    // Some calls have operands only: what is an input and what an output is told by their number and by `--`.
    const draw = pick([() => argument(options, pick), () => argument(options, pick), () => pick(OPERANDS)])
    const args = Array.from({ length: pick([0, 1, 1, 2, 2, 3, 3, 4]) }, draw)
    // Patterns stay bare, so that the shell expands them.
    const text = [...program, ...args.map((arg) => (/^[\w]*\*$/.test(arg) ? arg : quoted(arg)))].join(' ')
    if ((await policy!.judge({ kind: 'command', command: text })).readOnly !== true) continue
    outcome.run++
    const before = stateOf(root)
    const { stdout, stderr } = spawnSync('bash', ['-c', text], {
      encoding: 'utf8',
      cwd: root,
      input: 'in\n',
      timeout: 5000,
      killSignal: 'SIGKILL',
      env: {
        PATH: `${join(outside, 'bin')}:${process.env['PATH'] ?? ''}`,
        HOME: root,
        TERM: 'dumb',
        GIT_OPTIONAL_LOCKS: '0',
        PAGER: './evil',
        GIT_PAGER: './evil',
        EDITOR: './evil',
        LESSOPEN: '',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    })
    const started = join(outside, 'started')
    const trouble = existsSync(started)
      ? 'started another program'
      : `${stdout}${stderr}`.includes(CANARY)
        ? 'printed what is secret or outside'
        : stateOf(root) === before
          ? undefined
          : 'changed files'
    rmSync(started, { force: true })
    if (trouble === undefined) continue
    outcome.failures.push(`${trouble}: ${text}`)
    fresh()
  }
  rmSync(root, { recursive: true, force: true })
  rmSync(outside, { recursive: true, force: true })
  return outcome
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
  })
  const { commands, run, failures } = await proveReadOnly({ count: Number(values.count), seed: Number(values.seed) })
  for (const failure of failures.slice(0, 40)) console.log(`judged to only look, but it ${failure}`)
  console.log(`read-only programs: ${commands} calls, ${run} run, ${failures.length} failures (seed ${values.seed})`)
  process.exitCode = failures.length === 0 ? 0 : 1
}
