// Text search over the workspace: files that cannot hold the text are left out by their filter, the others are read (from a
// bounded cache) and searched. Lines count, as with grep: several matches on one line are one. Works in slices.
import type { TextQuery, TextResult } from '../answers.ts'
import type { Engine } from '../engine.ts'
import { Candidates } from './candidates.ts'
import { foundLines, type Hit } from './found-lines.ts'
import { escaped, literalLines, regexLines, regexLinesWith, type FindLines } from './line-finder.ts'
import { runBounded } from './run-bounded.ts'

/** Longest stretch of synchronous work, in milliseconds. */
const SLICE_MS = 12
/** Longest time for a regular expression on one slice of files, in milliseconds; V8 stops a runaway one when it is over. */
const REGEX_TIMEOUT_MS = 1_000

export async function searchText(engine: Pick<Engine, 'tables' | 'texts'>, query: TextQuery): Promise<TextResult> {
  if (query.query === '') return { matches: [], total: 0, files: 0, error: 'The query is empty.' }
  let expression: RegExp
  try {
    const source = query.regex ? query.query : escaped(query.query)
    expression = new RegExp(source, `gm${query.caseSensitive ? '' : 'i'}`)
  } catch (error) {
    return { matches: [], total: 0, files: 0, error: error instanceof Error ? error.message : String(error) }
  }
  const candidates = new Candidates(engine.tables, expression)
  const find = finder(query, expression, candidates)
  const part = partOf(query)
  const files = await candidates.in(query)
  const hits: Hit[] = []
  let error: string | undefined
  for (let next = 0; next < files.length && !error;) {
    query.signal?.throwIfAborted()
    const until = performance.now() + SLICE_MS
    const slice = (): void => {
      while (next < files.length) {
        const file = files[next++]!
        const text = part ? engine.texts.readHolding(file, part) : engine.texts.read(file)
        const offsets = text === undefined ? [] : find(text)
        if (offsets.length > 0) hits.push({ file, offsets })
        if (performance.now() > until) break
      }
    }
    try {
      if (query.regex) runBounded(slice, REGEX_TIMEOUT_MS)
      else slice()
    } catch {
      error = `The regular expression took longer than ${REGEX_TIMEOUT_MS} ms on ${engine.tables.paths[files[next - 1]!]}; make it simpler or give a path.`
    }
    if (next < files.length && !error) await new Promise((resolve) => setImmediate(resolve))
  }
  return { ...foundLines(engine, query, hits), ...(error !== undefined && { error }) }
}

/** Bytes that every match of a query holds, when they can be told. */
function partOf({ query, regex, caseSensitive }: TextQuery): Buffer | undefined {
  // What stands for bytes that are no text has others in the file.
  return regex || !caseSensitive || query.includes('\uFFFD') ? undefined : Buffer.from(query)
}

function finder({ query, regex, caseSensitive }: TextQuery, expression: RegExp, candidates: Candidates): FindLines {
  if (!regex) return caseSensitive ? literalLines(query) : regexLines(expression)
  // What is looked at may stand on another line.
  const looksAround = /\(\?<?[=!]/.test(expression.source)
  const needle = looksAround ? undefined : candidates.rarest()
  return needle === undefined ? regexLines(expression) : regexLinesWith(needle, expression)
}
