// HTTP to model servers: one client per backend, connections kept for the life of the process, every failure a
// ModelError. It times out, cancels and reads proxies and certificates; it does not retry (retry.ts does) and does
// not know what the bodies mean. node:http and not fetch: docs/decisions/2026-11-20-model-transport.md.
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'
import { isLocal, isLoopback } from './address.ts'
import { modelError } from './errors.ts'
import type { ErrorContext } from './errors.ts'
import { JsonBody } from './json-body.ts'
import { connectTimeout, networkError } from './network-error.ts'
import { ResponseBody } from './response-body.ts'

/** Connecting takes longer only where nobody answers: five tries fit in the 15 s after which a headless run gives up. */
const CONNECT_TIMEOUT_MS = 5_000
/** A hosted model that says nothing for that long has lost the request; a local one may be reading a long prompt. */
const FIRST_BYTE_MS = 120_000
const LOCAL_FIRST_BYTE_MS = 600_000
/** Silence in the middle of an answer. */
const IDLE_MS = 60_000
/** Comments and blank lines that keep the connection: as long as the slowest server may read a prompt. */
const BLANK_MS = 600_000
/** A local server silent for longer is said to be reading the prompt. */
const READING_NOTE_MS = 1_000

const lengthOf = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => sum + part.length, 0)

export interface HttpTimeouts {
  connectMs: number
  firstByteMs: number
  idleMs: number
  /** Bytes come and say nothing. */
  blankMs: number
  readingNoteMs: number
}

export interface HttpClientOptions {
  backend: string
  provider: string
  /** Without a slash at the end. */
  base: string
  /** Asked at the first request; a rejected promise fails the request. */
  headers: () => Promise<Record<string, string>>
  caFile?: string | undefined
  timeouts?: Partial<HttpTimeouts> | undefined
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  /** Appended to the base, or a whole URL. */
  path: string
  body?: Record<string, unknown>
  model?: string | undefined
  signal?: AbortSignal | undefined
  /** For short questions (lists, capabilities): one limit for everything. */
  timeoutMs?: number | undefined
  /** Called once when a local server has been silent for a while. */
  onReading?: (() => void) | undefined
}

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  body: ResponseBody
}

interface Opener {
  agent: Agent
  request: (options: RequestOptions) => ClientRequest
}

export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #timeouts: HttpTimeouts
  readonly #body = new JsonBody()
  readonly local: boolean
  #agent: Promise<Opener> | undefined
  #headers: Promise<Record<string, string>> | undefined

  constructor(options: HttpClientOptions) {
    this.#options = options
    this.local = isLocal(options.base)
    this.#timeouts = {
      connectMs: CONNECT_TIMEOUT_MS,
      firstByteMs: this.local ? LOCAL_FIRST_BYTE_MS : FIRST_BYTE_MS,
      idleMs: IDLE_MS,
      blankMs: BLANK_MS,
      readingNoteMs: READING_NOTE_MS,
      ...options.timeouts,
    }
  }

  context(path: string, model: string | undefined): ErrorContext {
    const { backend, provider, base } = this.#options
    return { backend, provider, url: path.startsWith('/') ? base + path : path, model }
  }

  /** Resolves when the head of the answer is there, whatever its status. Throws ModelError. */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const context = this.context(request.path, request.model)
    if (request.signal?.aborted === true) throw cancelled(context)
    const [{ agent, request: open }, headers] = await Promise.all([this.#connect(context), this.#readHeaders(context)])
    const body = request.body === undefined ? undefined : this.#body.parts(request.body)
    const url = new URL(context.url)
    const options: RequestOptions = {
      agent,
      method: request.method,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: url.pathname + url.search,
      headers: {
        ...headers,
        accept: 'text/event-stream, application/x-ndjson, application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': lengthOf(body) }),
      },
    }
    return this.#exchange(() => open(options), body, request, context, true)
  }

  async close(): Promise<void> {
    const connection = this.#agent
    this.#agent = undefined
    const opened = await connection?.catch(() => undefined)
    opened?.agent.destroy()
  }

  #exchange(
    open: () => ClientRequest,
    body: readonly Buffer[] | undefined,
    request: HttpRequest,
    context: ErrorContext,
    mayReopen: boolean,
  ): Promise<HttpResponse> {
    const { connectMs, firstByteMs, idleMs, blankMs, readingNoteMs } = this.#timeouts
    return new Promise<HttpResponse>((resolve, reject) => {
      const sent = open()
      const answer = new ResponseBody(context)
      let response: IncomingMessage | undefined
      const fail = (error: Error): void => {
        answer.fail(error)
        reject(error)
        sent.destroy()
        response?.destroy()
      }
      const wait = request.timeoutMs ?? firstByteMs
      answer.startTimer(Math.min(connectMs, wait), () => fail(connectTimeout(context, Math.min(connectMs, wait))))
      const connected = (): void => {
        answer.startTimer(wait, () => fail(this.#silence(context, wait)))
        if (request.timeoutMs === undefined) answer.startLife(blankMs, () => fail(this.#blank(context, blankMs)))
        if (request.onReading !== undefined && this.local) answer.startNote(readingNoteMs, request.onReading)
      }
      sent.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', connected)
        else connected()
      })
      const onAbort = (): void => fail(cancelled(context))
      request.signal?.addEventListener('abort', onAbort, { once: true })
      answer.onSettled(() => request.signal?.removeEventListener('abort', onAbort))
      if (request.signal?.aborted === true) onAbort()
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (answer.settled) return
        // The server closed an idle connection just as we used it: nothing was lost, a fresh one will do.
        const stale =
          sent.reusedSocket && response === undefined && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        const failure = networkError(context, error, isLoopback(context.url))
        answer.fail(failure)
        if (stale && mayReopen && request.signal?.aborted !== true)
          resolve(this.#exchange(open, body, request, context, false))
        else reject(failure)
      })
      sent.once('response', (incoming) => {
        response = incoming
        answer.attach(incoming, () => {
          answer.startTimer(idleMs, () => fail(this.#cutShort(context, idleMs)))
        })
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: answer })
      })
      sent.cork()
      for (const part of body ?? []) sent.write(part)
      sent.end()
    })
  }

  #silence(context: ErrorContext, ms: number): Error {
    // A local server that took ten minutes would take them again.
    return modelError(context, 'timeout', `${context.backend} (${context.url}) sent nothing for ${ms / 1000} s`, {
      retryable: !this.local,
      suggestion: `Raise timeout of the backend "${context.backend}" (seconds), or choose a smaller model or prompt.`,
    })
  }

  #blank(context: ErrorContext, ms: number): Error {
    return modelError(
      context,
      'timeout',
      `${context.backend} kept its answer open for ${ms / 1000} s without saying anything`,
      {
        retryable: false,
        suggestion: `Look at the log of the model server, or raise idleTimeout of the backend "${context.backend}" (seconds).`,
      },
    )
  }

  #cutShort(context: ErrorContext, ms: number): Error {
    return modelError(context, 'timeout', `${context.backend} stopped in the middle of its answer for ${ms / 1000} s`, {
      retryable: true,
      suggestion: 'Try again; if it stays, look at the log of the model server.',
    })
  }

  async #connect(context: ErrorContext): Promise<Opener> {
    this.#agent ??= openAgent(this.#options)
    try {
      return await this.#agent
    } catch (cause) {
      this.#agent = undefined
      const why = cause instanceof Error ? cause.message : String(cause)
      throw modelError(context, 'network', `The certificate file of "${context.backend}" cannot be read: ${why}`, {
        retryable: false,
        suggestion: `Check ca_file of the backend "${context.backend}".`,
        cause,
      })
    }
  }

  async #readHeaders(context: ErrorContext): Promise<Record<string, string>> {
    this.#headers ??= this.#options.headers()
    try {
      return await this.#headers
    } catch (cause) {
      this.#headers = undefined
      const why = cause instanceof Error ? cause.message : String(cause)
      throw modelError(context, 'auth_error', `No key for the backend "${context.backend}": ${why}`, {
        retryable: false,
        suggestion: `Check api_key_command of the backend "${context.backend}".`,
        cause,
      })
    }
  }
}

async function openAgent(options: HttpClientOptions): Promise<Opener> {
  // HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read by Node's own agent (24.5 and later). No proxy leads to this machine.
  const shared = { keepAlive: true, ...(isLoopback(options.base) ? {} : { proxyEnv: process.env }) }
  if (options.base.startsWith('https:')) {
    const https = process.getBuiltinModule('node:https')
    if (options.caFile === undefined) return { agent: new https.Agent(shared), request: https.request }
    const [{ rootCertificates }, { readFile }] = await Promise.all([import('node:tls'), import('node:fs/promises')])
    const ca = [...rootCertificates, await readFile(options.caFile, 'utf8')]
    return { agent: new https.Agent({ ...shared, ca }), request: https.request }
  }
  // Not `import`: the module's ES exports include a getter that loads fetch, 10 MB and 20 ms that nobody asked for.
  const http = process.getBuiltinModule('node:http')
  return { agent: new http.Agent(shared), request: http.request }
}

function cancelled(context: ErrorContext): Error {
  return modelError(context, 'cancelled', 'The request was cancelled', { retryable: false })
}
