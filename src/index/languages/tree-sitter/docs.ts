import type { Captured, Span } from './captures.ts'

/** Comments, attributes and docstrings of a file, ready to be found from what they stand beside. */
export interface Docs {
  /** Comments and attributes by the offset of their last character that is no white space, plus one. */
  ending: Map<number, { start: number; comment: boolean }>
  /** Docstrings in the order of the file. */
  inside: Span[]
}

export function collectDocs(found: Captured, text: string): Docs {
  const ending = new Map<number, { start: number; comment: boolean }>()
  for (const { start, end } of found.comments) ending.set(trimmedEnd(text, start, end), { start, comment: true })
  for (const { start, end } of found.attributes) ending.set(trimmedEnd(text, start, end), { start, comment: false })
  return { ending, inside: found.docs.toSorted((a, b) => a.start - b.start) }
}

/**
 * Offset of a declaration's doc comment, or -1: the comments that stand alone on the lines right above it, with nothing between
 * but attributes, which are taken into the declaration; or else the docstring its body begins with.
 */
export function docStartOf(symbol: Span & { bodyStart: number }, docs: Docs, text: string): number {
  let doc = -1
  let at = symbol.start
  for (;;) {
    const before = trimmedEnd(text, 0, at)
    const piece = docs.ending.get(before)
    if (piece === undefined || newlines(text, before, at) > 1) break
    if (!piece.comment) {
      // An attribute above a comment is odd, but then the comment belongs to the declaration still.
      if (doc < 0) symbol.start = piece.start
      at = piece.start
      continue
    }
    if (!startsLine(text, piece.start)) break
    doc = piece.start
    at = piece.start
  }
  return doc >= 0 ? doc : docstring(symbol, docs.inside)
}

function docstring(symbol: Span & { bodyStart: number }, inside: Span[]): number {
  let low = 0
  let high = inside.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (inside[middle]!.start < symbol.bodyStart) low = middle + 1
    else high = middle
  }
  const first = inside[low]
  // A body begins with its docstring, so that the first one at or after it is the body's only if it is at the very start.
  return first && first.start === symbol.bodyStart && first.end <= symbol.end ? first.start : -1
}

function trimmedEnd(text: string, from: number, end: number): number {
  let at = end
  while (at > from && text.charCodeAt(at - 1) <= SPACE) at--
  return at
}

function newlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === NEWLINE) count++
  return count
}

function startsLine(text: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && text.charCodeAt(before) !== NEWLINE) if (text.charCodeAt(before--) > SPACE) return false
  return true
}

const SPACE = 0x20
const NEWLINE = 0x0a
