// The edit engine: replaces text in a text and says how it found the place. Promises: a place is changed only when
// it is the one place on its rung of the ladder (or `replaceAll` is set); nothing outside the matched spans changes,
// line ends included; all edits are made or none. Pure: it reads and writes no file.

import { cleanArguments, cleanNewText } from './clean-argument.ts'
import { findPlaces, type Place, type Rung, trimEdges } from './ladder.ts'
import { toLf, viewOf, type TextView } from './lines.ts'
import { nearestLines, type NearLine } from './nearest-lines.ts'
import { newPlaceholders } from './placeholder.ts'
import { indentationDoubt, placedTexts } from './place-text.ts'
import { carryPunctuation } from './punctuation.ts'
import { rebuild } from './rebuild.ts'

export interface TextEdit {
  oldText: string
  newText: string
  /** Default false: the old text must stand in one place only. */
  replaceAll?: boolean
}

export interface EditMatch {
  rung: Rung
  /** How many places were replaced. */
  count: number
  /** First and last changed line of the new text, 1-based, of the first place. */
  startLine: number
  endLine: number
  /** What was done beyond the plain replacement, one clause each. */
  notes: string[]
}

export type EditFaultCode = 'NO_MATCH' | 'AMBIGUOUS_MATCH' | 'PLACEHOLDER' | 'NO_CHANGE'

export interface EditFault {
  ok: false
  code: EditFaultCode
  /** 1-based number of the edit at fault. */
  edit: number
  /** For the model: what, which lines, what to do next. */
  message: string
  /** The lines most like the old text, with `NO_MATCH`. */
  near?: NearLine[]
  /** 1-based lines of every place, with `AMBIGUOUS_MATCH`. */
  places?: number[]
}

export interface Edited {
  ok: true
  text: string
  /** One for each edit, in order. */
  matches: EditMatch[]
}

export interface EditOptions {
  /** Decides by its extension what is prose: there a fence or `// ...` may be meant. */
  path?: string
}

/** A part of the text that an earlier edit of the same call put there. */
interface Written {
  start: number
  end: number
}

const PROSE = /\.(?:md|mdx|markdown|mdc|qmd|rst|adoc|txt|ipynb)$/i
// More places are not listed in a message.
const LISTED_PLACES = 10

export function editText(text: string, edits: TextEdit[], options: EditOptions = {}): Edited | EditFault {
  const prose = PROSE.test(options.path ?? '')
  const matches: EditMatch[] = []
  let current = text
  let written: Written[] = []
  for (const [at, edit] of edits.entries()) {
    const done = makeEdit(current, edit, written, prose)
    if (!done.ok) return { ...done, edit: at + 1, message: numbered(done.message, at, edits.length) }
    current = done.text
    written = done.written
    matches.push(done.match)
  }
  if (current === text) {
    const message = 'Nothing would change: new_text is what the file already says. Read the file again before editing.'
    return { ok: false, code: 'NO_CHANGE', edit: 1, message }
  }
  return { ok: true, text: current, matches }
}

function numbered(message: string, at: number, count: number): string {
  return count === 1 ? message : `Edit ${at + 1} of ${count}: ${message} None of the edits was made.`
}

type OneFault = Omit<EditFault, 'edit'>

function makeEdit(
  text: string,
  edit: TextEdit,
  written: Written[],
  prose: boolean,
): { ok: true; text: string; match: EditMatch; written: Written[] } | OneFault {
  const view = viewOf(text)
  const given = { oldText: withoutMark(toLf(edit.oldText)), newText: withoutMark(toLf(edit.newText)) }
  if (given.oldText === '') {
    if (text !== '') return noMatch('old_text is empty. Give the text to replace, or use write_file for a whole file.')
  } else if (given.oldText === given.newText) {
    return { ok: false, code: 'NO_CHANGE', message: 'old_text and new_text are the same.' }
  }
  // Text that stands in the file as given, numbers and fences included, is what was meant.
  const literal = given.oldText === '' || view.lf.includes(given.oldText)
  const clean = literal ? cleanNewText : cleanArguments
  const cleaned = clean(given.oldText, given.newText, prose)
  if (cleaned === null) {
    return noMatch('new_text has line numbers on some lines only. Give both texts without line numbers.')
  }
  const placeholders = newPlaceholders(cleaned.oldText, cleaned.newText, prose)
  if (placeholders.length > 0) {
    const [first] = placeholders
    const message = `new_text stands in for code with "${first!.text}" (line ${first!.line}). Write out the code, or leave these lines out of old_text and new_text.`
    return { ok: false, code: 'PLACEHOLDER', message }
  }
  if (cleaned.oldText === '') return wholeText(cleaned.newText)
  const found = findPlaces(view, cleaned.oldText)
  if (found === null) return missed(view, cleaned.oldText, cleaned.newText)
  const places = edit.replaceAll === true ? apart(found.places) : onePlace(found.places, written)
  if (places.length > 1 && edit.replaceAll !== true) return ambiguous(view, places)
  return replace(view, places, { ...cleaned, rung: found.rung }, written)
}

/** Without a byte order mark that was copied along: the text of a file never holds its own (`decodeText`). */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

function noMatch(message: string): OneFault {
  return { ok: false, code: 'NO_MATCH', message }
}

function wholeText(text: string): ReturnType<typeof makeEdit> {
  const lines = viewOf(text).lines.length
  const match: EditMatch = { rung: 'exact', count: 1, startLine: 1, endLine: Math.max(1, lines), notes: [] }
  return { ok: true, text, match, written: [{ start: 0, end: text.length }] }
}

/** When an earlier edit of the call wrote a likeness, the place the model was shown is the one meant. */
function onePlace(places: Place[], written: Written[]): Place[] {
  if (places.length === 1) return places
  const shown = places.filter((place) => !written.some((each) => place.start < each.end && each.start < place.end))
  return shown.length === 1 ? shown : places
}

/** Places that do not overlap, from the top. */
function apart(places: Place[]): Place[] {
  let end = -1
  return places.filter((place) => {
    if (place.start < end) return false
    end = place.end
    return true
  })
}

function replace(
  view: TextView,
  places: Place[],
  { newText, notes, rung }: { newText: string; notes: string[]; rung: Rung },
  written: Written[],
): ReturnType<typeof makeEdit> {
  let text = ''
  let at = 0
  let moved = written
  const fresh: Written[] = []
  for (const place of places) {
    const span = view.source.slice(place.start, place.end)
    const texts = placedTexts(view, place, trimEdges(newText, place.trimmed))
    if (!texts) return noMatch(indentationDoubt(view, place))
    const replacement = rebuild({
      span,
      ...texts,
      eol: view.eol,
      ...(rung === 'punctuation' ? { carry: carryPunctuation } : {}),
    })
    text += view.source.slice(at, place.start)
    const shift = replacement.length - span.length
    const start = text.length
    moved = moved.map((each) =>
      each.start >= start + span.length ? { start: each.start + shift, end: each.end + shift } : each,
    )
    fresh.push({ start, end: start + replacement.length })
    text += replacement
    at = place.end
  }
  text += view.source.slice(at)
  const after = viewOf(text)
  const [first] = fresh
  const match: EditMatch = {
    rung,
    count: places.length,
    startLine: after.lineAt(first!.start) + 1,
    endLine: after.lineAt(Math.max(first!.start, first!.end - 1)) + 1,
    notes: [...notes, ...cutWords(view.source, places)],
  }
  return { ok: true, text, match, written: [...moved, ...fresh] }
}

/** Says when a place begins or ends inside a longer word: "foo" found in "foobar" may not be what was meant. */
function cutWords(source: string, places: Place[]): string[] {
  const inside = (at: number): boolean => at > 0 && /^[\w$]{2}$/.test(source.slice(at - 1, at + 1))
  const cut = places.find(({ start, end }) => inside(start) || inside(end))
  if (cut === undefined) return []
  const before = /[\w$]*$/.exec(source.slice(Math.max(0, cut.start - 40), cut.start))![0]
  const after = /^[\w$]*/.exec(source.slice(cut.end, cut.end + 40))![0]
  const place = source.slice(cut.start, cut.end)
  const word = place.includes('\n') ? `${before}…${after}` : before + place.slice(0, 40) + after
  return [`it was found inside "${word}"`]
}

function ambiguous(view: TextView, places: Place[]): OneFault {
  const lines = places.map((place) => view.lineAt(place.start) + 1)
  const listed = lines.slice(0, LISTED_PLACES).join(', ') + (lines.length > LISTED_PLACES ? ', …' : '')
  const message = `old_text stands in ${places.length} places (lines ${listed}). Add lines around it until it is the only one, or set replace_all.`
  return { ok: false, code: 'AMBIGUOUS_MATCH', message, places: lines }
}

function missed(view: TextView, oldText: string, newText: string): OneFault {
  const already = newText.trim().length > 8 && view.lf.includes(newText.trim()) ? view.lf.indexOf(newText.trim()) : -1
  if (already >= 0) {
    const line = view.lineAt(view.sourceOffset(already)) + 1
    return noMatch(`old_text is not in the file, but new_text already is, at line ${line}. Was this edit made before?`)
  }
  const { lines, differs } = nearestLines(view, oldText)
  if (lines.length === 0) return noMatch('old_text is not in the file, nor anything like it. Read the file again.')
  const shown = lines.map(({ line, text }) => `${line}: ${text}`).join('\n')
  const first =
    differs === undefined
      ? ''
      : ` Line ${differs.oldLine} of old_text is ${JSON.stringify(differs.expected)}, the file has ${JSON.stringify(differs.found)}.`
  return { ...noMatch(`old_text is not in the file.${first} The nearest lines are:\n${shown}\n`), near: lines }
}
