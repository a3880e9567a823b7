// JSON with comments: the keys of the first levels as symbols. A scanner over the text that never goes back, so that it ends
// on any input; package.json scripts and tsconfig paths come out as keys like all others.
import { FILE_FLAG } from '../../facts.ts'
import { KIND } from '../../kinds.ts'
import type { Extract } from '../../language.ts'

/** Keys deeper than this are data, not structure. */
const KEY_LEVELS = 2

const NEWLINE = 10
const QUOTE = 34
const APOSTROPHE = 39
const STAR = 42
const COMMA = 44
const SLASH = 47
const COLON = 58
const BRACKET_OPEN = 91
const BACKSLASH = 92
const BRACKET_CLOSE = 93
const BRACE_OPEN = 123
const BRACE_CLOSE = 125

export const extractJson: Extract = (source, out) => {
  const { text } = source
  /** Symbol rows of the open containers that have one, by level. */
  const rows: number[] = []
  /** Brackets open at each level: true for an object. */
  const open: boolean[] = []
  let keyStart = -1
  let keyEnd = -1
  let deepest = 0
  let bad = false
  const closeKey = (at: number) => {
    const level = open.length
    const row = level > 0 ? (rows[level - 1] ?? -1) : -1
    if (row < 0) return
    out.setSymbol(row, 'end', at)
    rows.length = level - 1
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    switch (code) {
      case QUOTE:
      case APOSTROPHE: {
        const end = stringEnd(text, at, code)
        keyStart = at + 1
        keyEnd = end
        if (end < 0) bad = true
        at = end < 0 ? text.length : end
        break
      }
      case SLASH:
        // The end is behind the comment; the loop goes on from the character before it.
        if (text.charCodeAt(at + 1) === SLASH || text.charCodeAt(at + 1) === STAR) at = commentEnd(text, at) - 1
        break
      case COLON: {
        const level = open.length
        if (!open[level - 1] || keyStart < 0) break
        if (level <= KEY_LEVELS && open.every(Boolean)) {
          const name = out.name(text.slice(keyStart, keyEnd))
          rows[level - 1] = out.symbol(name, KIND.key, rows[level - 2] ?? -1, keyStart, keyStart - 1, at, at)
        }
        keyStart = -1
        break
      }
      case BRACE_OPEN:
      case BRACKET_OPEN:
        open.push(code === BRACE_OPEN)
        deepest = Math.max(deepest, open.length)
        break
      case BRACE_CLOSE:
      case BRACKET_CLOSE:
        closeKey(at)
        if (open.pop() !== (code === BRACE_CLOSE)) bad = true
        rows.length = Math.min(rows.length, open.length)
        break
      case COMMA:
        closeKey(at)
        break
      default:
    }
  }
  if (bad || open.length > 0) out.flag(FILE_FLAG.parseError)
  out.setNesting(deepest)
  out.flag(FILE_FLAG.module)
}

function stringEnd(text: string, start: number, quote: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === quote) return at
    else if (code === NEWLINE) return -1
  }
  return -1
}

function commentEnd(text: string, start: number): number {
  const isLine = text[start + 1] === '/'
  const end = text.indexOf(isLine ? '\n' : '*/', start + 2)
  return end < 0 ? text.length : end + (isLine ? 1 : 2)
}
