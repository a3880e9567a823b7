import { SYMBOL_FLAG } from '../../kinds.ts'
import type { SymbolFlagName, SymbolRule } from './language-data.ts'
import type { FoundSymbol } from './symbol-tree.ts'

/** Applies one rule of `language.json` to a symbol. */
export type Rule = (symbol: FoundSymbol, text: string) => void

/** Modifiers and decorators longer than this are not looked at. */
const HEAD_CHARS = 400

/** Compiles the rules of a language once; see SymbolRule for what they mean. */
export function compileRules(rules: SymbolRule[]): Rule[] {
  return rules.map((rule) => {
    const kinds = rule.kind === undefined ? undefined : new Set([rule.kind].flat())
    const name = pattern(rule.name)
    const head = pattern(rule.head)
    const tail = pattern(rule.tail)
    const within = rule.in && new Set<string>(rule.in)
    const set = bits(rule.set)
    const clear = bits(rule.clear)
    return (symbol, text) => {
      if (kinds && !kinds.has(symbol.kind)) return
      if (within && !within.has(symbol.container?.kind ?? 'none')) return
      if (rule.namedAsContainer && symbol.name !== symbol.container?.name) return
      if (rule.bodiless && symbol.bodyStart < symbol.end) return
      if (rule.implementing && !symbol.implementing) return
      if (rule.inside && !standsInside(symbol)) return
      if (rule.implementing && !symbol.implementing) return
      if (rule.inside && symbol.end > (symbol.container?.end ?? 0)) return
      if (rule.inside && symbol.start < symbol.container!.start) return
      if (name && !name.test(symbol.name)) return
      if (head && !head.test(text.slice(symbol.start, Math.min(symbol.nameStart, symbol.start + HEAD_CHARS)))) return
      const nameEnd = symbol.nameStart + symbol.name.length
      if (tail && !tail.test(text.slice(nameEnd, Math.min(symbol.bodyStart, nameEnd + HEAD_CHARS)))) return
      if (rule.is) symbol.kind = rule.is
      symbol.flags = (symbol.flags & ~clear) | set
    }
  })
}

function standsInside({ start, end, container }: FoundSymbol): boolean {
  if (container === undefined || container.flags & SYMBOL_FLAG.declare) return false
  return container.start <= start && end <= container.end
}

function pattern(source: string | undefined): RegExp | undefined {
  return source === undefined ? undefined : new RegExp(source, 'u')
}

function bits(names: SymbolFlagName[] | undefined): number {
  let flags = 0
  for (const name of names ?? []) flags |= SYMBOL_FLAG[name]
  return flags
}
