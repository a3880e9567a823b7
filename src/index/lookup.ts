// From a question to symbols: by name (`foo`, `Class.method`), within a file or folder, or by a place in a file.
import { isAscii } from 'node:buffer'
import type { SymbolQuery } from './answers.ts'
import { BINDING, BINDING_FLAG, HEAD, MEMBER, MEMBER_NAME, STRIDE } from './facts.ts'
import { FactsWriter } from './facts-writer.ts'
import { KIND, POSITION_BITS, SYMBOL_FLAG, USE_FLAG } from './kinds.ts'
import { LANGUAGES, languageOf } from './languages.ts'
import type { Entity, Links } from './links.ts'
import type { Receivers, SymbolRef } from './receivers.ts'
import { flagsOf, isTopLevel, kindOf, OFFSET_MASK, offsetOf, symbolAt, symbolCount } from './rows.ts'
import { remapNames, Tables } from './tables.ts'
import type { Texts } from './texts.ts'

/** What a question means. `entity` when it is a top-level name, `place` when it is something local to one file. */
export interface Meaning {
  symbols: SymbolRef[]
  entity?: Entity
  /** Of a name that is a value and, apart from it, a type (`const IService` and `interface IService`): the side asked about. */
  side?: Side
  /** A local variable or parameter: its declaration and uses, as offsets in one file. */
  local?: { file: number; name: number; declared: number; uses: { offset: number; flags: number }[] }
}

export type Side = 'value' | 'type'

const VALUE = 1
const TYPE = 2
const VALUE_KINDS = new Set([KIND.function, KIND.constant, KIND.variable])
const TYPE_KINDS = new Set([KIND.interface, KIND.type])

export class Lookup {
  private tables: Tables
  private links: Links
  private receivers: Receivers
  private texts: Texts
  private byName: Map<number, SymbolRef[]> | undefined
  private foldedNames: Map<string, number[]> | undefined

  constructor(tables: Tables, links: Links, receivers: Receivers, texts: Texts) {
    this.tables = tables
    this.links = links
    this.receivers = receivers
    this.texts = texts
  }

  reset(): void {
    this.byName = undefined
  }

  async find(query: SymbolQuery): Promise<Meaning[]> {
    if (!('name' in query)) return this.at(query.path, query.line, query.column)
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
          (symbol) => inScope(symbol) && this.isInside(symbol, parts.with(-1, `#${last}`)),
        )
  }

  private candidates(name: string): SymbolRef[] {
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

  /** What stands at a place: the file is read again with its local names. */
  private async at(path: string, line: number, column: number): Promise<Meaning[]> {
    const file = this.tables.find(path.replace(/^\.\//, ''))
    if (file === undefined || !this.tables.facts[file]) return []
    const offset = offsetOf(this.tables, file, line, column)
    const own = await this.withLocals(file)
    return (
      this.symbolUnder(file, offset) ?? this.bindingUnder(file, offset, own) ?? this.memberUnder(file, offset) ?? []
    )
  }

  /** Tables of one file alone, in which local variables are bindings too; undefined when its language has no scopes. */
  private async withLocals(file: number): Promise<Tables | undefined> {
    const path = this.tables.paths[file]!
    const { id } = LANGUAGES[languageOf(path)] ?? { id: '' }
    if (id !== 'typescript' && id !== 'javascript') return undefined
    const bytes = this.texts.bytes(file)
    if (!bytes) return undefined
    const { loadExtractor } = await import('./languages/typescript/extract.ts')
    const { extractLocals } = await loadExtractor()
    const out = new FactsWriter()
    const text = isAscii(bytes) ? bytes.toString('latin1') : new TextDecoder().decode(bytes)
    extractLocals({ path, bytes, text }, out)
    out.endFile()
    const { facts, names } = out.takeBatch()
    const remap: number[] = []
    this.tables.names.addAll(names, remap)
    remapNames(facts, remap)
    const own = new Tables(this.tables.names)
    own.setFacts(own.add(path), facts)
    return own
  }

  private symbolUnder(file: number, offset: number): Meaning[] | undefined {
    for (let row = 0; row < symbolCount(this.tables, file); row++) {
      const start = symbolAt(this.tables, file, row, 'nameStart')
      if (offset < start || offset >= start + this.length(symbolAt(this.tables, file, row, 'name'))) continue
      const entity = this.entityOf({ file, row })
      if (!entity) return [{ symbols: [{ file, row }] }]
      return [this.ofSide(entity, TYPE_KINDS.has(kindOf(this.tables, file, row)) ? 'type' : 'value')]
    }
    return undefined
  }

  /** A top-level name as asked about in a value's or a type's place: only that side, where its declarations fall into two. */
  private ofSide(entity: Entity, side: Side): Meaning {
    const symbols = this.receivers.symbolsOf(entity)
    const meaning = ({ file, row }: SymbolRef) => {
      const kind = kindOf(this.tables, file, row)
      return VALUE_KINDS.has(kind) ? VALUE : TYPE_KINDS.has(kind) ? TYPE : VALUE | TYPE
    }
    const all = symbols.map(meaning)
    if (!all.includes(VALUE) || !all.includes(TYPE) || all.includes(VALUE | TYPE)) return { symbols, entity }
    const wanted = side === 'value' ? VALUE : TYPE
    return { symbols: symbols.filter((_symbol, i) => all[i] === wanted), entity, side }
  }

  private length(name: number): number {
    return Math.max(1, this.tables.names.text(name).length)
  }

  private bindingUnder(file: number, offset: number, own: Tables | undefined): Meaning[] | undefined {
    const tables = own ?? this.tables
    const at = own ? 0 : file
    const facts = tables.facts[at]!
    const starts = tables.starts[at]!
    const count = facts[HEAD.bindings]!
    for (let row = 0; row < count; row++) {
      const binding = starts[HEAD.bindings]! + row * STRIDE.bindings
      const name = facts[binding + BINDING.name]!
      const length = this.length(name)
      const first = facts[binding + BINDING.refs]!
      const end = row + 1 < count ? facts[binding + STRIDE.bindings + BINDING.refs]! : facts[HEAD.refs]!
      const declared = facts[binding + BINDING.declared]!
      let hit = offset >= declared && declared >= 0 && offset < declared + length
      let side: Side = 'value'
      const uses: { offset: number; flags: number }[] = []
      for (let i = first; i < end; i++) {
        const word = facts[starts[HEAD.refs]! + i]!
        const start = word & OFFSET_MASK
        uses.push({ offset: start, flags: word >>> POSITION_BITS })
        if (offset < start || offset >= start + length) continue
        hit = true
        if ((word >>> POSITION_BITS) & USE_FLAG.type) side = 'type'
      }
      if (!hit) continue
      return this.meaningOfBinding(
        file,
        name,
        facts[binding + BINDING.flags]!,
        facts[binding + BINDING.symbol]!,
        declared,
        uses,
        side,
      )
    }
    return undefined
  }

  private meaningOfBinding(
    file: number,
    name: number,
    flags: number,
    symbol: number,
    declared: number,
    uses: { offset: number; flags: number }[],
    side: Side,
  ): Meaning[] {
    if ((flags & BINDING_FLAG.nested) === 0) {
      const binding = this.links.findBinding(file, name)
      const entity = binding < 0 ? undefined : this.links.entityOf(file, binding)
      if (entity) return [this.ofSide(entity, side)]
      // Imported from outside the workspace: as far as this file knows, the import declares it.
      return declared >= 0 ? [{ symbols: [], local: { file, name, declared, uses } }] : []
    }
    if (symbol >= 0) return [{ symbols: [{ file, row: symbol }] }]
    return [{ symbols: [], local: { file, name, declared, uses } }]
  }

  private memberUnder(file: number, offset: number): Meaning[] | undefined {
    const facts = this.tables.facts[file]!
    const starts = this.tables.starts[file]!
    const count = facts[HEAD.memberNames]!
    for (let row = 0; row < count; row++) {
      const at = starts[HEAD.memberNames]! + row * STRIDE.memberNames
      const name = facts[at + MEMBER_NAME.name]!
      const first = facts[at + MEMBER_NAME.first]!
      const end = row + 1 < count ? facts[at + STRIDE.memberNames + MEMBER_NAME.first]! : facts[HEAD.members]!
      for (let i = first; i < end; i++) {
        const member = starts[HEAD.members]! + i * STRIDE.members
        const start = facts[member + MEMBER.position]! & OFFSET_MASK
        if (offset < start || offset >= start + this.length(name)) continue
        return this.meaningOfMember(file, facts[member + MEMBER.hint]!, name)
      }
    }
    return undefined
  }

  private meaningOfMember(file: number, hint: number, name: number): Meaning[] {
    const value = this.receivers.value(file, hint)
    const known = this.receivers.members(value, name)
    if (known.length > 0) {
      const entity = this.entityOf(known[0]!)
      return [entity ? { symbols: known, entity } : { symbols: known }]
    }
    if (value && this.receivers.isWhole(value)) return []
    // By the name alone.
    return this.candidates(this.tables.names.text(name))
      .filter(({ file: at, row }) => symbolAt(this.tables, at, row, 'container') >= 0)
      .map((symbol) => ({ symbols: [symbol] }))
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
