import { brokenCall, lineAhead, type FoundCall } from './found.ts'
import { readJson } from './read-json.ts'
import { isWord, isWordStart, type Reader, type Wait } from './reader.ts'
import type { RepairKind } from './types.ts'

const MAX_NAME = 80
/** How far an argument's name and the `=` after it may reach. */
const MAX_KEYWORD = 120

/** What Python writes differently from JSON is no fault in a Python call. */
const NATURAL = new Set<RepairKind>(['single-quotes', 'triple-quotes', 'python-literal'])

const isNamePart = (code: number): boolean => isWord(code) || code === 46 || code === 45

/** The name of a call `name(` at the current place, looking only; empty when there is none. */
export const pythonName = (reader: Reader, offset = 0): string => {
  if (!isWordStart(reader.code(offset))) return ''
  const name = reader.runAhead(offset, MAX_NAME, isNamePart)
  return reader.code(offset + name.length) === 40 ? name : ''
}

/** Reads `name(key=value, …)` from its name on; `print(…)` around it is dropped. Undefined: not such a call. */
export function* readPythonCall(reader: Reader): Wait<FoundCall | undefined> {
  const name = yield* reader.settled(() => pythonName(reader))
  if (!name) return undefined
  reader.at += name.length + 1
  if (name === 'print') {
    const inner: FoundCall | undefined = yield* readPythonCall(reader)
    if (inner && (yield* reader.space()) === 41) reader.at++
    return inner
  }
  // Llama's built-in tools are written `name.call(…)`.
  const call: FoundCall = { name: name.replace(/\.call$/, ''), value: undefined, repairs: [], truncated: false }
  const values: [string, unknown][] = []
  const positional: unknown[] = []
  while (true) {
    const code = yield* reader.space()
    if (code < 0) {
      call.truncated = reader.ending !== 'stopped'
      call.repairs.push('missing-closer')
      break
    }
    if (code === 41) {
      reader.at++
      break
    }
    if (code === 44) {
      reader.at++
      continue
    }
    const key = isWordStart(code) ? yield* reader.settled(() => keyword(reader)) : undefined
    if (key) reader.at += key.length
    if ((yield* reader.space()) < 0) continue
    const read = yield* readJson(reader)
    for (const repair of read.repairs) if (!NATURAL.has(repair)) call.repairs.push(repair)
    if (read.state === 'bad' || read.state === 'short')
      return brokenCall(name, 'arguments as name=value with plain values', yield* lineAhead(reader))
    // A number at the very end may have gone on.
    const whole = typeof read.value !== 'number' || reader.ending === 'stopped' || (yield* reader.more())
    if (!whole) continue
    if (key) values.push([key.name, read.value])
    else positional.push(read.value)
    if (read.state === 'cut') {
      call.truncated = true
      break
    }
  }
  if (values.length > 0) call.value = Object.fromEntries(values)
  if (positional.length > 0) call.positional = positional
  return call
}

/** `key =` at the current place; `length` reaches past the sign. */
function keyword(reader: Reader): { name: string; length: number } | undefined {
  const name = reader.runAhead(0, MAX_NAME, isWord)
  const sign = reader.spaceAhead(name.length, MAX_KEYWORD - MAX_NAME)
  const mark = reader.code(sign)
  if ((mark !== 61 && mark !== 58) || reader.code(sign + 1) === 61) return undefined
  return { name, length: sign + 1 }
}

/** Reads `f(…), g(…)` up to and with the closing bracket of `[f(…), g(…)]`. Undefined: not such a list. */
export function* readPythonList(reader: Reader): Wait<FoundCall[] | undefined> {
  reader.at++
  const calls: FoundCall[] = []
  while (true) {
    const code = yield* reader.space()
    if (code === 44) {
      reader.at++
      continue
    }
    if (code === 93) {
      reader.at++
      return calls.length > 0 ? calls : undefined
    }
    if (code < 0) {
      const last = calls.at(-1)
      // Only the bracket is missing: the last call itself is whole.
      if (last && !last.truncated) last.repairs.push('missing-closer')
      return last && calls
    }
    const call = yield* readPythonCall(reader)
    if (!call) return undefined
    calls.push(call)
    if (call.broken) return calls
  }
}
