// The repository map: the files that matter most with the signatures other files use, in a budget of tokens. No bodies. The same
// index, words and budget give the same bytes, so that it can stand in a prompt whose prefix must not change.
import { KIND, SYMBOL_FLAG } from '../kinds.ts'
import { pageRank } from '../rank/page-rank.ts'
import type { IndexView } from '../view.ts'
import { isPublic, signatureOf, symbolRows } from './symbol-rows.ts'

/** Token figures of the map are characters / 4, as everywhere in the specification. */
const CHARS_PER_TOKEN = 4
const SIGNATURE_CHARS = 120
/** Signatures of one file; a file with more is shown by its first ones. */
const PER_FILE = 12
/** How much nearer files that were named, or that define a named symbol, are than any other. */
const MENTION_WEIGHT = 50
/** The search for the budget stops within this share of it. */
const TOLERANCE = 0.1
/** Kinds that say what a file offers. */
const SHOWN = new Set<number>([
  KIND.function,
  KIND.class,
  KIND.interface,
  KIND.type,
  KIND.enum,
  KIND.constant,
  KIND.variable,
  KIND.namespace,
  KIND.struct,
  KIND.trait,
  KIND.macro,
  KIND.module,
])

export interface MapOptions {
  /** Budget. */
  tokens: number
  /** Words of the conversation: paths, file names, symbols. */
  mentioned?: readonly string[]
}

/** Ranks of files, personalised by what was mentioned; 0 for files that are gone. */
export function fileRanks(view: IndexView, mentioned: readonly string[] = []): Float64Array {
  return pageRank(view.fileCount, view.importEdges(), mentionWeights(view, mentioned))
}

function mentionWeights(view: IndexView, mentioned: readonly string[]): Float64Array | undefined {
  const words = new Set(mentioned.filter((word) => word.length > 2))
  if (words.size === 0) return undefined
  const ids = new Set([...words].map((word) => view.names.find(word)).filter((id) => id > 0))
  const weights = new Float64Array(view.fileCount).fill(1)
  let any = false
  for (let file = 0; file < view.fileCount; file++) {
    if (!view.facts(file)) continue
    const path = view.path(file)
    const base = path.slice(path.lastIndexOf('/') + 1)
    const named = words.has(path) || words.has(base) || words.has(base.replace(/\.[^.]+$/, ''))
    if (named || (ids.size > 0 && definesOne(view, file, ids))) {
      weights[file] = MENTION_WEIGHT
      any = true
    }
  }
  return any ? weights : undefined
}

function definesOne(view: IndexView, file: number, ids: ReadonlySet<number>): boolean {
  return symbolRows(view, file).some((symbol) => symbol.container < 0 && ids.has(view.names.find(symbol.name)))
}

/** Lines of one file: its path, and the signatures it offers. */
function fileLines(view: IndexView, file: number): string {
  const text = view.text(file)
  const path = view.path(file)
  if (text === undefined) return path
  const rows = symbolRows(view, file).filter((symbol) => SHOWN.has(symbol.kind) && isPublic(symbol))
  const exported = rows.filter((symbol) => (symbol.flags & SYMBOL_FLAG.exported) !== 0)
  const shown = exported.length > 0 ? exported : rows
  const lines = shown
    .slice(0, PER_FILE)
    .map((symbol) => `  ${signatureOf(text, symbol, SIGNATURE_CHARS).replace(/^export (default )?/, '')}`)
  const more = shown.length > PER_FILE ? [`  … ${shown.length - PER_FILE} more`] : []
  return [path, ...lines, ...more].join('\n')
}

/** The map; empty when there is nothing to map. At most `tokens`, and within 10 % of it when there is enough to say. */
export function repositoryMap(view: IndexView, { tokens, mentioned = [] }: MapOptions): string {
  const ranks = fileRanks(view, mentioned)
  const order = Array.from({ length: view.fileCount }, (_, file) => file)
    .filter((file) => (view.facts(file)?.length ?? 0) > 0 && isSource(view.path(file)))
    .sort((a, b) => ranks[b]! - ranks[a]! || (view.path(a) < view.path(b) ? -1 : 1))
  if (order.length === 0) return ''
  const budget = tokens * CHARS_PER_TOKEN
  const parts: string[] = []
  let size = 0
  // Files are rendered only as far as the budget can reach.
  for (const file of order) {
    if (size > budget) break
    const part = fileLines(view, file)
    parts.push(part)
    size += part.length + 1
  }
  const fits = (count: number): boolean => textOf(parts, count, order.length).length <= budget
  let low = 0
  let high = parts.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (fits(middle)) low = middle
    else high = middle - 1
    if (low > 0 && textOf(parts, low, order.length).length >= budget * (1 - TOLERANCE)) break
  }
  return low === 0 ? '' : textOf(parts, low, order.length)
}

/** Files in the order of their paths, so that folders read together. */
function textOf(parts: readonly string[], count: number, files: number): string {
  const shown = parts.slice(0, count).sort()
  const rest = files - count
  return rest > 0 ? `${shown.join('\n')}\n… ${rest} more files` : shown.join('\n')
}

/** Data and prose say little about code. */
function isSource(path: string): boolean {
  return !/\.(json|ya?ml|md|markdown|html?|css|lock)$/i.test(path)
}
