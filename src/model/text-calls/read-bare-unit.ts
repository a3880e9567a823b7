import type { Unit } from './found.ts'
import { FIRST_KEYS } from './json-calls.ts'
import { listOfPython, readPayloads } from './read-payload.ts'
import { pythonName, readPythonList } from './read-python.ts'
import { isWord, isWordStart, type Reader, type Wait } from './reader.ts'
import { toolCalled, type ToolIndex } from './tool-index.ts'

const MAX_SPACE = 200
const MAX_KEY = 64

/** Whether the bracket at the current place may open calls written as bare JSON or as a Python list. */
export function startsBare(reader: Reader, index: ToolIndex, inline: boolean): boolean {
  if (reader.code() === 123) return startsEnvelope(reader, index, 1, inline)
  const next = reader.spaceAhead(1, MAX_SPACE)
  if (reader.code(next) === 123) return startsEnvelope(reader, index, next + 1, inline)
  const name = pythonName(reader, next)
  return name !== '' && (!inline || toolCalled(index, name) !== undefined)
}

/** Whether an object begins with a key with which a call can begin; within prose only a quoted one. */
function startsEnvelope(reader: Reader, index: ToolIndex, offset: number, inline: boolean): boolean {
  const from = reader.spaceAhead(offset, MAX_SPACE)
  const open = reader.code(from)
  const quoted = open === 34 || open === 39 || open === 0x201c
  if (!quoted && (inline || !isWordStart(open))) return false
  const start = quoted ? from + 1 : from
  const key = reader.runAhead(start, MAX_KEY, isWord)
  const close = open === 0x201c ? 0x201d : open
  let end = start + key.length
  if (quoted && reader.code(end++) !== close) return false
  if (reader.code(reader.spaceAhead(end, MAX_SPACE)) !== 58) return false
  return FIRST_KEYS.has(key) || (quoted && index.exact.has(key))
}

/** Reads what `startsBare` saw. Undefined: data, not calls. */
export function* readBareUnit(reader: Reader, index: ToolIndex): Wait<Omit<Unit, 'place'> | undefined> {
  if (reader.text.charCodeAt(reader.at) === 91 && (yield* reader.settled(() => listOfPython(reader)))) {
    const calls = yield* readPythonList(reader)
    return calls && { dialect: 'pythonic', strong: false, calls }
  }
  const payload = yield* readPayloads(reader, index, false)
  if (!payload) return undefined
  if (payload.calls.at(-1)!.broken) yield* skipParagraph(reader)
  return { dialect: 'json', strong: false, calls: payload.calls }
}

/** Consumes the rest of a broken object: to a blank line, or to what may be markup. */
function* skipParagraph(reader: Reader): Wait<void> {
  let newline = false
  while (reader.there() || (yield* reader.more())) {
    const code = reader.text.charCodeAt(reader.at)
    if ((code === 10 && newline) || code === 96 || code === 60) return
    newline = code === 10
    reader.at++
  }
}
