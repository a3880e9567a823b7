// Runs the built program as a user would: a process of its own with a home, a configuration and a workspace of its own.
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Event, Report } from '../../src/protocol/index.ts'

export const CLI = process.env['CODEHOUND'] ?? resolve(import.meta.dirname, '../../dist/cli.js')
/** Nothing these tests do takes longer. Milliseconds. */
const TIME_LIMIT_MS = 100_000

export interface Place {
  home: string
  /** The workspace. */
  folder: string
  env: Record<string, string>
  write(path: string, text: string | Uint8Array): void
  remove(): void
}

/** A scratch home and workspace; `files` go into the workspace, which is a git repository unless `git` is false. */
export function makePlace(files: Record<string, string> = {}, { git = true }: { git?: boolean } = {}): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-test-')))
  const home = join(base, 'home')
  const folder = join(base, 'work')
  mkdirSync(home)
  mkdirSync(folder)
  const place: Place = {
    home,
    folder,
    env: {
      PATH: `${resolve(import.meta.dirname, '../../node_modules/.bin')}:${process.env['PATH'] ?? '/usr/bin:/bin'}`,
      HOME: home,
      TMPDIR: base,
      // See compile-cache.ts.
      ...(process.env['NODE_COMPILE_CACHE'] && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'test',
      GIT_AUTHOR_EMAIL: 'test@localhost',
      GIT_COMMITTER_NAME: 'test',
      GIT_COMMITTER_EMAIL: 'test@localhost',
    },
    write: (path, text) => {
      const file = resolve(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
  for (const [path, text] of Object.entries(files)) place.write(path, text)
  if (git) {
    const run = (...args: string[]): unknown =>
      execFileSync('git', args, { cwd: folder, env: place.env, stdio: 'ignore' })
    run('init', '-q', '-b', 'main')
    run('add', '-A')
    run('commit', '-q', '--allow-empty', '-m', 'start')
  }
  return place
}

/** Writes the user's configuration: one backend `mock` at the server. A window of 0 is left to the server. */
export function configure(
  place: Place,
  url: string,
  options: { type?: 'openai-compatible' | 'ollama' | 'anthropic' | 'albert'; window?: number; more?: string } = {},
): void {
  const { type = 'openai-compatible', window = 128_000, more = '' } = options
  const base = type === 'ollama' ? url : `${url}/v1`
  const size = window === 0 ? '' : `, context_max_tokens: ${window}`
  const file = join(place.home, '.config/codehound/config.yaml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    `backends:\n  mock: { type: ${type}, url: "${base}", api_key: mock-key${size} }\nmodel: mock/some-model\n${more}`,
  )
}

export interface CliResult {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface RunningCli {
  child: ChildProcess
  stdout(): string
  stderr(): string
  ended: Promise<CliResult>
}

interface CliOptions {
  /** Another cli.js than the build's, such as that of an installed package. */
  program?: string
  input?: string
  /** Leaves stdin a pipe that nobody closes. */
  openStdin?: boolean
  cwd?: string
  env?: Record<string, string>
  timeoutMs?: number
  /** The workspace can be read only, also for root (needs bubblewrap). */
  readOnly?: boolean
}

/** Starts the program; killed with its process group when it takes too long. */
export function startCli(place: Place, args: string[], options: CliOptions = {}): RunningCli {
  const pipe = options.input !== undefined || options.openStdin === true
  const node = [process.execPath, options.program ?? CLI, ...args]
  const [command, ...rest] = options.readOnly
    ? ['bwrap', '--dev-bind', '/', '/', '--ro-bind', place.folder, place.folder, '--', ...node]
    : node
  const child = spawn(command!, rest, {
    cwd: options.cwd ?? place.folder,
    env: { ...place.env, ...options.env },
    stdio: [pipe ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let stdout = ''
  let stderr = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  if (options.input !== undefined) child.stdin!.end(options.input)
  const killer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), options.timeoutMs ?? TIME_LIMIT_MS)
  const ended = new Promise<CliResult>((done) => {
    child.on('close', (code, signal) => {
      clearTimeout(killer)
      done({ code, signal, stdout, stderr })
    })
  })
  return { child, stdout: () => stdout, stderr: () => stderr, ended }
}

export const runCli = (place: Place, args: string[], options: CliOptions = {}): Promise<CliResult> =>
  startCli(place, args, options).ended

/** Events of `--output jsonl`; a last line that a kill cut in two is left out. */
export function eventsOf(stdout: string): Event[] {
  return stdout.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Event]
    } catch {
      return []
    }
  })
}

export function reportOf(stdout: string): Report {
  const end = eventsOf(stdout).find((event) => event.type === 'run-end')
  if (end?.type !== 'run-end') throw new Error(`no run-end in:\n${stdout.slice(-2000)}`)
  return end.report
}
