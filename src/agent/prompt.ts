// Builds the prompt of a turn: level 1 (rules), level 2 (project), level 3 (conversation). Until a compaction every prompt
// is a byte prefix of the next one; nothing here may depend on the clock or on counters.
import { toRequestMessages } from './to-request.ts'
import type { BuiltPrompt, PromptBuilder } from './ports.ts'
import type { RequestTool } from '../model/language-model.ts'
import type { Message } from '../protocol/index.ts'

/** Start value until the server's own counts calibrate it (models.md, Tokens). */
const CHARS_PER_TOKEN = 3
const TOKENS_PER_MESSAGE = 4

export interface PromptParts {
  /** Level 1. */
  rules: string
  /** Level 2, made once per session; undefined when there is nothing to say. */
  project(): Promise<string | undefined>
  tools: RequestTool[]
  native: boolean
}

/** A builder that sends the whole conversation. */
export class WholePrompt implements PromptBuilder {
  private charsPerToken = CHARS_PER_TOKEN
  private sentChars = 0
  private project: string | undefined
  private asked = false
  private readonly parts: PromptParts

  constructor(parts: PromptParts) {
    this.parts = parts
  }

  async build(log: readonly Message[]): Promise<BuiltPrompt> {
    if (!this.asked) {
      this.project = await this.parts.project()
      this.asked = true
    }
    const system = this.project === undefined ? this.parts.rules : `${this.parts.rules}\n\n${this.project}`
    const messages = [{ role: 'system' as const, content: system }, ...toRequestMessages(log)]
    const chars = JSON.stringify(messages).length + JSON.stringify(this.parts.tools).length
    this.sentChars = chars
    const tokens = Math.ceil(chars / this.charsPerToken) + messages.length * TOKENS_PER_MESSAGE
    return { messages, tools: this.parts.tools, tokens, native: this.parts.native }
  }

  observe(promptTokens: number): void {
    if (promptTokens > 0 && this.sentChars > 0) this.charsPerToken = this.sentChars / promptTokens
  }

  shrink(): Promise<boolean> {
    return Promise.resolve(false)
  }
}
