// Tells the names in a file apart: those of the top level, those a function declares, and members of what stands before the
// dot. Types are known only where a declaration says one by a plain name. Symbols must have their rows before.
import type { FactsWriter } from '../../facts-writer.ts'
import { HINT_KIND, SYMBOL_FLAG, USE_FLAG } from '../../kinds.ts'
import type { Captured, TypeSpan, Use } from './captures.ts'
import type { LanguageData } from './language-data.ts'
import { buildScopes, localAt, scopeAt, type LocalName, type Scope } from './scopes.ts'
import { classAround, type FoundSymbol } from './symbol-tree.ts'

const NO_HINT = -1
const NO_WORD = /[^\p{L}\p{N}_$]+/u
/** Longer receivers are no single word: not worth a slice. */
const RECEIVER_WORD = 8

/** Writes uses, members, heritage and declared types of one file. `importLocals` are the names its imports bring. */
export function writeNames(
  data: LanguageData,
  found: Captured,
  symbols: FoundSymbol[],
  importLocals: Set<string>,
  text: string,
  out: FactsWriter,
): void {
  new NameWriter(data, found, symbols, importLocals, text, out).write()
}

class NameWriter {
  private readonly byName: Map<number, FoundSymbol>
  private readonly topNames: Set<string>
  private readonly members = new Map<FoundSymbol, Set<string>>()
  private readonly selfHints = new Map<FoundSymbol, number>()
  private readonly bindingHints = new Map<number, number>()
  private readonly typeHints = new Map<number, number>()
  private readonly callHints = new Map<string, number>()
  private scopes: Scope[] = []
  /** What is known of the expression that ends at an offset, where a member follows it. */
  private readonly hintAtEnd = new Map<number, number>()

  private readonly data: LanguageData
  private readonly found: Captured
  private readonly symbols: FoundSymbol[]
  private readonly text: string
  private readonly out: FactsWriter

  constructor(
    data: LanguageData,
    found: Captured,
    symbols: FoundSymbol[],
    importLocals: Set<string>,
    text: string,
    out: FactsWriter,
  ) {
    this.data = data
    this.found = found
    this.symbols = symbols
    this.text = text
    this.out = out
    this.byName = new Map(symbols.map((symbol) => [symbol.nameStart, symbol]))
    this.topNames = new Set(importLocals)
    for (const symbol of symbols) {
      const { container } = symbol
      if (symbol.isTop) this.topNames.add(symbol.name)
      if (container === undefined) continue
      const names = this.members.get(container)
      if (names) names.add(symbol.name)
      else this.members.set(container, new Set([symbol.name]))
    }
  }

  write(): void {
    const { found, text, out } = this
    const scopes = buildScopes(found, this.symbols, text, this.data.hoist ?? false)
    this.scopes = scopes
    const wanted = new Set<number>()
    for (const use of found.uses.values()) if (use.receiverEnd >= 0) wanted.add(use.receiverEnd)
    const skips = [...found.imports, ...found.skips].sort((a, b) => a.start - b.start)
    let nextSkip = 0
    for (const use of [...found.uses.values()].sort((a, b) => a.start - b.start)) {
      while (nextSkip < skips.length && skips[nextSkip]!.end <= use.start) nextSkip++
      if (nextSkip < skips.length && skips[nextSkip]!.start <= use.start) continue
      const name = text.slice(use.start, use.end)
      const scope = scopeAt(scopes, use.start)
      const hint = use.member
        ? this.member(use, name, wanted.has(use.end))
        : this.plain(use, name, localAt(scope, name, use.start), wanted.has(use.end))
      if (hint !== NO_HINT) this.hintAtEnd.set(use.end, hint)
    }
    for (const { start, end, implements: isImplements, owner } of found.heritage) {
      const symbol = owner
        ? this.symbols.find(
            (other) => other.name === text.slice(owner.start, owner.end) && classAround(other) === other,
          )
        : classAround(this.symbolAt(start))
      if (symbol) out.heritage(symbol.row, this.bindingHint(text.slice(start, end)), isImplements)
    }
    for (const symbol of this.symbols) if (symbol.type) out.setSymbol(symbol.row, 'hint', this.typeHint(symbol.type))
  }

  /** Writes a member access; returns what is known of its value. */
  private member(use: Use, name: string, wanted: boolean): number {
    if (this.byName.has(use.start)) return NO_HINT
    const receiver = use.receiver < 0 ? NO_HINT : this.receiverHint(use)
    const id = this.out.name(name)
    this.out.member(id, receiver, use.start, use.flags)
    return wanted && receiver !== NO_HINT ? this.out.hint(HINT_KIND.member, receiver, id) : NO_HINT
  }

  private receiverHint(use: Use): number {
    if (use.receiverEnd - use.receiver <= RECEIVER_WORD) {
      const word = this.text.slice(use.receiver, use.receiverEnd)
      const around = this.classOf(use.start)
      if (around && this.data.self?.includes(word)) return this.selfHint(around)
      if (around && this.data.selfClass?.includes(word)) return this.out.hint(HINT_KIND.selfStatic, around.row, 0)
      if (around && this.data.base?.includes(word)) return this.out.hint(HINT_KIND.base, around.row, 0)
    }
    return this.hintAtEnd.get(use.receiverEnd) ?? NO_HINT
  }

  /** Writes a name that stands alone; returns what is known of its value. */
  private plain(use: Use, name: string, local: LocalName | undefined, wanted: boolean): number {
    const { out } = this
    const declared = this.byName.get(use.start)
    const id = out.name(name)
    if (declared && declared.isTop) {
      out.use(out.name(declared.name), use.start, use.flags | USE_FLAG.declaration)
      return wanted ? this.bindingHint(name) : NO_HINT
    }
    if (local) {
      if (local.binding < 0) local.binding = out.nestedBinding(id, local.symbol?.row ?? -1, local.declaredAt)
      const isDeclaration = use.start === local.declaredAt
      out.ref(local.binding, use.start, isDeclaration ? use.flags | USE_FLAG.declaration : use.flags)
      return wanted ? this.localHint(local) : NO_HINT
    }
    if (declared) return NO_HINT
    const owner = this.implicitOwner(use, name)
    if (owner) {
      const hint = this.selfHint(owner)
      out.member(id, hint, use.start, use.flags)
      return wanted ? out.hint(HINT_KIND.member, hint, id) : NO_HINT
    }
    out.use(id, use.start, use.flags)
    return wanted ? this.bindingHint(name) : NO_HINT
  }

  /** The class a bare name is a member of, in languages where `this.` may be left out. */
  private implicitOwner(use: Use, name: string): FoundSymbol | undefined {
    const { implicitSelf } = this.data
    if (implicitSelf === undefined) return undefined
    const around = this.classOf(use.start)
    for (let at = around; at; at = classAround(at.container))
      if (name !== at.name && this.members.get(at)?.has(name)) return at
    return implicitSelf === 'calls' && use.flags & USE_FLAG.call && !this.topNames.has(name) ? around : undefined
  }

  private localHint(local: LocalName): number {
    const around = local.self ? this.classOf(local.declaredAt) : undefined
    if (around) return this.selfHint(around)
    if (local.type === undefined || local.busy) return NO_HINT
    local.busy = true
    const hint = this.typeHint(local.type)
    local.busy = false
    return hint
  }

  private selfHint(symbol: FoundSymbol): number {
    // A class that stands in for one of another file has no members of its own: go by its name.
    if (symbol.flags & SYMBOL_FLAG.declare) return this.typeHintOf(symbol.name)
    let hint = this.selfHints.get(symbol)
    if (hint === undefined) this.selfHints.set(symbol, (hint = this.out.hint(HINT_KIND.self, symbol.row, 0)))
    return hint
  }

  private bindingHint(name: string): number {
    const binding = this.out.binding(this.out.name(name))
    let hint = this.bindingHints.get(binding)
    if (hint === undefined) this.bindingHints.set(binding, (hint = this.out.hint(HINT_KIND.binding, binding, 0)))
    return hint
  }

  /** What a declared type or a call says: `Shop`, `store.Shop`, `Shop::new`. */
  private typeHint(span: TypeSpan): number {
    const { out } = this
    const words = this.text
      .slice(span.start, span.end)
      .split(NO_WORD)
      .filter((word) => word !== '')
    const last = words.at(-1)
    if (last === undefined) return NO_HINT
    const around = this.data.selfClass?.includes(last) ? this.classOf(span.start) : undefined
    if (around) return this.selfHint(around)
    if (words.length === 1 || this.data.typePaths !== true) return span.call ? this.made(last) : this.typeHintOf(last)
    let hint = this.firstHint(words[0]!, span.start)
    for (const word of words.slice(1)) {
      if (hint === NO_HINT) return NO_HINT
      hint = out.hint(HINT_KIND.member, hint, out.name(word))
    }
    return hint === NO_HINT ? NO_HINT : out.hint(span.call ? HINT_KIND.call : HINT_KIND.instance, hint, 0)
  }

  private firstHint(word: string, offset: number): number {
    const around = this.data.self?.includes(word) ? this.classOf(offset) : undefined
    if (around) return this.selfHint(around)
    const local = localAt(scopeAt(this.scopes, offset), word, offset)
    return local ? this.localHint(local) : this.bindingHint(word)
  }

  private made(name: string): number {
    let hint = this.callHints.get(name)
    if (hint === undefined) this.callHints.set(name, (hint = this.out.hint(HINT_KIND.call, this.bindingHint(name), 0)))
    return hint
  }

  private typeHintOf(name: string): number {
    const binding = this.out.binding(this.out.name(name))
    let hint = this.typeHints.get(binding)
    if (hint === undefined) this.typeHints.set(binding, (hint = this.out.hint(HINT_KIND.typed, binding, 0)))
    return hint
  }

  private classOf(offset: number): FoundSymbol | undefined {
    return classAround(this.symbolAt(offset))
  }

  /** The innermost symbol around an offset. */
  private symbolAt(offset: number): FoundSymbol | undefined {
    const { symbols } = this
    let low = 0
    let high = symbols.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (symbols[middle]!.start <= offset) low = middle + 1
      else high = middle
    }
    // Stand-ins come before the member that names them and have its range.
    let symbol: FoundSymbol | undefined = symbols[low - 1]
    while (symbol && symbol.end <= offset) symbol = symbol.container
    return symbol
  }
}
