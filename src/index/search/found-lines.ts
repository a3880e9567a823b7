// What a text search found, as lines with their numbers.
import type { TextMatch, TextQuery, TextResult } from '../answers.ts'
import type { Engine } from '../engine.ts'
import { placeOf } from '../rows.ts'
import { lineEnd, lineStart } from './line-finder.ts'

const DEFAULT_LIMIT = 1_000
/** Longer lines are cut. */
const MAX_LINE = 500

export interface Hit {
  file: number
  /** Of the matches, one per line. */
  offsets: number[]
}

/** The answer to a query; sorts the hits by path. */
export function foundLines(
  { tables, texts }: Pick<Engine, 'tables' | 'texts'>,
  query: TextQuery,
  hits: Hit[],
): TextResult {
  const limit = query.limit ?? DEFAULT_LIMIT
  const context = Math.max(0, query.context ?? 0)
  hits.sort((a, b) => (tables.paths[a.file]! < tables.paths[b.file]! ? -1 : 1))
  const matches: TextMatch[] = []
  let total = 0
  for (const { file, offsets } of hits) {
    texts.touch(file)
    total += offsets.length
    if (matches.length >= limit) continue
    const text = texts.read(file)
    if (text === undefined) continue
    const path = tables.paths[file]!
    const lineOf = lineNumbers(text, (offset) => placeOf(tables, file, offset))
    for (const offset of offsets.slice(0, limit - matches.length)) {
      const [start, end] = [lineStart(text, offset), lineEnd(text, offset)]
      const match: TextMatch = {
        path,
        line: lineOf(offset, start),
        column: offset - start + 1,
        text: cut(text.slice(start, end)),
      }
      if (context > 0) {
        match.before = linesBefore(text, start, context)
        match.after = linesAfter(text, end, context)
      }
      matches.push(match)
    }
  }
  return { matches, total, files: hits.length }
}

/** Line numbers as the tables know them, and counted where the text is not the one they were made from. */
function lineNumbers(
  text: string,
  known: (offset: number) => { line: number; column: number },
): (offset: number, lineStart: number) => number {
  let line = 1
  let counted = 0
  return (offset, start) => {
    const place = known(offset)
    if (place.column === offset - start + 1) return place.line
    for (let at = text.indexOf('\n', counted); at >= 0 && at < offset; at = text.indexOf('\n', counted)) {
      line++
      counted = at + 1
    }
    return line
  }
}

function cut(line: string): string {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line
  return plain.length > MAX_LINE ? `${plain.slice(0, MAX_LINE - 1)}…` : plain
}

function linesBefore(text: string, start: number, count: number): string[] {
  const lines: string[] = []
  for (let end = start - 1; lines.length < count && end >= 0;) {
    const before = lineStart(text, end)
    lines.unshift(cut(text.slice(before, end)))
    end = before - 1
  }
  return lines
}

function linesAfter(text: string, end: number, count: number): string[] {
  const lines: string[] = []
  for (let start = end + 1; lines.length < count && start < text.length;) {
    const stop = lineEnd(text, start)
    lines.push(cut(text.slice(start, stop)))
    start = stop + 1
  }
  return lines
}
