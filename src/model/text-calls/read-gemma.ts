import { brokenCall, lineAhead, type FoundCall, type Unit } from './found.ts'
import { readJson } from './read-json.ts'
import { isSpace, isWord, type Reader, type Wait } from './reader.ts'

type Found = Omit<Unit, 'place'>

/** What opens a call of Gemma 4 and of FunctionGemma, and what closes it. Lower case. */
const OPENERS = ['<|tool_call>', '<start_function_call>']
const CLOSERS = ['<tool_call|>', '<end_function_call>']
/** What stands around a string: it is written as it is, without escapes. */
const STRINGS = ['<|"|>', '<escape>']
const START = 'call:'

const MAX_NAME = 100
const MAX_KEY = 100
const MAX_BARE = 2000
const MAX_DEPTH = 50
const MAX_SPACE = 200

const among = (reader: Reader, words: readonly string[], offset = 0): string =>
  words.find((word) => reader.looksAt(word, offset)) ?? ''

/** Whether a call of Gemma's form opens at the current place. */
export const opensGemma = (reader: Reader): boolean => among(reader, OPENERS) !== ''

/** Reads `<|tool_call>call:name{key:<|"|>text<|"|>,count:3}<tool_call|>`, once or several times. Undefined: no call. */
export function* readGemmaUnit(reader: Reader): Wait<Found | undefined> {
  const unit: Found = { dialect: 'gemma', strong: true, calls: [] }
  let opener = yield* reader.settled(() => among(reader, OPENERS))
  while (opener) {
    reader.at += opener.length
    const code = yield* reader.space()
    if (code < 0) {
      unit.calls.push({ ...brokenCall('', 'a call', 'nothing after the opening mark', true), empty: true })
      break
    }
    const call = yield* readGemmaCall(reader)
    if (!call) return unit.calls.length > 0 ? unit : undefined
    unit.calls.push(call)
    if (call.broken || call.truncated) break
    const closed = yield* reader.settled(() => closerAhead(reader))
    reader.at += closed
    if (closed === 0) call.repairs.push('unclosed-tag')
    opener = yield* reader.settled(() => among(reader, OPENERS, reader.spaceAhead(0, MAX_SPACE)))
    if (opener) yield* reader.space()
  }
  return unit.calls.length > 0 ? unit : undefined
}

function closerAhead(reader: Reader): number {
  const from = reader.spaceAhead(0, MAX_SPACE)
  const closer = among(reader, CLOSERS, from)
  return closer === '' ? 0 : from + closer.length
}

/** Whether `call:name{` stands here, with a name for which `known` holds: the form without its special tokens. */
export function strippedGemma(reader: Reader, known: (name: string) => boolean): boolean {
  if (!reader.looksAt(START)) return false
  const name = reader.runAhead(START.length, MAX_NAME, isNamePart)
  return reader.code(START.length + name.length) === 123 && known(name)
}

/** Reads `call:name{…}`. Undefined: not that. */
export function* readGemmaCall(reader: Reader): Wait<FoundCall | undefined> {
  if (!(yield* reader.settled(() => reader.looksAt(START)))) return undefined
  reader.at += START.length
  yield* reader.space()
  const name = yield* reader.settled(() => reader.runAhead(0, MAX_NAME, isNamePart))
  reader.at += name.length
  const code = yield* reader.space()
  if (name === '') return undefined
  const call: FoundCall = { name, value: undefined, textual: true, repairs: [], truncated: false }
  if (code < 0) return { ...brokenCall(name, 'the arguments in braces', 'the text ends before them', true) }
  // Nothing between the name and the closing mark: no arguments.
  if (code !== 123) return code === 60 ? call : undefined
  const read = yield* readFields(reader, call, 0)
  if (!read) return brokenCall(name, 'arguments as key:value in braces', yield* lineAhead(reader))
  call.value = Object.fromEntries(read)
  return call
}

/** What stands in braces, from the opening one on; what the end of the text cut off marks the call as truncated. */
function* readFields(reader: Reader, call: FoundCall, depth: number): Wait<[string, unknown][] | undefined> {
  reader.at++
  const fields: [string, unknown][] = []
  let comma = true
  while (true) {
    const code = yield* reader.space()
    if (code < 0) {
      call.truncated = true
      return fields
    }
    if (code === 125 || code === 44) {
      reader.at++
      if (code === 125) return fields
      comma = true
      continue
    }
    if (!comma) return undefined
    comma = false
    const key = yield* readKey(reader, code)
    if (key === undefined) return undefined
    const colon = yield* reader.space()
    if (colon < 0) {
      call.truncated = true
      return fields
    }
    if (colon !== 58) return undefined
    reader.at++
    const value = yield* readGemmaValue(reader, call, depth)
    if (value === undefined) return call.truncated ? fields : undefined
    fields.push([key, value.value])
    if (call.truncated) return fields
  }
}

function* readKey(reader: Reader, code: number): Wait<string | undefined> {
  const mark = yield* reader.settled(() => among(reader, STRINGS))
  if (mark) return yield* readMarked(reader, mark)
  if (code === 34 || code === 39) {
    const read = yield* readJson(reader)
    return typeof read.value === 'string' && read.state === 'closed' ? read.value : undefined
  }
  const key = yield* reader.settled(() => reader.runAhead(0, MAX_KEY, isKeyPart))
  reader.at += key.length
  return key.trim() === '' ? undefined : key.trim()
}

/** A string between two of the same marks; undefined where the second is missing. */
function* readMarked(reader: Reader, mark: string): Wait<string | undefined> {
  reader.at += mark.length
  let text = ''
  while (reader.there() || (yield* reader.more())) {
    const next = reader.text.indexOf('<', reader.at)
    if (next !== reader.at) {
      text += reader.take((next < 0 ? reader.text.length : next) - reader.at)
      continue
    }
    if (yield* reader.settled(() => reader.looksAt(mark))) {
      reader.at += mark.length
      return text
    }
    text += reader.take(1)
  }
  return undefined
}

/** One value. Undefined: none; then `call.truncated` says whether the text ended in it. */
function* readGemmaValue(reader: Reader, call: FoundCall, depth: number): Wait<{ value: unknown } | undefined> {
  const code = yield* reader.space()
  if (code < 0 || depth > MAX_DEPTH) {
    call.truncated = code < 0
    return undefined
  }
  const mark = yield* reader.settled(() => among(reader, STRINGS))
  if (mark) {
    const value = yield* readMarked(reader, mark)
    if (value === undefined) call.truncated = true
    return value === undefined ? undefined : { value }
  }
  if (code === 123) {
    const fields = yield* readFields(reader, call, depth + 1)
    return fields && { value: Object.fromEntries(fields) }
  }
  if (code === 91) return yield* readList(reader, call, depth)
  if (code === 34) {
    const read = yield* readJson(reader)
    for (const repair of read.repairs) call.repairs.push(repair)
    if (read.state === 'cut') call.truncated = true
    return read.state === 'closed' ? { value: read.value } : undefined
  }
  const bare = yield* reader.settled(() => reader.runAhead(0, MAX_BARE, isBarePart))
  reader.at += bare.length
  const ended = !reader.there() && !(yield* reader.more())
  if (ended) {
    call.truncated = true
    return undefined
  }
  return bare.trim() === '' ? undefined : { value: plain(bare.trim()) }
}

function* readList(reader: Reader, call: FoundCall, depth: number): Wait<{ value: unknown } | undefined> {
  reader.at++
  const list: unknown[] = []
  while (true) {
    const code = yield* reader.space()
    if (code < 0) {
      call.truncated = true
      return { value: list }
    }
    if (code === 93 || code === 44) {
      reader.at++
      if (code === 93) return { value: list }
      continue
    }
    const value = yield* readGemmaValue(reader, call, depth + 1)
    if (!value) return call.truncated ? { value: list } : undefined
    list.push(value.value)
    if (call.truncated) return { value: list }
  }
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/

function plain(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^(null|none)$/i.test(text)) return null
  return NUMBER.test(text) ? Number(text) : text
}

const isNamePart = (code: number): boolean => isWord(code) || code === 45 || code === 46
const isKeyPart = (code: number): boolean => isWord(code) || code === 45 || code === 46 || code === 32
/** Up to a comma or what closes the box; a line break and an angle belong to no bare value. */
const isBarePart = (code: number): boolean =>
  code >= 0 && code !== 44 && code !== 125 && code !== 93 && code !== 60 && (code === 32 || !isSpace(code))
