import { remembered } from '../lib/remember.ts'
import type { RequestMessage, RequestTool } from './language-model.ts'

/** Before a server has counted anything: low, so that a prompt is thought too long rather than too short. */
export const FIRST_CHARS_PER_TOKEN = 3
/** Role marks and separators around every message. */
export const TOKENS_PER_MESSAGE = 4
/** Bounds for a measured ratio: outside them the server counted something else than the prompt. */
const RATIO_BOUNDS = [1, 8] as const
/** Prompts shorter than this say more about the template than about the text. Characters. */
const SHORTEST_MEASURE = 800

/** Characters that become tokens. */
export interface PromptSize {
  chars: number
  messages: number
  /** Tokens of images, as far as their pixels tell; none when absent. */
  imageTokens?: number
}

/** Servers shrink an image until it costs about this much; one of unknown size counts so. */
const MOST_IMAGE_TOKENS = 1_600
/** https://docs.anthropic.com/en/docs/build-with-claude/vision; Qwen's 28 × 28 patches and OpenAI's tiles come to about the same. */
const PIXELS_PER_TOKEN = 750
/** Above this share of a count, what images cost is too rough to learn from the rest. */
const IMAGE_SHARE_BOUND = 0.1

/** What an image costs in a prompt, about. Width and height in pixels. */
export function imageTokens({ width, height }: { width?: number | undefined; height?: number | undefined }): number {
  if (width === undefined || height === undefined) return MOST_IMAGE_TOKENS
  return Math.min(MOST_IMAGE_TOKENS, Math.ceil((width * height) / PIXELS_PER_TOKEN))
}

const jsonLength = remembered((tools: readonly RequestTool[]) => JSON.stringify(tools).length)

/** Size of a request: contents, names and arguments of calls, and the tools as JSON. */
export function promptSize(messages: readonly RequestMessage[], tools: readonly RequestTool[]): PromptSize {
  let chars = tools.length === 0 ? 0 : jsonLength(tools)
  let images = 0
  for (const message of messages) {
    chars += message.content.length
    if (message.role === 'user') for (const image of message.images ?? []) images += imageTokens(image)
    if (message.role !== 'assistant') continue
    for (const call of message.toolCalls ?? []) chars += call.name.length + call.arguments.length
  }
  return { chars, messages: messages.length, ...(images > 0 ? { imageTokens: images } : {}) }
}

/** An answer always gets so many tokens, whatever is left. */
const LEAST_ANSWER = 256

/**
 * Tokens an answer may have behind a prompt: at most what is left of the window, because a server that takes prompt and
 * answer together for too long refuses the request, or drops the beginning. A window of 0 is not known.
 */
export function answerRoom(window: number, promptTokens: number, maxTokens: number): number {
  return window <= 0 ? maxTokens : Math.min(maxTokens, Math.max(LEAST_ANSWER, window - promptTokens))
}

/** Estimates tokens for one model and learns from the counts of its server. */
export class TokenCounter {
  #charsPerToken: number
  #measured = false

  /** `known` is a ratio measured in an earlier session. */
  constructor(known?: number) {
    this.#charsPerToken = known ?? FIRST_CHARS_PER_TOKEN
    this.#measured = known !== undefined
  }

  /** False while the estimate rests on the first guess. */
  get measured(): boolean {
    return this.#measured
  }

  get charsPerToken(): number {
    return this.#charsPerToken
  }

  estimate(size: PromptSize): number {
    const text = Math.ceil(size.chars / this.#charsPerToken)
    return text + size.messages * TOKENS_PER_MESSAGE + (size.imageTokens ?? 0)
  }

  /** Takes in the server's count of a whole prompt; counts that cannot be right are left out. */
  observe(size: PromptSize, counted: number): void {
    const { imageTokens: images = 0 } = size
    if (images > counted * IMAGE_SHARE_BOUND) return
    const tokens = counted - size.messages * TOKENS_PER_MESSAGE - images
    if (size.chars < SHORTEST_MEASURE || tokens <= 0) return
    const ratio = size.chars / tokens
    if (ratio < RATIO_BOUNDS[0] || ratio > RATIO_BOUNDS[1]) return
    this.#charsPerToken = ratio
    this.#measured = true
  }
}
