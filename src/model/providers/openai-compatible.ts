// Chat Completions: vLLM, llama.cpp, LM Studio, Groq, DeepSeek, Mistral, OpenRouter, OpenAI and the many like them.
// It takes what such servers really send (JSON where a stream was asked, no usage, no ids, no end mark) and refuses to
// call an answer whole that was cut.
import { isTooDeep } from '../../lib/foreign-json.ts'
import { createParser } from 'eventsource-parser'
import { afterFirstPart, modelError, statusError } from '../errors.ts'
import type { ErrorContext } from '../errors.ts'
import { HttpClient } from '../http.ts'
import type { HttpResponse, HttpTimeouts } from '../http.ts'
import { asArray, asObject, asString, faultOfJson, parseJson } from '../json.ts'
import type { Json } from '../json.ts'
import { ModelError } from '../language-model.ts'
import type { LanguageModel, ModelInfo, ModelRequest, StreamNote, StreamPart } from '../language-model.ts'
import { nearestModels } from '../nearest-models.ts'
import { readChatFailure, refusedField } from './openai-errors.ts'
import { readModelInfo } from './openai-info.ts'
import { ChatParts } from './openai-parts.ts'
import { toChatRequest } from './openai-request.ts'
import type { OptionalField } from './openai-request.ts'

/** After the server said how the answer ended, only counts may follow; servers that keep the line open are not waited for. */
const AFTER_FINISH_MS = 1_500
const LIST_TIMEOUT_MS = 10_000

export interface OpenAiOptions {
  backend: string
  /** Shown in errors; `openai-compatible` unless a preset names itself. */
  provider?: string
  url: string
  headers: () => Promise<Record<string, string>>
  /** One call per answer, for servers and models that cannot do more. */
  oneCallAtATime?: boolean
  caFile?: string | undefined
  timeouts?: Partial<HttpTimeouts> | undefined
}

export class OpenAiCompatible implements LanguageModel {
  readonly backend: string
  readonly provider: string
  readonly url: string
  readonly local: boolean
  readonly #http: HttpClient
  readonly #oneCallAtATime: boolean
  /** By model: what its server refused once. */
  readonly #refused = new Map<string, Set<OptionalField>>()

  constructor(options: OpenAiOptions) {
    this.backend = options.backend
    this.provider = options.provider ?? 'openai-compatible'
    this.url = chatBase(options.url)
    this.#oneCallAtATime = options.oneCallAtATime ?? false
    this.#http = new HttpClient({ ...options, provider: this.provider, base: this.url })
    this.local = this.#http.local
  }

  async *stream(
    request: ModelRequest,
    signal: AbortSignal,
    onNote?: (note: StreamNote) => void,
  ): AsyncGenerator<StreamPart, void, undefined> {
    const response = await this.#ask(request, signal, onNote)
    const context = this.#context(request.model)
    let given = false
    let complete = false
    try {
      for await (const part of readAnswer(response, context)) {
        given = true
        complete = part.type === 'finish'
        // Given back before the reader acts on the end, so that the next request finds the connection free.
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
    return readModelInfo(this.#http, model, this.url, signal)
  }

  async list(signal?: AbortSignal): Promise<string[]> {
    const response = await this.#http.send({ method: 'GET', path: '/models', signal, timeoutMs: LIST_TIMEOUT_MS })
    const body = await response.body.text()
    if (response.status !== 200) throw await this.#failure(response, body, undefined)
    const data = asObject(parseJson(body))
    const entries = asArray(data?.['data'] ?? data?.['models'])
    return entries.flatMap((entry) => asString(asObject(entry)?.['id'] ?? asObject(entry)?.['name']) ?? []).sort()
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  #context(model: string | undefined): ErrorContext {
    return this.#http.context('/chat/completions', model)
  }

  async #ask(
    request: ModelRequest,
    signal: AbortSignal,
    onNote: ((note: StreamNote) => void) | undefined,
  ): Promise<HttpResponse> {
    const refused = this.#refused.get(request.model) ?? new Set<OptionalField>()
    this.#refused.set(request.model, refused)
    for (;;) {
      const body = toChatRequest(request, { refused, oneCallAtATime: this.#oneCallAtATime })
      const response = await this.#http.send({
        method: 'POST',
        path: '/chat/completions',
        body,
        model: request.model,
        signal,
        ...(onNote === undefined ? {} : { onReading: () => onNote({ type: 'reading-prompt' }) }),
      })
      if (response.status === 200) return response
      const text = await response.body.text()
      const field = refusedField(response.status, text, body)
      if (field === undefined || refused.has(field))
        throw await this.#failure(response, text, request.model, hasImages(request))
      refused.add(field)
    }
  }

  async #failure(
    response: HttpResponse,
    body: string,
    model: string | undefined,
    sentImages = false,
  ): Promise<ModelError> {
    const failure = readChatFailure(response.status, response.headers, body, sentImages)
    if (failure.kind === 'model_not_found' && model !== undefined) {
      const installed = await this.list().catch(() => [])
      failure.nearest = nearestModels(model, installed)
    }
    return statusError(this.#context(model), failure)
  }
}

const hasImages = ({ messages }: ModelRequest): boolean =>
  messages.some((message) => message.role === 'user' && message.images !== undefined)

/** Accepts the base with or without `/v1`, and the full address of the endpoint. */
export function chatBase(url: string): string {
  const base = url.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  return URL.parse(base)?.pathname === '/' ? `${base}/v1` : base
}

async function* readAnswer(response: HttpResponse, context: ErrorContext): AsyncGenerator<StreamPart, void, undefined> {
  const parts = new ChatParts()
  let ended = false
  let whole = ''
  let mode: 'unknown' | 'events' | 'json' = 'unknown'
  let pending: StreamPart[] = []
  const take = (data: string): void => {
    if (data.trim() === '[DONE]') ended = true
    else if (!ended) pending.push(...parts.read(readChunk(data, context)))
  }
  const parser = createParser({ onEvent: (event) => take(event.data) })

  try {
    for await (const chunk of response.body.chunks()) {
      // What the body is is seen from its first character; content types are often wrong.
      if (mode === 'unknown') {
        whole += chunk
        const first = whole.trimStart()
        if (first === '') continue
        mode = first.startsWith('{') || first.startsWith('[') || first.startsWith('<') ? 'json' : 'events'
        if (mode === 'events') parser.feed(whole)
      } else if (mode === 'json') {
        whole += chunk
        response.body.lives()
      } else parser.feed(chunk)
      if (pending.length > 0) {
        response.body.spoke()
        yield* pending
        pending = []
      }
      if (ended || (parts.finished && parts.counted)) break
      if (parts.finished) response.body.startTimer(AFTER_FINISH_MS, () => response.body.end())
    }
  } catch (error) {
    // Cut after the end was told: nothing of the answer is missing.
    if (!parts.finished) throw error
  }
  if (mode === 'json') {
    yield* parts.read(readWhole(whole, context))
    ended = true
  }
  if (!ended && !parts.finished && !parts.counted)
    throw modelError(context, 'network', `${context.backend} ended its answer in the middle`, {
      retryable: true,
      suggestion: 'Try again; if it stays, look at the log of the model server.',
    })
  yield* parts.end()
}

function readChunk(data: string, context: ErrorContext): Json {
  const chunk = asObject(parseJson(data))
  if (chunk === undefined) throw notUnderstood(data, context)
  // vLLM writes the error's fields without a wrapper.
  if ((chunk['error'] ?? undefined) !== undefined || chunk['object'] === 'error') throw errorInStream(data, context)
  return chunk
}

function readWhole(body: string, context: ErrorContext): Json {
  const answer = asObject(parseJson(body))
  if (answer?.['error'] !== undefined && answer['error'] !== null) throw errorInStream(body, context)
  if (answer === undefined || asArray(answer['choices']).length === 0) throw notUnderstood(body, context)
  return answer
}

/** Servers that have already sent 200 report a failure as an event; its code is the status it would have had. */
function errorInStream(body: string, context: ErrorContext): ModelError {
  return statusError(context, readChatFailure(500, {}, body))
}

function notUnderstood(body: string, context: ErrorContext): ModelError {
  const start = body.trim().slice(0, 80).replaceAll(/\s+/g, ' ')
  const page = start.startsWith('<')
  const what = `${context.backend} answered something that is ${faultOfJson(body, 'no completion')}`
  return modelError(context, 'bad_response', what, {
    // Half a JSON body is a fault that passes; a web page is a wrong address, and a model that nests nests again.
    retryable: !page && !isTooDeep(body),
    suggestion: page
      ? `Check url of the backend "${context.backend}"; it should be the base of the API, for example http://127.0.0.1:8000/v1.`
      : 'Try again; if it stays, look at the log of the model server.',
  })
}
