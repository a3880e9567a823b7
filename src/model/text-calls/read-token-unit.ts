import { brokenCall, lineAhead, type FoundCall, type Unit } from './found.ts'
import { readJson } from './read-json.ts'
import { endsBadly, isNamePart, readFence, readPayload, readPayloads, readStrayClosers } from './read-payload.ts'
import type { Reader, Wait } from './reader.ts'
import { readTagUnit } from './read-tag-unit.ts'
import { tagAhead } from './tags.ts'
import { tokenAhead } from './tokens.ts'
import type { ToolIndex } from './tool-index.ts'
import type { Dialect } from './types.ts'

type Found = Omit<Unit, 'place'>

const MAX_HEADER = 120

/** Tokens after which calls stand as JSON or Python. */
const PAYLOAD_TOKENS: Record<string, Dialect> = {
  python_tag: 'python-tag',
  python_start: 'pythonic',
  tool_call: 'tagged-json',
  tool_calls: 'tagged-json',
  tool_call_start: 'pythonic',
  tools_prefix: 'tagged-json',
  start_action: 'tagged-json',
  action_start: 'tagged-json',
  function_call: 'tagged-json',
  content_invoke_tool_json: 'tagged-json',
}
const CALL_TOKENS = new Set(['tool_call_begin', 'begin_tool_request'])
const SECTION_TOKENS = new Set(['tool_calls_begin', 'tool_calls_section_begin', 'begin_tool_requests', ...CALL_TOKENS])
const CALL_ENDS = new Set(['tool_call_end', 'end_tool_request', 'end_tool_arguments'])
const SECTION_ENDS = new Set(['tool_calls_end', 'tool_calls_section_end', 'end_tool_requests', 'calls'])
/** Before the name, and before the arguments, of a call in a section. */
const NAME_TOKENS = new Set(['tool_call_name', 'begin_tool_name'])
const ARGUMENT_TOKENS = new Set(['tool_call_args', 'begin_tool_arguments', 'end_tool_name', 'plamo_msg'])

export const opensTokenCall = (token: string): boolean =>
  SECTION_TOKENS.has(token) || Object.hasOwn(PAYLOAD_TOKENS, token)

/** Reads the calls that a special token announces, from the token on. Undefined: no call. */
export function* readTokenUnit(reader: Reader, index: ToolIndex): Wait<Found | undefined> {
  const token = yield* reader.settled(() => tokenAhead(reader))
  const dialect = PAYLOAD_TOKENS[token.name]
  if (!dialect) return yield* readSection(reader, index)
  reader.at += token.length
  yield* reader.space()
  const next = yield* reader.settled(() => tokenAhead(reader))
  if (SECTION_TOKENS.has(next.name)) return yield* readSection(reader, index)
  if (next.name === 'plugin') reader.at += next.length
  return yield* readAnnounced(reader, index, dialect)
}

/** Marks in square brackets before calls, and what closes them. Lower case. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ['[tool_calls]', '[/tool_calls]'],
  ['[tool_call]', '[/tool_call]'],
  ['[tool_request]', '[end_tool_request]'],
  ['[unused11]', '[unused12]'],
]

const markAhead = (reader: Reader, offset = 0): readonly [open: string, close: string] | undefined =>
  MARKS.find(([open]) => reader.looksAt(open, offset))

export const marksCall = (reader: Reader): boolean => markAhead(reader) !== undefined

/** `[TOOL_CALLS]` (Mistral), `[TOOL_REQUEST]` (LM Studio) and their like, once or several times, closed or not. */
export function* readMistral(reader: Reader, index: ToolIndex): Wait<Found | undefined> {
  let mark = yield* reader.settled(() => markAhead(reader))
  let unit: Found | undefined
  while (mark) {
    const [open, close] = mark
    reader.at += open.length
    const read = unit ? yield* readPayload(reader, index) : yield* readAnnounced(reader, index, 'mistral')
    if (!read) return undefined
    if (unit) unit.calls.push(...read.calls)
    else unit = { dialect: 'mistral', strong: true, calls: read.calls }
    const length = yield* reader.settled(() => {
      const from = reader.spaceAhead(0, MAX_HEADER)
      return reader.looksAt(close, from) ? from + close.length : 0
    })
    reader.at += length
    if (unit.calls.at(-1)!.broken) break
    const gap = yield* reader.settled(() => reader.spaceAhead(0, MAX_HEADER))
    mark = gap >= MAX_HEADER ? undefined : yield* reader.settled(() => markAhead(reader, gap))
    if (mark) reader.at += gap
  }
  return unit
}

function* readAnnounced(reader: Reader, index: ToolIndex, dialect: Dialect): Wait<Found | undefined> {
  const unit: Found = { dialect, strong: true, calls: [] }
  const code = yield* reader.space()
  if (code < 0) {
    unit.calls.push(brokenCall('', 'a call', 'nothing after the opening mark', true))
    return unit
  }
  if (code === 96) yield* readFence(reader)
  const payload = yield* readPayloads(reader, index)
  if (!payload && code !== 123 && code !== 91) return undefined
  unit.calls.push(...(payload?.calls ?? [brokenCall('', 'a call', yield* lineAhead(reader))]))
  if (unit.calls.at(-1)!.broken) yield* skipLine(reader)
  return unit
}

/** DeepSeek's and Kimi's sections: each call with a header of tokens, then its arguments. */
function* readSection(reader: Reader, index: ToolIndex): Wait<Found | undefined> {
  const unit: Found = { dialect: 'deepseek', strong: true, calls: [] }
  while (true) {
    const code = yield* reader.space()
    if (code < 0) break
    if (code === 96) {
      if (yield* readFence(reader)) continue
      break
    }
    if (code !== 60) break
    const token = yield* reader.settled(() => tokenAhead(reader))
    if (CALL_TOKENS.has(token.name)) {
      reader.at += token.length
      const call = yield* readHeaded(reader, index, unit)
      if (!call) return undefined
      unit.calls.push(call)
      if (call.broken) yield* skipLine(reader)
      if (call.broken || call.truncated) break
    } else if (SECTION_ENDS.has(token.name)) {
      reader.at += token.length
      break
    } else if (SECTION_TOKENS.has(token.name) || CALL_ENDS.has(token.name)) reader.at += token.length
    else break
  }
  if (unit.calls.length > 0) return unit
  if ((yield* reader.space()) >= 0) return undefined
  return { ...unit, calls: [brokenCall('', 'a call', 'nothing after the opening mark', true)] }
}

function* readHeaded(reader: Reader, index: ToolIndex, unit: Found): Wait<FoundCall | undefined> {
  if ((yield* reader.space()) === 123) {
    const payload = yield* readPayload(reader, index)
    return payload?.calls.length === 1 ? payload.calls[0] : undefined
  }
  let header = (yield* reader.settled(() => reader.runAhead(0, MAX_HEADER, isHeader))).trim()
  yield* skipHeader(reader)
  let token = yield* reader.settled(() => tokenAhead(reader))
  // Solar's number of the call, then its name; PLaMo's name between two tokens.
  while (NAME_TOKENS.has(token.name) || ARGUMENT_TOKENS.has(token.name)) {
    reader.at += token.length
    if (NAME_TOKENS.has(token.name)) {
      header = (yield* reader.settled(() => reader.runAhead(0, MAX_HEADER, isHeader))).trim()
      yield* skipHeader(reader)
    } else yield* reader.space()
    token = yield* reader.settled(() => tokenAhead(reader))
  }
  if (token.name === 'tool_sep') {
    reader.at += token.length
    // `function<sep>name` and a block of JSON, or `name<sep>{…}`, or Step3's `function<sep><invoke name="…">`.
    const code = yield* reader.space()
    if (code === 60 && (yield* reader.settled(() => tagAhead(reader).name)) === 'invoke') {
      const inner = yield* readTagUnit(reader, index)
      return inner?.calls.length === 1 ? inner.calls[0] : undefined
    }
    if (code !== 123 && code !== 60) {
      header = yield* reader.settled(() => reader.runAhead(0, MAX_HEADER, isNamePart))
      reader.at += header.length
    }
  } else if (token.name === 'tool_call_argument_begin') {
    reader.at += token.length
    unit.dialect = 'kimi'
  }
  if (header === '') return undefined
  const number = /:\d+$/.exec(header)
  const name = number ? header.slice(0, number.index).replace(/^functions\./, '') : header
  return yield* readArguments(reader, name, number ? header : undefined)
}

const isHeader = (code: number): boolean => code >= 32 && code !== 60 && code !== 96 && code !== 123

function* skipHeader(reader: Reader): Wait<void> {
  const header = yield* reader.settled(() => reader.runAhead(0, MAX_HEADER, isHeader))
  reader.at += header.length
  yield* reader.space()
}

/** The arguments' JSON object, in a code block or not; nothing is no arguments. */
export function* readArguments(reader: Reader, name: string, id?: string): Wait<FoundCall> {
  const call: FoundCall = { name, value: undefined, id, repairs: [], truncated: false }
  if ((yield* reader.space()) === 96) yield* readFence(reader)
  const code = yield* reader.space()
  if (code < 0)
    return { ...brokenCall(name, 'the arguments as one JSON object', 'the text ends before them', true), id }
  if (code === 60 && (yield* reader.settled(() => tokenAhead(reader))).name) return call
  const read = yield* readJson(reader)
  if (yield* endsBadly(reader, read)) {
    return { ...brokenCall(name, 'the arguments as one JSON object', yield* lineAhead(reader)), id }
  }
  call.repairs.push(...read.repairs)
  if (read.state === 'closed' && (yield* readStrayClosers(reader))) call.repairs.push('extra-closer')
  call.value = read.value
  call.truncated = read.state === 'cut'
  return call
}

/** Consumes what is left of a broken call: to the next line break or token. */
export function* skipLine(reader: Reader): Wait<void> {
  while (reader.there() || (yield* reader.more())) {
    const code = reader.text.charCodeAt(reader.at)
    if (code === 10) return
    if (code === 60 && (yield* reader.settled(() => tokenAhead(reader))).name) return
    reader.at++
  }
}
