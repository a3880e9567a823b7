// Runs the git binary so that nothing of a hostile repository runs with it: no hooks, no fsmonitor, no external diff,
// no text conversion, no filters of the repository's own config, no pager, no editor, no prompt, no lazy fetch. Locks are not taken
// by reads. A missing binary and a failure are faults; output is bytes.

import { spawn } from 'node:child_process'
import { fault, type Fault } from '../fault.ts'
import { gitEnvironment } from './git-environment.ts'

export interface GitOutput {
  ok: true
  stdout: Buffer
}

export interface GitRun {
  /** Folder to run in. */
  cwd: string
  /** Text for stdin; none closes it. */
  input?: string
  /** Milliseconds; default 30 s. */
  timeoutMs?: number
  /** Bytes of output at most; default 64 MiB. */
  maxBytes?: number
  /** Lets hooks, filters and signing of the repository run, because the user trusts it. Only for commits. */
  trusted?: boolean
  signal?: AbortSignal
}

const TIMEOUT_MS = 30_000
const MAX_BYTES = 64 * 1024 * 1024

const SAFE_CONFIG = [
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.askPass=',
  'core.editor=true',
  'credential.helper=',
  'diff.external=',
  'diff.submodule=short',
  'log.showSignature=false',
  'protocol.ext.allow=never',
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
  'color.ui=false',
  // Paths are not turned into octal escapes.
  'core.quotePath=false',
]

// Config keys of a repository that name a program which a read may start.
const PROGRAM_KEYS =
  '^(filter\\..*\\.(clean|smudge|process|required)|core\\.(alternaterefscommand|gitproxy|sshcommand))$'

// Subcommands that compare or take in files of the work tree, and so would run clean filters.
const FILTERING = new Set(['status', 'diff', 'add', 'commit'])

export async function runGit(args: string[], run: GitRun): Promise<GitOutput | Fault> {
  if (run.trusted === true) return start([...flags(SAFE_CONFIG.slice(0, 2)), ...args], run)
  // Read each time: a command may have changed the config since.
  const overrides = FILTERING.has(args[0]!) ? await readOverrides(run.cwd) : []
  return start([...flags([...SAFE_CONFIG, `core.hooksPath=${NOWHERE}`, ...overrides]), ...args], run)
}

const NOWHERE = process.platform === 'win32' ? 'NUL' : '/dev/null'

function flags(config: string[]): string[] {
  return config.flatMap((each) => ['-c', each])
}

/** Empties every program the repository's own config (not the user's) names. Reading config starts nothing. */
async function readOverrides(cwd: string): Promise<string[]> {
  const args = ['config', '--show-scope', '--includes', '-z', '--name-only', '--get-regexp', PROGRAM_KEYS]
  const listed = await start([...flags(SAFE_CONFIG), ...args], { cwd })
  if (!listed.ok) return []
  const fields = listed.stdout.toString('utf8').split('\0')
  const keys: string[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    if (fields[at] === 'local' || fields[at] === 'worktree') keys.push(fields[at + 1]!)
  }
  return keys.map((key) => (key.endsWith('.required') ? `${key}=false` : `${key}=`))
}

function start(args: string[], run: GitRun): Promise<GitOutput | Fault> {
  const { promise, resolve } = Promise.withResolvers<GitOutput | Fault>()
  const child = spawn('git', ['--no-pager', ...args], {
    cwd: run.cwd,
    env: gitEnvironment(run.trusted),
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    timeout: run.timeoutMs ?? TIMEOUT_MS,
    killSignal: 'SIGKILL',
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  })
  const stdout: Buffer[] = []
  let size = 0
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > (run.maxBytes ?? MAX_BYTES)) child.kill('SIGKILL')
    else stdout.push(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    if (stderr.length < 10_000) stderr += chunk.toString('utf8')
  })
  child.on('error', (error) => {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    resolve(missing ? fault('NO_GIT', 'git is not installed, or not on the PATH.') : fault('GIT_FAILED', error.message))
  })
  child.on('close', (code, signal) => {
    if (code === 0) return resolve({ ok: true, stdout: Buffer.concat(stdout) })
    resolve(failureOf(args, code, signal, stderr))
  })
  child.stdin?.on('error', () => {
    // git ended before it read everything; its exit code tells why.
  })
  child.stdin?.end(run.input)
  return promise
}

function failureOf(args: string[], code: number | null, signal: string | null, stderr: string): Fault {
  if (/not a git repository/.test(stderr)) return fault('NO_GIT', 'The workspace is not in a git repository.')
  const subcommand = args.find((each, at) => !each.startsWith('-') && args[at - 1] !== '-c') ?? ''
  const words = stderr.trim().split('\n').slice(0, 20).join('\n')
  const how = signal === null ? `exit code ${code}` : 'it took too long or printed too much'
  return fault('GIT_FAILED', `git ${subcommand} failed (${how})${words === '' ? '.' : `: ${words}`}`)
}
