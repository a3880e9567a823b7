// The LanguageModel port: one internal request, one internal stream of parts. A provider is one file in providers/
// that maps both ways; it never retries (retry.ts does), never parses calls out of text (text-calls/ does), and
// reports every failure as a ModelError.
import type { ImageType } from '../lib/image-facts.ts'
import type { ErrorInfo, FinishReason, ModelErrorCode, Usage } from '../protocol/index.ts'

/** A call as it stands in a request: the argument text must be sent back byte for byte. */
export interface RequestToolCall {
  id: string
  name: string
  /** JSON text of the arguments. */
  arguments: string
}

/** An image as it stands in a request: the same bytes each time. */
export interface RequestImage {
  /** SHA-256 of the bytes, hex. */
  hash: string
  mediaType: ImageType
  /** Pixels; absent when the header does not say. */
  width?: number
  height?: number
  base64: string
}

/**
 * One message of a request. Order is kept by providers; merging neighbours is theirs where an API demands it.
 * Every `tool` message answers a call of the nearest `assistant` message before it.
 */
export type RequestMessage =
  | { role: 'system'; content: string; cache?: 'static' | 'user-data' }
  | { role: 'user'; content: string; images?: RequestImage[] }
  | { role: 'assistant'; content: string; toolCalls?: RequestToolCall[]; reasoning?: string; reasoningData?: unknown }
  | { role: 'tool'; callId: string; name: string; content: string }

/** A tool as it is advertised. `parameters` is a JSON Schema object. */
export interface RequestTool {
  name: string
  description: string
  parameters: Record<string, unknown>
}

export interface ModelRequest {
  model: string
  messages: RequestMessage[]
  tools: RequestTool[]
  toolChoice?: 'auto' | 'none' | 'required'
  /** False asks for one whole answer; the stream of parts is the same. */
  stream: boolean
  maxTokens: number
  temperature?: number
  topP?: number
  stop?: string[]
  reasoning?: 'off' | 'low' | 'medium' | 'high'
  /** Tokens; sent as `num_ctx` by Ollama and ignored by providers whose servers fix it. */
  window?: number
}

/**
 * Parts come in the order they are generated. `tool-call-start` / `-delta` / `-end` of different calls may
 * interleave and are told apart by `index`. A call without an id from the server has `id: undefined`; the caller makes one.
 * `finish` is always the last part, exactly once; a stream that ends without it was cut and the iterator throws.
 */
export type StreamPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'reasoning-data'; data: unknown }
  | { type: 'tool-call-start'; index: number; id: string | undefined; name: string }
  | { type: 'tool-call-delta'; index: number; arguments: string }
  | { type: 'tool-call-end'; index: number }
  | { type: 'usage'; usage: Usage }
  | { type: 'finish'; reason: FinishReason }

/**
 * What a stream says beside its parts. `reading-prompt`: once, while a local server is silent, which is no fault.
 * `cache-hit`: before the first part of an answer that was kept, from memory (1) or from the store (2).
 */
export type StreamNote = { type: 'reading-prompt' } | { type: 'cache-hit'; tier: 1 | 2 }

export interface ModelInfo {
  id: string
  /** Window in tokens as the server reports it; undefined when it does not say. */
  window?: number
  /** Undefined means the server does not say. */
  tools?: boolean
  reasoning?: boolean
  vision?: boolean
  /** Bytes of server memory that one token of the window takes, where the model's shape is known. */
  bytesPerToken?: number
}

export interface PullProgress {
  status: string
  /** Bytes. */
  completed: number
  total: number
}

/** A server that answers requests. One per backend; made once, used for the life of the process. */
export interface LanguageModel {
  /** Name of the backend in the configuration. */
  readonly backend: string
  readonly provider: string
  /** Base URL, or undefined when nothing leaves the process. */
  readonly url: string | undefined
  /** True on loopback and private addresses: slow first bytes are normal there. */
  readonly local: boolean
  /**
   * Streams one answer. Throws ModelError before the first part, or in the middle when the connection is cut
   * (`error.afterFirstPart` tells). Aborting the signal ends the request at once and throws `cancelled`.
   */
  stream(request: ModelRequest, signal: AbortSignal, onNote?: (note: StreamNote) => void): AsyncIterable<StreamPart>
  /** What the server says of a model; undefined window when unknown. Throws ModelError when unreachable. */
  info(model: string, signal?: AbortSignal): Promise<ModelInfo>
  /** Installed or offered models, sorted by name. */
  list(signal?: AbortSignal): Promise<string[]>
  /** Downloads a missing model where the provider can; undefined where it cannot. */
  pull?(model: string, onProgress: (progress: PullProgress) => void, signal?: AbortSignal): Promise<void>
  /** Closes kept-alive connections. Safe to call twice. */
  close(): Promise<void>
}

/** The one error of this folder. Decided from status and structured bodies, never by matching text elsewhere. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  readonly info: Omit<ErrorInfo, 'code' | 'message' | 'recoverable'>
  /** Whether trying the same request again can help. */
  readonly retryable: boolean
  /** True when parts had been given before the failure. */
  readonly afterFirstPart: boolean
  /**
   * Set when the server refuses this model's requests for having tools or images in them: ask again with calls written as
   * text, or with words in the images' place.
   */
  readonly unsupported: 'tools' | 'images' | undefined

  constructor(
    code: ModelErrorCode,
    message: string,
    options: Omit<ErrorInfo, 'code' | 'message' | 'recoverable'> & {
      retryable: boolean
      afterFirstPart?: boolean
      unsupported?: 'tools' | 'images'
      cause?: unknown
    },
  ) {
    const { retryable, afterFirstPart, unsupported, cause, ...info } = options
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.info = info
    this.retryable = retryable
    this.afterFirstPart = afterFirstPart ?? false
    this.unsupported = unsupported
  }

  /** The error as data for events, reports and screens. */
  toInfo(): ErrorInfo {
    return { code: this.code, message: this.message, recoverable: this.retryable, ...this.info }
  }
}
