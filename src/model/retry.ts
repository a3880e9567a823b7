// Tries a request again when that can help: visibly, bounded in number and time, and never after text was given. Which
// failures are worth it is decided where the error is made (ModelError.retryable); here is only when and how often.
import type { ErrorInfo } from '../protocol/index.ts'
import { ModelError } from './language-model.ts'
import type { LanguageModel, ModelRequest, StreamNote, StreamPart } from './language-model.ts'

export interface RetryProfile {
  /** Tries after the first. */
  retries: number
  /** Milliseconds before try n (from 1), before jitter. */
  delayMs(attempt: number): number
  /** A server that asks for a longer wait is not waited for. */
  maxRetryAfterMs: number
  /** From the first try: no connection by then, none is tried again. */
  connectBudgetMs: number
}

/** 2, 4, 8 s. Jitter only shortens, so three refused tries and a last one end within 14 s. */
const doubling = (attempt: number): number => 2_000 * 2 ** (attempt - 1)
const MAX_RETRY_AFTER_MS = 60_000
const JITTER = 0.25

/** A headless run must give up a dead server within 15 s; an automation waits and is then queued again. */
export const retryProfiles = {
  interactive: { retries: 3, delayMs: doubling, maxRetryAfterMs: MAX_RETRY_AFTER_MS, connectBudgetMs: 60_000 },
  headless: { retries: 3, delayMs: doubling, maxRetryAfterMs: MAX_RETRY_AFTER_MS, connectBudgetMs: 14_500 },
  automation: {
    retries: 3,
    delayMs: (attempt: number) => [5_000, 15_000, 30_000][attempt - 1] ?? 30_000,
    maxRetryAfterMs: MAX_RETRY_AFTER_MS,
    connectBudgetMs: 120_000,
  },
} satisfies Record<string, RetryProfile>

export interface RetryNotice {
  /** The try that will be made, from 1. */
  attempt: number
  of: number
  delayMs: number
  error: ErrorInfo
}

export interface RetryOptions {
  signal: AbortSignal
  profile: RetryProfile
  onRetry?: (notice: RetryNotice) => void
  onNote?: ((note: StreamNote) => void) | undefined
  /** Milliseconds; rejects or resolves at once when the signal is aborted. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  now?: () => number
  random?: () => number
}

/** Streams one answer; throws the ModelError of the last try. */
export async function* streamWithRetry(
  model: LanguageModel,
  request: ModelRequest,
  options: RetryOptions,
): AsyncGenerator<StreamPart, void, undefined> {
  const {
    signal,
    profile,
    onRetry,
    onNote,
    sleep = sleepFor,
    now = () => performance.now(),
    random = Math.random,
  } = options
  const started = now()
  for (let attempt = 1; ; attempt++) {
    let given = false
    try {
      for await (const part of model.stream(request, signal, onNote)) {
        given = true
        yield part
      }
      return
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      if (!error.retryable || error.afterFirstPart || given || attempt > profile.retries) throw error
      const asked = error.info.retryAfterMs
      if (asked !== undefined && asked > profile.maxRetryAfterMs) throw waitTooLong(error, asked)
      const delayMs = asked ?? Math.round(profile.delayMs(attempt) * (1 - JITTER * random()))
      if (error.code === 'network' && now() - started + delayMs > profile.connectBudgetMs) throw error
      onRetry?.({ attempt, of: profile.retries, delayMs, error: error.toInfo() })
      await sleep(delayMs, signal)
      if (signal.aborted) throw new ModelError('cancelled', 'The request was cancelled', { retryable: false })
    }
  }
}

function waitTooLong(error: ModelError, ms: number): ModelError {
  const minutes = Math.ceil(ms / 60_000)
  return new ModelError(error.code, `${error.message} It asks to wait ${minutes} min.`, {
    ...error.info,
    retryable: false,
    suggestion: `Try again in ${minutes} min, or choose another backend with /model.`,
    cause: error,
  })
}

function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (signal.aborted) done()
    else signal.addEventListener('abort', done, { once: true })
  })
}
