// JSON with comments: the keys of the first levels as symbols. A scanner over the text that never goes back, so that it ends
// on any input; package.json scripts and tsconfig paths come out as keys like all others.
import { FILE_FLAG } from '../../facts.ts'
import { KIND } from '../../kinds.ts'
import type { Extract } from '../../language.ts'

/** Keys deeper than this are data, not structure. */
const KEY_LEVELS = 2

export const extractJson: Extract = (source, out) => {
  const { text } = source
  /** Symbol rows of the open containers that have one, by level. */
  const rows: number[] = []
  /** Brackets open at each level: true for an object. */
  const open: boolean[] = []
  let key = ''
  let keyStart = -1
  let pending = -1
  let deepest = 0
  let bad = false
  for (let at = 0; at < text.length;) {
    const c = text[at]!
    if (c === '"' || c === "'") {
      const end = stringEnd(text, at)
      if (end < 0) {
        bad = true
        break
      }
      key = text.slice(at + 1, end)
      keyStart = at + 1
      at = end + 1
    } else if (c === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
      at = commentEnd(text, at)
    } else if (c === ':' && open.at(-1) && keyStart >= 0) {
      const level = open.length
      if (level <= KEY_LEVELS && open.every(Boolean)) {
        pending = out.symbol(out.name(key), KIND.key, rows[level - 2] ?? -1, keyStart, keyStart - 1, at, at)
        rows[level - 1] = pending
      }
      keyStart = -1
      at++
    } else if (c === '{' || c === '[') {
      open.push(c === '{')
      deepest = Math.max(deepest, open.length)
      at++
    } else if (c === '}' || c === ']') {
      closeKey(open.length)
      if (open.pop() !== (c === '}')) bad = true
      rows.length = Math.min(rows.length, open.length)
      at++
    } else if (c === ',') {
      closeKey(open.length)
      at++
    } else at++

    function closeKey(level: number): void {
      const row = level > 0 ? (rows[level - 1] ?? -1) : -1
      if (row < 0) return
      out.setSymbol(row, 'end', at)
      rows.length = level - 1
    }
  }
  if (bad || open.length > 0) out.flag(FILE_FLAG.parseError)
  out.setNesting(deepest)
  out.flag(FILE_FLAG.module)
}

function stringEnd(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at
    else if (text[at] === '\n') return -1
  }
  return -1
}

function commentEnd(text: string, start: number): number {
  const isLine = text[start + 1] === '/'
  const end = text.indexOf(isLine ? '\n' : '*/', start + 2)
  return end < 0 ? text.length : end + (isLine ? 1 : 2)
}
