// What must be written to turn one row of the screen into another: what both begin with stays where it stands.
import { styledCells } from './styled-text.ts'

const ESC = '\u001B'
const RESET = `${ESC}[0m`
const ERASE_TO_END = `${ESC}[K`
const SGR = new RegExp(`${ESC}\\[[\\d;:]*m`, 'g')

/** Signs that terminals do not agree on how wide they are: emoji, combining marks, joiners. */
const UNSURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{M}\p{Cf}]/u
const ASCII = /^\p{ASCII}*$/u

/** Whether something begins at this place, whatever stands before and after: a grapheme, a control sequence or the end. */
const isAscii = (text: string, at: number): boolean => at >= text.length || text.charCodeAt(at) < 0x80

/**
 * Length of the beginning that two rows share: not within a control sequence, not beside what may join into one grapheme, and
 * with nothing in it of which it is not sure how many cells it takes.
 */
function sharedLength(old: string, next: string): number {
  let at = 0
  while (at < old.length && at < next.length && old.charCodeAt(at) === next.charCodeAt(at)) at += 1
  if (!ASCII.test(next.slice(0, at))) {
    const unsure = next.slice(0, at).search(UNSURE)
    if (unsure >= 0) at = unsure
  }
  for (;;) {
    while (at > 0 && !(isAscii(next, at - 1) && isAscii(next, at) && isAscii(old, at))) at -= 1
    const begin = at === 0 ? -1 : next.lastIndexOf(ESC, at - 1)
    if (begin < 0 || next.indexOf('m', begin) < at) return at
    at = begin
  }
}

/** The sequences that hold at the end of a styled text. */
function openStyles(text: string): string {
  const from = text.lastIndexOf(RESET)
  return (text.slice(from < 0 ? 0 : from + RESET.length).match(SGR) ?? []).join('')
}

/**
 * The bytes that turn the row the cursor is on from `old` into `next`, wherever in the row it is. Rows are styled text in which
 * every style ends within the row.
 */
export function rowChange(old: string, next: string): string {
  const length = sharedLength(old, next)
  const shared = next.slice(0, length)
  const column = styledCells(shared)
  const place = column === 0 ? '\r' : `${ESC}[${column + 1}G`
  const rest = old.slice(length)
  // Before the text: after a row that is full, it would take its last cell.
  const erase = styledCells(old) > styledCells(next) || UNSURE.test(rest + next.slice(length)) ? ERASE_TO_END : ''
  return place + erase + openStyles(shared) + next.slice(length)
}
