// A diff as rows: line numbers, word-level marks, code colours, wrapped or cut to the width.
import { sideBySide } from '../lib/side-by-side.ts'
import type { DiffHunk, DiffLine, FileDiff } from '../protocol/index.ts'
import type { FrontSettings } from '../client/workbench.ts'
import { visible } from '../lib/visible.ts'
import type { Highlight } from './markdown.ts'
import { cut, styledCells, wrap } from './styled-text.ts'
import type { Theme } from './theme.ts'

export interface DiffLook {
  width: number
  theme: Theme
  settings: FrontSettings['edit']
  highlight: Highlight
}

/** Columns from which two of them can stand side by side. */
const SIDE_BY_SIDE_WIDTH = 100

/** Name of the language of a path, as code fences have it: its extension. */
const languageOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1] ?? ''

/** Text with the differing ranges marked; ranges count UTF-16 units of the line. */
function marked(text: string, marks: DiffLine['marks'], base: string, mark: string, reset: string): string {
  if (!marks || marks.length === 0 || mark === '')
    return base === '' ? visible(text) : `${base}${visible(text)}${reset}`
  let out = ''
  let at = 0
  for (const [start, end] of marks) {
    out += `${base}${visible(text.slice(at, start))}${reset}${mark}${visible(text.slice(start, end))}${reset}`
    at = end
  }
  return `${out}${base}${visible(text.slice(at))}${reset}`
}

function lineText(line: DiffLine, path: string, { theme, settings, highlight }: DiffLook): string {
  const words = settings.diffFormat !== 'unified'
  if (line.kind === 'same') {
    const text = visible(line.text)
    return settings.syntaxHighlight ? highlight(text, languageOf(path), []) : `${theme.dim}${text}${theme.reset}`
  }
  const added = line.kind === 'add'
  const base = added ? theme.added : theme.removed
  const mark = added ? theme.addedMark : theme.removedMark
  // Colours of code would hide which words changed, so a line with marks has those alone.
  if (settings.syntaxHighlight && !(words && line.marks?.length)) {
    const coloured = highlight(visible(line.text), languageOf(path), [])
    if (coloured !== visible(line.text)) return coloured
  }
  return marked(line.text, words ? line.marks : undefined, base, mark, theme.reset)
}

const signs = { same: ' ', add: '+', remove: '-' } as const

/** Rows of one hunk; `lead` stands before each row, as wide as the caller took off the width. */
export function hunkRows(hunk: DiffHunk, path: string, look: DiffLook): string[] {
  const { width, theme, settings } = look
  if (settings.diffFormat === 'side-by-side' && width >= SIDE_BY_SIDE_WIDTH) return twoColumns(hunk, path, look)
  const digits = String(Math.max(hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines)).length
  let old = hunk.oldStart
  let wanted = hunk.newStart
  return hunk.lines.flatMap((line) => {
    const number = line.kind === 'remove' ? old : wanted
    if (line.kind !== 'add') old += 1
    if (line.kind !== 'remove') wanted += 1
    const colour = line.kind === 'add' ? theme.added : line.kind === 'remove' ? theme.removed : theme.dim
    const head = `${theme.dim}${String(number).padStart(digits)}${theme.reset} ${colour}${signs[line.kind]}${theme.reset} `
    const room = Math.max(8, width - digits - 3)
    const body = lineText(line, path, look)
    const rows = settings.wrapLongLines ? wrap(body, room) : [cut(body, room)]
    return rows.map((row, i) => (i === 0 ? head : ' '.repeat(digits + 3)) + row)
  })
}

function twoColumns(hunk: DiffHunk, path: string, look: DiffLook): string[] {
  const { theme } = look
  const half = Math.floor((look.width - 3) / 2)
  const side = (entry: { number: number; line: DiffLine } | undefined): string => {
    if (!entry) return ' '.repeat(half)
    const { number, line } = entry
    const colour = line.kind === 'add' ? theme.added : line.kind === 'remove' ? theme.removed : theme.dim
    const text = cut(
      `${colour}${String(number).padStart(4)} ${signs[line.kind]}${theme.reset} ${lineText(line, path, look)}`,
      half,
    )
    return text + ' '.repeat(Math.max(0, half - styledCells(text)))
  }
  return sideBySide(hunk).map(
    ({ left, right }) => `${side(left)} ${theme.dim}${theme.bar}${theme.reset} ${side(right)}`,
  )
}

/** The line above a diff: path, counts, and what it is for. */
export function diffHead(diff: FileDiff, { theme, settings, width }: DiffLook): string {
  const { path, change, added, removed, hunks, note } = diff
  const first = hunks[0]
  const last = hunks.at(-1)
  const lines =
    change === 'modified' && first && last
      ? `  lines ${first.newStart}–${last.newStart + last.newLines - 1}`
      : `  ${change}`
  const what = settings.showDescription && note !== undefined ? `   ${visible(note)}` : ''
  const counts = `  ${theme.added}+${added}${theme.reset} ${theme.removed}−${removed}${theme.reset}`
  return cut(`${theme.bold}${visible(path)}${theme.reset}${theme.dim}${lines}${theme.reset}${counts}${what}`, width)
}

/** Most rows of one finished diff in the scrollback; the file has the rest. */
const MAX_ROWS = 400

/** A whole diff, for the scrollback. */
export function diffRows(diff: FileDiff, look: DiffLook): string[] {
  const head = diffHead(diff, look)
  if (!look.settings.showDiff) return [head]
  const rows = diff.hunks.flatMap((hunk, i) => [
    ...(i === 0 ? [] : [`${look.theme.dim}  …${look.theme.reset}`]),
    ...hunkRows(hunk, diff.path, look),
  ])
  if (rows.length <= MAX_ROWS) return [head, ...rows]
  return [
    head,
    ...rows.slice(0, MAX_ROWS),
    `${look.theme.dim}  … ${rows.length - MAX_ROWS} more rows${look.theme.reset}`,
  ]
}
