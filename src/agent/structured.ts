// Structured answers (`loop.answerFormat: structured`): for models that are better at one JSON object than at tool calls. An
// answer is text for the user, then queries, or actions, or a question. Calls in it run like any other; what does not parse
// is kept as it came and the model is shown a right form. Nothing is invented.
import { isTooDeep, TOO_DEEP } from '../lib/foreign-json.ts'
import { textToolList } from '../model/text-calls/instructions.ts'
import { readJson } from '../model/text-calls/read-json.ts'
import { readWhole } from '../model/text-calls/reader.ts'
import type { KnownTool } from '../model/text-calls/types.ts'
import type { Tier } from '../model/window.ts'
import type { ToolCall } from '../protocol/index.ts'
import type { CallResolver, ScannedText, StructuredFacts, TextCall, TextScanner } from './ports.ts'
import { fencedResult } from './text-calls-form.ts'
import type { TextCalls } from './to-request.ts'

const FORM = `Answer with one JSON object and nothing else:
{"preText": "what you say to the user", ...}
preText is required. With it comes one of these, or nothing when preText is your final answer:
"queries": [{"tool": "NAME", "args": {...}}] to read; the results come in the next message.
"actions": [{"tool": "NAME", "args": {...}}] to change or run something, with "postText": what to say if it succeeds, "validationRequest": why the user should confirm (only if they should), "keepControl": true to go on after it succeeded.
"communication": {"kind": "choice", "question": "...", "options": ["...", "..."]} or {"kind": "confirm", "question": "..."} to ask the user.`

const RIGHT_FORM =
  'A right answer: {"preText": "I look at it.", "queries": [{"tool": "read_file", "args": {"path": "a.ts"}}]}'

/** Level 1's part on tools and on the form of an answer. */
export function structuredInstructions(tools: readonly KnownTool[], tier: Tier): string {
  return `${textToolList(tools, tier)}\n\n${FORM}`
}

/** How such answers stand in the conversation: as the model wrote them, or as it would have. */
export const structuredCalls: TextCalls = {
  call: ({ name, args }: ToolCall) => JSON.stringify({ tool: name, args }),
  result: fencedResult,
  answer: (text, calls, raw) => {
    if (raw !== undefined) return raw
    if (calls.length === 0) return JSON.stringify({ preText: text })
    return JSON.stringify({ preText: text, actions: calls.map(({ name, args }) => ({ tool: name, args })) })
  },
}

type Read = { fault: string } | (Omit<StructuredFacts, 'raw' | 'fault'> & { preText: string; calls: TextCall[] })

const fault = (field: string, expected: string, found: string): Read => ({
  fault: `${field}: expected ${expected}, found ${found}. ${RIGHT_FORM}`,
})

type Fields = Record<string, unknown>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80))

/** The object of an answer: the first one in the text, whatever stands around it. */
function objectIn(text: string): { value: Fields; cut: boolean } | undefined {
  const at = text.indexOf('{')
  if (at < 0) return undefined
  const read = readWhole(text.slice(at), readJson)
  if (read.state === 'bad' || !isObject(read.value)) return undefined
  return { value: read.value, cut: read.state === 'cut' }
}

/** Reads one whole answer. `cut`: the server ended it at a limit, so what is missing at its end is no slip. */
export function readStructured(text: string, calls: CallResolver, { cut }: { cut: boolean }): Read {
  const found = objectIn(text.replace(/^\s*<think>[\s\S]*?<\/think>/, ''))
  if (!found)
    return fault('The answer', 'one JSON object', isTooDeep(text) ? `one ${TOO_DEEP}` : shown(text.trim().slice(0, 60)))
  const { preText, queries, actions, communication, postText, keepControl, validationRequest } = found.value
  if (typeof preText !== 'string') return fault('preText', 'a text for the user', shown(preText))
  const given = Object.entries({ queries, actions, communication }).filter(
    ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  )
  if (given.length > 1) {
    const names = given.map(([name]) => name).join(' and ')
    return fault(names, 'only one of them in an answer', 'both')
  }
  const base = { preText, acts: false, keepControl: false }
  const cutOff = found.cut && cut
  const [kind, value] = given[0] ?? []
  if (kind === undefined) return { ...base, calls: [] }
  if (kind === 'communication') {
    const question = questionOf(value)
    return question
      ? { ...base, calls: [question] }
      : fault(
          kind,
          '{"kind": "choice", "question", "options" (2 or more)} or {"kind": "confirm", "question"}',
          shown(value),
        )
  }
  if (!Array.isArray(value)) return fault(kind, 'a list of {"tool", "args"}', shown(value))
  const reads = kind === 'queries'
  const confirm = typeof validationRequest === 'string' || validationRequest === true ? validationRequest : undefined
  const made = value.map((item: unknown): TextCall => {
    const call = callOf(item, calls)
    if (call.fault === undefined && reads && !onlyReads(calls.effect(call.name)))
      call.fault = `queries: expected tools that only read, found ${call.name}. Put it under "actions".`
    if (cutOff) call.cutOff = true
    if (confirm !== undefined) call.validationRequest = confirm
    return call
  })
  if (reads) return { ...base, calls: made }
  return {
    ...base,
    calls: made,
    acts: true,
    keepControl: keepControl === true,
    ...(typeof postText === 'string' && postText.trim() !== '' ? { postText } : {}),
  }
}

const onlyReads = (effect: ReturnType<CallResolver['effect']>): boolean => effect === 'read' || effect === 'network'

function callOf(item: unknown, calls: CallResolver): TextCall {
  const fields: Fields = isObject(item) ? item : {}
  const name = fields['tool'] ?? fields['name']
  if (typeof name !== 'string')
    return {
      name: '',
      args: {},
      fault: `tool: expected the name of a tool, found ${shown(name ?? item)}. ${RIGHT_FORM}`,
    }
  const args = fields['args'] ?? fields['arguments'] ?? fields['parameters'] ?? {}
  const argumentsText = typeof args === 'string' ? args : JSON.stringify(args)
  const { id: _id, ...call } = calls.resolve({ id: '', name, argumentsText, cut: false })
  return call
}

function questionOf(value: unknown): TextCall | undefined {
  if (!isObject(value) || typeof value['question'] !== 'string') return undefined
  const { kind, question, options } = value
  if (kind === 'confirm') return { name: 'ask_user', args: { kind, question } }
  const isChoice = kind === 'choice' && Array.isArray(options) && options.length >= 2
  return isChoice ? { name: 'ask_user', args: { kind, question, options: options.map(String) } } : undefined
}

/** The resolver of a session whose answers are structured; names, arguments and effects are those of `inner`. */
export class StructuredReader implements CallResolver {
  readonly #inner: CallResolver

  constructor(inner: CallResolver) {
    this.#inner = inner
  }

  resolve(call: Parameters<CallResolver['resolve']>[0]): ReturnType<CallResolver['resolve']> {
    return this.#inner.resolve(call)
  }

  scanner(): TextScanner {
    let raw = ''
    const nothing: ScannedText = { visible: '', reasoning: '' }
    return {
      feed: (text) => {
        raw += text
        return nothing
      },
      end: (how) => {
        if (raw.trim() === '') return { ...nothing, calls: [] }
        const read = readStructured(raw, this.#inner, how)
        if ('fault' in read)
          return {
            ...nothing,
            visible: raw,
            calls: [],
            structured: { raw, fault: read.fault, acts: false, keepControl: false },
          }
        const { preText, calls, ...facts } = read
        return { ...nothing, visible: preText, calls, structured: { raw, ...facts } }
      },
    }
  }

  observe(): void {
    // The form is configured and does not follow the model.
  }

  effect(name: string): ReturnType<CallResolver['effect']> {
    return this.#inner.effect(name)
  }
}
