import type { FoundCall, Unit } from './found.ts'
import { readGemmaCall, strippedGemma } from './read-gemma.ts'
import { isNamePart, readFence, readPayload, readPayloads } from './read-payload.ts'
import { pythonName, readPythonCall } from './read-python.ts'
import { readArguments } from './read-token-unit.ts'
import { isWord, type Reader, type Wait } from './reader.ts'
import type { ToolIndex } from './tool-index.ts'

const MAX_SPACE = 60
/** Between a name and the object after it: a space, or a line break. */
const MAX_GAP = 3
const MAX_NAME = 100
const MAX_VALUE = 2000

/** The words before a name, and those before its arguments, where a call is two lines. */
const NAME_LABELS = ['action:', 'tool:', 'tool name:', 'tool call:', 'function:', 'function call:']
const INPUT_LABELS = ['action input:', 'arguments:', 'args:', 'parameters:', 'input:', 'tool input:']
const labelAhead = (reader: Reader, labels: readonly string[]): string =>
  labels.find((label) => reader.looksAt(label)) ?? ''

/** How harmony's headers look when a server has dropped its special tokens. */
const STRIPPED = ['assistantcommentary to=', 'commentary to=', 'assistant to=', 'to=functions.']

type Found = Omit<Unit, 'place'>

/** Whether the word at the start of a line may begin a call that no markup announces. */
export function startsPlain(reader: Reader, index: ToolIndex): boolean {
  const code = reader.code()
  if (code === 62) return functionaryAhead(reader, index) > 0
  if (code === 45) return headedAhead(reader) > 0
  if (index.exact.has(pythonName(reader)) || namedAhead(reader, index)) return true
  return (
    reader.looksAt('functools[') ||
    headedAhead(reader) > 0 ||
    strippedGemma(reader, (name) => index.exact.has(name)) ||
    labelAhead(reader, NAME_LABELS) !== '' ||
    STRIPPED.some((start) => reader.looksAt(start))
  )
}

/** Functionary's `>>>name`, a line break and an object: the length of the first line, or 0. */
function functionaryAhead(reader: Reader, index: ToolIndex): number {
  if (!reader.looksAt('>>>')) return 0
  const name = reader.runAhead(3, MAX_NAME, isNamePart)
  const brace = reader.spaceAhead(3 + name.length, MAX_GAP)
  return index.exact.has(name) && reader.code(brace) === 123 ? brace : 0
}

/** What some models write as the role of a message that is calls; JSON follows on the next line. Lower case. */
const HEADS = ['function call<|role_sep|>', '-> tool/function_call']

/** Length of such a role with the white space after it, or 0. */
function headedAhead(reader: Reader): number {
  const head = HEADS.find((each) => reader.looksAt(each))
  if (head === undefined) return 0
  const brace = reader.spaceAhead(head.length, MAX_SPACE)
  return reader.code(brace) === 123 || reader.code(brace) === 91 ? brace : 0
}

/** `read_file {"path": …}`: a tool's own name and an object right after it. */
function namedAhead(reader: Reader, index: ToolIndex): boolean {
  const name = reader.runAhead(0, MAX_NAME, isWord)
  if (!index.exact.has(name)) return false
  const brace = reader.spaceAhead(name.length, MAX_GAP)
  return reader.code(brace) === 123 && reader.code(reader.spaceAhead(brace + 1, MAX_SPACE)) === 34
}

/** Reads what `startsPlain` saw. Undefined: prose. */
export function* readPlainUnit(reader: Reader, index: ToolIndex): Wait<Found | undefined> {
  const functionary = yield* reader.settled(() => functionaryAhead(reader, index))
  if (functionary > 0) {
    const name = reader.take(functionary).slice(3).trim()
    return { dialect: 'functionary', strong: true, calls: [yield* readArguments(reader, name)] }
  }
  const head = yield* reader.settled(() => headedAhead(reader))
  if (head > 0) {
    reader.at += head
    const payload = yield* readPayloads(reader, index)
    return payload && { dialect: 'tagged-json', strong: true, calls: payload.calls }
  }
  if (yield* reader.settled(() => strippedGemma(reader, (name) => index.exact.has(name)))) {
    const call = yield* readGemmaCall(reader)
    return call && (yield* endsLine(reader)) ? { dialect: 'gemma', strong: false, calls: [call] } : undefined
  }
  if (yield* reader.settled(() => namedAhead(reader, index))) {
    const payload = yield* readPayload(reader, index)
    return payload && (yield* endsLine(reader)) ? { dialect: 'json', strong: false, calls: payload.calls } : undefined
  }
  if (yield* reader.settled(() => pythonName(reader) !== '')) {
    const call = yield* readPythonCall(reader)
    return call && (yield* endsLine(reader)) ? { dialect: 'pythonic', strong: false, calls: [call] } : undefined
  }
  if (yield* reader.settled(() => reader.looksAt('functools['))) {
    reader.at += 'functools'.length
    const payload = yield* readPayload(reader, index)
    return payload && { dialect: 'tagged-json', strong: true, calls: payload.calls }
  }
  if (yield* reader.settled(() => labelAhead(reader, NAME_LABELS))) return yield* readLabelled(reader, index)
  return yield* readStripped(reader)
}

/** `Action: name`, line break, `Action Input: {…}` or the one value as text; other words only with an object. */
function* readLabelled(reader: Reader, index: ToolIndex): Wait<Found | undefined> {
  const label = yield* reader.settled(() => labelAhead(reader, NAME_LABELS))
  reader.at += label.length
  const first = yield* reader.space()
  // Command R's list of calls, in a code block.
  if (first === 96 || first === 91 || first === 123) {
    if (first === 96 && !(yield* readFence(reader))) return undefined
    const payload = yield* readPayloads(reader, index, false)
    yield* skipFenceEnd(reader)
    return payload && { dialect: 'react', strong: false, calls: payload.calls }
  }
  const name = yield* reader.settled(() => reader.runAhead(0, MAX_NAME, isNamePart))
  reader.at += name.length
  yield* reader.space()
  const input = yield* reader.settled(() => labelAhead(reader, INPUT_LABELS))
  if (!name || !input) return undefined
  reader.at += input.length
  const code = yield* reader.space()
  if (code === 123 || code === 96) {
    const call = yield* readArguments(reader, name)
    yield* skipFenceEnd(reader)
    return { dialect: 'react', strong: false, calls: [call] }
  }
  if (label !== 'action:') return undefined
  const value = yield* reader.settled(() => reader.runAhead(0, MAX_VALUE, (next) => next >= 0 && next !== 10))
  reader.at += value.length
  const call: FoundCall = { name, value: undefined, positional: [value.trim()], repairs: [], truncated: false }
  return { dialect: 'react', strong: false, calls: [call] }
}

function* skipFenceEnd(reader: Reader): Wait<void> {
  const length = yield* reader.settled(() => {
    const from = reader.spaceAhead(0, MAX_SPACE)
    const marks = reader.runAhead(from, MAX_SPACE, (code) => code === 96).length
    return marks >= 3 ? from + marks : 0
  })
  reader.at += length
}

/** `commentary to=functions.name json{…}` */
function* readStripped(reader: Reader): Wait<Found | undefined> {
  const start = yield* reader.settled(() => STRIPPED.find((each) => reader.looksAt(each)))
  if (!start) return undefined
  reader.at += start.indexOf('to=') + 'to='.length
  const name = yield* reader.settled(() => reader.runAhead(0, MAX_NAME, isNamePart))
  reader.at += name.length
  yield* reader.space()
  if (yield* reader.settled(() => reader.looksAt('json') || reader.looksAt('code'))) reader.at += 'json'.length
  if ((yield* reader.space()) !== 123) return undefined
  return { dialect: 'harmony', strong: false, calls: [yield* readArguments(reader, name.replace(/^functions\./, ''))] }
}

/** Whether nothing more stands on the line. */
function* endsLine(reader: Reader): Wait<boolean> {
  return yield* reader.settled(() => {
    const blank = reader.runAhead(0, MAX_SPACE, (code) => code === 32 || code === 9 || code === 13 || code === 59)
    const next = reader.code(blank.length)
    return next < 0 || next === 10 || next === 96
  })
}
