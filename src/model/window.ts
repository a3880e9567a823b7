// The window is a contract: it is known before the first request, sent to servers that would otherwise choose for
// themselves, and checked against what they counted. Pure: memory and reports come in as arguments.
import type { ModelInfo } from './language-model.ts'

/** Used when neither the configuration nor the server says anything. Tokens. */
export const UNKNOWN_WINDOW = 8_192
/** Every change of `num_ctx` loads the model anew, so it goes in few steps. */
export const WINDOW_STEPS = [8_192, 16_384, 32_768, 65_536, 131_072] as const
/** Where a session begins when the model could take more: enough for most work, and its memory is paid at once. */
const FIRST_STEP = 32_768
/** Share of the machine's memory the cache of one model may take; the weights and everything else need the rest. */
const CACHE_SHARE_OF_MEMORY = 0.25

export type Tier = 'small' | 'medium' | 'large'

/** Which prompt fits: up to 8k compact texts, up to 16k slim ones, above everything. `window` in tokens. */
export function tierOf(window: number): Tier {
  if (window <= 8_192) return 'small'
  return window <= 16_384 ? 'medium' : 'large'
}

export interface WindowFacts {
  backend: string
  provider: string
  /** `context_max_tokens`. */
  configured?: number | undefined
  /** `num_ctx`. */
  numCtx?: number | undefined
  /** What the server reports; undefined when it was not asked or did not answer. */
  info?: ModelInfo | undefined
  /** Bytes of memory of the machine the server runs on; undefined when that is another one. */
  memory?: number | undefined
}

export interface WindowChoice {
  /** Tokens. */
  window: number
  source: 'configured' | 'reported' | 'unknown'
  /** How far it may be raised at a compaction; equal to `window` where it may not. */
  most: number
  /** What the user should know, with the setting that mends it. */
  warning?: string
}

/** Chooses the window of a session. Ollama's is chosen in steps below what the model can take; other servers have fixed theirs. */
export function chooseWindow(facts: WindowFacts): WindowChoice {
  const { backend, configured, numCtx, info } = facts
  const reported = info?.window
  const asked = numCtx ?? configured
  if (asked !== undefined) {
    if (reported === undefined || asked <= reported) return { window: asked, source: 'configured', most: asked }
    const key = numCtx === undefined ? 'context_max_tokens' : 'num_ctx'
    const warning = `The window of ${asked} tokens set for "${backend}" is more than the ${reported} the server reports; set ${key}: ${reported}.`
    return { window: asked, source: 'configured', most: asked, warning }
  }
  if (reported === undefined) {
    const warning = `The server of "${backend}" does not say how large its window is; ${UNKNOWN_WINDOW} tokens are used. Set context_max_tokens to the real size.`
    return { window: UNKNOWN_WINDOW, source: 'unknown', most: UNKNOWN_WINDOW, warning }
  }
  if (facts.provider !== 'ollama') return { window: reported, source: 'reported', most: reported }
  const most = Math.min(reported, memoryLimit(facts) ?? reported, WINDOW_STEPS.at(-1)!)
  const window = stepBelow(Math.min(most, FIRST_STEP))
  const choice: WindowChoice = { window, source: 'reported', most: Math.max(window, stepBelow(most)) }
  if (window < FIRST_STEP && window < stepBelow(reported))
    choice.warning = `The window of "${backend}" is held at ${window} tokens by this machine's memory (the model can take ${reported}). Set num_ctx to ask for more.`
  return choice
}

/** The window of one session as it stands. It only grows, in steps, and only when asked to, since each step loads the model anew. */
export class SessionWindow {
  #tokens: number
  readonly #most: number

  constructor({ window, most }: Pick<WindowChoice, 'window' | 'most'>) {
    this.#tokens = window
    this.#most = most
  }

  get tokens(): number {
    return this.#tokens
  }

  /** Goes one step up; false when there is none within what the server can give. */
  raise(): boolean {
    const next = WINDOW_STEPS.find((step) => step > this.#tokens && step <= this.#most)
    this.#tokens = next ?? this.#tokens
    return next !== undefined
  }
}

/** Tokens of window that the memory holds; never less than the smallest step. */
function memoryLimit({ memory, info }: WindowFacts): number | undefined {
  if (memory === undefined || info?.bytesPerToken === undefined) return undefined
  return Math.max(WINDOW_STEPS[0], (memory * CACHE_SHARE_OF_MEMORY) / info.bytesPerToken)
}

/** The largest step within a size; a model with less than the smallest step keeps its own size. */
function stepBelow(size: number): number {
  return WINDOW_STEPS.findLast((step) => step <= size) ?? size
}
