// Ollama's native API (https://github.com/ollama/ollama/blob/main/docs/api.md): NDJSON, and the window sent with every
// request, because the server cuts longer prompts without a word. It lists and downloads models; it picks none.
import { isTooDeep } from '../../lib/foreign-json.ts'
import { isLocal } from '../address.ts'
import { afterFirstPart, modelError, statusError } from '../errors.ts'
import type { ErrorContext, StatusFailure } from '../errors.ts'
import { HttpClient } from '../http.ts'
import type { HttpResponse, HttpTimeouts } from '../http.ts'
import { asArray, asCount, asObject, asString, faultOfJson, parseJson } from '../json.ts'
import type { Json } from '../json.ts'
import { ModelError } from '../language-model.ts'
import type { LanguageModel, ModelInfo, ModelRequest, PullProgress, StreamNote, StreamPart } from '../language-model.ts'
import { nearestModels } from '../nearest-models.ts'
import { readLines } from './ndjson.ts'
import { OllamaParts } from './ollama-parts.ts'
import { toOllamaRequest } from './ollama-request.ts'

const QUESTION_TIMEOUT_MS = 10_000
/** A call is sent only when all of it is written, so a long edit by a slow model is minutes of silence in an answer. */
const LOCAL_IDLE_MS = 600_000

export interface OllamaOptions {
  backend: string
  url: string
  headers: () => Promise<Record<string, string>>
  /** How long the server keeps the model loaded after a request; its own default when absent. */
  keepAlive?: string | undefined
  caFile?: string | undefined
  timeouts?: Partial<HttpTimeouts> | undefined
}

export class Ollama implements LanguageModel {
  readonly backend: string
  readonly provider = 'ollama'
  readonly url: string
  readonly local: boolean
  readonly #http: HttpClient
  readonly #keepAlive: string | undefined
  /** Models whose server said that they do not think. */
  readonly #thoughtless = new Set<string>()

  constructor(options: OllamaOptions) {
    this.backend = options.backend
    this.url = options.url.replace(/\/+$/, '').replace(/\/(v1|api)$/, '')
    this.#keepAlive = options.keepAlive
    const timeouts = isLocal(this.url) ? { idleMs: LOCAL_IDLE_MS, ...options.timeouts } : options.timeouts
    this.#http = new HttpClient({ ...options, provider: this.provider, base: this.url, timeouts })
    this.local = this.#http.local
  }

  async *stream(
    request: ModelRequest,
    signal: AbortSignal,
    onNote?: (note: StreamNote) => void,
  ): AsyncGenerator<StreamPart, void, undefined> {
    const response = await this.#ask(request, signal, onNote)
    const context = this.#http.context('/api/chat', request.model)
    const parts = new OllamaParts()
    let given = false
    try {
      for await (const line of readLines(response.body.chunks())) {
        for (const part of parts.read(readLine(line, context))) {
          response.body.spoke()
          given = true
          if (part.type === 'finish') response.body.release(true)
          yield part
        }
        if (parts.done) return
      }
      throw modelError(context, 'network', `${this.backend} ended its answer in the middle`, {
        retryable: true,
        suggestion: 'Try again; if it stays, look at the log of `ollama serve`.',
      })
    } catch (error) {
      throw given && error instanceof ModelError ? afterFirstPart(error) : error
    } finally {
      if (!parts.done) response.body.release(false)
    }
  }

  async info(model: string, signal?: AbortSignal): Promise<ModelInfo> {
    const shown = await this.#question('POST', '/api/show', { model }, model, signal)
    const details = asObject(shown['model_info']) ?? {}
    const architecture = asString(details['general.architecture']) ?? ''
    const window = asCount(details[`${architecture}.context_length`])
    const bytesPerToken = cacheBytesPerToken(details, architecture)
    const known = { id: model, ...(window ? { window } : {}), ...(bytesPerToken ? { bytesPerToken } : {}) }
    const capabilities = shown['capabilities']
    // Servers before 0.6.4 list no capabilities: nothing is known then.
    if (!Array.isArray(capabilities)) return known
    return {
      ...known,
      tools: capabilities.includes('tools'),
      reasoning: capabilities.includes('thinking'),
      vision: capabilities.includes('vision'),
    }
  }

  async list(signal?: AbortSignal): Promise<string[]> {
    const tags = await this.#question('GET', '/api/tags', undefined, undefined, signal)
    return asArray(tags['models'])
      .flatMap((entry) => asString(asObject(entry)?.['name']) ?? [])
      .sort()
  }

  async pull(model: string, onProgress: (progress: PullProgress) => void, signal?: AbortSignal): Promise<void> {
    const response = await this.#http.send({
      method: 'POST',
      path: '/api/pull',
      body: { model, stream: true },
      model,
      signal,
    })
    const context = this.#http.context('/api/pull', model)
    if (response.status !== 200) throw await this.#failure(response, model)
    let last = ''
    for await (const line of readLines(response.body.chunks())) {
      response.body.lives()
      const state = readLine(line, context)
      last = asString(state['status']) ?? last
      onProgress({ status: last, completed: asCount(state['completed']) ?? 0, total: asCount(state['total']) ?? 0 })
    }
    if (last !== 'success')
      throw modelError(context, 'network', `The download of "${model}" stopped at "${last}"`, {
        retryable: true,
        suggestion: `Start it again: what was downloaded is kept (ollama pull ${model}).`,
      })
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  async #ask(
    request: ModelRequest,
    signal: AbortSignal,
    onNote: ((note: StreamNote) => void) | undefined,
  ): Promise<HttpResponse> {
    for (;;) {
      const think = !this.#thoughtless.has(request.model)
      const response = await this.#http.send({
        method: 'POST',
        path: '/api/chat',
        body: toOllamaRequest(request, { keepAlive: this.#keepAlive, think }),
        model: request.model,
        signal,
        ...(onNote === undefined ? {} : { onReading: () => onNote({ type: 'reading-prompt' }) }),
      })
      if (response.status === 200) return response
      const body = await response.body.text()
      const refusesThought = response.status === 400 && /does not support thinking/.test(body)
      if (!refusesThought || !think) throw await this.#failure(response, request.model, body)
      this.#thoughtless.add(request.model)
    }
  }

  async #question(
    method: 'GET' | 'POST',
    path: string,
    body: Record<string, unknown> | undefined,
    model: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Json> {
    const response = await this.#http.send({ method, path, body, model, signal, timeoutMs: QUESTION_TIMEOUT_MS })
    if (response.status !== 200) throw await this.#failure(response, model)
    return readLine(await response.body.text(), this.#http.context(path, model))
  }

  async #failure(response: HttpResponse, model: string | undefined, read?: string): Promise<ModelError> {
    const failure = readFailure(response.status, response.headers, read ?? (await response.body.text()))
    if (failure.kind === 'model_not_found' && model !== undefined) {
      failure.nearest = nearestModels(model, await this.list().catch(() => []))
      failure.pull = `ollama pull ${model}`
    }
    return statusError(this.#http.context('/api/chat', model), failure)
  }
}

/** Keys and values of every layer, 16 bits each, which is what the server keeps for each token of the window. */
function cacheBytesPerToken(details: Json, architecture: string): number | undefined {
  const field = (name: string): number | undefined => asCount(details[`${architecture}.${name}`])
  const heads = field('attention.head_count')
  const width = field('attention.key_length') ?? (heads ? (field('embedding_length') ?? 0) / heads : undefined)
  const layers = field('block_count')
  const cacheHeads = field('attention.head_count_kv') ?? heads
  return layers && cacheHeads && width ? 2 * 2 * layers * cacheHeads * width : undefined
}

/** One line of an answer; a line that reports an error throws it. */
function readLine(line: string, context: ErrorContext): Json {
  const value = asObject(parseJson(line))
  if (value === undefined)
    throw modelError(
      context,
      'bad_response',
      `${context.backend} answered something that is ${faultOfJson(line, 'not JSON')}`,
      {
        retryable: !line.trimStart().startsWith('<') && !isTooDeep(line),
        suggestion: `Check that url of the backend "${context.backend}" is an Ollama server.`,
      },
    )
  if (value['error'] !== undefined) throw statusError(context, readFailure(500, {}, line))
  return value
}

// Ollama's bodies are {"error": "words"}; the words are its only code.
function readFailure(status: number, headers: StatusFailure['headers'], body: string): StatusFailure {
  const error = asObject(parseJson(body))?.['error']
  const said = (asString(error) ?? asString(asObject(error)?.['message']) ?? (error === undefined ? body : ''))
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)
  if (/missing data required for image|does not support (vision|images)/.test(said))
    return { status, headers, said, kind: 'no-images' }
  if (/does not support tools/.test(said)) return { status, headers, said, kind: 'no-tools' }
  if (/model .*not found/.test(said)) return { status: 404, headers, said, kind: 'model_not_found' }
  if (/exceeds.*context|context (length|window).*exceed/i.test(said))
    return { status, headers, said, kind: 'context_too_long' }
  return { status, headers, said }
}
