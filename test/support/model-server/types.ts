/** One call of a scripted answer. Text arguments are sent as they are, right or wrong. */
export interface ServerCall {
  name: string
  arguments: Record<string, unknown> | string
  /** Made from the step when absent. */
  id?: string
}

/** What goes wrong with an answer. Every fault but those of form happens `times` times (default 1), then the step is served. */
export type Fault =
  // Refusals: an HTTP status with the body that servers of this wire send.
  | { type: 'status'; status: number; retryAfter?: number | string; body?: unknown; times?: number }
  // The connection breaks: before the head, after the head, after n tokens, or in the middle of a JSON text.
  | { type: 'reset'; times?: number }
  | { type: 'cut-before'; times?: number }
  | { type: 'cut-after'; tokens?: number; times?: number }
  | { type: 'half-json'; times?: number }
  // Time: nothing at all, nothing after n tokens, or a pause before every frame.
  | { type: 'silent'; times?: number }
  | { type: 'stall'; tokens?: number; times?: number }
  | { type: 'slow'; ms: number; times?: number }
  // Form: the answer is whole, but not as the documentation has it.
  | { type: 'wrong-content-type'; contentType?: string }
  | { type: 'json-instead-of-stream' }
  | { type: 'web-page' }
  | { type: 'error-in-stream'; body: unknown; tokens?: number; times?: number }
  | { type: 'no-usage' }
  | { type: 'no-call-ids' }
  | { type: 'no-call-indices' }
  | { type: 'same-call-index' }
  | { type: 'split-arguments' }
  | { type: 'calls-in-one-delta' }
  | { type: 'name-in-every-delta' }
  | { type: 'object-arguments' }
  | { type: 'no-finish-reason' }
  | { type: 'no-end-mark' }

/** One answer. */
export interface ServerStep {
  text?: string
  reasoning?: string
  calls?: ServerCall[]
  /** As the wire writes it; made from the content when absent. */
  finishReason?: string
  /** Counted from the request and the answer when absent. */
  usage?: { input?: number; output?: number; cached?: number }
  faults?: Fault[]
}

export interface ServerOptions {
  /** Model names it offers; the first is the default. Empty: every name is accepted. */
  models?: string[]
  /** Tokens. The Chat Completions and Messages wires refuse longer prompts; Ollama reports it as the model's own. */
  window?: number
  /** False: a server of Chat Completions that says nothing of its window. */
  tellsWindow?: boolean
  /** Ollama: the most `num_ctx` it gives, whatever is asked. */
  maxNumCtx?: number
  /** Ollama: what /api/show lists. */
  capabilities?: string[]
  /** Further fields of the entries of /v1/models. */
  modelFields?: Record<string, unknown>
  /** Characters per text delta; default 12. */
  deltaChars?: number
  /** Bytes per write on the wire; default: a frame at a time. */
  wireBytes?: number
  /** How the step is chosen: by the answers already in the request (default), or by the count of requests. */
  by?: 'answers' | 'requests'
}

export interface SeenCall {
  id: string | undefined
  name: string
  arguments: string
}

export interface SeenMessage {
  role: string
  text: string
  calls: SeenCall[]
  /** For results: the call they answer. */
  callId?: string | undefined
}

/** A request as it was received, on any wire. */
export interface SeenRequest {
  wire: 'openai' | 'ollama' | 'anthropic' | 'gemini'
  path: string
  model: string
  stream: boolean
  messages: SeenMessage[]
  /** JSON text of the tools; empty when there are none. */
  tools: string
  toolNames: string[]
  maxTokens: number | undefined
  /** Ollama: the window asked for. */
  numCtx: number | undefined
  body: Record<string, unknown>
  headers: Record<string, string | string[] | undefined>
  /** Characters / 4 of messages and tools. */
  tokens: number
  /** Messages the model really saw: fewer than sent when the server cut the prompt. */
  seen: SeenMessage[]
  /** Characters that do not continue the request before of the same conversation. */
  notInPrefix: number
  /** Milliseconds since the epoch. */
  time: number
}

/** Steps as data, or a function of the request and its number (from 0). */
export type ServerScript = ServerStep[] | ((request: SeenRequest, n: number) => ServerStep | Promise<ServerStep>)

/** One write; `token` frames carry what the model said. */
export interface Frame {
  text: string
  token?: boolean
}

export interface Answer {
  step: ServerStep
  request: SeenRequest
  inputTokens: number
  outputTokens: number
  deltaChars: number
  has(fault: Fault['type']): boolean
  n: number
}

export interface Wire {
  streamType: string
  read(body: Record<string, unknown>): Omit<SeenRequest, 'path' | 'body' | 'headers' | 'time' | 'notInPrefix' | 'seen'>
  frames(answer: Answer): Frame[]
  whole(answer: Answer): string
  error(status: number, message: string, code?: string): unknown
}
