// What a model copies along from what it was shown: the line numbers of a read, and a code fence around the
// whole argument. Both are taken off old and new text alike, and only where every line carries them.

const FENCE = /^[ \t]*(`{3,}|~{3,})[\w+.#-]*[ \t]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*\n?$/
// `12\tcode`, `12: code`, `12| code`, `12 | code`, `12→code`, also of a grep (`12-code` is not taken: too like text).
const NUMBERED = /^[ \t]*(\d{1,7})(?:\t| ?\| ?|: ?|→)(.*)$/

export interface Cleaned {
  oldText: string
  newText: string
  /** What was taken off, for the result. */
  notes: string[]
}

/**
 * Takes line numbers and a fence off. `fencesBelong` is true for Markdown, where a new text may well be one fenced block. Both texts
 * have LF only. A new text in which only some lines carry numbers cannot be cleaned: null.
 */
export function cleanArguments(oldText: string, newText: string, fencesBelong: boolean): Cleaned | null {
  const notes: string[] = []
  let [old, wanted] = [oldText, newText]
  const oldFence = unfence(old)
  const newFence = unfence(wanted)
  if (oldFence !== null || (newFence !== null && !fencesBelong)) {
    if (oldFence !== null) old = oldFence
    if (newFence !== null) wanted = newFence
    notes.push('a code fence around the text was taken off')
  }
  const oldLines = unnumber(old, true)
  if (oldLines === null) return { oldText: old, newText: wanted, notes }
  notes.push('copied line numbers were taken off')
  if (wanted.trim() === '') return { oldText: oldLines, newText: wanted, notes }
  const newLines = unnumber(wanted, false)
  if (newLines !== null) return { oldText: oldLines, newText: newLines, notes }
  const some = wanted.split('\n').some((line) => NUMBERED.test(line) && copiedNumber(line, old))
  return some ? null : { oldText: oldLines, newText: wanted, notes }
}

/**
 * A new text without the fence around it, where the old text was found in the file as given and has none: in code the fence would
 * be written into the file.
 */
export function cleanNewText(oldText: string, newText: string, fencesBelong: boolean): Cleaned {
  const inner = fencesBelong || unfence(oldText) !== null ? null : unfence(newText)
  if (inner === null) return { oldText, newText, notes: [] }
  return { oldText, newText: inner, notes: ['a code fence around the text was taken off'] }
}

function unfence(text: string): string | null {
  const inner = FENCE.exec(text)
  if (inner === null) return null
  const [, mark, body] = inner
  // Two blocks with text between them are not one fence around it all.
  return body!.split('\n').some((line) => line.trimStart().startsWith(mark!)) ? null : body!
}

/** The text without numbers when every line has one; `consecutive` asks that they count up by one. */
function unnumber(text: string, consecutive: boolean): string | null {
  const ended = text.endsWith('\n')
  const lines = (ended ? text.slice(0, -1) : text).split('\n')
  const found = lines.map((line) => NUMBERED.exec(line))
  const complete = found.filter((each) => each !== null)
  if (complete.length < found.length || complete.length === 0) return null
  const first = Number(complete[0]![1])
  if (consecutive && !complete.every((each, at) => Number(each[1]) === first + at)) return null
  return complete.map((each) => each[2]).join('\n') + (ended ? '\n' : '')
}

/** Whether a numbered line of the new text was copied with a number the old text has as well. */
function copiedNumber(line: string, old: string): boolean {
  const number = NUMBERED.exec(line)![1]!
  return old.split('\n').some((each) => NUMBERED.exec(each)?.[1] === number)
}
