// Fits a new text to the place that its old text was found at. Where the old text came with other indentation than the file's,
// the new one may have the old text's or the file's: see new-indentation.ts.
import { align } from '../diff/align.ts'
import type { Reindent } from './indentation.ts'
import type { Place } from './ladder.ts'
import type { TextView } from './lines.ts'
import { styleOf, likelierReading, type Reading, type Surroundings } from './new-indentation.ts'

/** What `rebuild` takes: texts with LF only. */
export interface PlacedTexts {
  oldText: string
  newText: string
  fit: (line: string) => string
}

const asIs = (line: string): string => line
const asOld =
  (fit: Reindent) =>
  (line: string): string =>
    fit(line) ?? line
const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0]

/** Old and new text as they are to be put at a place, or undefined when the new text can be read in two ways. */
export function placedTexts(view: TextView, place: Place, newText: string): PlacedTexts | undefined {
  const { oldText } = place
  const untouched = { oldText, newText, fit: asIs }
  if (newText.trim() === '' || oldText.trim() === '') return untouched
  if (place.shifted) return likelierReading(shiftedReadings(view, place, newText), surroundings(view, place))
  const lineStart = view.lines[view.lineAt(place.start)]?.start ?? 0
  const before = view.source.slice(lineStart, place.start)
  // In the middle of a line nothing is said about indentation.
  if (before === '' || before.trim() !== '') return untouched
  return likelierReading(cutReadings(view, place, newText, before), surroundings(view, place))
}

/** For a model, when `placedTexts` gives nothing. */
export function indentationDoubt(view: TextView, place: Place): string {
  const first = view.lineAt(place.start)
  const last = view.lineAt(Math.max(place.start, place.end - 1))
  const lines = view.lines.slice(first, last + 1).map(({ text }, at) => `${first + 1 + at}: ${text}`)
  return `old_text stands at line ${first + 1} with another indentation, and it cannot be told which one the lines of new_text have. Give both texts with the file's own indentation:\n${lines.join('\n')}\n`
}

/** The whole place is indented otherwise than the old text. */
function shiftedReadings(view: TextView, place: Place, newText: string): Reading<PlacedTexts>[] {
  const { oldText, fit } = place
  const lines = newText.split('\n')
  const old = oldText.split('\n')
  const inFile = old.map((line) => fit(line) ?? line)
  const shared = align(
    old.map((line) => line.trim()),
    lines.map((line) => line.trim()),
  )
  const votes = (frame: readonly string[]): number =>
    lines.filter((line, at) => {
      const from = shared[at]!
      return from >= 0 && line.trim() !== '' && indentOf(line) === indentOf(frame[from]!)
    }).length
  const tail = restOfLine(view, place)
  const whole = (fitted: readonly string[]): string[] => [...fitted.slice(0, -1), fitted.at(-1)! + tail]
  const asInFile = { oldText: inFile.join('\n'), newText, fit: asIs }
  const readings = [{ lines: whole(lines), votes: votes(inFile), value: asInFile }]
  const fitted = lines.map(fit)
  if (!isComplete(fitted)) return readings
  return [{ lines: whole(fitted), votes: votes(old), value: { oldText, newText, fit: asOld(fit) } }, ...readings]
}

function isComplete(lines: readonly (string | undefined)[]): lines is string[] {
  return !lines.includes(undefined)
}

/** What stands behind the place on its last line. */
function restOfLine({ source }: TextView, { end }: Place): string {
  return source[end - 1] === '\n' ? '' : source.slice(end).split('\n', 1)[0]!
}

/** The place begins behind the indentation of its line, or within it: `cut` is what stands before. */
function cutReadings(view: TextView, place: Place, newText: string, cut: string): Reading<PlacedTexts>[] {
  const { oldText } = place
  const [first = '', ...later] = newText.split('\n')
  const tail = restOfLine(view, place)
  const [file = ''] = (cut + oldText).split('\n')
  const reading = (text: string): Reading<PlacedTexts> => {
    const lines = (cut + text).split('\n')
    // A first line that both texts share stands where it stood.
    const votes = lines[0] === file && first.trim() === file.trim() ? lines.length : 0
    const value = { oldText, newText: text, fit: asIs }
    return { lines: [...lines.slice(0, -1), lines.at(-1)! + tail], votes, value }
  }
  // White space would be left where the place was cut.
  if (first.trim() === '') return []
  // Further lines of the old text that are indented as the file is say that those of the new one are.
  const single = !oldText.trimEnd().includes('\n')
  const whole = cut + indentOf(oldText)
  if (indentOf(first) !== indentOf(oldText) && !single && !first.startsWith(whole)) return []
  const readings = [reading(newText)]
  // A single old line says nothing of the lines below it: those of the new text may be cut as it was.
  if (single && later.some((line) => line.trim() !== ''))
    readings.push(reading([first, ...later.map((line) => (line.trim() === '' ? line : cut + line))].join('\n')))
  if (!first.startsWith(whole)) return readings
  // Written with the file's own indentation, the first line has what stands there already.
  const uncut = reading([first.slice(cut.length), ...later].join('\n'))
  return single ? [{ ...uncut, votes: uncut.lines.length }, ...readings] : [uncut]
}

function surroundings(view: TextView, place: Place): Surroundings {
  const first = view.lineAt(place.start)
  const last = view.lineAt(Math.max(place.start, place.end - 1))
  const isText = ({ text }: { text: string }): boolean => text.trim() !== ''
  const before = view.lines.slice(0, first).findLast(isText)
  const after = view.lines.slice(last + 1).find(isText)
  const replaced = view.lines.slice(first, last + 1).map(({ text }) => text)
  return { before: before?.text, after: after?.text, replaced, style: styleOf(view.lines) }
}
