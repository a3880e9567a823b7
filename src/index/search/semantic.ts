// Offline semantic search: which function, class or section is about these words. BM25 over split identifiers, comments,
// signatures, bodies and paths, with the importance of the file on top. Needs no model. Built when first asked, file by file
// with pauses, and kept up with the index: a file is read again only when its facts changed.
import type { CodeIndex } from '../code-index.ts'
import { plainDoc } from '../describe.ts'
import { KIND } from '../kinds.ts'
import { symbolRows } from '../map/symbol-rows.ts'
import type { SymbolRow } from '../map/symbol-rows.ts'
import { signatureText } from '../signature.ts'
import { fileRanks } from '../map/repository-map.ts'
import type { IndexView } from '../view.ts'
import { wordsOf } from './words.ts'

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
/** How much a word counts by where it stands. */
const WEIGHT = { name: 5, container: 2, path: 1.5, doc: 3, signature: 1.5, body: 0.7 } as const
const BODY_CHARS = 4000
const DOC_CHARS = 800
/** Of a comment, in an answer. */
const SHOWN_DOC_CHARS = 160
/** Share of the score that the importance of the file can add. */
const IMPORTANCE = 0.15
/** The event loop is given back after so long, in milliseconds. */
const SLICE_MS = 20
const CHUNKS = new Set<number>([
  KIND.function,
  KIND.class,
  KIND.interface,
  KIND.type,
  KIND.enum,
  KIND.method,
  KIND.constructor,
  KIND.getter,
  KIND.setter,
  KIND.struct,
  KIND.trait,
  KIND.macro,
  KIND.section,
  KIND.constant,
  KIND.module,
  KIND.namespace,
])

interface FileChunks {
  /** Identity of the facts it was made from. */
  facts: Int32Array
  chunks: { symbol: SymbolRow; words: Map<string, number>; length: number }[]
}

/** The search over one index; keep it as long as the index. */
export class SemanticSearch {
  private readonly files = new Map<string, FileChunks>()
  private readonly index: CodeIndex
  private readonly withDocs: boolean

  /** `docs: false` leaves comments out of the index (a benchmark searches by them). */
  constructor(index: CodeIndex, { docs = true }: { docs?: boolean } = {}) {
    this.index = index
    this.withDocs = docs
  }

  /** Files not read yet because the last search had to end; the next one goes on with them. */
  unread = 0

  /**
   * The chunks nearest to a query, best first; empty when no word of it is known. The first search of a large workspace reads
   * all of it: after `timeMs` milliseconds it answers from what it has read, and `unread` says what is left.
   */
  async search(query: string, limit: number, timeMs = Number.POSITIVE_INFINITY): Promise<SemanticHit[]> {
    await this.update(performance.now() + timeMs)
    const wanted = new Set(wordsOf(query))
    if (wanted.size === 0) return []
    const found = this.score(wanted)
    const view = this.index.view()
    const ranks = fileRanks(view)
    const top = Math.max(...ranks, Number.MIN_VALUE)
    for (const hit of found) {
      const file = view.fileId(hit.path)
      hit.score *= 1 + IMPORTANCE * Math.sqrt((file === undefined ? 0 : ranks[file]!) / top)
    }
    found.sort(
      (a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.symbol.start - b.symbol.start),
    )
    return onePerName(found, limit).flatMap((hit) => this.describe(view, hit))
  }

  /** Reads files whose facts changed since the last time. */
  private async update(deadline: number): Promise<void> {
    this.unread = 0
    let sliceEnd = performance.now() + SLICE_MS
    let view = this.index.view()
    const seen = new Set<string>()
    for (let file = 0; file < view.fileCount; file++) {
      const facts = view.facts(file)
      if (!facts) continue
      const path = view.path(file)
      seen.add(path)
      if (this.files.get(path)?.facts === facts) continue
      if (performance.now() > deadline) {
        this.unread += 1
        continue
      }
      this.files.set(path, { facts, chunks: this.chunksOf(view, file, path) })
      if (performance.now() < sliceEnd) continue
      await new Promise((resolve) => setImmediate(resolve))
      view = this.index.view()
      sliceEnd = performance.now() + SLICE_MS
    }
    for (const path of this.files.keys()) if (!seen.has(path)) this.files.delete(path)
  }

  private chunksOf(view: IndexView, file: number, path: string): FileChunks['chunks'] {
    const rows = symbolRows(view, file)
    if (rows.length === 0) return []
    const text = view.text(file)
    if (text === undefined) return []
    const pathWords = wordsOf(path)
    return rows
      .filter((symbol) => CHUNKS.has(symbol.kind))
      .map((symbol) => {
        const words = new Map<string, number>()
        let length = 0
        const add = (list: readonly string[], weight: number): void => {
          for (const word of list) words.set(word, (words.get(word) ?? 0) + weight)
          length += list.length * weight
        }
        add(wordsOf(symbol.name), WEIGHT.name)
        for (let at = symbol.container; at >= 0; at = rows[at]!.container)
          add(wordsOf(rows[at]!.name), WEIGHT.container)
        add(pathWords, WEIGHT.path)
        if (this.withDocs && symbol.docStart >= 0)
          add(wordsOf(text.slice(symbol.docStart, Math.min(docEnd(symbol), symbol.docStart + DOC_CHARS))), WEIGHT.doc)
        add(wordsOf(text.slice(symbol.start, symbol.bodyStart)), WEIGHT.signature)
        const body = text.slice(symbol.bodyStart, Math.min(symbol.end, symbol.bodyStart + BODY_CHARS))
        add(wordsOf(this.withDocs ? body : withoutComments(body)), WEIGHT.body)
        return { symbol, words, length }
      })
  }

  private score(wanted: ReadonlySet<string>): { path: string; symbol: SymbolRow; score: number }[] {
    const frequency = new Map<string, number>()
    let count = 0
    let total = 0
    for (const { chunks } of this.files.values()) {
      for (const { words, length } of chunks) {
        count += 1
        total += length
        for (const word of wanted) if (words.has(word)) frequency.set(word, (frequency.get(word) ?? 0) + 1)
      }
    }
    const average = total / Math.max(1, count)
    const weights = new Map([...frequency].map(([word, n]) => [word, Math.log(1 + (count - n + 0.5) / (n + 0.5))]))
    const found: { path: string; symbol: SymbolRow; score: number }[] = []
    for (const [path, { chunks }] of this.files) {
      for (const { symbol, words, length } of chunks) {
        let score = 0
        for (const [word, weight] of weights) {
          const times = words.get(word)
          if (times === undefined) continue
          score += (weight * times * (K1 + 1)) / (times + K1 * (1 - B + (B * length) / average))
        }
        if (score > 0) found.push({ path, symbol, score })
      }
    }
    return found
  }

  private describe(
    view: IndexView,
    { path, symbol, score }: { path: string; symbol: SymbolRow; score: number },
  ): SemanticHit[] {
    const file = view.fileId(path)
    const text = file === undefined ? undefined : view.text(file)
    if (text === undefined) return []
    const lineOf = (offset: number): number => {
      let line = 1
      for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
      return line
    }
    const doc =
      symbol.docStart < 0
        ? ''
        : plainDoc(text.slice(symbol.docStart, Math.min(docEnd(symbol), symbol.docStart + DOC_CHARS)))
    const rows = symbolRows(view, file!)
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

/** The best hits; overloads, and a declaration in parts, count once. */
function onePerName<T extends { path: string; symbol: SymbolRow }>(found: readonly T[], limit: number): T[] {
  const seen = new Set<string>()
  const best: T[] = []
  for (const hit of found) {
    const key = `${hit.path} ${hit.symbol.container} ${hit.symbol.name}`
    if (seen.has(key)) continue
    seen.add(key)
    if (best.push(hit) === limit) break
  }
  return best
}

/** A doc comment stands before its symbol; a doc string inside it. */
const docEnd = (symbol: SymbolRow): number =>
  symbol.docStart < symbol.start ? symbol.start : symbol.docStart + DOC_CHARS

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, ' ')
