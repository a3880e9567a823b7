// Markdown: headings as sections within sections, relative links as imports, TODO marks in comments. Read by a scanner of its own:
// see docs/decisions/2026-11-22-markdown-blocks.md.
import { SYMBOL_FLAG, IMPORT_KIND, KIND } from '../../kinds.ts'
import type { FactsWriter } from '../../facts-writer.ts'
import type { Extract } from '../../language.ts'
import { writeTodos } from '../todos.ts'
import { readBlocks, type Block } from './blocks.ts'

const MAX_NAME = 200
/** Marks of emphasis, code and links in a heading; `snake_case` and `2 * 3` keep theirs. */
const MARKS = /\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`|!?\[(?=[^\]]*\]\()|\]\([^)]*\)/g
/** A path, not an address with a scheme or a host nor a place on the same page. */
const LOCAL = String.raw`(?![a-zA-Z][a-zA-Z0-9+.-]*:|#|//)`
const ATTRIBUTE = String.raw`(?:src|href)=["'](?<module>${LOCAL}[^"'\n]+)["']`
const LINK = new RegExp(
  String.raw`\]\(\s*(?:<(?<module>${LOCAL}[^>\n]+)>|(?<module>${LOCAL}[^\s)<][^\s)]*))|${ATTRIBUTE}`,
  'gdu',
)
const IN_HTML = new RegExp(ATTRIBUTE, 'gdu')
const TARGET = new RegExp(String.raw`^<?(?<module>${LOCAL}[^>\n]+)>?$`, 'gdu')

interface Section {
  row: number
  level: number
}

export const extractMarkdown: Extract = ({ text }, out) => {
  const open: Section[] = []
  const closeTo = (level: number, end: number): void => {
    while (open.length > 0 && open.at(-1)!.level >= level) out.setSymbol(open.pop()!.row, 'end', end)
  }
  const blocks = readBlocks(text)
  for (const block of blocks) {
    if (block.kind !== 'heading') writeLinks(block, text, out)
    else {
      const name = nameOf(text.slice(block.nameStart, block.nameEnd))
      if (name === '') continue
      closeTo(block.level, block.start)
      const id = out.name(name)
      const kind = KIND.section | (SYMBOL_FLAG.exported << 8)
      const around = open.at(-1)?.row ?? -1
      const row = out.symbol(id, kind, around, block.nameStart, block.start, block.end, block.end)
      out.bind(id, row, -1, block.nameStart)
      open.push({ row, level: block.level })
    }
  }
  closeTo(1, text.length)
  writeTodos(
    blocks.filter(({ kind, start }) => kind === 'html' && text.startsWith('<!--', start)),
    text,
    out,
  )
}

function nameOf(raw: string): string {
  return raw.replace(MARKS, '').replace(/\s+/g, ' ').trim().slice(0, MAX_NAME)
}

function writeLinks({ kind, start, end }: Block, text: string, out: FactsWriter): void {
  const pattern = kind === 'html' ? IN_HTML : kind === 'target' ? TARGET : LINK
  for (const hit of text.slice(start, end).matchAll(pattern)) {
    const [from, to] = hit.indices!.groups!['module']!
    const spec = text.slice(start + from, start + to)
    out.import(out.name(spec), 0, 0, IMPORT_KIND.sideEffect, start + from, start + from)
  }
}
