/** What the configuration says of one backend, after defaults and expansion of variables. */
export interface BackendSettings {
  type: string
  /** Base URL. Each provider accepts it with and without its usual path (`/v1`, `/api`). */
  url?: string | undefined
  apiKey?: string | undefined
  /** Command whose first output line is the key; run once, when the first request is made. */
  apiKeyCommand?: string | undefined
  headers?: Record<string, string> | undefined
  /** Seconds to the first byte of an answer; default 120, on local and private addresses 600. */
  timeout?: number | undefined
  /** Most tokens of one answer; default 4096. */
  maxTokens?: number | undefined
  /** Window in tokens; what the user sets wins over what the server reports. */
  contextMaxTokens?: number | undefined
  /** Ollama only: the window to ask for, instead of one chosen by codehound. */
  numCtx?: number | undefined
  temperature?: number | undefined
  maxParallelTools?: number | undefined
  toolFormat?: 'auto' | 'native' | 'xml' | undefined
  /** Whether the model takes images; what the user sets wins over what the server reports. */
  vision?: boolean | undefined
  reasoning?: 'off' | 'low' | 'medium' | 'high' | undefined
  /** Seconds without anything from the model in the middle of an answer. */
  idleTimeout?: number | undefined
  /** Ollama only: how long the server keeps the model loaded, as it writes it ("10m", "-1"). */
  keepAlive?: string | undefined
  /** PEM file with further certificate authorities, in addition to those Node knows. */
  caFile?: string | undefined
}
