/** One line of a text with where it begins; the last has an empty `eol` when the text does not end in one. */
export interface Line {
  text: string
  eol: '' | '\n' | '\r\n'
  /** Offset of the first character in the text. */
  start: number
}

/** Splits at LF and CRLF; a lone CR is a character. An empty text has no lines, and none follows a final line end. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  while (start < text.length) {
    const at = text.indexOf('\n', start)
    if (at < 0) {
      lines.push({ text: text.slice(start), eol: '', start })
      break
    }
    const crlf = at > start && text.charCodeAt(at - 1) === 13
    lines.push({ text: text.slice(start, crlf ? at - 1 : at), eol: crlf ? '\r\n' : '\n', start })
    start = at + 1
  }
  return lines
}

export function toLf(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
}

/** The line end most lines use; LF when there is none. */
export function dominantEol(lines: Line[]): '\n' | '\r\n' {
  let balance = 0
  for (const line of lines) balance += line.eol === '\r\n' ? 1 : line.eol === '\n' ? -1 : 0
  return balance > 0 ? '\r\n' : '\n'
}

/** A text as the ladder sees it: with LF only, and the way back to offsets of the text itself. */
export interface TextView {
  source: string
  lf: string
  lines: Line[]
  eol: '\n' | '\r\n'
  /** The offset in `source` of an offset in `lf`. */
  sourceOffset(lfOffset: number): number
  /** The 0-based line that holds an offset of `source`. */
  lineAt(offset: number): number
}

export function viewOf(source: string): TextView {
  const lines = splitLines(source)
  const lf = toLf(source)
  const starts = lines.map((line) => line.start)
  const lineAt = (offset: number): number => Math.max(0, lastAtMost(starts, offset))
  if (lf.length === source.length) {
    return { source, lf, lines, eol: dominantEol(lines), sourceOffset: (offset) => offset, lineAt }
  }
  const lfStarts: number[] = []
  let at = 0
  for (const line of lines) {
    lfStarts.push(at)
    at += line.text.length + (line.eol === '' ? 0 : 1)
  }
  function sourceOffset(offset: number): number {
    if (offset >= lf.length) return source.length
    const line = lastAtMost(lfStarts, offset)
    return lines[line]!.start + offset - lfStarts[line]!
  }
  return { source, lf, lines, eol: dominantEol(lines), sourceOffset, lineAt }
}

/** Index of the last number that is not above `value`, in an ascending list; -1 when all are. */
function lastAtMost(sorted: number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
