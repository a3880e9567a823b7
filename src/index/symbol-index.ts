// Symbols of a file by what they stand in and their name. Made for a file when it is first asked about.
import { HEAD, STRIDE, SYMBOL } from './facts.ts'
import { SYMBOL_FLAG } from './kinds.ts'
import type { Tables } from './tables.ts'

const END = -1
const NO_ROWS: readonly number[] = []

/** A hash table with chains: the first row of each bucket, and after each row the next of its bucket. */
interface FileRows {
  heads: Int32Array
  next: Int32Array
}

export class SymbolIndex {
  private tables: Tables
  private files: (FileRows | undefined)[] = []

  constructor(tables: Tables) {
    this.tables = tables
  }

  reset(): void {
    this.files = []
  }

  /** Rows with a name directly in a container (-1: the top of the file), in order; local ones left out unless wanted. */
  rows(file: number, container: number, name: number, withLocals = false): readonly number[] {
    let found: number[] | undefined
    const { heads, next } = this.files[file] ?? this.read(file)
    let row = heads[bucket(container, name, heads.length)]!
    for (; row !== END; row = next[row]!) {
      if (!this.fits(file, row, container, name, withLocals)) continue
      if (found) found.push(row)
      else found = [row]
    }
    return found ?? NO_ROWS
  }

  /** The first of `rows`, or -1. */
  first(file: number, container: number, name: number): number {
    const { heads, next } = this.files[file] ?? this.read(file)
    let row = heads[bucket(container, name, heads.length)]!
    while (row !== END && !this.fits(file, row, container, name, false)) row = next[row]!
    return row
  }

  private fits(file: number, row: number, container: number, name: number, withLocals: boolean): boolean {
    const facts = this.tables.facts[file]!
    const at = this.tables.starts[file]![HEAD.symbols]! + row * STRIDE.symbols
    if (facts[at + SYMBOL.name] !== name || facts[at + SYMBOL.container] !== container) return false
    return withLocals || ((facts[at + SYMBOL.kind]! >>> 8) & SYMBOL_FLAG.local) === 0
  }

  private read(file: number): FileRows {
    const facts = this.tables.facts[file]
    const count = facts?.[HEAD.symbols] ?? 0
    let size = 1
    while (size < count) size *= 2
    const rows = { heads: new Int32Array(size).fill(END), next: new Int32Array(count).fill(END) }
    const start = facts ? this.tables.starts[file]![HEAD.symbols]! : 0
    // From the last on, so that a chain has its rows in order.
    for (let row = count - 1; row >= 0; row--) {
      const at = start + row * STRIDE.symbols
      const place = bucket(facts![at + SYMBOL.container]!, facts![at + SYMBOL.name]!, size)
      rows.next[row] = rows.heads[place]!
      rows.heads[place] = row
    }
    this.files[file] = rows
    return rows
  }
}

/** Of a power of two; the multiplier is 2^32 / golden ratio (Knuth). */
function bucket(container: number, name: number, size: number): number {
  const hash = Math.imul(name + Math.imul(container, 31), 0x9e3779b1)
  return (hash ^ (hash >>> 15)) & (size - 1)
}
