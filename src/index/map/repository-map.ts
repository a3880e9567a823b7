// The repository map: the files that matter most with the signatures other files use, in a budget of tokens. No bodies. The same
// index, words and budget give the same bytes, so that it can stand in a prompt whose prefix must not change.
import { KIND, SYMBOL_FLAG } from '../kinds.ts'
import { pageRank } from '../rank/page-rank.ts'
import { signatureText } from '../signature.ts'
import type { CodeIndex } from '../code-index.ts'
import type { Edges, IndexView, Ranks } from '../view.ts'
import { isNamed, isAside, meansSymbol } from './mentions.ts'
import { isPublic, symbolRows } from './symbol-rows.ts'

/** Token figures of the map are characters / 4, as everywhere in the specification. */
const CHARS_PER_TOKEN = 4
const SIGNATURE_CHARS = 120
/** Signatures of one file; a file with more is shown by the most important ones. */
const PER_FILE = 12
/** How much nearer files that were named, or that define a named symbol, are than any other. */
const MENTION_WEIGHT = 50
/** Tests, benchmarks and examples say less about a project than what they are for. */
const ASIDE_SHARE = 0.1
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

/** What a map is made from: the index, or what was kept of it (stored-map.ts). File ids run from 0 to fileCount - 1. */
export interface MapSource {
  fileCount: number
  edges: Edges
  /** Path of a file, also of one that is gone. */
  path(file: number): string
  /** Files with source text; others have a rank and no place on the map. */
  isMapped(file: number): boolean
  /** The path, and below it the signatures the file offers; undefined when the file is gone. */
  lines(file: number): string | undefined
  /** Files that were named by these words, or define a symbol that was. */
  mentioned(words: ReadonlySet<string>): number[]
}

/** Ranks of files, personalised by what was mentioned; 0 for files that are gone. */
export function fileRanks(view: IndexView, mentioned: readonly string[] = []): Float64Array {
  return pageRank(
    view.fileCount,
    view.importEdges(),
    mentionWeights({ fileCount: view.fileCount, mentioned: (words) => mentionedIn(view, words) }, mentioned),
  )
}

function mentionWeights(
  source: Pick<MapSource, 'fileCount' | 'mentioned'>,
  mentioned: readonly string[],
): Float64Array | undefined {
  const words = new Set(mentioned.filter((word) => word.length > 2))
  const named = words.size === 0 ? [] : source.mentioned(words)
  if (named.length === 0) return undefined
  const weights = new Float64Array(source.fileCount).fill(1)
  for (const file of named) weights[file] = MENTION_WEIGHT
  return weights
}

function mentionedIn(view: IndexView, words: ReadonlySet<string>): number[] {
  const ids = new Set([...words].map((word) => view.names.find(word)).filter((id) => id > 0))
  return Array.from({ length: view.fileCount }, (_, file) => file).filter(
    (file) =>
      view.facts(file) !== undefined &&
      (isNamed(view.path(file), words) || (ids.size > 0 && definesOne(view, file, ids))),
  )
}

function definesOne(view: IndexView, file: number, ids: ReadonlySet<number>): boolean {
  const path = view.path(file)
  return symbolRows(view, file).some(
    (symbol) => symbol.container < 0 && ids.has(view.names.find(symbol.name)) && meansSymbol(symbol.name, path),
  )
}

/** The index as it is now. */
export function liveSource(view: IndexView, ranks: Ranks): MapSource {
  return {
    fileCount: view.fileCount,
    edges: mapEdges(view.importEdges(), ranks.fileEdges),
    path: (file) => view.path(file),
    isMapped: (file) => (view.facts(file)?.length ?? 0) > 0 && isSource(view.path(file)),
    lines: (file) => fileLines(view, file, ranks),
    mentioned: (words) => mentionedIn(view, words),
  }
}

/** Imports, which need not be of a name, and uses; the hundredth use says less than the first. */
function mapEdges(imports: Edges, uses: Edges): Edges {
  const join = (a: Int32Array, b: Int32Array): Int32Array => {
    const joined = new Int32Array(a.length + b.length)
    joined.set(a)
    joined.set(b, a.length)
    return joined
  }
  return {
    from: join(imports.from, uses.from),
    to: join(imports.to, uses.to),
    weight: join(
      imports.weight,
      uses.weight.map((count) => Math.round(Math.sqrt(count))),
    ),
  }
}

/** Lines of one file: its path, and the signatures it offers, in the order of the file. */
function fileLines(view: IndexView, file: number, { symbolRanks }: Ranks): string {
  const text = view.text(file)
  const path = view.path(file)
  if (text === undefined) return path
  const rows = symbolRows(view, file).filter((symbol) => SHOWN.has(symbol.kind) && isPublic(symbol))
  const exported = rows.filter((symbol) => (symbol.flags & SYMBOL_FLAG.exported) !== 0)
  // A test that exports nothing offers nothing.
  const shown = exported.length > 0 || isAside(path) ? exported : rows
  const base = view.symbolBase(file)
  const rank = ({ row }: { row: number }): number => symbolRanks[base + row] ?? 0
  const lines = shown
    .toSorted((a, b) => rank(b) - rank(a) || a.row - b.row)
    .slice(0, PER_FILE)
    .sort((a, b) => a.row - b.row)
    .map((symbol) => `  ${signatureText(text, symbol, SIGNATURE_CHARS).replace(/^export (default )?/, '')}`)
  const more = shown.length > PER_FILE ? [`  … ${shown.length - PER_FILE} more`] : []
  return [path, ...lines, ...more].join('\n')
}

/** Files of a source that can be on a map, the most important first. */
export function mapOrder(source: MapSource, mentioned: readonly string[] = []): number[] {
  const weights = mentionWeights(source, mentioned)
  const ranks = pageRank(source.fileCount, source.edges, weights)
  for (let file = 0; file < source.fileCount; file++)
    if (weights?.[file] !== MENTION_WEIGHT && isAside(source.path(file))) ranks[file]! *= ASIDE_SHARE
  return Array.from({ length: source.fileCount }, (_, file) => file)
    .filter((file) => source.isMapped(file))
    .sort((a, b) => ranks[b]! - ranks[a]! || (source.path(a) < source.path(b) ? -1 : 1))
}

/** The map; empty when there is nothing to map. At most `tokens`, and within 10 % of it when there is enough to say. */
export function mapOf(source: MapSource, { tokens, mentioned = [] }: MapOptions): string {
  const order = mapOrder(source, mentioned)
  const budget = tokens * CHARS_PER_TOKEN
  const parts: string[] = []
  let size = 0
  // Files are rendered only as far as the budget can reach.
  for (const file of order) {
    if (size > budget) break
    const part = source.lines(file)
    if (part === undefined) continue
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

/** The map of the index as it is now. */
export async function repositoryMap(index: CodeIndex, options: MapOptions): Promise<string> {
  const { view, ranks } = await index.ranked()
  return mapOf(liveSource(view, ranks), options)
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
