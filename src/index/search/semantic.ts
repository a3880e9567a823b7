// Offline semantic search: which function, class or section is about these words. BM25 over split identifiers, comments,
// signatures, bodies and paths, with the importance of the file on top. Needs no model and keeps nothing: the words of the
// question are looked for in the files that may hold them, in slices.
import type { CodeIndex } from '../code-index.ts'
import { plainDoc } from '../describe.ts'
import { HEAD, sectionStart } from '../facts.ts'
import { symbolRows } from '../map/symbol-rows.ts'
import { signatureText } from '../signature.ts'
import { fileRanks } from '../map/repository-map.ts'
import type { IndexView } from '../view.ts'
import { DOC_CHARS, docEnd, FileChunks, PATH_WEIGHT } from './chunks.ts'
import { mayHold } from './grams.ts'
import { QueryWords } from './query-words.ts'
import { Slice } from '../slice.ts'

export interface SemanticHit {
  path: string
  startLine: number
  endLine: number
  name: string
  /** What a member stands in: `Class`, `namespace.Class`. */
  inside?: string
  signature: string
  doc?: string
  /** Higher is nearer; comparable within one answer only. */
  score: number
}

/** BM25's usual constants (Robertson and Zaragoza 2009). */
const K1 = 1.2
const B = 0.6
/** Of a comment, in an answer. */
const SHOWN_DOC_CHARS = 160
/** Share of the score that the importance of the file can add. */
const IMPORTANCE = 0.15

interface Chunk {
  path: string
  file: number
  row: number
  container: number
  name: string
  length: number
  /** Weighted number of each word of the question. */
  counts: Float64Array
  score: number
}

/** Of one state of the index: the number and mean length of all chunks, and how important each file is. */
interface Sizes {
  generation: number
  count: number
  average: number
  ranks: Float64Array
}

/** The search over one index. */
export class SemanticSearch {
  private readonly index: CodeIndex
  private readonly withDocs: boolean
  private sizes: Sizes | undefined

  /** `docs: false` leaves comments out of the index (a benchmark searches by them). */
  constructor(index: CodeIndex, { docs = true }: { docs?: boolean } = {}) {
    this.index = index
    this.withDocs = docs
  }

  /** Files that may be about the question and were not read in the time of the last search. */
  unread = 0

  /**
   * The chunks nearest to a query, best first; empty when no word of it is known. After `timeMs` milliseconds it answers from
   * what it has read, the most important files first, and `unread` says what is left. `isWanted` tells by the path.
   */
  async search(
    query: string,
    limit: number,
    timeMs = Number.POSITIVE_INFINITY,
    isWanted?: (path: string) => boolean,
  ): Promise<SemanticHit[]> {
    const deadline = performance.now() + timeMs
    this.unread = 0
    const words = new QueryWords(query)
    if (words.stems.length === 0) return []
    const { ranks } = this.measured()
    const found = await this.read(words, ranks, deadline, isWanted)
    this.score(found, words.stems.length)
    const top = Math.max(...ranks, Number.MIN_VALUE)
    for (const chunk of found) chunk.score *= 1 + IMPORTANCE * Math.sqrt((ranks[chunk.file] ?? 0) / top)
    found.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.row - b.row))
    const view = this.index.view()
    return onePerName(found, limit).flatMap((chunk) => this.describe(view, chunk))
  }

  /** The chunks that hold words of the question. */
  private async read(
    words: QueryWords,
    ranks: Float64Array,
    deadline: number,
    isWanted: (path: string) => boolean = () => true,
  ): Promise<Chunk[]> {
    let view = this.index.view()
    const files = candidates(view, words).filter((file) => isWanted(view.path(file)))
    if (deadline < Number.POSITIVE_INFINITY) files.sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0))
    const found: Chunk[] = []
    const slice = new Slice()
    for (const [at, file] of files.entries()) {
      if (performance.now() > deadline) {
        this.unread = files.length - at
        break
      }
      if (slice.isOver) {
        await slice.next()
        view = this.index.view()
      }
      this.readFile(view, file, words, found)
    }
    return found
  }

  private readFile(view: IndexView, file: number, words: QueryWords, found: Chunk[]): void {
    const facts = view.facts(file)
    const text = facts && view.text(file)
    if (text === undefined || !facts) return
    const path = view.path(file)
    const inPath = words.find(path).words
    const hits = words.find(this.withDocs ? text : withoutComments(text))
    if (hits.offsets.length === 0 && inPath.length === 0) return
    const chunks = new FileChunks(facts, view.names)
    let counts = new Float64Array(words.stems.length)
    for (let row = 0; row < chunks.count; row++) {
      if (!chunks.isChunk(row)) continue
      for (const word of inPath) counts[word]! += PATH_WEIGHT
      const holds = chunks.addCounts(row, hits, counts, this.withDocs) || inPath.length > 0
      if (!holds) continue
      const { container, name } = chunks.symbol(row)
      const length = chunks.length(row, path.length, this.withDocs)
      found.push({ path, file, row, container, name, length, counts, score: 0 })
      counts = new Float64Array(words.stems.length)
    }
  }

  /** BM25 of each chunk. */
  private score(found: Chunk[], words: number): void {
    const { count, average } = this.measured()
    const frequency = new Float64Array(words)
    for (const { counts } of found) counts.forEach((times, word) => (frequency[word]! += times > 0 ? 1 : 0))
    const weights = frequency.map((n) => Math.log(1 + (count - n + 0.5) / (n + 0.5)))
    for (const chunk of found) {
      const norm = K1 * (1 - B + (B * chunk.length) / average)
      chunk.counts.forEach((times, word) => {
        if (times > 0) chunk.score += (weights[word]! * times * (K1 + 1)) / (times + norm)
      })
    }
  }

  private measured(): Sizes {
    const view = this.index.view()
    if (this.sizes?.generation === view.generation) return this.sizes
    let [count, total] = [0, 0]
    for (let file = 0; file < view.fileCount; file++) {
      const facts = view.facts(file)
      if (!facts) continue
      const chunks = new FileChunks(facts, view.names)
      const pathChars = view.path(file).length
      for (let row = 0; row < chunks.count; row++) {
        if (!chunks.isChunk(row)) continue
        count++
        total += chunks.length(row, pathChars, this.withDocs)
      }
    }
    const average = Math.max(1, total / Math.max(1, count))
    this.sizes = { generation: view.generation, count, average, ranks: fileRanks(view) }
    return this.sizes
  }

  private describe(view: IndexView, { path, file, row, name, score }: Chunk): SemanticHit[] {
    const rows = symbolRows(view, file)
    const symbol = rows[row]
    const text = view.text(file)
    // It changed while others were read.
    if (text === undefined || symbol?.name !== name) return []
    const lineOf = (offset: number): number => {
      let line = 1
      for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
      return line
    }
    const doc =
      symbol.docStart < 0
        ? ''
        : plainDoc(
            text.slice(symbol.docStart, Math.min(docEnd(symbol.start, symbol.docStart), symbol.docStart + DOC_CHARS)),
          )
    const owners: string[] = []
    for (let at = symbol.container; at >= 0; at = rows[at]!.container) owners.unshift(rows[at]!.name)
    const inside = owners.join('.')
    return [
      {
        path,
        startLine: lineOf(symbol.start),
        endLine: lineOf(symbol.end - 1),
        name: symbol.name,
        ...(inside === '' ? {} : { inside }),
        signature: signatureText(text, symbol, 160),
        score,
        ...(doc === '' ? {} : { doc: doc.length > SHOWN_DOC_CHARS ? `${doc.slice(0, SHOWN_DOC_CHARS - 1)}…` : doc }),
      },
    ]
  }
}

/** Files that may hold a word of the question in their text or path. */
function candidates(view: IndexView, words: QueryWords): number[] {
  const found: number[] = []
  for (let file = 0; file < view.fileCount; file++) {
    const facts = view.facts(file)
    if (!facts || facts[HEAD.symbols] === 0) continue
    const count = facts[HEAD.grams]!
    const start = sectionStart(facts, 'grams')
    const mayBe =
      count === 0 ||
      words.grams.some((grams) => mayHold(facts, start, start + count, grams)) ||
      words.find(view.path(file)).words.length > 0
    if (mayBe) found.push(file)
  }
  return found
}

/** The best chunks; overloads, and a declaration in parts, count once. */
function onePerName(found: readonly Chunk[], limit: number): Chunk[] {
  const seen = new Set<string>()
  const best: Chunk[] = []
  for (const chunk of found) {
    const key = `${chunk.file} ${chunk.container} ${chunk.name}`
    if (seen.has(key)) continue
    seen.add(key)
    if (best.push(chunk) === limit) break
  }
  return best
}

/** The text with blanks for its comments. */
const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length))
