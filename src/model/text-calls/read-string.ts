import type { Reader, Wait } from './reader.ts'
import type { RepairKind } from './types.ts'

export interface StringRead {
  value: string
  closed: boolean
}

/** JSON's escapes of one letter, by the letter's code. */
const SIMPLE: Record<number, string> = {
  34: '"',
  92: '\\',
  47: '/',
  98: '\b',
  102: '\f',
  110: '\n',
  114: '\r',
  116: '\t',
}

/**
 * Reads a string from its opening quote on. Besides JSON's own: single quotes, typographic quotes, Python's
 * three quotes, raw line breaks and escapes that JSON does not know (kept as they stand), each flagged.
 */
export function* readString(reader: Reader, repairs: Set<RepairKind>): Wait<StringRead> {
  const open = reader.text.charCodeAt(reader.at)
  const close = open === 0x201c ? 0x201d : open
  const isTriple = (): boolean => reader.code(1) === open && reader.code(2) === open
  let triple = reader.look(isTriple)
  if (reader.short) triple = yield* reader.again(isTriple)
  if (triple) repairs.add('triple-quotes')
  else if (open === 39) repairs.add('single-quotes')
  else if (open === 0x201c) repairs.add('smart-quotes')
  reader.at += triple ? 3 : 1

  let value = ''
  while (reader.there() || (yield* reader.more())) {
    const { text } = reader
    let from = reader.at
    let end = from
    let code = -1
    while (end < text.length) {
      code = text.charCodeAt(end)
      if (code === 92) {
        const next = text.charCodeAt(end + 1)
        // An escaped quote, slash or backslash is in the text as it stands behind its backslash.
        if (next !== 34 && next !== 92 && next !== 47) break
        value += text.slice(from, end)
        from = end + 1
        end += 2
        continue
      }
      if (code === close || code < 32) break
      end++
    }
    value += text.slice(from, end)
    reader.at = end
    if (end >= text.length) continue
    if (code === 92) {
      const simple = SIMPLE[text.charCodeAt(end + 1)]
      if (simple !== undefined) {
        value += simple
        reader.at += 2
        continue
      }
      let piece = reader.look(() => readEscape(reader, repairs))
      if (reader.short) piece = yield* reader.again(() => readEscape(reader, repairs))
      value += piece.text
      reader.at += piece.length
    } else if (code === close) {
      if (!triple) {
        reader.at++
        return { value, closed: true }
      }
      if (yield* reader.settled(() => reader.code(1) === close && reader.code(2) === close)) {
        reader.at += 3
        return { value, closed: true }
      }
      value += reader.take(1)
    } else {
      if (!triple) repairs.add('raw-newline')
      value += reader.take(1)
    }
  }
  return { value, closed: false }
}

/** The escape at the current place, looking only: what it stands for and how long it is. */
function readEscape(reader: Reader, repairs: Set<RepairKind>): { text: string; length: number } {
  const next = reader.code(1)
  if (next < 0) return { text: '', length: 1 }
  const char = String.fromCharCode(next)
  if (char === 'u') {
    const hex = reader.runAhead(2, 4, isHex)
    if (hex.length === 4) return { text: String.fromCharCode(Number.parseInt(hex, 16)), length: 6 }
    // The end of the text inside the escape.
    if (reader.code(2 + hex.length) < 0) return { text: '', length: 2 + hex.length }
  }
  const known = SIMPLE[next]
  if (known !== undefined) return { text: known, length: 2 }
  repairs.add('bad-escape')
  if (char === "'") return { text: char, length: 2 }
  // A regular expression or a Windows path whose backslash was not doubled: it stands for itself.
  return { text: '\\', length: 1 }
}

const isHex = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)
