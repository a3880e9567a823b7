// Builds the prompt of a turn: level 1 (rules), level 2 (project), level 3 (conversation), inside the window. Until a pass
// over a full window every prompt is a byte prefix of the next one, so nothing here depends on the clock or on counters.
// A pass is stored as a marker and the history is never touched.
import { isDeepStrictEqual } from 'node:util'
import type { RequestMessage, RequestTool } from '../model/language-model.ts'
import { ModelError } from '../model/language-model.ts'
import type { AttachedImage, EventBody, Message } from '../protocol/index.ts'
import { askAside, cutSeq, summaryMarker, summaryOrder } from './context/compact.ts'
import type { Asker } from './context/compact.ts'
import { describeContext } from './context/describe.ts'
import { editBlock, editWords } from './context/edit.ts'
import type { BlockAction } from './context/edit.ts'
import { planTrim } from './context/trim.ts'
import { markerText, viewOf } from './context/view.ts'
import type { ContextView, Marker, ResultForm } from './context/view.ts'
import type { PromptCheck } from '../model/prompt-check.ts'
import { answerRoom, FIRST_CHARS_PER_TOKEN, promptSize } from '../model/tokens.ts'
import type { PromptSize, TokenCounter } from '../model/tokens.ts'
import type { SessionWindow } from '../model/window.ts'
import type { BuiltPrompt, MessageLog, PromptBuilder } from './ports.ts'
import { toRequestMessages } from './to-request.ts'
import type { TextCalls } from './to-request.ts'

/**
 * How far a pass empties the window. Every pass sends what is left again, so on a large window a deep pass is cheaper over
 * a long session than a shallow one; on a small window half must stay, because there is little to begin with.
 */
const targetShare = (window: number): number => (window > 65_536 ? 0.15 : window > 16_384 ? 0.3 : 0.5)
/** Trimming that leaves more than this share is followed by a summary (context.md: a pass brings the prompt to 50 %). */
const COMPACT_ABOVE_SHARE = 0.5

/** Share of the window that one earlier answer may have: one that never ended is cut to its head and tail. */
const ANSWER_SHARE = 0.5
/** Share of the window that is kept for a summary; a prompt that leaves less is shortened before it is summed up. */
const SUMMARY_SHARE = 0.12

export interface PromptForm {
  rules: string
  /** How calls and results are written when they stand in the text; undefined: in the server's own form. */
  textCalls?: TextCalls
  /** The model takes images. */
  images: boolean
}

export interface PromptParts {
  /** Level 1 and how calls are written; it changes only when the tool format does. */
  form(): PromptForm
  /** Level 2, made once per session; undefined when there is nothing to say. */
  project(): Promise<string | undefined>
  tools: RequestTool[]
  window: SessionWindow
  /** Share of the window that may be filled. */
  maxShare: number
  /** `trim` never asks the model for a summary. */
  method: 'llm-summary' | 'trim'
  /** Exchanges a compaction keeps word for word. */
  keep: number
  /** User messages after which a compaction is made by itself; 0 = never. */
  maxUserMessages: number
  log: MessageLog
  asker: Asker
  counter: TokenCounter
  /** Compares the server's counts with what was sent. */
  check: PromptCheck
  emit(event: EventBody): void
}

interface Shaped {
  messages: RequestMessage[]
  size: PromptSize
}

export class ContextPrompt implements PromptBuilder {
  private sent: PromptSize = { chars: 0, messages: 0 }
  private project: string | undefined
  private projectAsked = false
  private readonly parts: PromptParts

  constructor(parts: PromptParts) {
    this.parts = parts
  }

  async build(log: readonly Message[], signal: AbortSignal): Promise<BuiltPrompt> {
    if (!this.projectAsked) {
      this.project = await this.parts.project()
      this.projectAsked = true
    }
    let shaped = this.shape(log, viewOf(log))
    const isOver = (): boolean => this.tokens(shaped) > this.window * this.parts.maxShare
    // A larger window costs the server one load of the model; a pass costs the conversation.
    if (isOver() && this.parts.window.raise()) {
      while (isOver() && this.parts.window.raise());
      const text = `The window is raised to ${this.window} tokens; the server loads the model anew.`
      this.parts.emit({ type: 'notice', level: 'info', text })
    }
    if (isOver() || this.tooManyMessages(log)) {
      await this.shrink(log, signal)
      shaped = this.shape(this.parts.log.all(), viewOf(this.parts.log.all()))
      if (this.tokens(shaped) > this.window) throw this.tooLong(this.tokens(shaped))
    }
    this.sent = shaped.size
    return { messages: shaped.messages, tools: this.tools(), tokens: this.tokens(shaped), window: this.window }
  }

  observe(promptTokens: number): void {
    const warning = this.parts.check.observe(this.sent, promptTokens)
    if (warning !== undefined) this.parts.emit({ type: 'notice', level: 'warning', text: warning })
  }

  async shrink(
    log: readonly Message[],
    signal: AbortSignal,
    how: { keep?: number; focus?: string } = {},
  ): Promise<boolean> {
    const { method } = this.parts
    const { window } = this
    const before = this.shape(log, viewOf(log))
    const beforeTokens = this.tokens(before)
    const forced = how.keep !== undefined || how.focus !== undefined
    const excess = (beforeTokens - window * targetShare(window)) * this.parts.counter.charsPerToken
    const { forms, saved } = planTrim(log, viewOf(log), Math.max(0, excess))
    const left = beforeTokens - saved / this.parts.counter.charsPerToken
    let marker: Marker | undefined = saved > 0 ? { results: forms } : undefined
    if (method === 'llm-summary' && (forced || left > window * COMPACT_ABOVE_SHARE || this.tooManyMessages(log))) {
      const summed = await this.summarise(log, before, forms, signal, how)
      if (summed) marker = { ...summed, results: forms }
    }
    if (!marker) return false
    const after = this.parts.log.append({
      sender: 'SYSTEM',
      text: '',
      system: {
        type: 'COMPACTION',
        data: markerText(marker),
        summary: marker.summary ? 'compacted with a summary' : 'old results shortened',
      },
    })
    const now = this.parts.log.all()
    const afterTokens = this.tokens(this.shape(now, viewOf(now)))
    const text = `context ${percent(beforeTokens, window)} → ${percent(afterTokens, window)}: ${after.system?.summary}`
    this.parts.emit({ type: 'compaction', before: beforeTokens, after: afterTokens, text })
    return true
  }

  async aside(log: readonly Message[], question: string, signal: AbortSignal): Promise<string | undefined> {
    return await this.ask(this.shape(log, viewOf(log)), question, signal)
  }

  describe(log: readonly Message[]): Extract<EventBody, { type: 'context' }> {
    const { rules } = this.parts.form()
    const facts = { rules, project: this.project, tools: this.tools(), log, view: viewOf(log) }
    const { charsPerToken } = this.parts.counter
    return { type: 'context', window: this.window, blocks: describeContext({ ...facts, charsPerToken }) }
  }

  edit(log: readonly Message[], action: BlockAction, name: string): { ok: boolean; text: string } {
    const edit = editBlock(log, viewOf(log), action, name)
    if (!edit.ok) return { ok: false, text: edit.message }
    const { handle, title } = edit.block
    const before = this.shape(log, viewOf(log))
    const summary = `${action === 'drop' ? 'dropped' : `${action}ned`} ${handle} ${title}`
    this.parts.log.append({
      sender: 'SYSTEM',
      text: '',
      system: { type: 'COMPACTION', data: markerText(edit.marker), summary },
    })
    const now = this.parts.log.all()
    const after = this.shape(now, viewOf(now))
    const saved = this.tokens(before) - this.tokens(after)
    const anew = this.tokens(changedPart(before, after))
    return { ok: true, text: editWords(action, edit, { saved, anew }) }
  }

  private async summarise(
    log: readonly Message[],
    before: Shaped,
    forms: Record<string, ResultForm>,
    signal: AbortSignal,
    { keep = this.parts.keep, focus }: { keep?: number; focus?: string },
  ): Promise<Marker | undefined> {
    const base = this.summaryBase(log, before, forms, keep)
    if (!base) return undefined
    const text = await this.ask(base, summaryOrder(focus), signal)
    return text === undefined
      ? undefined
      : summaryMarker(log, withPlan(text, log), keep, this.window, before.size.chars)
  }

  /**
   * What a summary is asked on: the prefix the server knows, unless the summary would not fit behind it. Then what the pass
   * leaves of it, then that without the exchanges that stay word for word, then without the oldest.
   */
  private summaryBase(
    log: readonly Message[],
    before: Shaped,
    forms: Record<string, ResultForm>,
    keep: number,
  ): Shaped | undefined {
    const fits = (shaped: Shaped): boolean => this.tokens(shaped) <= this.window * (1 - SUMMARY_SHARE)
    if (fits(before)) return before
    const view = viewOf(log)
    const trimmed = { ...view, results: new Map([...view.results, ...Object.entries(forms)]) }
    const cut = cutSeq(log, keep) ?? Number.POSITIVE_INFINITY
    let part = log
    for (let left = log.length; left > 0; left = part.length) {
      const shaped = this.shape(part, trimmed)
      if (fits(shaped)) return shaped
      part = part.length === log.length ? log.filter((message) => message.seq < cut) : withoutOldest(part)
      // Nothing went, so nothing will.
      if (part.length === left) part = withoutOldest(part)
    }
    return undefined
  }

  private ask(shaped: Shaped, question: string, signal: AbortSignal): Promise<string | undefined> {
    const { asker } = this.parts
    const maxTokens = answerRoom(this.window, this.tokens(shaped), asker.request.maxTokens)
    const bounded = { ...asker, request: { ...asker.request, maxTokens } }
    return askAside({ messages: shaped.messages, tools: this.tools() }, bounded, question, signal)
  }

  private tooManyMessages(log: readonly Message[]): boolean {
    const { maxUserMessages } = this.parts
    if (maxUserMessages <= 0) return false
    const from = viewOf(log).summary?.beforeSeq ?? 0
    return log.filter((message) => message.sender === 'USER' && message.seq >= from).length >= maxUserMessages
  }

  private get window(): number {
    return this.parts.window.tokens
  }

  private tools(): RequestTool[] {
    return this.parts.form().textCalls ? [] : this.parts.tools
  }

  private shape(log: readonly Message[], view: ContextView): Shaped {
    const { rules, textCalls, images } = this.parts.form()
    const system: RequestMessage[] = [{ role: 'system', content: rules, cache: 'static' }]
    if (this.project !== undefined) system.push({ role: 'system', content: this.project, cache: 'user-data' })
    const options = {
      view,
      mostAnswerChars: Math.floor(this.window * FIRST_CHARS_PER_TOKEN * ANSWER_SHARE),
      ...(textCalls ? { textCalls } : {}),
      ...(images ? { image: (each: AttachedImage) => this.parts.log.image(each) } : {}),
    }
    const messages = [...system, ...toRequestMessages(log, options)]
    return { messages, size: promptSize(messages, this.tools()) }
  }

  private tokens({ size }: Shaped): number {
    return this.parts.counter.estimate(size)
  }

  private tooLong(tokens: number): ModelError {
    return new ModelError(
      'context_too_long',
      `The conversation needs about ${tokens} tokens even after compaction; the window has ${this.window}.`,
      {
        retryable: false,
        suggestion:
          'Start a new session with the part that matters, raise the window (num_ctx or context_max_tokens of the backend), or drop what is large and pinned (/context).',
      },
    )
  }
}

/** What of a prompt a server that kept the one before must read anew. */
function changedPart(before: Shaped, after: Shaped): Shaped {
  const same = after.messages.findIndex((message, at) => !isDeepStrictEqual(message, before.messages[at]))
  const messages = same < 0 ? [] : after.messages.slice(same)
  return { messages, size: promptSize(messages, []) }
}

/** Without about a quarter of the messages, at a place where no result loses its call. */
function withoutOldest(part: readonly Message[]): readonly Message[] {
  const from = Math.max(1, Math.floor(part.length / 4))
  const start = part.findIndex((message, at) => at >= from && message.sender !== 'SYSTEM')
  return start < 0 ? [] : part.slice(start)
}

const percent = (tokens: number, window: number): string => `${Math.round((100 * tokens) / window)} %`

/** The plan is kept word for word, whatever the summary says of it. */
function withPlan(text: string, log: readonly Message[]): string {
  const plan = log.flatMap((message) => message.output?.toolCalls ?? []).findLast((call) => call.name === 'plan_update')
    ?.args['items']
  if (!Array.isArray(plan)) return text
  const lines = plan.map(
    (item: { text?: unknown; state?: unknown }) => `- [${String(item.state)}] ${String(item.text)}`,
  )
  return `${text}\n\n## The plan as last set\n${lines.join('\n')}`
}
