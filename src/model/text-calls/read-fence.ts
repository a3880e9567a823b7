import type { FoundCall, Unit } from './found.ts'
import { readBareUnit, startsBare } from './read-bare-unit.ts'
import { readPayload } from './read-payload.ts'
import { pythonName, readPythonCall } from './read-python.ts'
import { opensCall, readTagUnit } from './read-tag-unit.ts'
import { marksCall, opensTokenCall, readMistral, readTokenUnit } from './read-token-unit.ts'
import { isWord, isWordStart, type Reader, type Wait } from './reader.ts'
import { tagAhead } from './tags.ts'
import { tokenAhead } from './tokens.ts'
import type { ToolIndex } from './tool-index.ts'

const MAX_INFO = 30
const MAX_SPACE = 200
const MAX_TICKS = 64

/** Words after the back-quotes of a block that may be calls. */
const INFO = new Set([
  '',
  'json',
  'jsonc',
  'json5',
  'xml',
  'html',
  'text',
  'txt',
  'plaintext',
  'python',
  'py',
  'function',
])
/** Words that call the block a call: then what is inside needs no further sign. */
const CALL_INFO = new Set([
  'tool_call',
  'tool_calls',
  'tool_code',
  'tool',
  'tools',
  'tool_use',
  'function_call',
  'call',
])
const PYTHON_INFO = new Set(['python', 'py'])

type Found = Omit<Unit, 'place'>

/**
 * What a run of back-quotes or tildes opens: a block whose beginning may be calls, another block, or (within a
 * line) a code span. `length` reaches past the word after the marks.
 */
export interface FenceStart {
  kind: 'calls' | 'block' | 'span'
  info: string
  length: number
}

/** Looks at the opening marks (`run` of them) of a code block. Within a line they open one only at the line's end. */
export function fenceAhead(reader: Reader, run: number, head: boolean): FenceStart {
  const written = reader.runAhead(run, MAX_INFO, (code) => isWord(code) || code === 45 || code === 43)
  const length = run + written.length
  let end = length
  while (end < length + MAX_INFO && isLineSpace(reader.code(end))) end++
  const next = reader.code(end)
  const ends = next === 10 || next < 0
  const info = written.toLowerCase()
  if (!ends && !head) return { kind: 'span', info, length }
  if (!INFO.has(info) && !CALL_INFO.has(info)) return { kind: 'block', info, length }
  const first = reader.code(reader.spaceAhead(end, MAX_SPACE))
  const opens = first === 123 || first === 91 || first === 60 || (ends && isWordStart(first))
  return { kind: opens ? 'calls' : 'block', info, length }
}

const isLineSpace = (code: number): boolean => code === 32 || code === 9 || code === 13

/**
 * Reads a code block from its opening marks on, when it holds calls and nothing else. Undefined: it does not; then
 * only the beginning of what is inside was consumed.
 */
export function* readFenceUnit(
  reader: Reader,
  index: ToolIndex,
  run: number,
  { info, length }: FenceStart,
): Wait<Unit | undefined> {
  const mark = reader.text.charCodeAt(reader.at)
  reader.at += length
  const unit: Unit = { dialect: 'json', strong: false, place: CALL_INFO.has(info) ? 'block' : 'fence', calls: [] }
  while (true) {
    const code = yield* reader.space()
    const last = unit.calls.at(-1)
    if (code < 0) {
      last?.repairs.push('unclosed-tag')
      return last && unit
    }
    if (code === mark) {
      const closing = yield* reader.settled(() => reader.runAhead(0, MAX_TICKS, (each) => each === mark).length)
      if (closing < run || !last) return undefined
      reader.at += closing
      return unit
    }
    if (last && (code === 44 || code === 59)) {
      reader.at++
      continue
    }
    const found: Found | undefined = yield* readPiece(reader, index, code, info)
    if (!found) {
      if (!last) return undefined
      // More than calls: it may be shown with what came of it.
      for (const call of unit.calls) call.loose = true
      yield* skipTo(reader, mark)
      continue
    }
    unit.dialect = found.dialect
    unit.strong ||= found.strong
    unit.calls.push(...found.calls)
    if (found.calls.at(-1)!.broken) yield* skipTo(reader, mark)
  }
}

/** Consumes what is left of a broken call in a block. */
function* skipTo(reader: Reader, mark: number): Wait<void> {
  while ((reader.there() || (yield* reader.more())) && reader.text.charCodeAt(reader.at) !== mark) reader.at++
}

function* readPiece(reader: Reader, index: ToolIndex, code: number, info: string): Wait<Found | undefined> {
  if (code === 60) {
    const token = yield* reader.settled(() => tokenAhead(reader))
    if (opensTokenCall(token.name)) return yield* readTokenUnit(reader, index)
    const { name, written } = yield* reader.settled(() => tagAhead(reader))
    return name !== '' && opensCall(index, name, written) ? yield* readTagUnit(reader, index) : undefined
  }
  if (code === 91 && (yield* reader.settled(() => marksCall(reader)))) return yield* readMistral(reader, index)
  const python = PYTHON_INFO.has(info)
  if (isWordStart(code)) {
    const name = yield* reader.settled(() => pythonName(reader))
    if (name === '' && CALL_INFO.has(info)) {
      const payload = yield* readPayload(reader, index)
      return payload && { dialect: 'json', strong: true, calls: payload.calls }
    }
    if (name === '' || !(CALL_INFO.has(info) || index.exact.has(name) || name === 'print')) return undefined
    const call = yield* readPythonCall(reader)
    return call && { ...pythonic([call], python), strong: CALL_INFO.has(info) }
  }
  if (code !== 123 && code !== 91) return undefined
  if (CALL_INFO.has(info)) {
    const payload = yield* readPayload(reader, index)
    return payload && { dialect: payload.form === 'python' ? 'pythonic' : 'json', strong: true, calls: payload.calls }
  }
  if (!(yield* reader.settled(() => startsBare(reader, index, false)))) return undefined
  const found = yield* readBareUnit(reader, index)
  return found?.dialect === 'pythonic' ? pythonic(found.calls, python) : found
}

/** In a block of Python a call may be part of a program that is shown: at most a doubt. */
const pythonic = (calls: FoundCall[], python: boolean): Found => ({
  dialect: 'pythonic',
  strong: false,
  calls: python ? calls.map((call) => ({ ...call, loose: true })) : calls,
})
