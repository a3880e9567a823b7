import { dominantEol, splitLines, toLf } from './lines.ts'

export type EditedLines = { ok: true; text: string } | { ok: false; message: string }

/**
 * Replaces lines `start` to `end` (1-based, inclusive) by `content`; `end = start - 1` inserts before `start`, and an empty content
 * deletes. `content` may end in a line end or not. Line ends of the file are kept, also a missing last one.
 */
export function editLines(text: string, start: number, end: number, content: string): EditedLines {
  const lines = splitLines(text)
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 1 || end < start - 1) {
    return {
      ok: false,
      message: `Lines ${start} to ${end} are no range. Lines count from 1; end = start - 1 inserts before start.`,
    }
  }
  if (end > lines.length || start > lines.length + 1) {
    return { ok: false, message: `The file has ${lines.length} lines, so lines ${start} to ${end} do not exist.` }
  }
  const wanted = toLf(content)
  const body = wanted === '' ? [] : (wanted.endsWith('\n') ? wanted.slice(0, -1) : wanted).split('\n')
  const replaced = lines.slice(start - 1, end)
  const eol = replaced.find((line) => line.eol !== '')?.eol ?? lines[start - 2]?.eol ?? ''
  const usual = eol === '' ? dominantEol(lines) : eol
  const from = lines[start - 1]?.start ?? text.length
  const last = replaced.at(-1)
  const to = last === undefined ? from : last.start + last.text.length + last.eol.length
  const atEnd = to === text.length
  const ended = text === '' || text.endsWith('\n')
  // Lines put after a last line without an end: it gets one, and the new last line goes without.
  const lead = from === text.length && !ended ? usual : ''
  const inserted = body.join(usual)
  const tail = body.length > 0 && (!atEnd || (ended && (text !== '' || wanted.endsWith('\n')))) ? usual : ''
  const before = text.slice(0, from)
  // The last lines of a file without final line end are deleted: what is last now has none either.
  const head = body.length === 0 && atEnd && !ended ? before.replace(/\r?\n$/, '') : before
  return { ok: true, text: head + (body.length > 0 ? lead + inserted + tail : '') + text.slice(to) }
}
