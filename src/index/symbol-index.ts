// Symbols of a file by what they stand in and their name. Made for a file when it is first asked about.
import { HEAD, STRIDE, SYMBOL } from './facts.ts'
import { SYMBOL_FLAG } from './kinds.ts'
import type { Tables } from './tables.ts'

type Names = Map<number, number[]>
const NO_ROWS: readonly number[] = []

export class SymbolIndex {
  private tables: Tables
  private files: (Map<number, Names> | undefined)[] = []

  constructor(tables: Tables) {
    this.tables = tables
  }

  reset(): void {
    this.files = []
  }

  /** Rows with a name directly in a container (-1: the top of the file), local ones left out. */
  rows(file: number, container: number, name: number): readonly number[] {
    return (this.files[file] ?? this.read(file)).get(container)?.get(name) ?? NO_ROWS
  }

  private read(file: number): Map<number, Names> {
    const containers = new Map<number, Names>()
    const facts = this.tables.facts[file]
    if (facts) {
      const start = this.tables.starts[file]![HEAD.symbols]!
      for (let row = 0; row < facts[HEAD.symbols]!; row++) {
        const at = start + row * STRIDE.symbols
        if ((facts[at + SYMBOL.kind]! >>> 8) & SYMBOL_FLAG.local) continue
        const container = facts[at + SYMBOL.container]!
        let names = containers.get(container)
        if (!names) containers.set(container, (names = new Map<number, number[]>()))
        const rows = names.get(facts[at + SYMBOL.name]!)
        if (rows) rows.push(row)
        else names.set(facts[at + SYMBOL.name]!, [row])
      }
    }
    this.files[file] = containers
    return containers
  }
}
