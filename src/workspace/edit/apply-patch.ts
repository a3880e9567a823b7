// Places the chunks of a patch in a text. A chunk is found by the same ladder as an edit; where it stands in several
// places its `@@` header or its stated line must single one out, else it is refused.

import type { EditFault, EditMatch } from './edit-text.ts'
import { findPlaces, type Place, trimEdges } from './ladder.ts'
import { type TextView, viewOf } from './lines.ts'
import { nearestLines } from './nearest-lines.ts'
import type { PatchChunk } from './parse-patch.ts'
import { newPlaceholders } from './placeholder.ts'
import { carryPunctuation } from './punctuation.ts'
import { indentationDoubt, placedTexts } from './place-text.ts'
import { rebuild } from './rebuild.ts'

export type Patched = { ok: true; text: string; matches: EditMatch[] } | EditFault

type ChunkFault = Omit<EditFault, 'edit'>

/** Makes the chunks in order, all or none. */
export function applyChunks(text: string, chunks: PatchChunk[], options: { prose?: boolean } = {}): Patched {
  let current = text
  // Chunks stand in the order of the file: the next is looked for below the last, and lines have shifted by so much.
  let below = 0
  let shift = 0
  const matches: EditMatch[] = []
  for (const [at, chunk] of chunks.entries()) {
    const done = applyChunk(current, chunk, below, shift, options.prose ?? false)
    if (!done.ok) {
      const which = chunks.length === 1 ? '' : `Hunk ${at + 1} of ${chunks.length}: `
      return { ...done, edit: at + 1, message: `${which}${done.message}` }
    }
    const lines = chunk.lines.reduce((sum, { kind }) => sum + (kind === 'add' ? 1 : kind === 'remove' ? -1 : 0), 0)
    ;[current, below, shift] = [done.text, done.below, shift + lines]
    matches.push(done.match)
  }
  return { ok: true, text: current, matches }
}

type OneDone = { ok: true; text: string; below: number; match: EditMatch }

function applyChunk(
  text: string,
  chunk: PatchChunk,
  below: number,
  shift: number,
  prose: boolean,
): OneDone | ChunkFault {
  const view = viewOf(text)
  const side = (leave: 'add' | 'remove'): string[] =>
    chunk.lines.filter(({ kind }) => kind !== leave).map((line) => line.text)
  const [old, wanted] = [side('add'), side('remove')]
  const [oldText, newText] = [asText(old), asText(wanted)]
  const [placeholder] = newPlaceholders(oldText, newText, prose)
  if (placeholder !== undefined) {
    const message = `a line stands in for code: "${placeholder.text}". Write out the code.`
    return { ok: false, code: 'PLACEHOLDER', message }
  }
  const start = headerEnd(view, chunk, below)
  if (!start.ok) return start
  if (old.length === 0) return insert(view, chunk, newText, start)
  const found = findPlaces(view, oldText, true)
  if (found === null) return missed(view, oldText)
  const place = choose(view, found.places, chunk, start, shift)
  if (place === null) {
    const lines = found.places.map((each) => view.lineAt(each.start) + 1)
    const message = `its lines stand in ${lines.length} places (lines ${lines.slice(0, 10).join(', ')}). Add context lines, or an "@@" line that names the function they are in.`
    return { ok: false, code: 'AMBIGUOUS_MATCH', message, places: lines }
  }
  const wholeLines = place.oldText.endsWith('\n')
  const ends = wholeLines && chunk.noNewline?.new === true ? newText.slice(0, -1) : trimEdges(newText, place.trimmed)
  const texts = placedTexts(view, place, ends)
  if (!texts) return { ok: false, code: 'NO_MATCH', message: indentationDoubt(view, place) }
  const replacement = rebuild({
    span: view.source.slice(place.start, place.end),
    ...texts,
    eol: view.eol,
    ...(found.rung === 'punctuation' ? { carry: carryPunctuation } : {}),
  })
  // The file gets the final line end it did not have only when the patch says so.
  const ended = chunk.noNewline?.old === true && !chunk.noNewline.new && place.end === view.source.length
  return finish(view, place.start, place.end, ended && wholeLines ? replacement + view.eol : replacement, found.rung)
}

function asText(lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function finish(view: TextView, start: number, end: number, replacement: string, rung: EditMatch['rung']): OneDone {
  const text = view.source.slice(0, start) + replacement + view.source.slice(end)
  const after = viewOf(text)
  const below = start + replacement.length
  const match: EditMatch = {
    rung,
    count: 1,
    startLine: after.lineAt(start) + 1,
    endLine: after.lineAt(Math.max(start, below - 1)) + 1,
    notes: [],
  }
  return { ok: true, text, below, match }
}

interface Start {
  ok: true
  /** Offset below the last header line; that of the last chunk when there is no header. */
  at: number
  named: boolean
}

/** Follows the `@@` headers downward; each must name a line that is there. */
function headerEnd(view: TextView, chunk: PatchChunk, below: number): Start | ChunkFault {
  let at = below
  for (const header of chunk.headers) {
    const wanted = header.trim()
    const line = view.lines.find((each) => each.start >= at && each.text.trim() === wanted)
    const looser = line ?? view.lines.find((each) => each.start >= at && each.text.trim().startsWith(wanted))
    if (looser === undefined) {
      return { ok: false, code: 'NO_MATCH', message: `no line "${wanted}" (its "@@" header) below the hunk before it.` }
    }
    at = looser.start + looser.text.length + looser.eol.length
  }
  return { ok: true, at, named: chunk.headers.length > 0 }
}

function choose(view: TextView, places: Place[], chunk: PatchChunk, start: Start, shift: number): Place | null {
  if (places.length === 1) return places[0]!
  const after = places.filter((place) => place.start >= start.at)
  if (chunk.endOfFile) {
    const last = places.at(-1)!
    if (view.source.slice(last.end).trim() === '') return last
  }
  if (chunk.hint !== undefined) {
    const wanted = chunk.hint - 1 + shift
    const exact = places.find((place) => view.lineAt(place.start) === wanted)
    if (exact !== undefined) return exact
  }
  if (start.named) return after[0] ?? null
  return after.length === 1 ? after[0]! : null
}

/** A chunk of added lines only: below its header, at its stated line, or at the end of the file. */
function insert(view: TextView, chunk: PatchChunk, newText: string, start: Start): OneDone | ChunkFault {
  const atEnd = chunk.endOfFile || view.source === '' || (!start.named && chunk.hint === undefined)
  const hinted = start.named || chunk.hint === undefined ? undefined : view.lines[chunk.hint]?.start
  const place = atEnd ? view.source.length : (hinted ?? (start.named ? start.at : view.source.length))
  const lead = place > 0 && view.source[place - 1] !== '\n' ? view.eol : ''
  const lines = newText.replaceAll('\n', view.eol)
  const text = place === view.source.length && lead !== '' ? lines.slice(0, -view.eol.length) : lines
  return finish(view, place, place, lead + text, 'exact')
}

function missed(view: TextView, oldText: string): ChunkFault {
  const { lines } = nearestLines(view, oldText.replace(/\n$/, ''))
  const shown = lines.map(({ line, text }) => `${line}: ${text}`).join('\n')
  const near = lines.length === 0 ? ' Read the file again.' : ` The nearest lines are:\n${shown}\n`
  return { ok: false, code: 'NO_MATCH', message: `its lines are not in the file.${near}`, near: lines }
}
