import { TokenCounter } from './tokens.ts'
import type { PromptSize } from './tokens.ts'

/** A server that counted less than this share of what was expected has dropped part of the prompt. */
const SEEN_SHARE = 0.75
/** Before anything was measured: no text has that many characters to a token. */
const MOST_CHARS_PER_TOKEN = 7
/** Characters by which a prompt must have grown before its count is sure to have grown too. */
const SURE_GROWTH = 800
/** How near a count must be to the new part of a prompt to be taken for that: some servers leave out what was cached. */
const NEW_PART_MARGIN = 0.3

export interface PromptCheckFacts {
  backend: string
  provider: string
  /** Tokens. */
  window: number
}

/**
 * Compares the server's own prompt count with what was sent, after every answer. The first count that is clearly too small
 * gives a warning with the setting that mends it; the same shortfall is told once.
 */
export class PromptCheck {
  readonly #facts: PromptCheckFacts
  readonly #counter: TokenCounter
  #told = 0
  #last: { chars: number; counted: number } | undefined

  constructor(facts: PromptCheckFacts, counter = new TokenCounter()) {
    this.#facts = facts
    this.#counter = counter
  }

  /** The warning, or undefined when the server saw everything. Sound counts calibrate the estimate. */
  observe(size: PromptSize, counted: number): string | undefined {
    const before = this.#last
    this.#last = { chars: size.chars, counted }
    const { measured } = this.#counter
    // What images cost differs too much from server to server to be missed.
    const expected = measured ? this.#counter.estimate({ ...size, imageTokens: 0 }) : size.chars / MOST_CHARS_PER_TOKEN
    const grown = before === undefined ? 0 : size.chars - before.chars
    // A prompt that grew while its count did not has lost at its beginning what it won at its end.
    const stalled = before !== undefined && grown >= SURE_GROWTH && counted <= before.counted
    if (!stalled && counted >= expected * (measured ? SEEN_SHARE : 1)) {
      this.#counter.observe(size, counted)
      return undefined
    }
    if (measured && this.#countsOnlyNew(grown, counted)) return undefined
    // A deeper cut of the same cause is no news.
    if (this.#told > 0 && counted >= this.#told * SEEN_SHARE) return undefined
    this.#told = counted
    return this.#words(Math.round(expected), counted)
  }

  /** Whether the count is that of the part that was added, which a server with a prompt cache may report. */
  #countsOnlyNew(grown: number, counted: number): boolean {
    const added = grown / this.#counter.charsPerToken
    return added > 0 && Math.abs(counted - added) <= added * NEW_PART_MARGIN
  }

  #words(expected: number, counted: number): string {
    const { backend, provider, window } = this.#facts
    const seen = `The server of "${backend}" saw only ${counted} of about ${expected} prompt tokens: it drops the beginning of the conversation.`
    const mend =
      provider === 'ollama'
        ? `It gives less than the num_ctx of ${window} that was asked; raise OLLAMA_CONTEXT_LENGTH at the server or free its memory, or set num_ctx: ${roundDown(counted)} for this backend.`
        : `Start it with a larger context (llama.cpp: -c, vLLM: --max-model-len, LM Studio: context length), or set context_max_tokens: ${roundDown(counted)} for this backend.`
    return `${seen} ${mend}`
  }
}

/** A window that surely holds: the count, down to a whole 1,024. */
function roundDown(counted: number): number {
  return Math.max(1_024, Math.floor(counted / 1_024) * 1_024)
}
