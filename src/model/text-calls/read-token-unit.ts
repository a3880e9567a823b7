import { brokenCall, lineAhead, type FoundCall, type Unit } from './found.ts'
import { readJson } from './read-json.ts'
import { endsBadly, isNamePart, readFence, readPayload, readPayloads, readStrayClosers } from './read-payload.ts'
import type { Reader, Wait } from './reader.ts'
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
}
const SECTION_TOKENS = new Set(['tool_calls_begin', 'tool_calls_section_begin', 'tool_call_begin'])
const SECTION_ENDS = new Set(['tool_calls_end', 'tool_calls_section_end'])

export const opensTokenCall = (token: string): boolean =>
  SECTION_TOKENS.has(token) || Object.hasOwn(PAYLOAD_TOKENS, token)

/** Reads the calls that a special token announces, from the token on. Undefined: no call. */
export function* readTokenUnit(reader: Reader, index: ToolIndex): Wait<Found | undefined> {
  const token = yield* reader.settled(() => tokenAhead(reader))
  const dialect = PAYLOAD_TOKENS[token.name]
  if (!dialect) return yield* readSection(reader, index)
  reader.at += token.length
  yield* reader.space()
  const plugin = yield* reader.settled(() => tokenAhead(reader))
  if (plugin.name === 'plugin') reader.at += plugin.length
  return yield* readAnnounced(reader, index, dialect)
}

/** Mistral's mark, and one like it that others close again. */
export const marksCall = (reader: Reader): boolean => reader.looksAt('[tool_calls]') || reader.looksAt('[tool_call]')

/** `[TOOL_CALLS]` and what follows it, once or several times, or `[TOOL_CALL]…[/TOOL_CALL]`. */
export function* readMistral(reader: Reader, index: ToolIndex): Wait<Found | undefined> {
  if (yield* reader.settled(() => reader.looksAt('[tool_call]'))) {
    reader.at += '[TOOL_CALL]'.length
    const one = yield* readAnnounced(reader, index, 'mistral')
    const length = yield* reader.settled(() => {
      const from = reader.spaceAhead(0, MAX_HEADER)
      return reader.looksAt('[/tool_call]', from) ? from + '[/TOOL_CALL]'.length : 0
    })
    reader.at += length
    return one
  }
  reader.at += '[TOOL_CALLS]'.length
  const unit = yield* readAnnounced(reader, index, 'mistral')
  if (!unit) return undefined
  while (!unit.calls.at(-1)!.broken) {
    if ((yield* reader.settled(() => reader.spaceAhead(0, MAX_HEADER))) >= MAX_HEADER) break
    const again = yield* reader.settled(() => reader.looksAt('[tool_calls]', reader.spaceAhead(0, MAX_HEADER)))
    if (!again) break
    yield* reader.space()
    reader.at += '[TOOL_CALLS]'.length
    const more = yield* readPayload(reader, index)
    if (!more) return undefined
    unit.calls.push(...more.calls)
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
    if (token.name === 'tool_call_begin') {
      reader.at += token.length
      const call = yield* readHeaded(reader, index, unit)
      if (!call) return undefined
      unit.calls.push(call)
      if (call.broken) yield* skipLine(reader)
      if (call.broken || call.truncated) break
    } else if (SECTION_ENDS.has(token.name)) {
      reader.at += token.length
      break
    } else if (SECTION_TOKENS.has(token.name) || token.name === 'tool_call_end') reader.at += token.length
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
  const token = yield* reader.settled(() => tokenAhead(reader))
  if (token.name === 'tool_sep') {
    reader.at += token.length
    // `function<sep>name` and a block of JSON, or `name<sep>{…}`.
    const code = yield* reader.space()
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
