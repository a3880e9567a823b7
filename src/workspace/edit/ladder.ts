// Finds where an old text stands in a file. The ladder: exact, then trailing white space, then one shift of
// indentation, then Unicode punctuation; the first rung with a match decides, and whether it is unique is the
// caller's question. Lower rungs match whole lines only, so that a near-miss never eats part of a line.

import { type Reindent, uniformShift } from './indentation.ts'
import type { TextView } from './lines.ts'
import { foldPunctuation, hasFoldedPunctuation } from './punctuation.ts'

export type Rung = 'exact' | 'trailing-space' | 'indentation' | 'punctuation'

/** One place where the old text stands; offsets into the file's own text. */
export interface Place {
  start: number
  end: number
  /** Fits a line of the model's text to the indentation of this place. */
  fit: Reindent
  /** Whether the place was found by another indentation than the old text's. */
  shifted: boolean
  /** The part of the old text the place stands for (blank lines at its edges may be left out), LF only. */
  oldText: string
  /** Line ends left out at the edges, to be left out of the new text as well. */
  trimmed: { head: number; tail: number }
}

export interface Found {
  rung: Rung
  places: Place[]
}

const asIs: Reindent = (line) => line
const NOTHING_TRIMMED = { head: 0, tail: 0 }

/**
 * The first rung of the ladder that finds `oldText` (LF only, not empty), or null. With `wholeLines` a place must begin and
 * end with a line on every rung.
 */
export function findPlaces(view: TextView, oldText: string, wholeLines = false): Found | null {
  const whole = (place: Place): boolean => !wholeLines || isWholeLines(view, place)
  const exact = exactPlaces(view, oldText).filter(whole)
  if (exact.length > 0) return { rung: 'exact', places: exact }
  // A lone bracket is like many others: only letter for letter is it a place.
  if (!/[\p{L}\p{N}]/u.test(oldText)) return null
  for (const block of blocksOf(oldText)) {
    const trailing = linePlaces(view, block, trimEnd, false)
    if (trailing.length > 0) return { rung: 'trailing-space', places: trailing }
  }
  for (const block of blocksOf(oldText)) {
    const shifted = linePlaces(view, block, trimEnd, true)
    if (shifted.length > 0) return { rung: 'indentation', places: shifted }
  }
  if (!hasFoldedPunctuation(view.lf) && !hasFoldedPunctuation(oldText) && !/[^ -~\s]/.test(oldText)) return null
  const folded = foldedPlaces(view, oldText).filter(whole)
  if (folded.length > 0) return { rung: 'punctuation', places: folded }
  for (const shift of [false, true]) {
    for (const block of blocksOf(oldText)) {
      const places = linePlaces(view, block, foldLine, shift)
      if (places.length > 0) return { rung: 'punctuation', places }
    }
  }
  return null
}

/** The new text less the line ends that were left out of the old text at its edges. */
export function trimEdges(newText: string, { head, tail }: Place['trimmed']): string {
  let trimmed = newText
  for (let each = 0; each < head; each++) trimmed = trimmed.replace(/^[ \t]*\n/, '')
  for (let each = 0; each < tail; each++) trimmed = trimmed.replace(/\n[ \t]*$/, '')
  return trimmed
}

function isWholeLines({ source }: TextView, { start, end }: Place): boolean {
  const ends = end === source.length || source[end - 1] === '\n' || /^\r?\n/.test(source.slice(end, end + 2))
  return ends && (start === 0 || source[start - 1] === '\n')
}

const trimEnd = (line: string): string => line.trimEnd()
const foldLine = (line: string): string => {
  // Most lines are plain; folding each of a large file would cost more than all the rest.
  const plain = /^[ -~\t]*$/.test(line) ? line : foldPunctuation(line).folded.normalize('NFC')
  return plain.trimEnd()
}

function exactPlaces(view: TextView, oldText: string): Place[] {
  const places: Place[] = []
  // Overlapping places count: an old text that overlaps itself is not unique.
  for (let at = view.lf.indexOf(oldText); at >= 0; at = view.lf.indexOf(oldText, at + 1)) {
    const [start, end] = [view.sourceOffset(at), view.sourceOffset(at + oldText.length)]
    places.push({ start, end, fit: asIs, shifted: false, oldText, trimmed: NOTHING_TRIMMED })
  }
  return places
}

function foldedPlaces(view: TextView, oldText: string): Place[] {
  const text = foldPunctuation(view.lf)
  const wanted = foldPunctuation(oldText).folded
  if (wanted.trim() === '') return []
  const places: Place[] = []
  for (let found = text.folded.indexOf(wanted); found >= 0; found = text.folded.indexOf(wanted, found + 1)) {
    const end = found + wanted.length
    if (text.splits(found) || text.splits(end)) continue
    places.push({
      start: view.sourceOffset(text.sourceOf(found)),
      end: view.sourceOffset(text.sourceOf(end - 1) + 1),
      fit: asIs,
      shifted: false,
      oldText,
      trimmed: NOTHING_TRIMMED,
    })
  }
  return places
}

interface Block {
  lines: string[]
  endsLine: boolean
  trimmed: { head: number; tail: number }
}

/** The old text as lines; when it has blank lines at its edges, a second time without them. */
function blocksOf(oldText: string): Block[] {
  const endsLine = oldText.endsWith('\n')
  const lines = (endsLine ? oldText.slice(0, -1) : oldText).split('\n')
  const head = lines.findIndex((line) => line.trim() !== '')
  const tail = lines.length - 1 - lines.findLastIndex((line) => line.trim() !== '')
  const whole: Block = { lines, endsLine, trimmed: NOTHING_TRIMMED }
  if (head === 0 && tail === 0) return [whole]
  // Only the content: were its line end part of the span, a new text without one would glue two lines together.
  const inner = lines.slice(head, lines.length - tail)
  return [whole, { lines: inner, endsLine: false, trimmed: { head, tail: tail + (endsLine ? 1 : 0) } }]
}

function linePlaces(view: TextView, block: Block, normal: (line: string) => string, shift: boolean): Place[] {
  const key = shift ? (line: string): string => normal(line).replace(/^[ \t]+/, '') : normal
  const wanted = block.lines.map(key)
  const file = keysOf(view, key)
  const anchor = wanted.findIndex((line) => line !== '')
  const places: Place[] = []
  for (const at of file.at.get(wanted[anchor]!) ?? []) {
    const first = at - anchor
    if (first < 0 || first + wanted.length > file.keys.length) continue
    if (!wanted.every((line, each) => line === file.keys[first + each])) continue
    const lines = view.lines.slice(first, first + wanted.length)
    const texts = lines.map((line) => normal(line.text))
    const fit = shift ? uniformShift(block.lines.map(normal), texts) : asIs
    if (fit === null) continue
    const last = lines.at(-1)!
    const end = last.start + last.text.length + (block.endsLine ? last.eol.length : 0)
    const oldText = block.lines.join('\n') + (block.endsLine ? '\n' : '')
    places.push({ start: lines[0]!.start, end, fit, shifted: shift, oldText, trimmed: block.trimmed })
  }
  return places
}

interface Keys {
  keys: string[]
  /** 0-based lines by key. */
  at: Map<string, number[]>
}

/** Lines by a key. */
function keysOf(view: TextView, key: (line: string) => string): Keys {
  const keys = view.lines.map((line) => key(line.text))
  const at = new Map<string, number[]>()
  for (const [line, each] of keys.entries()) {
    const known = at.get(each)
    if (known === undefined) at.set(each, [line])
    else known.push(line)
  }
  return { keys, at }
}
