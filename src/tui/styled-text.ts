// Text with SGR styles: how wide it is, where it may be cut, how it wraps. Widths are terminal cells.
import stringWidth from 'string-width'

/** A CSI … m sequence, the only control sequence a styled line may hold. */
const ESC = '\u001B'
const SGR = new RegExp(`${ESC}\\[[\\d;:]*m`, 'y')
const EVERY_SGR = new RegExp(`${ESC}\\[[\\d;:]*m`, 'g')
const ASCII = /^[\u0020-\u007E]*$/

/** Cells of a text without control sequences. */
export function cells(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text)
}

/** The text alone. */
export const withoutStyle = (text: string): string => text.replaceAll(EVERY_SGR, '')

/** Cells of a styled text. */
export function styledCells(text: string): number {
  return cells(withoutStyle(text))
}

export interface Piece {
  /** One grapheme or one SGR sequence. */
  text: string
  /** 0 for a sequence and for combining marks on their own. */
  width: number
  sequence: boolean
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Splits a styled text into graphemes and sequences. */
export function pieces(text: string): Piece[] {
  const out: Piece[] = []
  let at = 0
  while (at < text.length) {
    if (text.charCodeAt(at) === 0x1b) {
      SGR.lastIndex = at
      const found = SGR.exec(text)
      if (found) {
        out.push({ text: found[0], width: 0, sequence: true })
        at += found[0].length
        continue
      }
    }
    let end = text.indexOf('\u001B', at + 1)
    if (end < 0) end = text.length
    const run = text.slice(at, end)
    if (ASCII.test(run)) for (const char of run) out.push({ text: char, width: 1, sequence: false })
    else
      for (const { segment } of graphemes.segment(run))
        out.push({ text: segment, width: cells(segment), sequence: false })
    at = end
  }
  return out
}

const RESET = '\u001B[0m'

/** Follows SGR sequences: what must be written to have the same style again. */
class Style {
  private open: string[] = []
  take(sequence: string): void {
    if (sequence === RESET || sequence === '\u001B[m') this.open = []
    else this.open.push(sequence)
  }
  get text(): string {
    return this.open.join('')
  }
}

/**
 * Wraps a styled text at line ends and spaces into rows of at most `width` cells; a word longer than a row is cut. `indent` stands before
 * every row but the first. Every row ends in plain style and begins with the style it needs.
 */
export function wrap(text: string, width: number, indent = ''): string[] {
  const room = Math.max(2, width)
  if (ASCII.test(text) && text.length <= room) return [text]
  const rows: string[] = []
  const style = new Style()
  const indentWidth = cells(indent)
  let row = ''
  let used = 0
  let first = true
  /** At the start of a line of the text, where blanks mean something. */
  let indenting = true
  let word: Piece[] = []
  let wordWidth = 0
  const endRow = (isLineEnd = false): void => {
    indenting = isLineEnd
    rows.push(style.text === '' ? row.trimEnd() : `${row.trimEnd()}${RESET}`)
    first = false
    row = indent + style.text
    used = indentWidth
  }
  const put = (piece: Piece): void => {
    if (piece.sequence) style.take(piece.text)
    else if (used + piece.width > room) endRow()
    row += piece.text
    used += piece.width
  }
  const putWord = (): void => {
    const start = first ? 0 : indentWidth
    if (used + wordWidth > room && wordWidth <= room - indentWidth && used > start) endRow()
    for (const piece of word) put(piece)
    word = []
    wordWidth = 0
  }
  for (const piece of pieces(text)) {
    if (piece.text === ' ') {
      putWord()
      if (used >= room) endRow()
      // The blank at which a row was wrapped is not shown.
      else if (used > (first ? 0 : indentWidth) || first || indenting) put(piece)
    } else if (piece.text === '\n') {
      putWord()
      endRow(true)
    } else {
      word.push(piece)
      wordWidth += piece.width
    }
  }
  putWord()
  rows.push(style.text === '' ? row : `${row}${RESET}`)
  return rows
}

/** The first `width` cells of a styled text, with `…` where something was cut. */
export function cut(text: string, width: number): string {
  if (styledCells(text) <= width) return text
  let row = ''
  let used = 0
  let styled = false
  for (const piece of pieces(text)) {
    if (used + piece.width > width - 1 && !piece.sequence) break
    styled ||= piece.sequence
    row += piece.text
    used += piece.width
  }
  return `${row}${styled ? RESET : ''}…`
}
