import { align } from '../diff/align.ts'
import { type Line, splitLines } from './lines.ts'

export interface Replacement {
  /** The matched span as it is in the file. */
  span: string
  /** The old and new text, LF only; `oldText` has as many lines as `span`. */
  oldText: string
  newText: string
  /** The line end for lines that are new. */
  eol: '\n' | '\r\n'
  /** Fits a new line to the file (indentation). */
  fit: (line: string) => string
  /** Fits a changed line to the file line it replaces (punctuation). */
  carry?: (fileLine: string, oldLine: string, newLine: string) => string
}

/**
 * The text that takes the place of `span`: lines the model left as they were keep the file's bytes and line ends, the others
 * are fitted. A final line end the span does not have is not added.
 */
export function rebuild({ span, oldText, newText, eol, fit, carry }: Replacement): string {
  const file = splitLines(span)
  const old = splitLines(oldText).map((line) => line.text)
  const wanted = splitLines(newText)
  const aligned = align(
    old,
    wanted.map((line) => line.text),
  )
  const paired = pairChanged(aligned, old.length)
  const addedEnd = oldText.endsWith('\n') && file.at(-1)?.eol === ''
  let last = eolOf(file, eol)
  return wanted
    .map((line, at) => {
      const source = file[aligned[at]!]
      const changed = file[paired[at] ?? -1]
      const text = source?.text ?? newLine(fit(line.text), changed, old[paired[at] ?? -1])
      // A line ends as the one it replaces; an inserted one as the line before it.
      const kept = source ?? changed
      last = kept !== undefined && kept.eol !== '' ? kept.eol : last
      if (at < wanted.length - 1) return text + last
      return text + (line.eol === '' || addedEnd ? '' : last)
    })
    .join('')

  function newLine(fitted: string, changed: Line | undefined, oldLine: string | undefined): string {
    return carry === undefined || changed === undefined || oldLine === undefined
      ? fitted
      : carry(changed.text, fit(oldLine), fitted)
  }
}

function eolOf(file: Line[], otherwise: '\n' | '\r\n'): '\n' | '\r\n' {
  const first = file.find((line) => line.eol !== '')
  return first === undefined || first.eol === '' ? otherwise : first.eol
}

/** Pairs changed lines with the old lines they replace, in order, between aligned ones. */
function pairChanged(aligned: Int32Array, oldCount: number): Int32Array {
  const pairs = aligned.map(() => -1)
  let from = 0
  for (let at = 0; at < aligned.length;) {
    if (aligned[at]! >= 0) {
      from = aligned[at]! + 1
      at += 1
      continue
    }
    let end = at
    while (end < aligned.length && aligned[end]! < 0) end += 1
    const until = end < aligned.length ? aligned[end]! : oldCount
    for (let each = at; each < end && from + each - at < until; each++) pairs[each] = from + each - at
    at = end
  }
  return pairs
}
