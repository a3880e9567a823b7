// Runs one command to its end and ends its whole process tree when it must.
// Promises: no shell between the caller and an argv; stdin closed; memory bounded whatever the output; a result and
// never a throw. Does not promise: to judge the command (src/policy) or to confine it (src/workspace/sandbox).
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { StreamMask } from '../secrets/stream-mask.ts'
import type { ProtectedChange } from '../protected/put-back.ts'
import type { Confinement } from './confinement.ts'
import { startWatchdog } from './watchdog.ts'
import { Capture, type CapturedStream, type OutputFile, type StreamName } from './capture.ts'
import { hasPipe, PIPE_STATUS_FD, PipeStatus, tellingPipes } from './pipe-status.ts'
import { groupMembers, MARK_VARIABLE, signalTree } from './process-tree.ts'

/** Bytes of each stream kept in memory: many times what a tool result may show (50,000 characters). */
export const DEFAULT_MEMORY_BYTES = 512 * 1024
/** Bytes of output kept on disk at most; `yes` writes several GB a second. */
export const DEFAULT_DISK_BYTES = 256 * 1024 * 1024
/** Time between SIGTERM and SIGKILL after a time limit: enough for a test runner to end its workers. */
const TIMEOUT_GRACE_MS = 1_000
/** The same after an interrupt: the spec gives 100 ms for everything to stand still. */
const CANCEL_GRACE_MS = 60
/** How long the pipes may stay open after the command itself ended, held by a process it left behind. */
const DRAIN_MS = 120

/** How long after the command's end a process of its group may take to end by itself. */
const SETTLE_MS = 25
/** Until the first look whether it has, and twice as long until each further one. */
const SETTLE_LOOK_MS = 2
/** Time after SIGKILL until the result is given although a process that cannot be ended (uninterruptible) holds the pipes. */
const GIVE_UP_MS = 400

/** All commands of this program carry a mark that starts with it, so that nothing outlives `endLeftProcesses`. */
const PROGRAM_MARK = randomUUID()
let commandCount = 0

export interface ProcessOptions extends Confinement {
  /** A shell command (`bash -c`, or `sh -c` where there is no bash), or an argv that is started as it is. */
  command: string | readonly string[]
  cwd: string
  /** The whole environment; see `commandEnvironment`. Default: none of this process's variables but PATH and HOME. */
  env?: Readonly<Record<string, string>>
  /** Milliseconds until the tree is ended; 0 or absent: no limit. */
  timeoutMs?: number
  signal?: AbortSignal
  /** Text for its stdin; without one stdin is closed. */
  input?: string
  /** Called with each piece of text as it comes. */
  onOutput?: (stream: StreamName, text: string) => void
  /** Takes secrets out of a stream before anyone has it; what may be half of one is kept back until the rest has come. */
  hide?: () => StreamMask
  /** Bytes of each stream kept in memory, half head and half tail. Default 512 KiB. */
  memoryBytes?: number
  /** File that gets the whole output, both streams in order of arrival, once one passes `memoryBytes`; its folder is made. */
  overflowFile?: string
  /** Bytes in that file at most. Default 256 MiB. */
  diskBytes?: number
  /** Who the processes belong to, such as a session id, for `endLeftProcesses`. */
  owner?: string
  /** Whether it is told how the parts of its pipes ended; see `ProcessResult.pipes`. */
  tellPipes?: boolean
}

export interface ProcessResult {
  /** `exited`: it ended by itself; `over-limit`: it took too much of the machine; `failed`: it could not be started. */
  outcome: 'exited' | 'timed-out' | 'cancelled' | 'over-limit' | 'failed'
  /** 0–255, or null when a signal ended it or it never ran. */
  exitCode: number | null
  signal: NodeJS.Signals | null
  stdout: CapturedStream
  stderr: CapturedStream
  /** The whole output, when it was more than memory keeps and `overflowFile` was given. */
  file?: OutputFile
  /** Milliseconds from start to end. */
  durationMs: number
  /** True when processes it started were still running after it ended by itself; `endLeftProcesses` ends them. */
  leftRunning: boolean
  /** Exit codes along each pipe of which a part before the last failed, when `tellPipes` was asked for and the shell is bash. */
  pipes?: number[][]
  /** What it did to paths that other programs run or obey. */
  protectedChanges?: ProtectedChange[]
  /** Why it could not be started, or was stopped. */
  error?: string
}

// With a socket for stdin, which is what Node makes of a pipe, bash takes itself for a remote shell and reads ~/.bashrc. With `-p` it
// takes no functions, options, CDPATH or GLOBIGNORE from the environment, and BASH_ENV is not run (bash(1), INVOCATION).
const SHELL = existsSync('/bin/bash') ? ['/bin/bash', '--norc', '--noprofile', '-p', '-c'] : ['/bin/sh', '-c']

/** Returns the argv that runs `command`: itself, or the shell with it. */
export function commandArgv(command: string | readonly string[]): readonly string[] {
  return typeof command === 'string' ? [...SHELL, command] : command
}

/** Whether the shell is asked how the parts of a command's pipes ended. */
function tells({ command, tellPipes }: Pick<ProcessOptions, 'command' | 'tellPipes'>): boolean {
  return tellPipes === true && typeof command === 'string' && SHELL[0] === '/bin/bash' && hasPipe(command)
}

export interface StartedProcess {
  child: ChildProcess
  /** Mark of its tree, for `signalTree`. */
  mark: string
}

/** Starts a command on its own process group with a marked environment; `child` may still emit 'error'. */
export function startProcess(
  options: Pick<ProcessOptions, 'command' | 'cwd' | 'env' | 'input' | 'owner' | 'wrap' | 'tellPipes'>,
): StartedProcess {
  const mark = `${PROGRAM_MARK}.${options.owner ?? ''}.${++commandCount}.`
  const isTold = tells(options)
  const plain = commandArgv(isTold ? tellingPipes(options.command as string) : options.command)
  const argv = options.wrap ? options.wrap(plain, { cwd: options.cwd }) : plain
  const env = options.env ?? { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: process.env['HOME'] ?? '/' }
  const child = spawn(argv[0] ?? '', argv.slice(1), {
    cwd: options.cwd,
    env: { ...env, [MARK_VARIABLE]: mark },
    detached: true,
    // The fourth is PIPE_STATUS_FD.
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(isTold ? ['pipe' as const] : [])],
  })
  // A program that does not read its input breaks the pipe, which is its good right.
  child.stdin?.on('error', () => {}).end(options.input)
  return { child, mark }
}

/** Runs a command to its end. Never rejects: what goes wrong is in the result. */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  const capture = new Capture({
    memoryBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES,
    overflowFile: options.overflowFile,
    diskBytes: options.diskBytes ?? DEFAULT_DISK_BYTES,
    onOutput: options.onOutput,
    hide: options.hide,
  })
  const begun = performance.now()
  let guarded: { end(): ProtectedChange[] } | undefined
  const done = (rest: Pick<ProcessResult, 'outcome'> & Partial<ProcessResult>): ProcessResult => ({
    exitCode: null,
    signal: null,
    leftRunning: false,
    ...capture.finish(),
    ...rest,
    ...protectedChanges(guarded?.end()),
    durationMs: performance.now() - begun,
  })
  if (options.signal?.aborted) return done({ outcome: 'cancelled' })
  let started: StartedProcess
  try {
    guarded = options.guard?.begin()
    started = startProcess(options)
  } catch (error) {
    return done({ outcome: 'failed', error: startFailure(options, error) })
  }
  return await new Promise((resolve) => {
    watch(started, options, capture, (rest) => resolve(done(rest)))
  })
}

function protectedChanges(changes: ProtectedChange[] = []): Pick<ProcessResult, 'protectedChanges'> {
  return changes.length === 0 ? {} : { protectedChanges: changes }
}

type Ending = Pick<ProcessResult, 'outcome'> & Partial<ProcessResult>

function watch(
  { child, mark }: StartedProcess,
  options: ProcessOptions,
  capture: Capture,
  end: (rest: Ending) => void,
): void {
  let stopped: 'timed-out' | 'cancelled' | 'over-limit' | undefined
  let reason: string | undefined
  let ended = false
  let drain: NodeJS.Timeout | undefined
  let kill: NodeJS.Timeout | undefined

  const tree = { pid: child.pid, mark }
  const stop = (why: NonNullable<typeof stopped>): void => {
    if (stopped || ended) return
    stopped = why
    // What takes the machine gets no time to clean up.
    signalTree(tree, why === 'over-limit' ? 'SIGKILL' : 'SIGTERM')
    kill = setTimeout(
      () => {
        signalTree(tree, 'SIGKILL')
        kill = setTimeout(() => finish({ outcome: why }), GIVE_UP_MS)
      },
      why === 'cancelled' ? CANCEL_GRACE_MS : TIMEOUT_GRACE_MS,
    )
  }
  const watchdog =
    options.watchdog &&
    startWatchdog(options.watchdog, (why) => {
      reason = why
      stop('over-limit')
    })
  const limit = options.timeoutMs ? setTimeout(() => stop('timed-out'), options.timeoutMs) : undefined
  const cancel = (): void => stop('cancelled')
  options.signal?.addEventListener('abort', cancel, { once: true })

  const finish = (rest: Ending): void => {
    if (ended) return
    ended = true
    watchdog?.()
    clearTimeout(limit)
    clearTimeout(drain)
    clearTimeout(kill)
    options.signal?.removeEventListener('abort', cancel)
    // What ignored SIGTERM, or was started by a handler of it, ends here.
    if (stopped) signalTree(tree, 'SIGKILL')
    told?.destroy()
    const pipes = pipeStatus.failed()
    const why = reason === undefined ? {} : { error: `It was stopped: ${reason}.` }
    end(pipes.length > 0 ? { ...rest, ...why, pipes } : { ...rest, ...why })
  }

  const take = (name: StreamName) => (chunk: Buffer) => {
    if (!ended) capture.add(name, chunk)
  }
  const pipeStatus = new PipeStatus()
  const told = child.stdio[PIPE_STATUS_FD] as Readable | undefined
  told?.on('data', (chunk: Buffer) => pipeStatus.add(chunk))
  child.stdout!.on('data', take('stdout'))
  child.stderr!.on('data', take('stderr'))
  child.on('error', (error) => finish({ outcome: 'failed', error: startFailure(options, error) }))
  const exited = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
    const outcome = stopped ?? 'exited'
    if (stopped || !groupRuns(child.pid)) return finish({ outcome, exitCode, signal })
    // A sandbox takes a moment to end after its command; what still runs then was left behind.
    const lookAgain = (waited: number, wait: number): void => {
      clearTimeout(drain)
      drain = setTimeout(() => {
        const runs = groupRuns(child.pid)
        if (runs && waited + wait < SETTLE_MS) return lookAgain(waited + wait, wait * 2)
        finish({ outcome, exitCode, signal, leftRunning: runs })
      }, wait)
    }
    lookAgain(0, SETTLE_LOOK_MS)
  }
  child.on('close', exited)
  child.on('exit', (exitCode, signal) => {
    // A process left behind holds the pipes: it keeps its output, and codehound goes on without it.
    drain = setTimeout(() => {
      for (const stream of [child.stdout, child.stderr]) {
        const socket = stream as unknown as { unref?: () => void } | null
        socket?.unref?.()
      }
      exited(exitCode, signal)
    }, DRAIN_MS)
  })
}

/** Whether a process of the group still runs. One that ended and was never waited for, as in a container without init, does not. */
function groupRuns(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 0) && groupMembers(pid).length > 0
  } catch {
    return false
  }
}

function startFailure(options: ProcessOptions, error: unknown): string {
  const [program] = options.wrap
    ? options.wrap(commandArgv(options.command), { cwd: options.cwd })
    : commandArgv(options.command)
  if (!existsSync(options.cwd)) return `The folder ${options.cwd} does not exist; choose an existing cwd.`
  const reason = error instanceof Error ? error.message : String(error)
  return `${program ?? 'The command'} could not be started: ${reason}`
}

/** Ends every process that commands of this owner (of this whole program without one) left behind; returns how many. */
export function endLeftProcesses(owner?: string): number {
  if (commandCount === 0) return 0
  return signalTree({ mark: owner === undefined ? PROGRAM_MARK : `${PROGRAM_MARK}.${owner}.` }, 'SIGKILL')
}
