// Everything an index knows, with names in place of their ids and files in order: two indexes are equal when their dumps are.
import type { CodeIndex } from '../../src/index/code-index.ts'
import { HEAD, sectionStarts, SECTIONS, STRIDE } from '../../src/index/facts.ts'
import { HINT_KIND } from '../../src/index/kinds.ts'
import { NAME_COLUMNS } from '../../src/index/tables.ts'

export function dumpIndex(index: CodeIndex): Record<string, unknown> {
  const view = index.view()
  const dump: Record<string, unknown> = {}
  for (const path of index.files()) {
    const file = view.fileId(path)!
    const facts = view.facts(file)
    dump[path] = facts ? dumpFacts(facts, (id) => view.names.text(id)) : null
  }
  return dump
}

function dumpFacts(facts: Int32Array, name: (id: number) => string): Record<string, unknown> {
  const starts = sectionStarts(facts)
  const dump: Record<string, unknown> = { loc: facts[HEAD.loc], nesting: facts[HEAD.nesting], flags: facts[HEAD.flags] }
  SECTIONS.forEach((section, i) => {
    const rows: unknown[] = []
    for (let at = starts[i]!; at < starts[i + 1]!; at += STRIDE[section]) {
      const row: unknown[] = [...facts.subarray(at, at + STRIDE[section])]
      for (const column of NAME_COLUMNS[section] ?? []) row[column] = name(row[column] as number)
      if (section === 'hints' && row[0] === HINT_KIND.member) row[2] = name(row[2] as number)
      rows.push(row.join(' '))
    }
    dump[section] = rows
  })
  return dump
}
