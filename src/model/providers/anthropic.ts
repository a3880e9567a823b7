// Anthropic's Messages API, streamed. Thoughts go back signed as they came, and the prompt cache is marked where the
// next request will begin to differ.
import { isTooDeep } from '../../lib/foreign-json.ts'
import { createParser } from 'eventsource-parser'
import { afterFirstPart, modelError, statusError } from '../errors.ts'
import type { ErrorContext, StatusFailure } from '../errors.ts'
import { HttpClient } from '../http.ts'
import type { HttpResponse, HttpTimeouts } from '../http.ts'
import { asArray, asCount, asObject, asString, faultOfJson, parseJson } from '../json.ts'
import type { Json } from '../json.ts'
import { ModelError } from '../language-model.ts'
import type { LanguageModel, ModelInfo, ModelRequest, StreamNote, StreamPart } from '../language-model.ts'
import { nearestModels } from '../nearest-models.ts'
import { MessageParts } from './anthropic-parts.ts'
import { toMessagesRequest } from './anthropic-request.ts'
import type { RefusedByClaude } from './anthropic-request.ts'

const QUESTION_TIMEOUT_MS = 10_000
/** Every Claude model takes at least that much (https://docs.anthropic.com/en/docs/about-claude/models). */
const CLAUDE_WINDOW = 200_000

export interface AnthropicOptions {
  backend: string
  url: string
  headers: () => Promise<Record<string, string>>
  caFile?: string | undefined
  timeouts?: Partial<HttpTimeouts> | undefined
}

export class Anthropic implements LanguageModel {
  readonly backend: string
  readonly provider = 'anthropic'
  readonly url: string
  readonly local: boolean
  readonly #http: HttpClient
  /** By model: what it refused once. */
  readonly #refused = new Map<string, Set<RefusedByClaude>>()

  constructor(options: AnthropicOptions) {
    this.backend = options.backend
    this.url = options.url.replace(/\/+$/, '').replace(/\/v1$/, '')
    this.#http = new HttpClient({ ...options, provider: this.provider, base: this.url })
    this.local = this.#http.local
  }

  async *stream(
    request: ModelRequest,
    signal: AbortSignal,
    onNote?: (note: StreamNote) => void,
  ): AsyncGenerator<StreamPart, void, undefined> {
    const response = await this.#ask(request, signal, onNote)
    const context = this.#http.context('/v1/messages', request.model)
    let given = false
    let complete = false
    try {
      const parts = request.stream ? readStream(response, context) : readWhole(response, context)
      for await (const part of parts) {
        given = true
        complete = part.type === 'finish'
        if (complete) response.body.release(true)
        yield part
      }
    } catch (error) {
      throw given && error instanceof ModelError ? afterFirstPart(error) : error
    } finally {
      if (!complete) response.body.release(false)
    }
  }

  async info(model: string, signal?: AbortSignal): Promise<ModelInfo> {
    const entry = await this.#question(`/v1/models/${encodeURIComponent(model)}`, model, signal)
    const window = asCount(entry['max_input_tokens']) || (model.startsWith('claude') ? CLAUDE_WINDOW : undefined)
    return { id: model, ...(window === undefined ? {} : { window }), tools: true, vision: true }
  }

  async list(signal?: AbortSignal): Promise<string[]> {
    const models = await this.#question('/v1/models?limit=1000', undefined, signal)
    return asArray(models['data'])
      .flatMap((entry) => asString(asObject(entry)?.['id']) ?? [])
      .sort()
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  async #ask(
    request: ModelRequest,
    signal: AbortSignal,
    onNote: ((note: StreamNote) => void) | undefined,
  ): Promise<HttpResponse> {
    const refused = this.#refused.get(request.model) ?? new Set<RefusedByClaude>()
    this.#refused.set(request.model, refused)
    for (;;) {
      const body = toMessagesRequest(request, refused)
      const response = await this.#http.send({
        method: 'POST',
        path: '/v1/messages',
        body,
        model: request.model,
        signal,
        ...(onNote === undefined ? {} : { onReading: () => onNote({ type: 'reading-prompt' }) }),
      })
      if (response.status === 200) return response
      const text = await response.body.text()
      const field = refusedByClaude(response.status, text, body)
      if (field === undefined || refused.has(field)) throw await this.#failure(response, text, request.model)
      refused.add(field)
    }
  }

  async #question(path: string, model: string | undefined, signal: AbortSignal | undefined): Promise<Json> {
    const response = await this.#http.send({ method: 'GET', path, model, signal, timeoutMs: QUESTION_TIMEOUT_MS })
    const text = await response.body.text()
    if (response.status !== 200) throw await this.#failure(response, text, model)
    return readJson(text, this.#http.context(path, model))
  }

  async #failure(response: HttpResponse, body: string, model: string | undefined): Promise<ModelError> {
    const failure = readFailure(response.status, response.headers, body)
    if (failure.kind === 'model_not_found' && model !== undefined && response.status === 404)
      failure.nearest = nearestModels(model, await this.list().catch(() => []))
    return statusError(this.#http.context('/v1/messages', model), failure)
  }
}

async function* readStream(response: HttpResponse, context: ErrorContext): AsyncGenerator<StreamPart, void, undefined> {
  const parts = new MessageParts()
  let pending: StreamPart[] = []
  const parser = createParser({
    onEvent: (event) => pending.push(...parts.readEvent(readJson(event.data, context))),
  })
  try {
    for await (const chunk of response.body.chunks()) {
      parser.feed(chunk)
      if (pending.length > 0) {
        response.body.spoke()
        yield* pending
        pending = []
      }
      if (parts.ended) break
    }
  } catch (error) {
    if (!parts.finished) throw error
  }
  if (!parts.ended && !parts.finished)
    throw modelError(context, 'network', `${context.backend} ended its answer in the middle`, {
      retryable: true,
      suggestion: 'Try again in a moment.',
    })
  yield* parts.end()
}

async function* readWhole(response: HttpResponse, context: ErrorContext): AsyncGenerator<StreamPart, void, undefined> {
  const parts = new MessageParts()
  yield* parts.readWhole(readJson(await response.body.text(), context))
  yield* parts.end()
}

function readJson(text: string, context: ErrorContext): Json {
  const value = asObject(parseJson(text))
  if (value === undefined)
    throw modelError(
      context,
      'bad_response',
      `${context.backend} answered something that is ${faultOfJson(text, 'not JSON')}`,
      {
        retryable: !text.trimStart().startsWith('<') && !isTooDeep(text),
        suggestion: `Check url of the backend "${context.backend}".`,
      },
    )
  if (value['type'] === 'error') throw statusError(context, readFailure(200, {}, text))
  return value
}

// https://docs.anthropic.com/en/api/errors; in a stream the type stands for the status.
const statusOfType: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

function readFailure(status: number, headers: StatusFailure['headers'], body: string): StatusFailure {
  const error = asObject(asObject(parseJson(body))?.['error'])
  const type = asString(error?.['type']) ?? ''
  const said = (asString(error?.['message']) ?? (error === undefined ? body : '')).replaceAll(/\s+/g, ' ').slice(0, 300)
  const real = status === 200 ? (statusOfType[type] ?? 500) : status
  const tooLong = /prompt is too long|exceed context limit/.test(said)
  const kind = tooLong ? 'context_too_long' : type === 'not_found_error' ? 'model_not_found' : undefined
  return { status: real, headers, said, kind }
}

/** What the model does not take, by the words of the refusal, if it was sent. */
function refusedByClaude(status: number, body: string, sent: Json): RefusedByClaude | undefined {
  if (status !== 400) return undefined
  const said = readFailure(status, {}, body).said
  if ('thinking' in sent && /budget_tokens|thinking\.type|adaptive/.test(said)) return 'thinking-budget'
  if ('temperature' in sent && /\btemperature\b/.test(said)) return 'temperature'
  return 'top_p' in sent && /\btop_p\b/.test(said) ? 'top_p' : undefined
}
