import { dominantEol, splitLines, toLf } from './lines.ts'

/** The text of a whole-file write in the line ends the file has: LF given to a CRLF file is turned, nothing else. */
export function withLineEndsOf(existing: string | null, text: string): string {
  if (existing === null) return text
  const lines = splitLines(existing)
  const crlf = lines.length > 0 && dominantEol(lines) === '\r\n' && !existing.replaceAll('\r\n', '').includes('\n')
  return crlf ? toLf(text).replaceAll('\n', '\r\n') : text
}

/** The text with more added at its end, on a line of its own, in the line ends the file has. */
export function appended(existing: string, text: string): string {
  const joint = existing === '' || existing.endsWith('\n') ? '' : dominantEol(splitLines(existing))
  return existing + joint + withLineEndsOf(existing, text)
}
