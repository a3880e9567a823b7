// Reading rows of facts by file id. Thin on purpose: loops over many rows use the arrays themselves.
import { BINDING, BINDING_FLAG, EXPORT, HEAD, IMPORT, MEMBER, MEMBER_NAME, STRIDE, SYMBOL } from './facts.ts'
import { KIND, POSITION_BITS } from './kinds.ts'
import type { Tables } from './tables.ts'

const TYPESCRIPT = /\.[cm]?tsx?$/
export const OFFSET_MASK = (1 << POSITION_BITS) - 1

export function symbolAt(tables: Tables, file: number, row: number, column: keyof typeof SYMBOL): number {
  return tables.facts[file]![tables.starts[file]![HEAD.symbols]! + row * STRIDE.symbols + SYMBOL[column]]!
}
export function symbolCount(tables: Tables, file: number): number {
  return tables.facts[file]?.[HEAD.symbols] ?? 0
}
export function kindOf(tables: Tables, file: number, row: number): number {
  return symbolAt(tables, file, row, 'kind') & 255
}
export function flagsOf(tables: Tables, file: number, row: number): number {
  return symbolAt(tables, file, row, 'kind') >>> 8
}

/** Row of the symbol whose name stands at an offset, or -1. */
export function rowNamedAt(tables: Tables, file: number, offset: number): number {
  const facts = tables.facts[file]
  if (!facts) return -1
  const start = tables.starts[file]![HEAD.symbols]!
  for (let row = 0; row < facts[HEAD.symbols]!; row++)
    if (facts[start + row * STRIDE.symbols + SYMBOL.nameStart] === offset) return row
  return -1
}

/**
 * Whether a symbol is reached by its bare name from outside its file: nothing contains it, or only what the binding of its name
 * passes over (a C++ namespace, a CSS media query), or it is imported from a `declare module`.
 */
export function isTopLevel(tables: Tables, file: number, row: number): boolean {
  const container = symbolAt(tables, file, row, 'container')
  if (container < 0) return true
  if (kindOf(tables, file, container) === KIND.module && TYPESCRIPT.test(tables.paths[file]!)) return true
  const name = symbolAt(tables, file, row, 'name')
  for (let binding = 0; binding < bindingCount(tables, file); binding++) {
    if (bindingAt(tables, file, binding, 'name') !== name) continue
    if ((bindingAt(tables, file, binding, 'flags') & BINDING_FLAG.top) === 0) continue
    const symbol = bindingAt(tables, file, binding, 'symbol')
    return symbol >= 0 && symbolAt(tables, file, symbol, 'container') === container
  }
  return false
}

export function importAt(tables: Tables, file: number, row: number, column: keyof typeof IMPORT): number {
  return tables.facts[file]![tables.starts[file]![HEAD.imports]! + row * STRIDE.imports + IMPORT[column]]!
}
export function importCount(tables: Tables, file: number): number {
  return tables.facts[file]?.[HEAD.imports] ?? 0
}

export function exportAt(tables: Tables, file: number, row: number, column: keyof typeof EXPORT): number {
  return tables.facts[file]![tables.starts[file]![HEAD.exports]! + row * STRIDE.exports + EXPORT[column]]!
}
export function exportCount(tables: Tables, file: number): number {
  return tables.facts[file]?.[HEAD.exports] ?? 0
}

export function bindingAt(tables: Tables, file: number, row: number, column: keyof typeof BINDING): number {
  return tables.facts[file]![tables.starts[file]![HEAD.bindings]! + row * STRIDE.bindings + BINDING[column]]!
}
export function bindingCount(tables: Tables, file: number): number {
  return tables.facts[file]?.[HEAD.bindings] ?? 0
}

/** Calls back with each use of a binding: its offset and USE_FLAG bits. */
export function eachRef(
  tables: Tables,
  file: number,
  binding: number,
  visit: (offset: number, flags: number) => void,
): void {
  const facts = tables.facts[file]!
  const base = tables.starts[file]![HEAD.refs]!
  const first = bindingAt(tables, file, binding, 'refs')
  const end = binding + 1 < facts[HEAD.bindings]! ? bindingAt(tables, file, binding + 1, 'refs') : facts[HEAD.refs]!
  for (let i = first; i < end; i++) {
    const word = facts[base + i]!
    visit(word & OFFSET_MASK, word >>> POSITION_BITS)
  }
}

/** Calls back with each access to a member of that name: the receiver's hint, the offset, USE_FLAG bits. */
export function eachMember(
  tables: Tables,
  file: number,
  name: number,
  visit: (hint: number, offset: number, flags: number) => void,
): void {
  const facts = tables.facts[file]!
  const starts = tables.starts[file]!
  const names = starts[HEAD.memberNames]!
  const count = facts[HEAD.memberNames]!
  for (let row = 0; row < count; row++) {
    const at = names + row * STRIDE.memberNames
    if (facts[at + MEMBER_NAME.name] !== name) continue
    const first = facts[at + MEMBER_NAME.first]!
    const end = row + 1 < count ? facts[at + STRIDE.memberNames + MEMBER_NAME.first]! : facts[HEAD.members]!
    for (let i = first; i < end; i++) {
      const member = starts[HEAD.members]! + i * STRIDE.members
      const word = facts[member + MEMBER.position]!
      visit(facts[member + MEMBER.hint]!, word & OFFSET_MASK, word >>> POSITION_BITS)
    }
    return
  }
}

/** 1-based line of an offset, and its 1-based column. */
export function placeOf(tables: Tables, file: number, offset: number): { line: number; column: number } {
  const facts = tables.facts[file]!
  const base = tables.starts[file]![HEAD.lines]!
  let low = 0
  let high = facts[HEAD.lines]!
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (facts[base + middle]! <= offset) low = middle
    else high = middle
  }
  return { line: low + 1, column: offset - (facts[base + low] ?? 0) + 1 }
}

/** Offset of a 1-based line and column, at most the start of the next line. */
export function offsetOf(tables: Tables, file: number, line: number, column: number): number {
  const facts = tables.facts[file]!
  const count = facts[HEAD.lines]!
  const at = Math.min(Math.max(line, 1), Math.max(count, 1)) - 1
  return (facts[tables.starts[file]![HEAD.lines]! + at] ?? 0) + Math.max(column, 1) - 1
}

/** Row of the innermost symbol whose range holds an offset, or -1. */
export function innermost(tables: Tables, file: number, offset: number): number {
  const facts = tables.facts[file]!
  const base = tables.starts[file]![HEAD.symbols]!
  const count = facts[HEAD.symbols]!
  let best = -1
  let bestSize = Infinity
  for (let row = 0; row < count; row++) {
    const at = base + row * STRIDE.symbols
    const start = facts[at + SYMBOL.start]!
    const end = facts[at + SYMBOL.end]!
    if (start <= offset && offset < end && end - start <= bestSize) {
      best = row
      bestSize = end - start
    }
  }
  return best
}
