// The bytes of a frame. The live part stands at the end of what was printed; a frame puts printed rows above it and changes only
// rows that differ from what stands in their place, so that finished rows reach the scrollback once and nothing flickers.
// Every move counts from the cursor: it does not know where on the screen the live part is.
import { rowChange } from './row-change.ts'
import { styledCells } from './styled-text.ts'

const ESC = '\u001B'
const BEGIN_FRAME = `${ESC}[?2026h`
const END_FRAME = `${ESC}[?2026l`
const HIDE_CURSOR = `${ESC}[?25l`
const SHOW_CURSOR = `${ESC}[?25h`
const ERASE_BELOW = `${ESC}[J`

export interface Frame {
  /** Rows that are finished now. */
  printed: readonly string[]
  /** Rows of the live part; at least one, fewer than the screen has. */
  rows: readonly string[]
  /** Cells from the left, and the row in `rows`. */
  cursor: { x: number; y: number }
}

export class ScreenWriter {
  /** Rows of the live part as they stand on the screen. */
  private shown: readonly string[] = ['']
  /** Where the cursor is, from the live part's first row. */
  private x = 0
  private y = 0
  /** Nothing is drawn yet, or what was drawn is not ours any more. */
  private fresh = true

  /** The bytes that draw a frame; empty when it looks like the last. */
  frame({ printed, rows, cursor }: Frame): string {
    const next = printed.length === 0 ? rows : [...printed, ...rows]
    let out = this.fresh ? `\r${ERASE_BELOW}` : ''
    const lines = Math.max(next.length, this.shown.length)
    for (let at = 0; at < lines; at++) {
      const old = this.shown[at]
      const text = next[at]
      if (old === text) continue
      if (text === undefined) {
        out += `${this.moveTo(at)}\r${ERASE_BELOW}`
        break
      }
      // A row that is not there yet is made by a line end, which scrolls where it must.
      if (old === undefined) {
        out += `${this.moveTo(at - 1)}\r\n${text}`
        this.y = at
      } else out += this.moveTo(at) + rowChange(old, text)
    }
    const y = printed.length + cursor.y
    const alone = out === ''
    if (alone && y === this.y && cursor.x === this.x) return ''
    out += `${this.moveTo(y)}${ESC}[${cursor.x + 1}G`
    this.shown = rows
    this.x = cursor.x
    this.y = cursor.y
    this.fresh = false
    return alone ? out : `${BEGIN_FRAME}${HIDE_CURSOR}${out}${SHOW_CURSOR}${END_FRAME}`
  }

  /**
   * The bytes that take the live part off the screen, and forgets it. With `columns` the screen has become so wide or narrow
   * since: where the terminal `wraps` anew, rows above the cursor that are wider take more of them.
   */
  erase(columns = Number.POSITIVE_INFINITY, wraps = true): string {
    const above = this.shown
      .slice(0, this.y)
      .reduce((sum, row) => sum + (wraps ? Math.max(1, Math.ceil(styledCells(row) / columns)) : 1), 0)
    const out = this.fresh ? '' : `${above > 0 ? `${ESC}[${above}A` : ''}\r${ERASE_BELOW}`
    this.shown = ['']
    this.x = 0
    this.y = 0
    this.fresh = true
    return out
  }

  /** The bytes that put the cursor under the live part, which stays. */
  leave(): string {
    return this.fresh ? '' : `${this.moveTo(this.shown.length - 1)}\r\n`
  }

  private moveTo(y: number): string {
    const by = y - this.y
    this.y = y
    if (by === 0) return ''
    return by > 0 ? `${ESC}[${by}B` : `${ESC}[${-by}A`
  }
}
