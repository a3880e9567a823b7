// Markdown as it streams: finished lines are handed out once, styled and wrapped; only the unfinished line is live. The result
// does not depend on how the text was split into chunks. A subset that models write: headings, lists, quotes, tables, rules,
// fenced code, bold, italic, code, links. Everything else is shown as it is.
import { visible } from '../lib/visible.ts'
import { tableRows } from './markdown-table.ts'
import { cells, cut, wrap } from './styled-text.ts'
import type { Theme } from './theme.ts'

/** Highlights one more line of a code block; `before` are the lines of the block so far. */
export type Highlight = (line: string, language: string, before: readonly string[]) => string

/** Rows of an unfinished line that stay live; the rows before are handed out, so a long paragraph never fills the screen. */
const LIVE_ROWS = 6
const ESC = '\u001B'

/** Rows' widths a pair of marks may span: less than what stays live, so that an end never changes rows handed out before. */
const MARK_REACH_ROWS = 2

export interface MarkdownOptions {
  width: number
  theme: Theme
  highlight: Highlight
}

interface Fence {
  mark: string
  language: string
  lines: string[]
}

/** `[label](url)`; the bracket of a style that was set before begins no label. */
const LINK = new RegExp(`(?<!${ESC})\\[((?:[^\\][]|${ESC}\\[)+)\\]\\(([^)\\s]+)\\)`, 'g')

/** Inline styles of one line; marks without an end, or with an end more than `reach` characters on, are shown. */
export function inline(text: string, theme: Theme, reach: number): string {
  const styled = (whole: string, body: string, style: string): string =>
    whole.length > reach ? whole : `${style}${body}${theme.reset}`
  return text
    .split(/(`+[^`]+`+)/)
    .map((part, i) => {
      if (i % 2 === 1 && part.length <= reach) return `${theme.code}${part.replaceAll('`', '')}${theme.reset}`
      return part
        .replaceAll(/\*\*(?=\S)([^*]+?)\*\*|__(?=\S)([^_]+?)__/g, (all, a?: string, b?: string) =>
          styled(all, a ?? b ?? '', theme.bold),
        )
        .replaceAll(
          /(?<![\w*])\*(?=\S)([^*\s][^*]*?)\*(?!\w)|(?<!\w)_(?=\S)([^_\s][^_]*?)_(?!\w)/g,
          (all, a?: string, b?: string) => styled(all, a ?? b ?? '', theme.italic),
        )
        .replaceAll(LINK, (all, label: string, url: string) =>
          all.length > reach ? all : label === url ? url : `${label} (${url})`,
        )
    })
    .join('')
}

export class MarkdownStream {
  private rest = ''
  private fence: Fence | undefined
  private table: string[] = []
  /** Rows of the unfinished line that were handed out already. */
  private given = 0
  /** Width at which rows of the unfinished line were handed out, when the screen has another one since. */
  private begunAt: number | undefined
  private options: MarkdownOptions

  constructor(options: MarkdownOptions) {
    this.options = options
  }

  /** Takes text in; gives the rows that are finished. */
  feed(text: string): string[] {
    this.rest += text
    const rows: string[] = []
    for (;;) {
      const end = this.rest.indexOf('\n')
      if (end < 0) break
      const line = this.rest.slice(0, end).replace(/\r$/, '')
      this.rest = this.rest.slice(end + 1)
      rows.push(...this.finishLine(line))
    }
    if (!this.fence && this.table.length === 0 && !this.rest.startsWith('|')) {
      const open = this.lineRows(this.rest, this.begunAt)
      const ready = open.length - LIVE_ROWS
      if (ready > this.given) {
        rows.push(...this.fitting(open.slice(this.given, ready)))
        this.given = ready
      }
    }
    return rows
  }

  /** Rows of what is unfinished; at most a few. */
  live(): string[] {
    if (this.rest === '') return this.table.length > 0 ? [`${this.options.theme.dim}…${this.options.theme.reset}`] : []
    if (this.fence) return this.codeRows(this.rest, this.fence).slice(-LIVE_ROWS)
    if (this.rest.startsWith('|')) return [cut(visible(this.rest), this.options.width)]
    return this.fitting(this.lineRows(this.rest, this.begunAt).slice(this.given))
  }

  /**
   * Lays out what follows at another width. A line of which rows were handed out goes on at its old width to its end, its
   * rows wrapped where the screen is narrower now: no word is cut or shown twice.
   */
  resize(width: number): void {
    if (width === this.options.width) return
    this.begunAt = this.given > 0 ? (this.begunAt ?? this.options.width) : undefined
    this.options = { ...this.options, width }
  }

  /** Ends the text; gives the last rows. */
  end(): string[] {
    const rows = this.rest === '' ? [] : this.finishLine(this.rest)
    this.rest = ''
    this.fence = undefined
    return [...rows, ...this.finishTable()]
  }

  private finishLine(line: string): string[] {
    const { given, begunAt } = this
    this.given = 0
    this.begunAt = undefined
    if (this.fence) return this.codeLine(line, this.fence)
    const opening = /^\s*(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(line)
    if (opening) {
      this.fence = { mark: opening[1]!, language: opening[2] ?? '', lines: [] }
      return this.finishTable()
    }
    if (line.startsWith('|') && line.length > 1) {
      this.table.push(line)
      return []
    }
    const rows = this.lineRows(line, begunAt).slice(given)
    return [...this.finishTable(), ...this.fitting(rows, begunAt)]
  }

  /** Rows that were laid out at `begunAt`, none wider than the screen. */
  private fitting(rows: string[], begunAt = this.begunAt): string[] {
    const { width } = this.options
    return begunAt === undefined || begunAt <= width ? rows : rows.flatMap((row) => wrap(row, width))
  }

  private codeLine(line: string, fence: Fence): string[] {
    const closing = line.trim()
    if (closing.startsWith(fence.mark) && closing.replaceAll(fence.mark[0]!, '') === '') {
      this.fence = undefined
      return []
    }
    const rows = this.codeRows(line, fence)
    fence.lines.push(visible(line))
    return rows
  }

  /** The same whether the line is finished or only seems to be: a row that stands on the screen is not drawn again. */
  private codeRows(line: string, { language, lines }: Fence): string[] {
    const styled = this.options.highlight(visible(line), language, lines)
    return wrap(styled, this.options.width - 2).map((row) => `  ${row}`)
  }

  private lineRows(line: string, width = this.options.width): string[] {
    const { theme } = this.options
    const reach = MARK_REACH_ROWS * width
    const text = visible(line)
    const heading = /^(#{1,6})\s+(.*)$/.exec(text)
    if (heading) return wrap(`${theme.heading}${heading[2]}${theme.reset}`, width)
    if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(text))
      return [`${theme.dim}${theme.rule.repeat(Math.min(width, 40))}${theme.reset}`]
    const quote = /^\s*>\s?(.*)$/.exec(text)
    if (quote)
      return wrap(inline(quote[1]!, theme, reach), width - 2).map(
        (row) => `${theme.dim}${theme.bar}${theme.reset} ${row}`,
      )
    const item = /^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$/.exec(text)
    if (item) {
      const [, indent = '', mark = '', body = ''] = item
      const lead = `${indent}${/\d/.test(mark) ? mark : theme.bullet} `
      return wrap(`${lead}${inline(body, theme, reach)}`, width, ' '.repeat(Math.min(cells(lead), width >> 1)))
    }
    return wrap(inline(text, theme, reach), width)
  }

  /** A table is drawn when its last row is known. */
  private finishTable(): string[] {
    const lines = this.table
    this.table = []
    const { theme, width } = this.options
    return lines.length === 0 ? [] : tableRows(lines, theme, width, (cell) => inline(cell, theme, Infinity))
  }
}
