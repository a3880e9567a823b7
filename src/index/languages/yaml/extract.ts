// YAML: the keys of the first two block levels as symbols, comments' TODO marks. Reads lines, not the grammar: flow collections
// and anchors are values to it. Whether the syntax is whole is looked at apart (syntax.ts).
import { FILE_FLAG, TODO_TAGS } from '../../facts.ts'
import { KIND } from '../../kinds.ts'
import type { Extract } from '../../language.ts'
import { hasFault } from './syntax.ts'

const KEY = /^( *)(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#"'&*!|>%@`{}[\],-][^:#\n]*?|-[^\s:#][^:#\n]*?))\s*:(?=\s|$)/
const BLOCK_SCALAR = /[:-]\s+[|>][-+0-9]*\s*(?:#.*)?$/
const MARK = /(?:^|\s)#.*?\b(TODO|FIXME|HACK|XXX)\b.*$/
const KEY_LEVELS = 2

export const extractYaml: Extract = (source, out) => {
  const { text } = source
  /** Open keys: their indent and row. */
  const open: { indent: number; row: number }[] = []
  let scalarIndent = -1
  let end = 0
  for (let start = 0; start < text.length; start = end + 1) {
    const newline = text.indexOf('\n', start)
    end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    const trimmed = line.trimStart()
    if (trimmed === '') continue
    const indent = line.length - trimmed.length
    if (scalarIndent >= 0 && indent > scalarIndent) continue
    scalarIndent = BLOCK_SCALAR.test(line) ? indent : -1
    const mark = MARK.exec(line)
    if (mark) {
      const from = line.indexOf(mark[1]!)
      out.todo(TODO_TAGS.indexOf(mark[1] as (typeof TODO_TAGS)[number]), start + from, end)
    }
    if (trimmed.startsWith('#')) continue
    // A new document ends every key.
    const ended = line.startsWith('---') ? 0 : indent
    while (open.length > 0 && open.at(-1)!.indent >= ended) out.setSymbol(open.pop()!.row, 'end', start)
    const key = KEY.exec(line)
    if (!key || open.length >= KEY_LEVELS || (open.length > 0 && open.at(-1)!.indent >= indent)) continue
    const name = key[2] ?? key[3] ?? key[4]!
    const nameStart = start + indent + (key[4] === undefined ? 1 : 0)
    const row = out.symbol(
      out.name(name),
      KIND.key,
      open.at(-1)?.row ?? -1,
      nameStart,
      start + indent,
      text.length,
      end,
    )
    open.push({ indent, row })
  }
  if (hasFault(text)) out.flag(FILE_FLAG.parseError)
  out.setNesting(KEY_LEVELS)
  out.flag(FILE_FLAG.module)
}
