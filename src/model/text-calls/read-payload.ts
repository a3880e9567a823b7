import { callsFromJson } from './json-calls.ts'
import { brokenCall, lineAhead, type FoundCall } from './found.ts'
import { readJson, type JsonRead } from './read-json.ts'
import { pythonName, readPythonCall, readPythonList } from './read-python.ts'
import { isWord, isWordStart, type Reader, type Wait } from './reader.ts'
import type { ToolIndex } from './tool-index.ts'

const MAX_SPACE = 200
const MAX_NAME = 100
const MAX_INFO = 20
/** Brackets too many at the end that are taken for a slip. */
const MAX_STRAY = 3

/** Consumes brackets that close nothing, right after a value; tells whether there were any. */
export function* readStrayClosers(reader: Reader): Wait<boolean> {
  const stray = yield* reader.settled(() => reader.runAhead(0, MAX_STRAY, (code) => code === 125 || code === 93))
  reader.at += stray.length
  return stray.length > 0
}

/** Consumes the marks of a code block inside a call: the back-quotes and the word after them. */
export function* readFence(reader: Reader): Wait<boolean> {
  const length = yield* reader.settled(() => {
    const ticks = reader.runAhead(0, MAX_INFO, (code) => code === 96).length
    return ticks + reader.runAhead(ticks, MAX_INFO, isWord).length
  })
  reader.at += length
  return length >= 3
}

/**
 * Whether a string that the end of the text cut off hides the end of its call: its closing quote is missing,
 * and where the value ends nobody can know.
 */
export const hidesItsEnd = (read: JsonRead): boolean =>
  read.openString !== undefined && (/[}\]](\s|`)*$/.test(read.openString.slice(-40)) || CALL_END.test(read.openString))

const CALL_END = /<\/(?:\w+:)?(?:tool_?calls?|functions?|function_calls?|invoke|tool_use|arguments)>/i

/** Whether an object was read only in part, or what follows it cannot end a call. */
export function* endsBadly(reader: Reader, read: JsonRead): Wait<boolean> {
  if (read.state === 'bad' || hidesItsEnd(read)) return true
  if (read.state !== 'short') return false
  const next = yield* reader.space()
  return next !== 60 && next !== 96 && next >= 0
}

export interface Payload {
  calls: FoundCall[]
  form: 'json' | 'python' | 'named'
}

/**
 * Reads one piece of what stands inside call markup: a JSON object or list of calls, a Python call or list of
 * them, or a name followed by a JSON object. Undefined: none of these; what was looked at is consumed.
 */
export function* readPayload(reader: Reader, index: ToolIndex, wrapped = true): Wait<Payload | undefined> {
  const code = yield* reader.space()
  if (code === 91 && (yield* reader.settled(() => listOfPython(reader)))) {
    const calls = yield* readPythonList(reader)
    return calls && { calls, form: 'python' }
  }
  if (code === 123 || code === 91) return yield* readJsonCalls(reader, index, wrapped)
  if (!isWordStart(code)) return undefined
  if (yield* reader.settled(() => pythonName(reader) !== '')) {
    const call = yield* readPythonCall(reader)
    return call && { calls: [call], form: 'python' }
  }
  return yield* readNamed(reader)
}

/** `[name(` */
export const listOfPython = (reader: Reader): boolean => pythonName(reader, reader.spaceAhead(1, MAX_SPACE)) !== ''

function* readJsonCalls(reader: Reader, index: ToolIndex, wrapped: boolean): Wait<Payload | undefined> {
  const read = yield* readJson(reader)
  if (yield* endsBadly(reader, read)) {
    const found = read.openString === undefined ? yield* lineAhead(reader) : 'a string that is not closed'
    return { calls: [brokenCall('', 'one JSON object', found)], form: 'json' }
  }
  const repairs = [...read.repairs]
  if (read.state === 'closed' && (yield* readStrayClosers(reader))) repairs.push('extra-closer')
  const calls = callsFromJson(read.value, index, wrapped)
  if (!calls) return undefined
  for (const call of calls) call.repairs.unshift(...repairs)
  if (read.state === 'cut') {
    const last = calls.at(-1)!
    last.truncated = true
    // Where even the arguments had not begun, the name may have been cut too.
    if (last.value === undefined) last.broken = { expected: 'a complete call', found: 'the text ends inside it' }
  }
  return { calls, form: 'json' }
}

/** Reads pieces one after another, with nothing, a comma or a semicolon between them. */
export function* readPayloads(reader: Reader, index: ToolIndex, wrapped = true): Wait<Payload | undefined> {
  const whole = yield* readPayload(reader, index, wrapped)
  if (!whole) return undefined
  while (!whole.calls.at(-1)!.broken && !whole.calls.at(-1)!.truncated) {
    const length = yield* reader.settled(() => nextPiece(reader, whole.form))
    if (length < 0) break
    reader.at += length
    const more = yield* readPayload(reader, index, wrapped)
    if (!more) return undefined
    whole.calls.push(...more.calls)
  }
  return whole
}

/** Offset of the next piece, or -1. */
function nextPiece(reader: Reader, form: Payload['form']): number {
  let offset = reader.spaceAhead(0, MAX_SPACE)
  const separator = reader.code(offset)
  const separated = separator === 44 || separator === 59
  if (separated) offset = reader.spaceAhead(offset + 1, MAX_SPACE)
  if (reader.code(offset) === 123) return offset
  return separated && form === 'python' && pythonName(reader, offset) ? offset : -1
}

/** `name {…}`, `name[ARGS]{…}`, `name[CALL_ID]id[ARGS]{…}` */
function* readNamed(reader: Reader): Wait<Payload | undefined> {
  const name = yield* reader.settled(() => reader.runAhead(0, MAX_NAME, isNamePart))
  reader.at += name.length
  let id: string | undefined
  if (yield* reader.settled(() => reader.looksAt('[call_id]'))) {
    reader.at += '[call_id]'.length
    id = yield* reader.settled(() => reader.runAhead(0, MAX_NAME, isWord))
    reader.at += id.length
  }
  if (yield* reader.settled(() => reader.looksAt('[args]'))) reader.at += '[args]'.length
  if ((yield* reader.space()) === 96) {
    if (!(yield* readFence(reader))) return undefined
    yield* reader.space()
  }
  if (reader.text.charCodeAt(reader.at) !== 123) return undefined
  const read = yield* readJson(reader)
  if (yield* endsBadly(reader, read))
    return { calls: [brokenCall(name, 'one JSON object', yield* lineAhead(reader))], form: 'named' }
  const repairs = [...read.repairs]
  if (read.state === 'closed' && (yield* readStrayClosers(reader))) repairs.push('extra-closer')
  return { calls: [{ name, value: read.value, id, repairs, truncated: read.state === 'cut' }], form: 'named' }
}

export const isNamePart = (code: number): boolean => isWord(code) || code === 45 || code === 46 || code === 58
