// A scripted model server over real HTTP, on loopback: Chat Completions (SSE and JSON), Ollama's native API (NDJSON) and
// Anthropic Messages on one port. It plays a script, commits the faults the script asks for, and checks the invariants of
// every request it receives. As a program: node test/support/model-server.ts --script steps.json [--port N] [--log FILE]
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { appendFileSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { anthropicWire } from './model-server/anthropic-wire.ts'
import { Conversations, requestFaults } from './model-server/invariants.ts'
import { geminiWholeWire, geminiWire } from './model-server/gemini-wire.ts'
import { OLLAMA_DEFAULT_CTX, ollamaWire, truncate } from './model-server/ollama-wire.ts'
import { openaiWire } from './model-server/openai-wire.ts'
import { answerQuestion } from './model-server/questions.ts'
import { tokensOf } from './model-server/read.ts'
import { nextFault, respond } from './model-server/respond.ts'
import type { Answer, Fault, SeenRequest, ServerOptions, ServerScript, ServerStep, Wire } from './model-server/types.ts'

export type { Fault, SeenRequest, ServerCall, ServerOptions, ServerScript, ServerStep } from './model-server/types.ts'

/** A request is cut off here: no test sends more. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

export interface ModelServer {
  /** http://127.0.0.1:PORT, without a path. */
  readonly url: string
  readonly port: number
  /** Requests for answers in the order they came, those with faults included. */
  readonly requests: SeenRequest[]
  /** Broken invariants, `request N: what`; empty when all was sound. */
  readonly failures: string[]
  /** Other paths that were asked, `METHOD /path`. */
  readonly questions: string[]
  /** Connections opened so far. */
  readonly connections: number
  /** Goes on with another script. */
  play(script: ServerScript, options?: ServerOptions): void
  /** Throws with all broken invariants. */
  assertSound(): void
  close(): Promise<void>
}

/** Starts a server; port 0 takes a free one. */
export async function startModelServer(
  script: ServerScript,
  options: ServerOptions & { port?: number; onRequest?: (request: SeenRequest) => void } = {},
): Promise<ModelServer> {
  const state = new State(script, options)
  const server = createServer((request, response) => {
    state.serve(request, response).catch((error: unknown) => {
      state.failures.push(`the server itself failed: ${String(error)}`)
      response.destroy()
    })
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', () => state.connections++)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: state.requests,
    failures: state.failures,
    questions: state.questions,
    get connections() {
      return state.connections
    },
    play: (next, more) => state.play(next, { ...options, ...more }),
    assertSound() {
      if (state.failures.length > 0) throw new Error(`unsound requests:\n${state.failures.join('\n')}`)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A URL on loopback at which nothing listens. */
export async function deadUrl(): Promise<string> {
  const server = await startModelServer([])
  await server.close()
  return server.url
}

class State {
  readonly requests: SeenRequest[] = []
  readonly failures: string[] = []
  readonly questions: string[] = []
  connections = 0
  #script: ServerScript
  #options: ServerOptions & { onRequest?: (request: SeenRequest) => void }
  #left = new Map<Fault, number>()
  #conversations = new Conversations()
  #played = 0

  constructor(script: ServerScript, options: ServerOptions & { onRequest?: (request: SeenRequest) => void }) {
    this.#script = script
    this.#options = options
  }

  play(script: ServerScript, options: ServerOptions): void {
    this.#script = script
    this.#options = options
    this.#left = new Map()
    this.#played = 0
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0]!
    const text = await readBody(request)
    const wire = request.method === 'POST' ? wireOf(path) : undefined
    if (wire === undefined) {
      this.questions.push(`${request.method} ${path}`)
      return answerQuestion(response, path, text, this.#options)
    }
    let body: Record<string, unknown>
    try {
      body = JSON.parse(text) as Record<string, unknown>
    } catch {
      this.failures.push(`request ${this.requests.length}: the body is no JSON`)
      response.writeHead(400).end(JSON.stringify(wire.error(400, 'the body is no JSON')))
      return
    }
    await this.#answer(wire, path, body, request, response)
  }

  async #answer(
    wire: Wire,
    path: string,
    body: Record<string, unknown>,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const read = wire.read(body)
    const request: SeenRequest = {
      ...read,
      path,
      body,
      headers: incoming.headers,
      time: Date.now(),
      notInPrefix: 0,
      seen: read.messages,
    }
    const n = this.requests.push(request) - 1
    for (const fault of [...requestFaults(request), ...this.#conversations.follow(request)])
      this.failures.push(`request ${n}: ${fault}`)
    this.#options.onRequest?.(request)
    if (this.#refuses(wire, request, response)) return
    const step = await this.#step(request)
    const inputTokens = step.usage?.input ?? tokensOf(request.seen, request.tools)
    const said = (step.text ?? '') + (step.reasoning ?? '') + JSON.stringify(step.calls ?? '')
    const answer: Answer = {
      step,
      request,
      inputTokens,
      outputTokens: step.usage?.output ?? Math.ceil(said.length / 4),
      deltaChars: this.#options.deltaChars ?? 12,
      has: (type) => step.faults?.some((fault) => fault.type === type) ?? false,
      n,
    }
    await respond(response, wire, answer, nextFault(step.faults ?? [], this.#left), this.#options)
  }

  /** Refuses what real servers refuse: unknown models and prompts over the window. Ollama cuts those instead. */
  #refuses(wire: Wire, request: SeenRequest, response: ServerResponse): boolean {
    const { models = [], window, maxNumCtx } = this.#options
    if (models.length > 0 && !models.includes(request.model)) {
      const message =
        request.wire === 'ollama' ? `model '${request.model}' not found` : `The model ${request.model} does not exist`
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(wire.error(404, message, 'model_not_found')))
      return true
    }
    if (request.wire === 'ollama') {
      const given = Math.min(request.numCtx ?? OLLAMA_DEFAULT_CTX, maxNumCtx ?? Infinity, window ?? Infinity)
      request.seen = truncate(request.messages, request.tools, given)
      return false
    }
    if (window === undefined || request.tokens <= window) return false
    response.writeHead(400, { 'content-type': 'application/json' })
    const message = `This model's maximum context length is ${window} tokens, the prompt has ${request.tokens}`
    response.end(JSON.stringify(wire.error(400, message, 'context_length_exceeded')))
    return true
  }

  async #step(request: SeenRequest): Promise<ServerStep> {
    const script = this.#script
    const count = this.#played++
    if (typeof script === 'function') return script(request, count)
    const answers = request.messages.filter((message) => message.role === 'assistant').length
    const place = this.#options.by === 'requests' ? count : answers
    const step = script[place]
    if (step !== undefined) return step
    this.failures.push(`request ${this.requests.length - 1}: the script has no step ${place}`)
    return { text: `The script has no step ${place}.` }
  }
}

function wireOf(path: string): Wire | undefined {
  if (path.endsWith('/chat/completions')) return openaiWire
  if (path === '/api/chat') return ollamaWire
  if (path.endsWith(':streamGenerateContent')) return geminiWire
  if (path.endsWith(':generateContent')) return geminiWholeWire
  return path.endsWith('/messages') ? anthropicWire : undefined
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > MAX_BODY_BYTES) throw new Error('the request is longer than 64 MB')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A script file: a list of steps, or an object of `steps` and the server's options. */
async function main(argv: string[]): Promise<void> {
  const value = (name: string): string | undefined => {
    const place = argv.indexOf(`--${name}`)
    return place < 0 ? undefined : argv[place + 1]
  }
  const file = value('script')
  if (file === undefined) {
    console.error('usage: node test/support/model-server.ts --script FILE [--port N] [--log FILE]')
    process.exitCode = 2
    return
  }
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as ServerStep[] | ({ steps: ServerStep[] } & ServerOptions)
  const { steps, ...options } = Array.isArray(parsed) ? { steps: parsed } : parsed
  const log = value('log')
  const server = await startModelServer(steps, {
    ...options,
    port: Number(value('port') ?? 0),
    ...(log === undefined ? {} : { onRequest: (seen) => appendFileSync(log, `${JSON.stringify(seen.body)}\n`) }),
  })
  console.log(JSON.stringify({ url: server.url, port: server.port, pid: process.pid }))
  process.once('SIGTERM', () => {
    for (const failure of server.failures) console.error(failure)
    void server.close().then(() => process.exit(server.failures.length > 0 ? 1 : 0))
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2))
