// What stands at a place of a file: a declaration, a use of a name, a member, the token of an export.
import { isAscii } from 'node:buffer'
import { BINDING, BINDING_FLAG, HEAD, MEMBER, MEMBER_NAME, STRIDE } from './facts.ts'
import { FactsWriter } from './facts-writer.ts'
import { EXPORT_KIND, KIND, POSITION_BITS, USE_FLAG } from './kinds.ts'
import { LANGUAGES, languageOf } from './languages.ts'
import type { Entity, Links } from './links.ts'
import type { Lookup, Meaning, Side } from './lookup.ts'
import type { MemberTypes } from './member-types.ts'
import type { Receivers, SymbolRef } from './receivers.ts'
import { exportAt, exportCount, kindOf, OFFSET_MASK, offsetOf, rowNamedAt, symbolAt, symbolCount } from './rows.ts'
import { remapNames, Tables } from './tables.ts'
import type { Texts } from './texts.ts'

const VALUE = 1
const TYPE = 2
const VALUE_KINDS = new Set([KIND.function, KIND.constant, KIND.variable])
const TYPE_KINDS = new Set([KIND.interface, KIND.type])

function hasTypes(path: string): boolean {
  const { id } = LANGUAGES[languageOf(path)] ?? { id: '' }
  return id === 'typescript' || id === 'javascript'
}

export class PlaceLookup {
  private tables: Tables
  private links: Links
  private receivers: Receivers
  private texts: Texts
  private types: MemberTypes
  private lookup: Lookup

  constructor(tables: Tables, links: Links, receivers: Receivers, texts: Texts, types: MemberTypes, lookup: Lookup) {
    this.tables = tables
    this.links = links
    this.receivers = receivers
    this.texts = texts
    this.types = types
    this.lookup = lookup
  }

  /** What stands at a place: the file is read again with its local names. */
  async at(path: string, line: number, column: number): Promise<Meaning[]> {
    const file = this.tables.find(path.replace(/^\.\//, ''))
    if (file === undefined || !this.tables.facts[file]) return []
    const offset = offsetOf(this.tables, file, line, column)
    const declared = this.symbolUnder(file, offset) ?? this.exportUnder(file, offset)
    return (
      declared ??
      this.bindingUnder(file, offset, await this.withLocals(file)) ??
      (await this.typedMember(file, offset)) ??
      this.memberUnder(file, offset) ??
      []
    )
  }

  /** The member at a place by the type of its receiver; undefined where that is not known. */
  private async typedMember(file: number, offset: number): Promise<Meaning[] | undefined> {
    if (!hasTypes(this.tables.paths[file]!)) return undefined
    const found = (await this.types.open()).memberAt(file, offset)
    if (!found || found.declared.length === 0) return undefined
    const symbols: SymbolRef[] = []
    const meanings: Meaning[] = []
    for (const { file: at, offset: start, name } of found.declared) {
      const row = rowNamedAt(this.tables, at, start)
      if (row >= 0) symbols.push({ file: at, row })
      else meanings.push({ symbols: [], property: { file: at, name: this.tables.names.idOf(name), offset: start } })
    }
    const [first] = symbols
    if (!first) return meanings
    const entity = this.lookup.entityOf(first)
    return [entity ? { symbols, entity } : { symbols }, ...meanings]
  }

  /** Tables of one file alone, in which local variables are bindings too; undefined when its language has no scopes. */
  private async withLocals(file: number): Promise<Tables | undefined> {
    const path = this.tables.paths[file]!
    if (!hasTypes(path)) return undefined
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
      if (offset < start || !this.reaches(symbolAt(this.tables, file, row, 'name'), offset - start)) continue
      const entity = this.lookup.entityOf({ file, row })
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

  /** Whether a name has a character at `offset`; most have not as many bytes, which is told without decoding them. */
  private reaches(name: number, offset: number): boolean {
    return offset < Math.max(1, this.tables.names.byteLength(name)) && offset < this.length(name)
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
      if (entity && entity.name > 0) return [this.ofSide(entity, side)]
      // A whole module, or imported from outside the workspace: as far as this file knows, the import declares it.
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

  /** The name tokens of `export { name } from`. */
  private exportUnder(file: number, offset: number): Meaning[] | undefined {
    for (let row = 0; row < exportCount(this.tables, file); row++) {
      if ((exportAt(this.tables, file, row, 'kind') & 255) !== EXPORT_KIND.from) continue
      const local = exportAt(this.tables, file, row, 'local')
      const isUnder = (start: number, name: number) => offset >= start && offset < start + this.length(name)
      const hit =
        isUnder(exportAt(this.tables, file, row, 'localStart'), local) ||
        isUnder(exportAt(this.tables, file, row, 'nameStart'), exportAt(this.tables, file, row, 'name'))
      const target = hit ? this.links.target(file, row) : -1
      const entity = target < 0 ? undefined : this.links.exported(target, local)
      if (entity && entity.name > 0) return [this.ofSide(entity, 'value')]
    }
    return undefined
  }

  private meaningOfMember(file: number, hint: number, name: number): Meaning[] {
    const value = this.receivers.value(file, hint)
    const known = this.receivers.members(value, name)
    if (known.length > 0) {
      const entity = this.lookup.entityOf(known[0]!)
      return [entity ? { symbols: known, entity } : { symbols: known }]
    }
    if (value && this.receivers.isWhole(value)) return []
    // By the name alone.
    return this.lookup
      .candidates(this.tables.names.text(name))
      .filter(({ file: at, row }) => symbolAt(this.tables, at, row, 'container') >= 0)
      .map((symbol) => ({ symbols: [symbol] }))
  }
}
