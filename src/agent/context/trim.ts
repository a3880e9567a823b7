// Decides what to leave out when the window fills, cheapest loss first: superseded reads, long results to head and tail,
// results nobody mentioned lately to a stub. Pure: sizes in, forms out. A call and its result always stay together.
import type { Message, ToolCall, ToolResult } from '../../protocol/index.ts'
import { resultText } from '../result-text.ts'
import { inForm } from './result-form.ts'
import type { ContextView, ResultForm } from './view.ts'

/** The newest turns keep their results whole: the model is working with them. */
const WHOLE_TURNS = 2
/** A result counts as in use when its subject was named in so many of the newest user messages or turns (context.md). */
const MENTIONED_USER_MESSAGES = 5
const MENTIONED_TURNS = 20

interface Candidate {
  call: ToolCall
  text: string
  form: ResultForm | undefined
  /** Turns counted from the end; 0 is the newest. */
  age: number
}

/** Names of files and symbols of a call: what a mention of it would say. */
function subjects(call: ToolCall): string[] {
  return ['path', 'name', 'symbol', 'query'].flatMap((key) => {
    const value = call.args[key]
    return typeof value === 'string' && value.length > 2 ? [value] : []
  })
}

function candidates(messages: readonly Message[], view: ContextView): Candidate[] {
  const results = new Map<string, ToolResult>()
  for (const { system } of messages)
    if (system?.callId !== undefined && system.result) results.set(system.callId, system.result)
  const turns = messages.filter((message) => message.sender === 'AI' && message.seq >= (view.summary?.beforeSeq ?? 0))
  return turns.flatMap((message, at) =>
    (message.output?.toolCalls ?? []).flatMap((call) => {
      const result = results.get(call.id)
      if (!result) return []
      return [{ call, text: resultText(result), form: view.results.get(call.id), age: turns.length - 1 - at }]
    }),
  )
}

/** Keys of reads of one thing; a later one of the same key makes the earlier ones old. */
const readKey = ({ name, args }: ToolCall): string | undefined =>
  name === 'read_file' ? JSON.stringify([args['path'], args['start_line'], args['end_line']]) : undefined

function mentionedText(messages: readonly Message[]): string {
  const users = messages.filter((message) => message.sender === 'USER').slice(-MENTIONED_USER_MESSAGES)
  const turns = messages.filter((message) => message.sender === 'AI').slice(-MENTIONED_TURNS)
  return [...users.map((message) => message.text), ...turns.map((message) => message.text)].join('\n')
}

/**
 * Chooses forms until `excess` characters are saved or nothing is left to choose. `saved` may be less than `excess`.
 * Only forms that changed are returned.
 */
export function planTrim(
  messages: readonly Message[],
  view: ContextView,
  excess: number,
): { forms: Record<string, ResultForm>; saved: number } {
  const all = candidates(messages, view).filter(({ age, call }) => age >= WHOLE_TURNS && !view.pinned.has(call.id))
  const newestRead = new Map<string, string>()
  for (const { call } of candidates(messages, view)) {
    const key = readKey(call)
    if (key !== undefined) newestRead.set(key, call.id)
  }
  const mentioned = mentionedText(messages)
  const forms: Record<string, ResultForm> = {}
  let saved = 0
  const take = (each: Candidate, form: ResultForm): void => {
    const gain = inForm(each.text, each.form, each.call).length - inForm(each.text, form, each.call).length
    if (gain <= 0) return
    saved += gain
    each.form = form
    forms[each.call.id] = form
  }
  const steps: ((each: Candidate) => void)[] = [
    (each) => {
      const key = readKey(each.call)
      if (key !== undefined && newestRead.get(key) !== each.call.id) take(each, 'superseded')
    },
    (each) => {
      if (each.form === undefined) take(each, 'cut')
    },
    (each) => {
      if (each.form === 'superseded') return
      if (!subjects(each.call).some((subject) => mentioned.includes(subject))) take(each, 'stub')
    },
  ]
  for (const step of steps) {
    for (const each of all) {
      if (saved >= excess) return { forms, saved }
      step(each)
    }
  }
  return { forms, saved }
}
