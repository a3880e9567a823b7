// The prompt: the text being typed as rows, with the place of the cursor.
import { visible } from '../lib/visible.ts'
import type { Editor } from './editor.ts'
import { pieces } from './styled-text.ts'

export interface PromptRows {
  rows: string[]
  /** Cells from the left, and the row in `rows`. */
  cursor: { x: number; y: number }
}

/** Lays the text out after `lead`; at most `maxRows` rows around the cursor. Rows are cut at cells, not at words. */
export function promptRows(editor: Editor, lead: string, width: number, maxRows: number): PromptRows {
  const indent = ' '.repeat(lead.length)
  const room = Math.max(4, width - 1)
  const rows: string[] = []
  let cursor = { x: lead.length, y: 0 }
  let row = lead
  let used = lead.length
  const next = (): void => {
    rows.push(row)
    row = indent
    used = indent.length
  }
  let at = 0
  for (const line of editor.text.split('\n')) {
    for (const { text, width: wide } of pieces(line)) {
      const shown = wide > 0 ? visible(text) : text
      const cellsOf = shown === text ? wide : shown.length
      if (used + cellsOf > room) next()
      if (at === editor.cursor) cursor = { x: used, y: rows.length }
      row += shown
      used += cellsOf
      at += text.length
    }
    if (at === editor.cursor) {
      if (used >= room) next()
      cursor = { x: used, y: rows.length }
    }
    next()
    at += 1
  }
  if (rows.length <= maxRows) return { rows, cursor }
  const first = Math.min(Math.max(0, cursor.y - maxRows + 1), rows.length - maxRows)
  return { rows: rows.slice(first, first + maxRows), cursor: { x: cursor.x, y: cursor.y - first } }
}
