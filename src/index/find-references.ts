// All uses of what a name means: of a top-level name through imports and re-exports, of a member through its receivers.
import type { Confidence } from './answers.ts'
import { HEAD } from './facts.ts'
import { EXPORT_KIND, KIND, SYMBOL_FLAG, USE_FLAG } from './kinds.ts'
import type { Entity, Links } from './links.ts'
import type { Meaning, Side } from './lookup.ts'
import type { MemberTypes } from './member-types.ts'
import { symbolKey, type Receivers, type SymbolRef } from './receivers.ts'
import {
  bindingAt,
  eachMember,
  eachRef,
  exportAt,
  flagsOf,
  importAt,
  importCount,
  kindOf,
  rowNamedAt,
  symbolAt,
  symbolCount,
} from './rows.ts'
import type { Tables } from './tables.ts'
import { settleUses, type UnsettledUse } from './typed-uses.ts'
import type { UseIndex } from './use-index.ts'

export interface FoundUse {
  file: number
  offset: number
  /** USE_FLAG bits. */
  flags: number
  confidence: Confidence
}

const RANK: Record<Confidence, number> = { possible: 0, likely: 1, exact: 2 }

/** Uses by file and offset; of two at one place the surer stays. */
class Uses {
  private byPlace = new Map<number, FoundUse>()
  add(file: number, offset: number, flags: number, confidence: Confidence): void {
    const key = symbolKey(file, offset)
    const known = this.byPlace.get(key)
    if (!known) this.byPlace.set(key, { file, offset, flags, confidence })
    else {
      known.flags |= flags
      if (RANK[confidence] > RANK[known.confidence]) known.confidence = confidence
    }
  }
  sorted(): FoundUse[] {
    return [...this.byPlace.values()].sort((a, b) => a.file - b.file || a.offset - b.offset)
  }
}

export class ReferenceFinder {
  private tables: Tables
  private links: Links
  private receivers: Receivers
  private useIndex: UseIndex
  private types: MemberTypes

  constructor(tables: Tables, links: Links, receivers: Receivers, useIndex: UseIndex, types: MemberTypes) {
    this.types = types
    this.useIndex = useIndex
    this.tables = tables
    this.links = links
    this.receivers = receivers
  }

  /**
   * Uses of all the meanings, in the order of files and places; sooner when the UseIndex was built for this state. When the tables
   * change before the end, what was found is not to be used.
   */
  async find(meanings: readonly Meaning[]): Promise<FoundUse[]> {
    const all = new Uses()
    const inner: SymbolRef[] = []
    for (const meaning of meanings) {
      if (meaning.local) this.ofLocal(meaning.local, all)
      else if (meaning.property) await this.ofProperty(meaning.property, all)
      else if (meaning.entity) this.ofSides(meaning, meaning.entity, all)
      else inner.push(...meaning.symbols)
    }
    await this.ofInner(inner, all)
    return all.sorted()
  }

  private ofLocal({ file, declared, uses }: NonNullable<Meaning['local']>, all: Uses): void {
    if (declared >= 0) all.add(file, declared, USE_FLAG.declaration, 'exact')
    for (const { offset, flags } of uses) all.add(file, offset, flags, 'exact')
  }

  /** Uses of a top-level name, of the side that was asked about. */
  private ofSides({ symbols, side }: Meaning, entity: Entity, all: Uses): void {
    const uses = side ? new Uses() : all
    this.ofEntity(entity, uses)
    for (const symbol of symbols) this.addDeclaration(symbol, uses)
    if (!side) return
    for (const { file, offset, flags, confidence } of uses.sorted())
      if (isOnSide(flags, side)) all.add(file, offset, flags, confidence)
  }

  private addDeclaration({ file, row }: SymbolRef, uses: Uses): void {
    uses.add(file, symbolAt(this.tables, file, row, 'nameStart'), USE_FLAG.declaration, 'exact')
  }

  private ofEntity(entity: Entity, uses: Uses): void {
    const { tables, links, useIndex } = this
    const own = links.findBinding(entity.file, entity.name)
    if (own >= 0) eachRef(tables, entity.file, own, (offset, flags) => uses.add(entity.file, offset, flags, 'exact'))
    // Inside the `declare module` that declares it.
    else for (const symbol of this.receivers.symbolsOf(entity)) this.ofNested(symbol, uses)
    const pairs = useIndex.bindingsOf(entity)
    for (let i = 0; i < pairs.length; i += 2) {
      const file = pairs[i]!
      eachRef(tables, file, pairs[i + 1]!, (offset, flags) => uses.add(file, offset, flags, 'exact'))
    }
    this.throughModules(entity, this.reExports(entity, uses), uses)
  }

  /**
   * Adds the name tokens of `export { name } from` and of the `export { name as other }` that pass an entity on; gives all names
   * it can be reached by.
   */
  private reExports(entity: Entity, uses: Uses): Set<number> {
    const { tables, useIndex } = this
    const names = new Set([entity.name])
    const pairs = useIndex.exportsOf(entity)
    for (let i = 0; i < pairs.length; i += 2) {
      const file = pairs[i]!
      const row = pairs[i + 1]!
      const name = exportAt(tables, file, row, 'name')
      const localStart = exportAt(tables, file, row, 'localStart')
      const nameStart = exportAt(tables, file, row, 'nameStart')
      names.add(name)
      uses.add(file, localStart, USE_FLAG.exportName, 'exact')
      const isFrom = (exportAt(tables, file, row, 'kind') & 255) === EXPORT_KIND.from
      const isWord = isFrom || tables.names.text(name) !== 'default'
      if (nameStart !== localStart && isWord) uses.add(file, nameStart, USE_FLAG.exportName, 'exact')
    }
    return names
  }

  /** Accesses through a namespace: `ns.name`, `import('x').name`, `const { name } = require('x')`. */
  private throughModules(entity: Entity, names: Set<number>, uses: Uses): void {
    const { tables, links, receivers } = this
    for (const file of this.useIndex.filesWithModules(names)) {
      if (!tables.facts[file]) continue
      for (const name of names) {
        eachMember(tables, file, name, (hint, offset, flags) => {
          const value = receivers.value(file, hint)
          if (value?.kind !== 'module') return
          const found = links.exported(value.file, name)
          if (found && found.file === entity.file && found.name === entity.name) uses.add(file, offset, flags, 'exact')
        })
      }
    }
  }

  /** Uses in its own file of what is declared in a namespace or function. */
  private ofNested({ file, row }: SymbolRef, uses: Uses): void {
    const { tables } = this
    for (let binding = 0; binding < tables.facts[file]![HEAD.bindings]!; binding++) {
      if (bindingAt(tables, file, binding, 'symbol') !== row) continue
      eachRef(tables, file, binding, (offset, flags) => uses.add(file, offset, flags, 'exact'))
    }
  }

  /**
   * Members of classes and the like, names of namespaces, local functions. Members of one name are looked for together: a name
   * such as `dispose` has thousands, and each place that says it is judged once.
   */
  private async ofInner(symbols: readonly SymbolRef[], uses: Uses): Promise<void> {
    const { tables } = this
    const members = new Map<number, SymbolRef[]>()
    for (const symbol of symbols) {
      this.addDeclaration(symbol, uses)
      const { file, row } = symbol
      this.ofNested(symbol, uses)
      const flags = flagsOf(tables, file, row)
      const isInside = symbolAt(tables, file, row, 'container') >= 0 && !(flags & SYMBOL_FLAG.local)
      if (!isInside && !(flags & SYMBOL_FLAG.literalMember)) continue
      const name = symbolAt(tables, file, row, 'name')
      const same = members.get(name)
      if (same) same.push(symbol)
      else members.set(name, [symbol])
    }
    for (const [name, same] of members) await this.ofMembers(name, same, uses)
  }

  private async ofMembers(name: number, symbols: readonly SymbolRef[], uses: Uses): Promise<void> {
    const { tables, receivers } = this
    const wanted = new Set<number>()
    for (const symbol of symbols) for (const key of receivers.closure(symbol)) wanted.add(key)
    const family = this.family(name, wanted)
    for (const member of family.members) this.addDeclaration(member, uses)
    const unsettled: UnsettledUse[] = []
    for (const file of this.useIndex.filesAccessing(name)) {
      eachMember(tables, file, name, (hint, offset, flags) => {
        const judged = this.judge(file, hint, name, wanted)
        if (judged === 'wanted') uses.add(file, offset, flags, 'exact')
        else if (judged === 'other') unsettled.push({ file, offset, flags, otherwise: undefined })
        else if (judged === 'unknown')
          unsettled.push({ file, offset, flags, otherwise: family.alone ? 'likely' : 'possible' })
      })
    }
    const isWanted = (file: number, offset: number) => {
      const row = rowNamedAt(tables, file, offset)
      return row >= 0 && meets(receivers.closure({ file, row }), wanted)
    }
    await this.settle(unsettled, isWanted, uses)
  }

  /** Uses of a property of an object literal, which only types can tell. */
  private async ofProperty({ file, name, offset }: NonNullable<Meaning['property']>, uses: Uses): Promise<void> {
    uses.add(file, offset, USE_FLAG.declaration, 'exact')
    const unsettled: UnsettledUse[] = []
    for (const from of this.useIndex.filesAccessing(name))
      eachMember(this.tables, from, name, (_hint, at, flags) =>
        unsettled.push({ file: from, offset: at, flags, otherwise: undefined }),
      )
    await this.settle(unsettled, (from, at) => from === file && at === offset, uses)
  }

  private async settle(
    unsettled: UnsettledUse[],
    isWanted: (file: number, offset: number) => boolean,
    uses: Uses,
  ): Promise<void> {
    if (unsettled.length === 0) return
    const known = new Map<number, boolean>()
    const wanted = (file: number, offset: number) => {
      const key = symbolKey(file, offset)
      const before = known.get(key)
      if (before !== undefined) return before
      const now = isWanted(file, offset)
      known.set(key, now)
      return now
    }
    await settleUses(this.types, this.tables, unsettled, wanted, ({ file, offset, flags }, confidence) =>
      uses.add(file, offset, flags, confidence),
    )
  }

  /** Members of that name that are one with the wanted ones, and whether there are no others. */
  private family(name: number, wanted: Set<number>): { members: SymbolRef[]; alone: boolean } {
    const { tables, receivers } = this
    const members: SymbolRef[] = []
    let alone = true
    for (const file of this.useIndex.filesDeclaring(name))
      for (let row = 0; row < symbolCount(tables, file); row++) {
        if (symbolAt(tables, file, row, 'name') !== name || symbolAt(tables, file, row, 'container') < 0) continue
        if (flagsOf(tables, file, row) & (SYMBOL_FLAG.local | SYMBOL_FLAG.literalMember)) continue
        if (meets(receivers.closure({ file, row }), wanted)) members.push({ file, row })
        else alone = false
      }
    return { members, alone }
  }

  /** Whether an access means a wanted member, as far as the tables tell; `other`: it seems to be one of something else. */
  private judge(file: number, hint: number, name: number, wanted: Set<number>): 'wanted' | 'other' | 'no' | 'unknown' {
    const { receivers, tables } = this
    const value = receivers.value(file, hint)
    if (!value) return 'unknown'
    const members = receivers.members(value, name)
    if (members.length === 0) return receivers.isWhole(value) ? 'other' : 'unknown'
    const isWanted = members.some((member) => meets(receivers.closure(member), wanted))
    // An alias may stand for more than the part that was found, or for one of its several literals.
    const isAlias = value.kind === 'instance' && kindOf(tables, value.file, value.row) === KIND.type
    if (isAlias && members.length > 1) return isWanted ? 'unknown' : 'other'
    return isWanted ? 'wanted' : isAlias ? 'other' : 'no'
  }

  /** Import rows that only load a file, by the files they mean. */
  importsOf(file: number): { file: number; row: number }[] {
    const rows: { file: number; row: number }[] = []
    for (let from = 0; from < this.tables.count; from++)
      for (let row = 0; row < importCount(this.tables, from); row++)
        if (importAt(this.tables, from, row, 'spec') > 0 && this.links.allTargets(from, row).includes(file))
          rows.push({ file: from, row })
    return rows
  }
}

/** Whether a use belongs to one side of a name that is a value and a type; import and export tokens belong to both. */
function isOnSide(flags: number, side: Side): boolean {
  if (flags & (USE_FLAG.declaration | USE_FLAG.importName | USE_FLAG.exportName)) return true
  return ((flags & USE_FLAG.type) !== 0) === (side === 'type')
}

function meets(a: Set<number>, b: Set<number>): boolean {
  for (const key of a) if (b.has(key)) return true
  return false
}
