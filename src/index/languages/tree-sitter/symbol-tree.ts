// Puts the symbols of one file into a tree: which stands in which, what each is in the end, how deep blocks are nested.
// Does not promise that the source makes sense: in broken code a symbol stands in whatever encloses it in the tree.
import { KIND, SYMBOL_FLAG, type SymbolKind } from '../../kinds.ts'
import type { Captured, Span, SymbolMatch, TypeSpan } from './captures.ts'
import { CLASS_KINDS, FUNCTION_KINDS } from './captures.ts'
import { docStartOf, type Docs } from './docs.ts'
import type { LanguageData } from './language-data.ts'
import { compileRules, type Rule } from './symbol-rules.ts'

export interface FoundSymbol {
  name: string
  kind: SymbolKind
  flags: number
  nameStart: number
  start: number
  end: number
  bodyStart: number
  docStart: number
  nesting: number
  level: number
  lift: boolean
  container: FoundSymbol | undefined
  type: TypeSpan | undefined
  /** Set when the container is only named (`func (t *T) M`), until it is looked up. */
  containerName: string | undefined
  /** Offset of that name, or -1. */
  containerStart: number
  /** Its container keeps a promise made elsewhere, as Rust's `impl Trait for Type` does. */
  implementing: boolean
  /** Nothing contains it but what keeps its members' names open to all. */
  isTop: boolean
  /** Row in the facts, once written. */
  row: number
}

export interface SymbolTree {
  /** In the order of the file; a container may come after what it contains. */
  symbols: FoundSymbol[]
  /** Deepest nesting of blocks in the file. */
  nesting: number
}

/** Kinds that do not make their members anything but top-level names. */
const OPEN_KINDS: SymbolKind[] = ['namespace', 'module', 'section', 'selector', 'element']

/** Kinds that are always reached through what they belong to. */
const MEMBER_KINDS: ReadonlySet<SymbolKind> = new Set(['method', 'constructor', 'getter', 'setter', 'property'])

function isWithin(symbol: FoundSymbol, outer: FoundSymbol): boolean {
  for (let at: FoundSymbol | undefined = symbol; at; at = at.container) if (at === outer) return true
  return false
}

/** The innermost class-like symbol around a symbol. */
export function classAround(symbol: FoundSymbol | undefined): FoundSymbol | undefined {
  let at = symbol
  while (at && !CLASS_KINDS.has(KIND[at.kind])) at = at.container
  return at
}

export class SymbolTreeBuilder {
  private rules: Rule[]
  private trim: RegExp | undefined
  private oneLine: boolean
  private redeclared: boolean
  private open: ReadonlySet<SymbolKind>
  constructor(data: LanguageData) {
    this.oneLine = data.oneLineSignature ?? false
    this.redeclared = data.assignmentDeclares ?? false
    this.open = new Set([...OPEN_KINDS, ...(data.openKinds ?? [])])
    this.rules = compileRules(data.rules ?? [])
    this.trim = data.nameTrim === undefined ? undefined : new RegExp(data.nameTrim, 'gu')
  }

  build(found: Captured, docs: Docs, text: string): SymbolTree {
    const symbols = this.candidates(found, text)
    const owners = found.owners.map(({ start, end, name, implementing }) => {
      return { start, end, implementing, owner: text.slice(name.start, name.end), ownerStart: name.start }
    })
    const sweep = new Sweep(found.nests, owners)
    for (const symbol of symbols) sweep.enter(symbol)
    const nesting = sweep.finish()
    sectionEnds(symbols, text.length)
    const kept = this.settle(symbols, text)
    for (const symbol of kept) symbol.docStart = docStartOf(symbol, docs, text)
    visibilityOfSections(kept, found, text)
    return { symbols: kept, nesting }
  }

  /** One candidate per name, with the range of its wider declaration. */
  private candidates(found: Captured, text: string): FoundSymbol[] {
    const wider = new Map(found.wider.map((span) => [span.name.start, span]))
    const byName = new Map<number, SymbolMatch>()
    for (const match of found.symbols) {
      const known = byName.get(match.name.start)
      if (known === undefined || match.pattern < known.pattern) byName.set(match.name.start, match)
    }
    const symbols: FoundSymbol[] = []
    for (const match of byName.values()) {
      const outer = wider.get(match.name.start)
      const name = this.nameOf(text.slice(match.name.start, match.name.end))
      if (name === '') continue
      const end = match.rest ? restEnd(found.symbols, match, text) : Math.max(match.end, outer?.end ?? 0)
      symbols.push({
        name,
        kind: match.kind,
        flags: 0,
        nameStart: match.name.start,
        start: Math.min(match.start, outer?.start ?? match.start),
        end,
        bodyStart: this.bodyStart(match, end, text),
        docStart: -1,
        nesting: 0,
        level: match.level,
        lift: match.lift,
        container: undefined,
        type: match.type,
        containerName: match.container && text.slice(match.container.start, match.container.end),
        containerStart: match.container?.start ?? -1,
        implementing: false,
        isTop: false,
        row: -1,
      })
    }
    return symbols.sort((a, b) => a.start - b.start || b.end - a.end || a.nameStart - b.nameStart)
  }

  private bodyStart(match: SymbolMatch, end: number, text: string): number {
    const body = match.body >= 0 ? match.body : match.rest ? match.end : end
    if (!this.oneLine) return body
    const newline = text.indexOf('\n', match.name.end)
    return newline < 0 ? body : Math.min(body, newline)
  }

  private nameOf(text: string): string {
    const name = this.trim === undefined ? text : text.replace(this.trim, '')
    return name.replace(/\s+/gu, ' ').trim().slice(0, MAX_NAME)
  }

  /** Looks containers up by name, decides kinds and flags, and leaves out what is local or said twice. */
  private settle(symbols: FoundSymbol[], text: string): FoundSymbol[] {
    const classes = new Map<string, FoundSymbol>()
    for (const symbol of symbols)
      if (CLASS_KINDS.has(KIND[symbol.kind]) && !classes.has(symbol.name)) classes.set(symbol.name, symbol)
    const kept: FoundSymbol[] = []
    const seen = new Set<string>()
    const ids = new Map<FoundSymbol, number>()
    for (const symbol of symbols) {
      if (symbol.containerName !== undefined) symbol.container = this.named(symbol, classes, kept)
      else if (symbol.lift) symbol.container = classAround(symbol.container)
      if (symbol.lift && symbol.container === undefined) continue
      const { container } = symbol
      const inClass = container !== undefined && CLASS_KINDS.has(KIND[container.kind])
      if (container !== undefined && FUNCTION_KINDS.has(KIND[container.kind])) {
        if (VALUE_KINDS.has(symbol.kind)) continue
        symbol.flags |= SYMBOL_FLAG.local
      } else if (container !== undefined && container.flags & SYMBOL_FLAG.local) symbol.flags |= SYMBOL_FLAG.local
      if (inClass && symbol.kind === 'function') symbol.kind = 'method'
      if (inClass && symbol.kind === 'variable') symbol.kind = 'property'
      for (const rule of this.rules) rule(symbol, text)
      if (this.redeclared && VALUE_KINDS.has(symbol.kind)) {
        const id = container === undefined ? -1 : (ids.get(container) ?? -1)
        const key = `${id} ${symbol.name}`
        if (seen.has(key)) continue
        seen.add(key)
      }
      ids.set(symbol, kept.length)
      kept.push(symbol)
    }
    for (const symbol of kept) symbol.isTop = this.isTop(symbol)
    return kept
  }

  private isTop(symbol: FoundSymbol): boolean {
    if (MEMBER_KINDS.has(symbol.kind)) return false
    for (let at = symbol.container; at; at = at.container) if (!this.open.has(at.kind)) return false
    return true
  }

  /**
   * The class a member says it belongs to. When this file does not declare it, a class without a body stands in its place, as a
   * forward declaration would, so that the member has its qualified name.
   */
  private named(member: FoundSymbol, classes: Map<string, FoundSymbol>, kept: FoundSymbol[]): FoundSymbol {
    const name = member.containerName!
    const known = classes.get(name)
    // In broken code the class may stand inside its own member.
    if (known && !isWithin(known, member)) return known
    const nameStart = member.containerStart < 0 ? member.nameStart : member.containerStart
    const start = Math.min(member.start, nameStart)
    const stand: FoundSymbol = {
      ...member,
      name,
      start,
      bodyStart: start,
      nameStart,
      kind: 'class',
      flags: SYMBOL_FLAG.declare | SYMBOL_FLAG.bodiless,
      container: undefined,
      containerName: undefined,
      type: undefined,
    }
    classes.set(name, stand)
    kept.push(stand)
    return stand
  }
}

/** Longer names are cut: a minified selector list is not a name. */
const MAX_NAME = 200
const VALUE_KINDS: ReadonlySet<SymbolKind> = new Set(['variable', 'property', 'constant'])

/** `namespace A;` holds all that follows, up to the next of its kind. */
function restEnd(symbols: SymbolMatch[], match: SymbolMatch, text: string): number {
  let end = text.length
  for (const other of symbols) if (other.rest && other.start > match.start && other.start < end) end = other.start
  return end
}

/** `a, b = 1, 2`, `typedef struct {} A, *B` and `.a, .b {}` declare several names side by side in one range. */
function canContain(outer: FoundSymbol, inner: FoundSymbol): boolean {
  if (outer.start === inner.start && outer.end === inner.end) return false
  return outer.kind !== 'type' && !(VALUE_KINDS.has(outer.kind) && VALUE_KINDS.has(inner.kind))
}

interface Frame {
  end: number
  symbol: FoundSymbol | undefined
  owner: string | undefined
  ownerStart: number
  implementing: boolean
  depth: number
  deepest: number
}

interface Event extends Span {
  same: boolean
  owner: string | undefined
  ownerStart: number
  implementing: boolean
}

/** Walks symbols, blocks and owners in the order of the file with a stack of what encloses the present place. */
class Sweep {
  private stack: Frame[] = []
  private at = 0
  private events: Event[]
  private deepest = 0
  constructor(
    nests: Captured['nests'],
    owners: (Span & { owner: string; ownerStart: number; implementing: boolean })[],
  ) {
    const same = new Set(nests.filter((nest) => nest.same).map((nest) => nest.start))
    this.events = nests
      .filter((nest) => !nest.same)
      .map(({ start, end }): Event => {
        return { start, end, same: same.has(start), owner: undefined, ownerStart: -1, implementing: false }
      })
      .concat(owners.map((owner) => Object.assign(owner, { same: false })))
      .sort((a, b) => a.start - b.start || b.end - a.end)
  }

  enter(symbol: FoundSymbol): void {
    this.advance(symbol.start, symbol.end)
    this.pop(symbol.start, symbol.end)
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const frame = this.stack[i]!
      if (frame.owner !== undefined) {
        symbol.containerName ??= frame.owner
        if (symbol.containerStart < 0) symbol.containerStart = frame.ownerStart
        symbol.implementing = frame.implementing
        break
      }
      if (frame.symbol && canContain(frame.symbol, symbol)) {
        symbol.container = frame.symbol
        break
      }
    }
    this.push({ end: symbol.end, symbol, owner: undefined, ownerStart: -1, implementing: false }, 0)
  }

  finish(): number {
    this.advance(Infinity, Infinity)
    this.pop(Infinity, Infinity)
    return this.deepest
  }

  /** Takes in the blocks that begin before a place. */
  private advance(start: number, end: number): void {
    for (; this.at < this.events.length; this.at++) {
      const event = this.events[this.at]!
      if (event.start > start || (event.start === start && event.end <= end)) return
      this.pop(event.start, event.end)
      this.push({ ...event, symbol: undefined }, event.owner === undefined && !event.same ? 1 : 0)
    }
  }

  private push(frame: Omit<Frame, 'depth' | 'deepest'>, deeper: number): void {
    const depth = (this.stack.at(-1)?.depth ?? 0) + deeper
    this.stack.push({ ...frame, depth, deepest: depth })
    if (depth > this.deepest) this.deepest = depth
  }

  /** Leaves what ended before a place, or does not enclose it. */
  private pop(start: number, end: number): void {
    for (let top = this.stack.at(-1); top && (top.end <= start || top.end < end); top = this.stack.at(-1)) {
      this.stack.pop()
      if (top.symbol) top.symbol.nesting = top.deepest - top.depth
      const below = this.stack.at(-1)
      if (below && top.deepest > below.deepest) below.deepest = top.deepest
    }
  }
}

/** A heading's section runs to the next heading of its level or a higher one, and stands in the section above it. */
function sectionEnds(symbols: FoundSymbol[], length: number): void {
  const open: { symbol: FoundSymbol; around: FoundSymbol | undefined }[] = []
  const close = (end: number): void => {
    const { symbol, around } = open.pop()!
    symbol.end = Math.max(symbol.end, Math.min(end, around?.end ?? end))
  }
  for (const symbol of symbols) {
    if (symbol.level === 0) continue
    const around = symbol.container
    while (open.length > 0 && open.at(-1)!.symbol.level >= symbol.level) close(symbol.start)
    const above = open.at(-1)
    if (above && above.around === around) symbol.container = above.symbol
    open.push({ symbol, around })
  }
  while (open.length > 0) close(length)
}

/** `private:` in C++ and `private` in Ruby: from there to the end of the class, or to the next such line. */
function visibilityOfSections(symbols: FoundSymbol[], found: Captured, text: string): void {
  const sections = found.sections.toSorted((a, b) => a.start - b.start)
  let next = 0
  for (const symbol of symbols) {
    while (next < sections.length && sections[next]!.start < symbol.start) next++
    const { container } = symbol
    if (container === undefined || !CLASS_KINDS.has(KIND[container.kind])) continue
    for (let i = next - 1; i >= 0 && sections[i]!.start >= container.start; i--) {
      const { start, end, within } = sections[i]!
      if (within.start < container.start || within.end < symbol.end) continue
      const word = /[a-z]+/u.exec(text.slice(start, end))?.[0]
      // What says its own visibility keeps it.
      if (/^(?:public|private|protected)\b/u.test(text.slice(symbol.start, symbol.nameStart))) break
      symbol.flags &= ~(SYMBOL_FLAG.private | SYMBOL_FLAG.protected)
      if (word === 'private' || word === 'protected')
        symbol.flags = (symbol.flags & ~SYMBOL_FLAG.exported) | SYMBOL_FLAG[word]
      break
    }
  }
}
