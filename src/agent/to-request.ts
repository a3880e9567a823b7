// Turns stored messages into the messages of a request. Pure and stable: the same log gives the same bytes, and a longer
// log gives the same bytes with more behind them. It guarantees what every provider demands: each call has exactly one
// result right behind its message, in the order of the calls, and no result stands without its call.
import { parseForeignJson } from '../lib/foreign-json.ts'
import { fence } from '../lib/fence.ts'
import type { RequestImage, RequestMessage } from '../model/language-model.ts'
import type { AttachedImage, Message, ToolCall, ToolResult } from '../protocol/index.ts'
import { blocksOf } from './context/blocks.ts'
import { inForm, leftOut } from './context/result-form.ts'
import type { ContextView, ResultForm } from './context/view.ts'
import { resultText } from './result-text.ts'

/** The argument text that is sent back: as the model wrote it when that is JSON, else as it was understood. */
export function argumentsText(call: ToolCall): string {
  if (call.rawArgs !== undefined) {
    try {
      const parsed = parseForeignJson(call.rawArgs)
      if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return call.rawArgs
    } catch {
      // Not JSON: some servers refuse a history that holds such arguments.
    }
  }
  return JSON.stringify(call.args)
}

const unanswered: ToolResult = {
  status: 'cancelled',
  code: 'INTERRUPTED',
  text: 'The run was interrupted before this call had a result. Whether it took effect is not known: look before you repeat it.',
}

/** How calls and results are written when they stand in the text instead of the provider's own form. */
export interface TextCalls {
  call(call: ToolCall): string
  result(call: ToolCall, text: string): string
  /** The whole answer, where it is more than its text and its calls; `raw`: as the model wrote it. */
  answer?(text: string, calls: readonly ToolCall[], raw: string | undefined): string
}

interface Options {
  /** What earlier passes over a full window decided. */
  view?: ContextView
  textCalls?: TextCalls
  /** Characters of one answer; of a longer one head and tail are sent. Default: all. */
  mostAnswerChars?: number
  /** Fetches an image of a message, undefined when its bytes are gone; without this the model takes none and is told so. */
  image?: (image: AttachedImage) => RequestImage | undefined
}

/** Results by call id; a later message for the same call stands for the earlier one. */
function resultsByCall(messages: readonly Message[]): Map<string, ToolResult> {
  const results = new Map<string, ToolResult>()
  for (const { system } of messages)
    if (system?.callId !== undefined && typeof system.result?.text === 'string')
      results.set(system.callId, system.result)
  return results
}

/**
 * The calls of an answer as every provider accepts them: each with a name, an object of arguments and an id that no other call
 * of the conversation has. They are so already unless the history was damaged or made elsewhere.
 */
function validCalls({ seq, output }: Message, used: Set<string>): readonly ToolCall[] {
  const calls = output?.toolCalls ?? []
  const valid = calls.flatMap((call: Partial<ToolCall>, at): ToolCall[] => {
    const { id, name, args } = call
    if (typeof name !== 'string' || name === '') return []
    const isFree = typeof id === 'string' && id !== '' && !used.has(id)
    const ownId = isFree ? id : `call_${seq}_${at + 1}`
    used.add(ownId)
    const isWhole = isFree && typeof args === 'object' && args !== null
    return [isWhole ? (call as ToolCall) : { ...call, id: ownId, name, args: { ...args } }]
  })
  return valid.length === calls.length && valid.every((call, at) => call === calls[at]) ? calls : valid
}

interface Written {
  most: number | undefined
  calls: readonly ToolCall[]
  textCalls: TextCalls | undefined
  /** What was known of each call, in their order. */
  results: (ToolResult | undefined)[]
  forms: (ResultForm | undefined)[]
  messages: RequestMessage[]
}

/** Answers as they were written last: a long conversation writes the same ones in every request. */
const written = new WeakMap<Message, Written>()

/** Never changed by anybody: the same objects stand in the next request. */
function answerMessages(
  message: Message,
  calls: readonly ToolCall[],
  results: Map<string, ToolResult>,
  options: Options,
): RequestMessage[] {
  const { textCalls, view } = options
  const known = written.get(message)
  const isSame =
    known?.textCalls === textCalls &&
    known?.calls === calls &&
    known?.most === options.mostAnswerChars &&
    calls.every(({ id }, at) => known?.results[at] === results.get(id) && known?.forms[at] === view?.results.get(id))
  if (known && isSame) return known.messages
  const messages = writeAnswer(message, calls, results, options)
  written.set(message, {
    most: options.mostAnswerChars,
    calls,
    textCalls,
    results: calls.map(({ id }) => results.get(id)),
    forms: calls.map(({ id }) => view?.results.get(id)),
    messages,
  })
  return messages
}

/** Head and tail of an answer that would fill the window for good. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  const left = text.length - 2 * half
  return `${text.slice(0, half).toWellFormed()}\n\n[codehound] ${left} characters of this answer are left out.\n\n${text.slice(-half).toWellFormed()}`
}

function writeAnswer(
  message: Message,
  calls: readonly ToolCall[],
  results: Map<string, ToolResult>,
  options: Options,
): RequestMessage[] {
  const output = message.output
  const { textCalls, view } = options
  const { mostAnswerChars: most = Number.POSITIVE_INFINITY } = options
  const text = shortened(output?.text ?? message.text, most)
  const raw = (output?.raw?.length ?? 0) > most ? undefined : output?.raw
  // Signed reasoning is sent as it came or not at all.
  const isLong = (output?.reasoning?.length ?? 0) > most
  const reasoning = {
    ...(output?.reasoning === undefined || isLong ? {} : { reasoning: output.reasoning }),
    ...(output?.reasoningData === undefined || isLong ? {} : { reasoningData: output.reasoningData }),
  }
  if (calls.length === 0) {
    // An answer of reasoning alone still keeps its place, or two user messages would meet.
    const content = textCalls?.answer?.(text, calls, raw) ?? text
    return [{ role: 'assistant', content: content === '' ? '(no text)' : content, ...reasoning }]
  }
  const shown = (call: ToolCall): string =>
    inForm(resultText(results.get(call.id) ?? unanswered), view?.results.get(call.id), call)
  if (textCalls) {
    const inText = calls.map((call) => textCalls.call(call)).join('\n')
    const content = textCalls.answer?.(text, calls, raw) ?? (text === '' ? inText : `${text}\n${inText}`)
    return [
      { role: 'assistant', content },
      { role: 'user', content: calls.map((call) => textCalls.result(call, shown(call))).join('\n') },
    ]
  }
  return [
    {
      role: 'assistant',
      content: text,
      toolCalls: calls.map((call) => ({ id: call.id, name: call.name, arguments: argumentsText(call) })),
      ...reasoning,
    },
    ...calls.map((call): RequestMessage => ({ role: 'tool', callId: call.id, name: call.name, content: shown(call) })),
  ]
}

/** What the user pinned of what came before a summary: texts as one, word for word, and images. */
function pinnedBefore(
  beforeSeq: number,
  messages: readonly Message[],
  { view, image: fetch }: Options,
): { text: string; images: RequestImage[] } {
  if (!view || view.pinned.size === 0) return { text: '', images: [] }
  const blocks = blocksOf(messages, view).filter(({ seq }) => seq < beforeSeq)
  const texts = blocks.filter(({ image }) => !image).map(({ title, text }) => fence('pinned', { from: title }, text))
  return {
    text: texts.length === 0 ? '' : `\n\nThe user pinned these, so they are kept whole:\n${texts.join('\n')}`,
    images: blocks.flatMap(({ image }) => (image && fetch?.(image)) ?? []),
  }
}

/** What stands for everything before a compaction: the summary, the user's own words that were kept, and what he pinned. */
function summaryMessage(
  summary: NonNullable<ContextView['summary']>,
  messages: readonly Message[],
  options: Options,
): RequestMessage {
  const pinned = pinnedBefore(summary.beforeSeq, messages, options)
  const kept = new Set(summary.keptUserSeqs)
  const words = messages.filter((message) => kept.has(message.seq)).map((message) => `<user>\n${message.text}\n</user>`)
  const quoted = words.length === 0 ? '' : `\n\nThe user's own words so far, oldest first:\n${words.join('\n')}`
  return {
    role: 'user',
    content: `[codehound] The conversation so far was summed up to save room. Go on from here.\n\n${summary.text}${quoted}${pinned.text}`,
    ...(pinned.images.length > 0 ? { images: pinned.images } : {}),
  }
}

/** The user's words with their images; what stands in the place of one that cannot be shown. */
function userMessage(
  { seq, text, attachments = [] }: Message,
  { view, image: fetch }: Options,
): RequestMessage & { role: 'user' } {
  const images: RequestImage[] = []
  let content = text
  for (const [at, { ref, image }] of attachments.entries()) {
    if (!image) continue
    const isOut = view?.dropped.has(`#${seq}.${at + 1}`) === true
    const found = isOut ? undefined : fetch?.(image)
    const why = isOut ? 'was left out by the user' : fetch ? 'is no longer stored' : 'you cannot see'
    if (found) images.push(found)
    else content += `\n\n[codehound] ${ref} is an image, which ${why}.`
  }
  return { role: 'user', content, ...(images.length > 0 ? { images } : {}) }
}

/** Maps a session's messages, without the system prompt, to request messages. */
export function toRequestMessages(messages: readonly Message[], options: Options = {}): RequestMessage[] {
  const results = resultsByCall(messages)
  const { summary } = options.view ?? {}
  const out: RequestMessage[] = summary ? [summaryMessage(summary, messages, options)] : []
  const used = new Set<string>()
  let userOpen = false
  for (const message of messages) {
    if (message.excludeFromPrompt || message.system?.type === 'COMPACTION') continue
    if (summary && message.seq < summary.beforeSeq) continue
    if (message.sender === 'AI') {
      out.push(...answerMessages(message, validCalls(message, used), results, options))
      userOpen = false
    } else if (message.sender === 'USER') {
      out.push(userMessage(message, options))
      userOpen = true
    } else if (message.system && message.system.callId === undefined && message.system.data !== undefined) {
      // What was loaded for a user message joins it: it is stored in the same step, so the bytes never change afterwards.
      const last = out.at(-1)
      const { type, data } = message.system
      const shown = options.view?.dropped.has(`#${message.seq}`) ? leftOut(data) : data
      if (userOpen && type === 'DATA_ADDED' && last?.role === 'user') last.content += `\n\n${shown}`
      else {
        out.push({ role: 'user', content: type === 'DATA_ADDED' ? shown : `[codehound] ${shown}` })
        userOpen = false
      }
    }
  }
  return out
}
