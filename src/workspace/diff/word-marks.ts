import { align } from './align.ts'

/** [start, end) ranges of characters, ascending. */
export type Marks = [number, number][]

// A word, a run of white space, or one other character (a code point, so that an emoji is not cut in half).
const TOKEN = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu
// Below this share of common characters the lines have nothing to do with each other and marks would be noise.
const LEAST_COMMON = 0.3
// Longer lines (minified code) are shown whole.
const MAX_LINE = 2000

/** What differs between an old line and the new line in its place, by words; empty on both sides when they hardly resemble. */
export function wordMarks(before: string, after: string): { before: Marks; after: Marks } {
  if (before.length > MAX_LINE || after.length > MAX_LINE) return { before: [], after: [] }
  const old = before.match(TOKEN) ?? []
  const wanted = after.match(TOKEN) ?? []
  const aligned = align(old, wanted)
  const kept = new Set<number>()
  let common = 0
  for (const at of aligned) {
    if (at < 0) continue
    kept.add(at)
    common += old[at]!.trim().length
  }
  const longest = Math.max(lettersIn(before), lettersIn(after))
  if (longest === 0 || common / longest < LEAST_COMMON) return { before: [], after: [] }
  return {
    before: ranges(old, (at) => !kept.has(at)),
    after: ranges(wanted, (at) => aligned[at]! < 0),
  }
}

function lettersIn(line: string): number {
  return line.replace(/\s+/g, '').length
}

function ranges(tokens: string[], marked: (at: number) => boolean): Marks {
  const found: Marks = []
  let start = 0
  for (const [at, token] of tokens.entries()) {
    const end = start + token.length
    const last = found.at(-1)
    if (marked(at)) {
      if (last?.[1] === start) last[1] = end
      else found.push([start, end])
    }
    start = end
  }
  return found
}
