// By which names something can be reached in other files: what imports and exports call anew.
import { HEAD, STRIDE, IMPORT, EXPORT, SYMBOL } from './facts.ts'
import { IMPORT_KIND, SYMBOL_FLAG } from './kinds.ts'
import type { Tables } from './tables.ts'

export class Renames {
  /** The names that a name is given somewhere. */
  private next = new Map<number, Set<number>>()

  constructor(tables: Tables) {
    const defaultName = tables.names.idOf('default')
    for (let file = 0; file < tables.count; file++) {
      const facts = tables.facts[file]
      if (!facts) continue
      const starts = tables.starts[file]!
      const rows = (section: 'imports' | 'exports' | 'symbols', visit: (at: number) => void) => {
        const stride = STRIDE[section]
        const start = starts[HEAD[section]]!
        const end = start + facts[HEAD[section]]! * stride
        for (let at = start; at < end; at += stride) visit(at)
      }
      rows('imports', (at) => {
        const isEquals = (facts[at + IMPORT.kind]! & 255) === IMPORT_KIND.equals
        const imported = facts[at + IMPORT.imported]! || (isEquals ? defaultName : 0)
        this.add(imported, facts[at + IMPORT.local]!)
      })
      rows('exports', (at) => this.add(facts[at + EXPORT.local]!, facts[at + EXPORT.name]!))
      // A default in a `declare module` has no export row.
      rows('symbols', (at) => {
        if ((facts[at + SYMBOL.kind]! >>> 8) & SYMBOL_FLAG.default) this.add(facts[at + SYMBOL.name]!, defaultName)
      })
    }
  }

  private add(from: number, to: number): void {
    if (from === to || from === 0 || to === 0) return
    const known = this.next.get(from)
    if (known) known.add(to)
    else this.next.set(from, new Set([to]))
  }

  /** A name and all that can stand for it, over any number of files. */
  of(name: number): Set<number> {
    const names = new Set([name])
    // A set hands out what is added while it is gone through.
    for (const known of names) for (const next of this.next.get(known) ?? []) names.add(next)
    return names
  }
}
