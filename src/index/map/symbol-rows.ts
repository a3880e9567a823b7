// Symbols of a file as the map and the semantic search need them, read from the flat tables.
import { HEAD, sectionStart, STRIDE, SYMBOL } from '../facts.ts'
import { SYMBOL_FLAG } from '../kinds.ts'
import type { IndexView } from '../view.ts'

export interface SymbolRow {
  row: number
  name: string
  /** Row of the symbol it stands in, or -1. */
  container: number
  kind: number
  flags: number
  /** Offsets in the file's text. */
  start: number
  end: number
  bodyStart: number
  /** -1 when there is no doc comment. */
  docStart: number
}

/** Every symbol of a file, in the order of the text; empty for a file without facts. */
export function symbolRows(view: IndexView, file: number): SymbolRow[] {
  const facts = view.facts(file)
  if (!facts) return []
  const base = sectionStart(facts, 'symbols')
  return Array.from({ length: facts[HEAD.symbols]! }, (_, row) => {
    const at = (column: keyof typeof SYMBOL): number => facts[base + row * STRIDE.symbols + SYMBOL[column]]!
    const kind = at('kind')
    return {
      row,
      name: view.names.text(at('name')),
      container: at('container'),
      kind: kind & 0xff,
      flags: kind >>> 8,
      start: at('start'),
      end: at('end'),
      bodyStart: at('bodyStart'),
      docStart: at('docStart'),
    }
  })
}

/** A declaration that other files can use: exported, or at the top level of a language without exports. */
export function isPublic({ flags, container }: SymbolRow): boolean {
  return (
    (flags & (SYMBOL_FLAG.private | SYMBOL_FLAG.local)) === 0 && (container < 0 || (flags & SYMBOL_FLAG.exported) !== 0)
  )
}
