// What a search by meaning finds: functions, classes, sections, each with how often it holds the words of a question, weighted
// by where they stand. Read from the flat facts and the places of the words; the text itself is not taken apart.
import { HEAD, sectionStart, STRIDE, SYMBOL } from '../facts.ts'
import { KIND } from '../kinds.ts'
import type { NameTable } from '../names.ts'
import type { WordHits } from './query-words.ts'

/** How much a word counts by where it stands. */
const WEIGHT = { name: 5, container: 2, path: 1.5, doc: 3, signature: 1.5, body: 0.7 } as const
/** Characters per word, counted over repositories of TypeScript, C++ and Python. */
const CHARS_PER_WORD = { name: 5.8, path: 6.5, doc: 10.5, signature: 8.3, body: 10.3 } as const
const BODY_CHARS = 4000
export const DOC_CHARS = 800
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

/** Rows of a file's symbols, as the search reads them. */
export class FileChunks {
  private readonly facts: Int32Array
  private readonly base: number
  private readonly names: NameTable
  readonly count: number

  constructor(facts: Int32Array, names: NameTable) {
    this.facts = facts
    this.names = names
    this.base = sectionStart(facts, 'symbols')
    this.count = facts[HEAD.symbols]!
  }

  isChunk(row: number): boolean {
    return CHUNKS.has(this.at(row, 'kind') & 0xff)
  }

  /** Weighted number of words of a chunk, from its length in characters. */
  length(row: number, pathChars: number, withDocs: boolean): number {
    const { start, bodyStart, bodyEnd, docStart, docEnd } = this.span(row)
    let length = (WEIGHT.path * pathChars) / CHARS_PER_WORD.path
    length += (WEIGHT.name * this.nameOf(row).length) / CHARS_PER_WORD.name
    for (let outer = this.at(row, 'container'); outer >= 0; outer = this.at(outer, 'container'))
      length += (WEIGHT.container * this.nameOf(outer).length) / CHARS_PER_WORD.name
    length += (WEIGHT.signature * (bodyStart - start)) / CHARS_PER_WORD.signature
    length += (WEIGHT.body * (bodyEnd - bodyStart)) / CHARS_PER_WORD.body
    if (withDocs && docStart >= 0) length += (WEIGHT.doc * (docEnd - docStart)) / CHARS_PER_WORD.doc
    return length
  }

  /** Adds to `counts`, one number per word of the question, what a chunk holds of them; false when it holds none. */
  addCounts(row: number, hits: WordHits, counts: Float64Array, withDocs: boolean): boolean {
    const { start, bodyStart, bodyEnd, docStart, docEnd } = this.span(row)
    let added = 0
    if (withDocs && docStart >= 0) added += addBetween(hits, docStart, docEnd, WEIGHT.doc, counts)
    added += addBetween(hits, start, bodyStart, WEIGHT.signature, counts)
    added += addBetween(hits, bodyStart, bodyEnd, WEIGHT.body, counts)
    added += this.addName(row, hits, WEIGHT.name, counts)
    for (let outer = this.at(row, 'container'); outer >= 0; outer = this.at(outer, 'container'))
      added += this.addName(outer, hits, WEIGHT.container, counts)
    return added > 0
  }

  symbol(row: number): { name: string; container: number } {
    return { name: this.nameOf(row), container: this.at(row, 'container') }
  }

  private addName(row: number, hits: WordHits, weight: number, counts: Float64Array): number {
    const start = this.at(row, 'nameStart')
    return addBetween(hits, start, start + this.nameOf(row).length, weight, counts)
  }

  private nameOf(row: number): string {
    return this.names.text(this.at(row, 'name'))
  }

  private at(row: number, column: keyof typeof SYMBOL): number {
    return this.facts[this.base + row * STRIDE.symbols + SYMBOL[column]]!
  }

  private span(row: number) {
    const [start, bodyStart, docStart] = [this.at(row, 'start'), this.at(row, 'bodyStart'), this.at(row, 'docStart')]
    return {
      start,
      bodyStart,
      bodyEnd: Math.min(this.at(row, 'end'), bodyStart + BODY_CHARS),
      docStart,
      docEnd: Math.min(docEnd(start, docStart), docStart + DOC_CHARS),
    }
  }
}

/** A doc comment stands before its symbol; a doc string inside it. */
export function docEnd(start: number, docStart: number): number {
  return docStart < start ? start : docStart + DOC_CHARS
}

/** What a word in the path of a file counts for each chunk of it. */
export const PATH_WEIGHT = WEIGHT.path

/** Adds the words between two offsets; gives how many they are. */
function addBetween(
  { offsets, words }: WordHits,
  from: number,
  to: number,
  weight: number,
  counts: Float64Array,
): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (offsets[middle]! < from) low = middle + 1
    else high = middle
  }
  const first = low
  for (; low < offsets.length && offsets[low]! < to; low++) counts[words[low]!]! += weight
  return low - first
}
