// The name a benchmark asks for where the question is what an index costs and not what a large answer does: one that is declared
// once and imported by ten files or about as many. (`dispose` has 1,700 declarations in voideditor/void.)
import { HEAD, IMPORT, sectionStart, STRIDE, SYMBOL } from '../../src/index/facts.ts'
import type { IndexView } from '../../src/index/view.ts'

const FILES = 10

/** The nearest to ten importing files; of several, the first in the alphabet. */
export function usualName(view: IndexView): string {
  const declared = new Map<number, number>()
  const importing = new Map<number, Set<number>>()
  for (let file = 0; file < view.fileCount; file++) {
    const facts = view.facts(file)
    if (!facts) continue
    const symbols = sectionStart(facts, 'symbols')
    for (let row = 0; row < facts[HEAD.symbols]!; row++) {
      const name = facts[symbols + row * STRIDE.symbols + SYMBOL.name]!
      declared.set(name, (declared.get(name) ?? 0) + 1)
    }
    const imports = sectionStart(facts, 'imports')
    for (let row = 0; row < facts[HEAD.imports]!; row++) {
      const name = facts[imports + row * STRIDE.imports + IMPORT.imported]!
      importing.set(name, (importing.get(name) ?? new Set()).add(file))
    }
  }
  const candidates = [...importing]
    .filter(([name]) => name > 0 && declared.get(name) === 1)
    .map(([name, files]) => ({ name: view.names.text(name), off: Math.abs(files.size - FILES) }))
    .sort((a, b) => a.off - b.off || (a.name < b.name ? -1 : 1))
  if (!candidates[0]) throw new Error('The corpus has no name that is declared once and imported.')
  return candidates[0].name
}
