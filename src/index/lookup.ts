// From a question to symbols: by name (`foo`, `Class.method`), within a file or folder, or by a place in a file.
import type { SymbolQuery } from './answers.ts'
import { HEAD, STRIDE } from './facts.ts'
import { SYMBOL_FLAG } from './kinds.ts'
import type { Entity, Links } from './links.ts'
import type { MemberTypes } from './member-types.ts'
import { PlaceLookup } from './place-lookup.ts'
import type { Receivers, SymbolRef } from './receivers.ts'
import { flagsOf, isTopLevel, symbolAt, symbolCount } from './rows.ts'
import type { Tables } from './tables.ts'
import type { Texts } from './texts.ts'

/** What a question means. `entity` when it is a top-level name, `place` when it is something local to one file. */
export interface Meaning {
  symbols: SymbolRef[]
  entity?: Entity
  /** Of a name that is a value and, apart from it, a type (`const IService` and `interface IService`): the side asked about. */
  side?: Side
  /** A local variable or parameter: its declaration and uses, as offsets in one file. */
  /** A member that is no symbol of its own (a property of an object literal): where its name is declared. */
  property?: { file: number; name: number; offset: number }
  local?: { file: number; name: number; declared: number; uses: { offset: number; flags: number }[] }
}

export type Side = 'value' | 'type'

export class Lookup {
  private tables: Tables
  private receivers: Receivers
  private places: PlaceLookup
  private byName: Map<number, SymbolRef[]> | undefined
  private foldedNames: Map<string, number[]> | undefined

  constructor(tables: Tables, links: Links, receivers: Receivers, texts: Texts, types: MemberTypes) {
    this.tables = tables
    this.receivers = receivers
    this.places = new PlaceLookup(tables, links, receivers, texts, types, this)
  }

  reset(): void {
    this.byName = undefined
  }

  async find(query: SymbolQuery): Promise<Meaning[]> {
    if (!('name' in query)) return this.places.at(query.path, query.line, query.column)
    const symbols = this.named(query.name, query.path)
    const meanings: Meaning[] = []
    const seen = new Set<string>()
    for (const symbol of symbols) {
      const entity = this.entityOf(symbol)
      if (!entity) {
        meanings.push({ symbols: [symbol] })
        continue
      }
      const key = `${entity.file}:${entity.name}`
      if (seen.has(key)) continue
      seen.add(key)
      meanings.push({ symbols: this.receivers.symbolsOf(entity), entity })
    }
    return meanings
  }

  /** The top-level name a symbol is declared by, or undefined for members and locals. */
  entityOf({ file, row }: SymbolRef): Entity | undefined {
    if (!isTopLevel(this.tables, file, row)) return undefined
    if (flagsOf(this.tables, file, row) & (SYMBOL_FLAG.local | SYMBOL_FLAG.literalMember)) return undefined
    return { file, name: symbolAt(this.tables, file, row, 'name') }
  }

  /** Symbols of a plain or qualified name; those of the file or folder when a path is given. */
  named(name: string, path?: string): SymbolRef[] {
    const parts = name.split(/[.#:]+/).filter((part) => part !== '')
    const last = parts.at(-1)
    if (last === undefined) return []
    const scope = path?.replace(/^\.\/?/, '').replace(/\/$/, '') ?? ''
    const inScope = ({ file }: SymbolRef) => {
      const at = this.tables.paths[file]!
      return scope === '' || at === scope || at.startsWith(`${scope}/`)
    }
    const fits = this.candidates(last).filter((symbol) => inScope(symbol) && this.isInside(symbol, parts))
    // Private names are asked for without their sign too.
    return fits.length > 0
      ? fits
      : this.candidates(`#${last}`).filter(
          (symbol) => inScope(symbol) && this.isInside(symbol, parts.with(parts.length - 1, `#${last}`)),
        )
  }

  /** All symbols of a plain name. */
  candidates(name: string): SymbolRef[] {
    const id = this.tables.names.find(name)
    if (id < 0) return []
    const known = (this.byName ??= new Map()).get(id)
    if (known) return known
    const { tables } = this
    const found: SymbolRef[] = []
    for (let file = 0; file < tables.count; file++) {
      const facts = tables.facts[file]
      if (!facts) continue
      const start = tables.starts[file]![HEAD.symbols]!
      const end = start + facts[HEAD.symbols]! * STRIDE.symbols
      for (let at = start; at < end; at += STRIDE.symbols)
        if (facts[at] === id) found.push({ file, row: (at - start) / STRIDE.symbols })
    }
    this.byName.set(id, found)
    return found
  }

  private isInside({ file, row }: SymbolRef, parts: string[]): boolean {
    let at = row
    for (let i = parts.length - 1; i >= 0; i--) {
      if (at < 0 || this.tables.names.text(symbolAt(this.tables, file, at, 'name')) !== parts[i]) return false
      at = symbolAt(this.tables, file, at, 'container')
    }
    return true
  }

  /** Names of symbols by their lower-case form, for suggestions. */
  folded(): Map<string, number[]> {
    if (this.foldedNames) return this.foldedNames
    const folded = new Map<string, number[]>()
    for (let file = 0; file < this.tables.count; file++) {
      for (let row = 0; row < symbolCount(this.tables, file); row++) {
        const name = symbolAt(this.tables, file, row, 'name')
        const key = this.tables.names.text(name).toLowerCase()
        const known = folded.get(key)
        if (!known) folded.set(key, [name])
        else if (!known.includes(name)) known.push(name)
      }
    }
    this.foldedNames = folded
    return folded
  }
}
