import type { TextMatch, TextQuery, TextResult } from '../index/answers.ts'
import type { Fault } from '../workspace/fault.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A larger file is data; the index searches it, this stand-in does not. */
const LARGEST_BYTES = 2 * 1024 * 1024
/** Files between two looks at the clock of everyone else. */
const BREATH = 200

/**
 * Searches by reading every listed file: for the time before the index is ready, and without one. Ended early, it says how many
 * files it did not see; with nothing found by then it rejects with the signal's reason, since "no match" would not be known.
 */
export async function scanText(workspace: Workspace, query: TextQuery): Promise<TextResult | Fault> {
  const pattern = patternOf(query)
  if (typeof pattern === 'string') return { matches: [], total: 0, files: 0, error: pattern }
  const paths = await pathsOf(workspace, query)
  if ('ok' in paths) return paths
  const { limit = 1_000, context = 0, signal } = query
  const matches: TextMatch[] = []
  let total = 0
  let files = 0
  for (const [at, path] of paths.entries()) {
    if (at % BREATH === 0) await new Promise(setImmediate)
    if (signal?.aborted) {
      if (total === 0) throw signal.reason
      return { matches, total, files, unsearched: paths.length - at }
    }
    const file = await workspace.readText(path, { maxBytes: LARGEST_BYTES })
    // Binary, secret and unreadable files are no part of a text search.
    if (!file.ok) continue
    pattern.lastIndex = 0
    if (!pattern.test(file.text)) continue
    const found = matchesIn(path, file.text, pattern, context)
    if (found.length > 0) files += 1
    total += found.length
    matches.push(...found.slice(0, Math.max(0, limit - matches.length)))
  }
  return { matches, total, files }
}

function patternOf({ query, regex, caseSensitive }: TextQuery): RegExp | string {
  const source = regex === true ? query : query.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  try {
    return new RegExp(source, caseSensitive === true ? 'gm' : 'gim')
  } catch (error) {
    return (error as Error).message
  }
}

async function pathsOf(workspace: Workspace, { path = '.', glob }: TextQuery): Promise<string[] | Fault> {
  const listing = await workspace.list(path, {
    recursive: true,
    limit: Number.MAX_SAFE_INTEGER,
    ...(glob === undefined ? {} : { pattern: glob }),
  })
  if (listing.ok) return listing.entries.filter(({ kind }) => kind === 'file').map((entry) => entry.path)
  return listing.code === 'NOT_A_FILE' ? [path] : listing
}

function matchesIn(path: string, text: string, pattern: RegExp, context: number): TextMatch[] {
  const lines = text.split(/\r?\n/)
  const found: TextMatch[] = []
  for (const [at, line] of lines.entries()) {
    pattern.lastIndex = 0
    const match = pattern.exec(line)
    if (!match) continue
    const around =
      context === 0
        ? {}
        : { before: lines.slice(Math.max(0, at - context), at), after: lines.slice(at + 1, at + 1 + context) }
    found.push({ path, line: at + 1, column: match.index + 1, text: line, ...around })
  }
  return found
}
