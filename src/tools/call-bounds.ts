import type { Effect, ToolResult } from '../protocol/index.ts'
import * as words from './call-words.ts'
import { Deadline } from './deadline.ts'
import type { Proposal } from './tool.ts'

/** After an interrupt or timeout a handler may still tell how it ended. Everything stands still within 100 ms (agent-loop.md). */
const SETTLE_MS = 80
/** A write that has begun is waited for: its result must say what is on disk. */
const WRITE_SETTLE_MS = 5_000
/** A command that was timed out is ended with SIGTERM first; its tool then gives the output it had. */
const COMMAND_SETTLE_MS = 3_000

/** The time and the interrupt of one call: what bounds its handler, and what does not. */
export class CallBounds {
  readonly deadline: Deadline
  readonly #tool: string
  readonly #effect: Effect
  readonly #limitMs: number
  readonly #outer: AbortSignal
  readonly #abort = new AbortController()
  #why: 'interrupted' | 'timeout' | undefined

  /** @param limitMs 0 = none */
  constructor(tool: string, effect: Effect, limitMs: number, outer: AbortSignal) {
    this.#tool = tool
    this.#effect = effect
    this.#limitMs = limitMs
    this.#outer = outer
    this.deadline = new Deadline(limitMs, () => this.#stop('timeout'))
    outer.addEventListener('abort', this.#interrupt, { once: true })
  }

  /** Ends with the interrupt of the run, and when the time is over. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get interrupted(): boolean {
    return this.#outer.aborted
  }

  end(): void {
    this.deadline.end()
    this.#outer.removeEventListener('abort', this.#interrupt)
  }

  /** The result that says why the handler was ended; undefined when it was not. */
  stopped(started: boolean): ToolResult | undefined {
    if (this.#why === undefined) return undefined
    return this.#why === 'timeout' ? words.timedOut(this.#tool, this.#limitMs) : words.interrupted(started)
  }

  /** Waits for a handler, but not for one that goes on after it was told to stop. */
  async handler<T extends ToolResult | Proposal>(start: () => Promise<T>, started: boolean): Promise<T | ToolResult> {
    let settle: NodeJS.Timeout | undefined
    const abandoned = onceAborted(this.signal, (resolve) => {
      settle = setTimeout(resolve, this.#settleMs())
    })
    try {
      const running = start()
      running.catch(() => undefined)
      const ended = await Promise.race([running, abandoned.promise])
      return ended ?? this.stopped(started) ?? words.interrupted(started)
    } finally {
      clearTimeout(settle)
      abandoned.forget()
    }
  }

  /** Waits for a person with the clock stopped; undefined when the wait was interrupted. */
  async person<T>(wait: () => Promise<T>): Promise<T | undefined> {
    if (this.#outer.aborted) return undefined
    const aborted = onceAborted(this.#outer, (resolve) => resolve())
    try {
      const waiting = wait()
      waiting.catch(() => undefined)
      const answer = await Promise.race([waiting, aborted.promise])
      return this.#outer.aborted ? undefined : answer
    } finally {
      aborted.forget()
    }
  }

  #settleMs(): number {
    if (this.#effect === 'write') return WRITE_SETTLE_MS
    return this.#effect === 'execute' && this.#why === 'timeout' ? COMMAND_SETTLE_MS : SETTLE_MS
  }

  #stop(why: 'interrupted' | 'timeout'): void {
    this.#why ??= why
    this.#abort.abort()
  }

  #interrupt = (): void => this.#stop('interrupted')
}

function onceAborted(
  signal: AbortSignal,
  then: (resolve: () => void) => void,
): { promise: Promise<undefined>; forget: () => void } {
  let listener: (() => void) | undefined
  const promise = new Promise<undefined>((resolve) => {
    listener = () => then(() => resolve(undefined))
    if (signal.aborted) listener()
    else signal.addEventListener('abort', listener, { once: true })
  })
  return { promise, forget: () => listener && signal.removeEventListener('abort', listener) }
}
