import type { IncomingMessage } from 'node:http'
import { modelError } from './errors.ts'
import type { ErrorContext } from './errors.ts'
import { networkError } from './network-error.ts'

/** No answer of a model is that long; a server that sends more is not answering. */
const MAX_BODY_CHARS = 64 * 1024 * 1024
/** Characters that may wait for a reader; the server is then made to wait, so that an abort leaves nothing to read. */
const MOST_WAITING_CHARS = 256 * 1024
/** Rest of a body after its meaning is complete: read to keep the connection, but not waited for longer. */
const DRAIN_MS = 2_000

/**
 * The body of one answer as text chunks, with the timers of the request it belongs to.
 * Whoever reads it must call `spoke()` whenever the model said something and `release()` when done with it.
 */
export class ResponseBody {
  readonly #context: ErrorContext
  #timer: NodeJS.Timeout | undefined
  #note: NodeJS.Timeout | undefined
  #life: NodeJS.Timeout | undefined
  #chunks: string[] = []
  /** Characters in `#chunks`. */
  #waiting = 0
  #wake: (() => void) | undefined
  #state: 'open' | 'ended' | 'failed' = 'open'
  #error: Error | undefined
  #settled: (() => void) | undefined
  #incoming: IncomingMessage | undefined
  #onFirstPart: (() => void) | undefined

  constructor(context: ErrorContext) {
    this.#context = context
  }

  get settled(): boolean {
    return this.#state !== 'open'
  }

  /** Replaces the running time limit; bytes start it anew. */
  startTimer(ms: number, onTimeout: () => void): void {
    clearTimeout(this.#timer)
    if (this.#state === 'open') this.#timer = setTimeout(onTimeout, ms)
  }

  startNote(ms: number, onNote: () => void): void {
    this.#note = setTimeout(onNote, ms)
  }

  /** Called once, when no more bytes will come. */
  onSettled(done: () => void): void {
    this.#settled = done
  }

  attach(incoming: IncomingMessage, onFirstPart: () => void): void {
    this.#incoming = incoming
    this.#onFirstPart = onFirstPart
    let size = 0
    incoming.setEncoding('utf8')
    incoming.on('data', (chunk: string) => {
      if (this.#state === 'failed') return
      size += chunk.length
      this.#timer?.refresh()
      if (size > MAX_BODY_CHARS) {
        this.fail(modelError(this.#context, 'bad_response', 'The answer is longer than 64 MB', { retryable: false }))
        incoming.destroy()
        return
      }
      this.#chunks.push(chunk)
      this.#waiting += chunk.length
      if (this.#waiting > MOST_WAITING_CHARS) incoming.pause()
      this.#wake?.()
    })
    incoming.once('end', () => this.#settle('ended'))
    incoming.once('error', (error) => this.fail(networkError(this.#context, error, false)))
  }

  /** Limits how long the model may say nothing: bytes without meaning (comments, blank lines) are no sign of life. */
  startLife(ms: number, onTimeout: () => void): void {
    clearTimeout(this.#life)
    if (this.#state === 'open') this.#life = setTimeout(onTimeout, ms)
  }

  /** What came means something, though it is not yet part of an answer. */
  lives(): void {
    this.#life?.refresh()
  }

  /** The model said something; the first time, the limit between chunks takes the place of the one to the first byte. */
  spoke(): void {
    this.#life?.refresh()
    clearTimeout(this.#note)
    const start = this.#onFirstPart
    this.#onFirstPart = undefined
    start?.()
  }

  fail(error: Error): void {
    if (this.#state !== 'open') return
    this.#error = error
    this.#settle('failed')
  }

  /** Ends with the body; throws the ModelError that cut it. */
  async *chunks(): AsyncGenerator<string, void, undefined> {
    for (;;) {
      while (this.#chunks.length > 0) {
        const ready = this.#chunks
        this.#chunks = []
        this.#waiting = 0
        this.#incoming?.resume()
        yield ready.length === 1 ? ready[0]! : ready.join('')
      }
      if (this.#state === 'ended') return
      if (this.#state === 'failed') throw this.#error
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }

  /** The whole body. */
  async text(): Promise<string> {
    let text = ''
    for await (const chunk of this.chunks()) {
      text += chunk
      this.lives()
    }
    return text
  }

  /** Takes what has come as all there is. */
  end(): void {
    this.#settle('ended')
    this.#incoming?.destroy()
  }

  /** Gives the connection back when the answer is `complete`, closes it otherwise. */
  release(complete: boolean): void {
    if (this.#state !== 'open') return
    if (!complete) {
      this.#settle('failed')
      this.#incoming?.destroy()
      return
    }
    this.#incoming?.resume()
    clearTimeout(this.#life)
    this.startTimer(DRAIN_MS, () => {
      this.#settle('failed')
      this.#incoming?.destroy()
    })
    this.#timer?.unref()
  }

  #settle(state: 'ended' | 'failed'): void {
    if (this.#state !== 'open') return
    this.#state = state
    clearTimeout(this.#timer)
    clearTimeout(this.#note)
    clearTimeout(this.#life)
    this.#settled?.()
    this.#wake?.()
  }
}
