import { ModelError } from './language-model.ts'

/** Who was asked; every error carries it. */
export interface ErrorContext {
  backend: string
  provider: string
  url: string
  model?: string | undefined
}

type ErrorOptions = ConstructorParameters<typeof ModelError>[2]

/** Makes an error of the closed list that carries its context. */
export function modelError(
  context: ErrorContext,
  code: ModelError['code'],
  message: string,
  options: Omit<ErrorOptions, 'provider' | 'model' | 'url'>,
): ModelError {
  const { provider, model, url } = context
  return new ModelError(code, message, { ...options, provider, url, ...(model === undefined ? {} : { model }) })
}

/** Same error, marked as having come after parts were given: it is not tried again. */
export function afterFirstPart(error: ModelError): ModelError {
  const { code, message, info, cause } = error
  return new ModelError(code, message, { ...info, retryable: false, afterFirstPart: true, cause })
}

/** Reads Retry-After (seconds or a date) and its millisecond sibling; undefined when neither is there. */
export function retryAfterMs(headers: Record<string, string | string[] | undefined>, now: number): number | undefined {
  const millis = Number(headers['retry-after-ms'])
  if (Number.isFinite(millis) && millis >= 0) return millis
  const value = headers['retry-after']
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

export interface StatusFailure {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** What the server said, one line; empty when it said nothing. */
  said: string
  /** Set by the provider from the structured body where a status means several things. */
  kind?: 'context_too_long' | 'model_not_found' | 'no-tools' | 'no-images' | 'quota' | undefined
  /** Installed models near the one asked for, nearest first. */
  nearest?: string[] | undefined
  /** What to type to download the model, where the provider can. */
  pull?: string | undefined
}

// 529 is Anthropic's "overloaded"; 408 and 425 are transient by definition.
const retryableStatus = new Set([408, 425, 429, 500, 502, 503, 504, 529])

/** The one place where a status becomes an error of the closed list; providers add `kind` from their structured bodies. */
export function statusError(context: ErrorContext, failure: StatusFailure): ModelError {
  const { status, said, kind } = failure
  const who = `${context.backend} (${context.url})`
  const detail = said === '' ? '' : `: ${said}`
  const retryable = retryableStatus.has(status)
  if (kind === 'context_too_long' || status === 413)
    return modelError(
      context,
      'context_too_long',
      `${who} says the prompt is longer than the model's window${detail}`,
      {
        status,
        retryable: false,
        suggestion: 'Shorten the conversation with /compress, or set a larger window (contextMaxTokens, numCtx).',
      },
    )
  if (kind === 'model_not_found') return notFound(context, failure, who)
  if (kind === 'no-tools')
    return modelError(context, 'unknown', `${who} says the model "${context.model}" does not take tools${detail}`, {
      status,
      retryable: false,
      unsupported: 'tools',
      suggestion: `Set toolFormat: xml for the backend "${context.backend}".`,
    })
  if (kind === 'no-images')
    return modelError(context, 'unknown', `${who} says the model "${context.model}" does not take images${detail}`, {
      status,
      retryable: false,
      unsupported: 'images',
      suggestion: 'Choose a model that sees with /model.',
    })
  if (status === 401 || status === 403 || status === 402)
    return modelError(context, 'auth_error', `${who} refused the credentials (${status})${detail}`, {
      status,
      retryable: false,
      suggestion:
        status === 402
          ? 'The account has no credit left: add some, or choose another backend with /model.'
          : `Check api_key or api_key_command of the backend "${context.backend}".`,
    })
  if (status === 429) return rateLimit(context, failure, who)
  if (status >= 500 || retryable)
    return modelError(context, status === 408 ? 'timeout' : 'server_error', `${who} failed with ${status}${detail}`, {
      status,
      retryable,
      ...waitOf(failure),
      suggestion: 'Try again in a moment; if it stays, look at the log of the model server.',
    })
  if (status === 404 || status === 405)
    return modelError(context, 'bad_response', `${who} does not know this address (${status})${detail}`, {
      status,
      retryable: false,
      suggestion: `Check url of the backend "${context.backend}"; it should be the base of the API, for example http://127.0.0.1:8000/v1.`,
    })
  if (status >= 300 && status < 400)
    return modelError(context, 'bad_response', `${who} redirects to ${String(failure.headers['location'])}`, {
      status,
      retryable: false,
      suggestion: `Set url of the backend "${context.backend}" to the address it redirects to.`,
    })
  return modelError(context, 'unknown', `${who} refused the request (${status})${detail}`, {
    status,
    retryable: false,
    suggestion: 'Look at what the server said; `codehound doctor` checks the backend.',
  })
}

function notFound(context: ErrorContext, failure: StatusFailure, who: string): ModelError {
  const nearest = failure.nearest ?? []
  const near = nearest.length === 0 ? '' : ` Nearest here: ${nearest.join(', ')}.`
  const pull = failure.pull === undefined ? '' : ` or download it: ${failure.pull}`
  return modelError(context, 'model_not_found', `${who} has no model "${context.model}".${near}`, {
    status: failure.status,
    retryable: false,
    suggestion: `Switch with /model or --model ${context.backend}/${nearest[0] ?? 'NAME'}${pull}.`,
  })
}

function rateLimit(context: ErrorContext, failure: StatusFailure, who: string): ModelError {
  const wait = waitOf(failure)
  const quota = failure.kind === 'quota'
  const seconds = wait.retryAfterMs === undefined ? undefined : Math.ceil(wait.retryAfterMs / 1000)
  const detail = failure.said === '' ? '' : `: ${failure.said}`
  const suggestion = quota
    ? 'The quota is used up: add credit, or choose another backend with /model.'
    : seconds === undefined
      ? 'Wait a little, or choose another backend with /model.'
      : `It asks to wait ${seconds} s; wait, or choose another backend with /model.`
  return modelError(context, 'rate_limit', `${who} limits the rate of requests (429)${detail}`, {
    status: 429,
    retryable: !quota,
    ...wait,
    suggestion,
  })
}

function waitOf(failure: StatusFailure): { retryAfterMs?: number } {
  const wait = retryAfterMs(failure.headers, Date.now())
  return wait === undefined ? {} : { retryAfterMs: wait }
}
