// What a receiver is, as far as syntax tells: follows hints through declarations, imports, members, calls and inheritance.
// No types are computed; where syntax does not say, the answer is undefined and the caller falls back on names.
import { HEAD, HERITAGE, HINT, STRIDE } from './facts.ts'
import { HINT_KIND, KIND, SYMBOL_FLAG } from './kinds.ts'
import type { Entity, Links } from './links.ts'
import { bindingAt, flagsOf, kindOf, symbolAt } from './rows.ts'
import { SymbolIndex } from './symbol-index.ts'
import type { Tables } from './tables.ts'

/** A symbol by file and row. */
export interface SymbolRef {
  file: number
  row: number
}

/**
 * `instance` of a class, interface or alias; `self`: the symbol itself (class side, enum, namespace, function, literal);
 * `module`; `outside`: a type that the workspace does not declare; `list` and `generic` carry what they hold.
 */
export type Value =
  | { kind: 'instance' | 'self'; file: number; row: number }
  | { kind: 'module'; file: number }
  | { kind: 'outside' }
  | { kind: 'list'; of: Value | undefined }
  | { kind: 'generic'; base: Value | undefined; of: Value | undefined }

const MAX_DEPTH = 40
const TYPE_KINDS = new Set([KIND.class, KIND.interface, KIND.type, KIND.enum, KIND.struct, KIND.trait])
const OUTSIDE: Value = { kind: 'outside' }
const NOTHING: SymbolRef[] = []

export class Receivers {
  private tables: Tables
  private links: Links
  private index: SymbolIndex
  /** Symbols that count as top-level though something contains them, by file and name. */
  private nested = new Map<number, SymbolRef[]>()
  /** Values by file and hint. */
  private values: (Map<number, Value | undefined> | undefined)[] = []
  /** Members by file, row and side, and name. */
  private found: (Map<number, Map<number, SymbolRef[]>> | undefined)[] = []
  private closures = new Map<number, Set<number>>()

  constructor(tables: Tables, links: Links) {
    this.tables = tables
    this.links = links
    this.index = new SymbolIndex(tables)
  }

  reset(): void {
    this.values = []
    this.found = []
    this.index.reset()
    this.nested.clear()
    this.closures.clear()
  }

  /** Forgets what the expressions of one file stand for: after a pass over it they are rarely asked about again. */
  forget(file: number): void {
    this.values[file] = undefined
  }

  /** What a hint of a file stands for. */
  value(file: number, hint: number, depth = 0): Value | undefined {
    if (hint < 0 || depth > MAX_DEPTH) return undefined
    const values = (this.values[file] ??= new Map<number, Value | undefined>())
    const known = values.get(hint)
    if (known !== undefined || values.has(hint)) return known
    // Set first: a ring of hints ends here.
    values.set(hint, undefined)
    const value = this.compute(file, hint, depth + 1)
    values.set(hint, value)
    return value
  }

  private compute(file: number, hint: number, depth: number): Value | undefined {
    const at = this.tables.starts[file]![HEAD.hints]! + hint * STRIDE.hints
    const facts = this.tables.facts[file]!
    const a = facts[at + HINT.a]!
    switch (facts[at + HINT.kind]) {
      case HINT_KIND.binding:
        return this.ofBinding(file, a, false, depth)
      case HINT_KIND.typed:
        return this.ofBinding(file, a, true, depth)
      case HINT_KIND.self:
        return { kind: 'instance', file, row: a }
      case HINT_KIND.selfStatic:
        return { kind: 'self', file, row: a }
      case HINT_KIND.symbol:
        return this.ofSymbol(file, a, depth)
      case HINT_KIND.base:
        return this.bases(file, a, depth)[0]
      case HINT_KIND.member:
        return this.memberValue(this.value(file, a, depth), facts[at + HINT.b]!, depth)
      case HINT_KIND.call:
        return this.called(this.value(file, a, depth), depth)
      case HINT_KIND.construct: {
        const made = this.value(file, a, depth)
        return made?.kind === 'self' ? { ...made, kind: 'instance' } : made?.kind === 'outside' ? made : undefined
      }
      case HINT_KIND.instance: {
        const type = this.value(file, a, depth)
        return type?.kind === 'self' ? { ...type, kind: 'instance' } : type
      }
      case HINT_KIND.awaited: {
        const value = this.value(file, a, depth)
        return value?.kind === 'generic' ? value.of : value
      }
      case HINT_KIND.element: {
        const value = this.value(file, a, depth)
        return value?.kind === 'generic' || value?.kind === 'list' ? value.of : undefined
      }
      case HINT_KIND.generic:
        return { kind: 'generic', base: this.value(file, a, depth), of: this.value(file, facts[at + HINT.b]!, depth) }
      case HINT_KIND.list:
        return { kind: 'list', of: this.value(file, a, depth) }
      case HINT_KIND.module: {
        const target = this.links.targets(file)[a]!
        return target >= 0 ? { kind: 'module', file: target } : OUTSIDE
      }
      default:
        return undefined
    }
  }

  private ofBinding(file: number, binding: number, isType: boolean, depth: number): Value | undefined {
    const symbol = bindingAt(this.tables, file, binding, 'symbol')
    const entity = this.links.entityOf(file, binding)
    if (!entity) {
      if (symbol < 0) return OUTSIDE
      return isType ? { kind: 'instance', file, row: symbol } : this.ofSymbol(file, symbol, depth)
    }
    if (entity.name === 0) return { kind: 'module', file: entity.file }
    const symbols = this.symbolsOf(entity)
    const wanted =
      symbols.find(({ row }) => TYPE_KINDS.has(kindOf(this.tables, entity.file, row)) === isType) ?? symbols[0]
    if (!wanted) return undefined
    if (isType) return { kind: 'instance', file: wanted.file, row: wanted.row }
    // A class, enum or namespace is a value too; prefer a plain value of the same name.
    return this.ofSymbol(wanted.file, wanted.row, depth)
  }

  /** The first of `symbolsOf`. */
  symbolOf(entity: Entity): SymbolRef | undefined {
    const row = this.index.first(entity.file, -1, entity.name)
    return row < 0 ? this.symbolsOf(entity)[0] : { file: entity.file, row }
  }

  /** Symbols that declare a top-level name. */
  symbolsOf({ file, name }: Entity): SymbolRef[] {
    const rows = this.index.rows(file, -1, name)
    if (rows.length > 0) return rows.map((row) => ({ file, row }))
    const key = symbolKey(file, name)
    const known = this.nested.get(key)
    if (known) return known
    const found = this.topLevelRows(file, name).map((row) => ({ file, row }))
    this.nested.set(key, found)
    return found
  }

  /** Rows of a name for which `isTopLevel` holds: at the top of the file, or where the binding of the name declares it. */
  private topLevelRows(file: number, name: number): number[] {
    const top = this.index.rows(file, -1, name, true)
    const binding = this.links.findBinding(file, name)
    const symbol = binding < 0 ? -1 : bindingAt(this.tables, file, binding, 'symbol')
    const container = symbol < 0 ? -1 : symbolAt(this.tables, file, symbol, 'container')
    const containers = new Set(this.links.moduleBlocks(file))
    if (container >= 0) containers.add(container)
    if (containers.size === 0) return [...top]
    const inner = [...containers].flatMap((at) => this.index.rows(file, at, name, true))
    return [...top, ...inner].sort((a, b) => a - b)
  }

  private ofSymbol(file: number, row: number, depth: number): Value | undefined {
    const kind = kindOf(this.tables, file, row)
    const hint = symbolAt(this.tables, file, row, 'hint')
    const isValue = kind === KIND.constant || kind === KIND.variable || kind === KIND.namespace
    return isValue && hint >= 0 ? this.value(file, hint, depth) : { kind: 'self', file, row }
  }

  private memberValue(value: Value | undefined, name: number, depth: number): Value | undefined {
    if (value?.kind === 'outside') return OUTSIDE
    const [member] = this.members(value, name, depth)
    if (!member) return undefined
    const { file, row } = member
    const kind = kindOf(this.tables, file, row)
    if (kind === KIND.property || kind === KIND.getter)
      return this.value(file, symbolAt(this.tables, file, row, 'hint'), depth)
    if (kind === KIND['enum-member'])
      return { kind: 'instance', file, row: symbolAt(this.tables, file, row, 'container') }
    return this.ofSymbol(file, row, depth)
  }

  private called(value: Value | undefined, depth: number): Value | undefined {
    if (value?.kind === 'outside') return OUTSIDE
    if (value?.kind !== 'self') return undefined
    const kind = kindOf(this.tables, value.file, value.row)
    // Python and C++ make an instance by calling the class.
    if (kind === KIND.class || kind === KIND.struct) return { ...value, kind: 'instance' }
    if (kind !== KIND.function && kind !== KIND.method) return undefined
    return this.value(value.file, symbolAt(this.tables, value.file, value.row, 'hint'), depth)
  }

  /** Declarations of a member of a value, its own before inherited ones; empty when there are none or nothing is known. */
  members(value: Value | undefined, name: number, depth = 0): SymbolRef[] {
    if (!value || depth > MAX_DEPTH) return []
    if (value.kind === 'generic') return this.members(value.base, name, depth + 1)
    if (value.kind === 'module') {
      const entity = this.links.exported(value.file, name)
      return entity && entity.name > 0 ? this.symbolsOf(entity) : []
    }
    if (value.kind !== 'instance' && value.kind !== 'self') return []
    const memo = (this.found[value.file] ??= new Map<number, Map<number, SymbolRef[]>>())
    const key = value.row * 2 + (value.kind === 'self' ? 1 : 0)
    let names = memo.get(key)
    if (!names) memo.set(key, (names = new Map<number, SymbolRef[]>()))
    const known = names.get(name)
    if (known) return known
    names.set(name, NOTHING)
    const found = this.findMembers(value, name, depth + 1)
    names.set(name, found)
    return found
  }

  private findMembers(
    value: { kind: 'instance' | 'self'; file: number; row: number },
    name: number,
    depth: number,
  ): SymbolRef[] {
    const { file } = value
    const parts = this.declarations(file, value.row)
    const found: SymbolRef[] = []
    for (const container of parts) found.push(...this.ownMembers(file, container, name, value.kind === 'self'))
    if (found.length > 0) return found
    for (const container of parts) {
      const hint = symbolAt(this.tables, file, container, 'hint')
      if (kindOf(this.tables, file, container) === KIND.type && hint >= 0)
        return this.members(this.value(file, hint, depth), name, depth)
      for (const base of this.bases(file, container, depth)) {
        const side: Value = base.kind === 'instance' && value.kind === 'self' ? { ...base, kind: 'self' } : base
        const inherited = this.members(side, name, depth)
        if (inherited.length > 0) return inherited
      }
    }
    return []
  }

  /** Rows that together declare one thing: a class and the interface of its name, an interface in parts. */
  declarations(file: number, row: number): readonly number[] {
    const name = symbolAt(this.tables, file, row, 'name')
    const rows = this.index.rows(file, symbolAt(this.tables, file, row, 'container'), name)
    return rows.includes(row) ? rows : [row]
  }

  private ownMembers(file: number, container: number, name: number, isStatic: boolean): SymbolRef[] {
    const rows = this.index.rows(file, container, name)
    if (rows.length === 0) return NOTHING
    const isClass = kindOf(this.tables, file, container) === KIND.class
    const found: SymbolRef[] = []
    for (const row of rows)
      if (!isClass || ((flagsOf(this.tables, file, row) & SYMBOL_FLAG.static) !== 0) === isStatic)
        found.push({ file, row })
    return found
  }

  /** Instances of what a class or interface is declared to extend and implement. */
  bases(file: number, row: number, depth = 0): Value[] {
    const facts = this.tables.facts[file]!
    const start = this.tables.starts[file]![HEAD.heritage]!
    const bases: Value[] = []
    for (let i = 0; i < facts[HEAD.heritage]!; i++) {
      const at = start + i * STRIDE.heritage
      if (facts[at + HERITAGE.symbol] !== row) continue
      const value = this.value(file, facts[at + HERITAGE.hint]!, depth)
      const plain = value?.kind === 'generic' ? value.base : value
      if (plain) bases.push(plain)
    }
    return bases
  }

  /** A member and all it overrides or implements, as symbolKeys: two members are one when these meet. */
  closure(member: SymbolRef): Set<number> {
    const key = symbolKey(member.file, member.row)
    const known = this.closures.get(key)
    if (known) return known
    const closure = new Set([key])
    this.closures.set(key, closure)
    const { file, row } = member
    const container = symbolAt(this.tables, file, row, 'container')
    // The literals of an alias (`{ kind: 'a' } | { kind: 'b' }`) are types of their own, though all are in it.
    if (container < 0 || kindOf(this.tables, file, container) === KIND.type) return closure
    const name = symbolAt(this.tables, file, row, 'name')
    const isStatic = (flagsOf(this.tables, file, row) & SYMBOL_FLAG.static) !== 0
    for (const part of this.declarations(file, container)) {
      for (const sibling of this.ownMembers(file, part, name, isStatic))
        closure.add(symbolKey(sibling.file, sibling.row))
      for (const base of this.bases(file, part))
        for (const inherited of this.members(base, name))
          for (const other of this.closure(inherited)) closure.add(other)
    }
    return closure
  }

  /** Whether all that a value inherits from is declared in the workspace, so that a member not found is not there. */
  isWhole(value: Value, depth = 0): boolean {
    if (value.kind === 'outside' || value.kind === 'list' || value.kind === 'module') return true
    if (value.kind === 'generic') return value.base !== undefined && this.isWhole(value.base, depth + 1)
    if (depth > MAX_DEPTH) return false
    if (value.kind === 'self') return TYPE_KINDS.has(kindOf(this.tables, value.file, value.row))
    return this.declarations(value.file, value.row).every((row) => {
      if (kindOf(this.tables, value.file, row) === KIND.type) return false
      const declared = this.heritageCount(value.file, row)
      const bases = this.bases(value.file, row)
      return (
        declared === bases.length && bases.every((base) => base.kind !== 'outside' && this.isWhole(base, depth + 1))
      )
    })
  }

  private heritageCount(file: number, row: number): number {
    const facts = this.tables.facts[file]!
    const start = this.tables.starts[file]![HEAD.heritage]!
    let count = 0
    for (let i = 0; i < facts[HEAD.heritage]!; i++)
      if (facts[start + i * STRIDE.heritage + HERITAGE.symbol] === row) count++
    return count
  }
}

/** One number for a row of a file: files to 2^26, rows to 2^26. */
export function symbolKey(file: number, row: number): number {
  return file * 0x4000000 + row
}
