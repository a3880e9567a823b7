// A table of Markdown as rows of a screen: in columns as wide as they need to be, in narrower ones whose cells wrap, or, where
// there is no room for columns, a cell to a line.
import { visible } from '../lib/visible.ts'
import { styledCells, wrap } from './styled-text.ts'
import type { Theme } from './theme.ts'

/** A column is not made narrower than this, unless its cells are. Cells. */
const MIN_COLUMN = 8
/** Between two columns: a blank, a bar, a blank. */
const GAP = 3

const split = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

const isRule = (row: string[]): boolean => row.every((cell) => /^:?-+:?$/.test(cell))

/** The rows; `inline` styles a cell. */
export function tableRows(
  lines: readonly string[],
  theme: Theme,
  width: number,
  inline: (cell: string) => string,
): string[] {
  const table = lines.map((line) => split(visible(line)))
  const rows = table.filter((row) => !isRule(row)).map((row) => row.map(inline))
  const hasHead = table[1] !== undefined && isRule(table[1])
  const columns = Math.max(...rows.map((row) => row.length), 0)
  if (columns === 0) return lines.flatMap((line) => wrap(visible(line), width))
  const needed = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => styledCells(row[i] ?? ''))))
  const widths = fitted(needed, width - GAP * (columns - 1))
  if (!widths) return stacked(rows, hasHead, theme, width)
  const draw = (row: string[], head: boolean): string[] => {
    const parts = widths.map((each, i) => wrap(row[i] ?? '', each))
    return Array.from({ length: Math.max(...parts.map((part) => part.length)) }, (_, line) => {
      const drawn = widths.map((each, i) => {
        const text = parts[i]![line] ?? ''
        return `${head ? `${theme.bold}${text}${theme.reset}` : text}${' '.repeat(Math.max(0, each - styledCells(text)))}`
      })
      return drawn.join(` ${theme.bar} `).trimEnd()
    })
  }
  const rule = `${theme.dim}${widths.map((each) => theme.rule.repeat(each)).join(theme.rule.repeat(GAP))}${theme.reset}`
  const body = rows.slice(hasHead ? 1 : 0).flatMap((row) => draw(row, false))
  return hasHead ? draw(rows[0]!, true).concat(rule, body) : body
}

/** Widths of the columns that fit in the room, the widest made narrower first; undefined when there is too little. */
function fitted(needed: readonly number[], room: number): number[] | undefined {
  const widths = [...needed]
  let over = widths.reduce((sum, each) => sum + each, 0) - room
  while (over > 0) {
    const widest = Math.max(...widths)
    if (widest <= MIN_COLUMN) return undefined
    widths[widths.indexOf(widest)] = widest - 1
    over -= 1
  }
  return widths
}

/** A cell to a line, under the first of its row, with what its column is called. */
function stacked(rows: string[][], hasHead: boolean, theme: Theme, width: number): string[] {
  const heads = hasHead ? (rows[0] ?? []) : []
  const out: string[] = []
  for (const [first = '', ...cells] of rows.slice(hasHead ? 1 : 0)) {
    out.push(...wrap(`${theme.bold}${first}${theme.reset}`, width, '  '))
    for (const [i, cell] of cells.entries()) {
      const head = heads[i + 1] ?? ''
      const lead = head === '' ? '' : `${theme.dim}${head}:${theme.reset} `
      if (cell !== '') out.push(...wrap(`  ${lead}${cell}`, width, '    '))
    }
  }
  return out
}
