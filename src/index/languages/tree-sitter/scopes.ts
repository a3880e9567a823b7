import { KIND } from '../../kinds.ts'
import { FUNCTION_KINDS, type Captured, type Span, type TypeSpan } from './captures.ts'
import { type FoundSymbol } from './symbol-tree.ts'

/** A name that a function, a block or a parameter list declares. */
export interface LocalName {
  declaredAt: number
  /** Offset from which it is known; before it the name means what it means outside. */
  from: number
  type: TypeSpan | undefined
  /** It stands for the present object. */
  self: boolean
  /** The nested function or class it names. */
  symbol: FoundSymbol | undefined
  /** Its hint is being looked for: `x = x.next()`. */
  busy: boolean
  /** Binding row, -1 until it is used. */
  binding: number
}

export interface Scope extends Span {
  outer: Scope | undefined
  names: Map<string, LocalName> | undefined
}

/**
 * Builds the scopes of a file and puts the local names into them. Names declared outside all scopes are left out: they are
 * top-level symbols, or nobody's.
 *
 * @param hoist whether a name is known in all of its scope, not only after its declaration
 * @returns the scopes in the order of the file, an outer one before the inner ones
 */
export function buildScopes(found: Captured, symbols: FoundSymbol[], text: string, hoist: boolean): Scope[] {
  const scopes: Scope[] = []
  const open: Scope[] = []
  for (const { start, end } of found.scopes.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    while (open.length > 0 && open.at(-1)!.end < end) open.pop()
    const outer = open.at(-1)
    if (outer && outer.start === start && outer.end === end) continue
    const scope: Scope = { start, end, outer, names: undefined }
    scopes.push(scope)
    open.push(scope)
  }
  if (scopes.length === 0) return scopes
  for (const local of found.locals) {
    const scope = scopeAt(scopes, local.start)
    const from = hoist ? 0 : local.from
    if (scope) declare(scope, text.slice(local.start, local.end), local, from, undefined)
  }
  for (const symbol of symbols) {
    if (symbol.isTop) continue
    let scope = scopeAt(scopes, symbol.nameStart)
    while (scope && scope.start >= symbol.start && scope.end <= symbol.end) scope = scope.outer
    // A member of a local class is reached through the class, not by its bare name.
    if (scope && symbol.container && FUNCTION_KINDS.has(KIND[symbol.container.kind]))
      declare(scope, symbol.name, { start: symbol.nameStart, type: undefined, self: false }, 0, symbol)
  }
  for (const { start, end } of found.globals) scopeAt(scopes, start)?.names?.delete(text.slice(start, end))
  return scopes
}

function declare(
  scope: Scope,
  name: string,
  local: { start: number; type: TypeSpan | undefined; self: boolean },
  from: number,
  symbol: FoundSymbol | undefined,
): void {
  scope.names ??= new Map()
  const known = scope.names.get(name)
  if (known) {
    known.from = Math.min(known.from, from)
    known.symbol ??= symbol
    known.type ??= local.type
    known.self ||= local.self
    return
  }
  const { start, type, self } = local
  scope.names.set(name, { declaredAt: start, from, type, self, symbol, busy: false, binding: -1 })
}

/** The innermost scope around an offset. */
export function scopeAt(scopes: Scope[], offset: number): Scope | undefined {
  let low = 0
  let high = scopes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (scopes[middle]!.start <= offset) low = middle + 1
    else high = middle
  }
  let scope: Scope | undefined = scopes[low - 1]
  while (scope && scope.end <= offset) scope = scope.outer
  return scope
}

/** What a name means at an offset, if it is local there. */
export function localAt(scope: Scope | undefined, name: string, offset: number): LocalName | undefined {
  for (let at = scope; at; at = at.outer) {
    const local = at.names?.get(name)
    if (local && (offset >= local.from || offset === local.declaredAt)) return local
  }
  return undefined
}
