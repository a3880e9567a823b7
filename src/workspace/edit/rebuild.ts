import { type Line, splitLines } from './lines.ts'

// Above so many pairs of lines only the equal head and tail are aligned.
const MAX_PAIRS = 4_000_000

/** For each new line the index of the old line it is, or -1: the longest common subsequence. */
export function alignLines(old: string[], wanted: string[]): number[] {
  const aligned = Array.from({ length: wanted.length }, () => -1)
  let head = 0
  while (head < old.length && head < wanted.length && old[head] === wanted[head]) aligned[head] = head++
  let tail = 0
  while (
    tail < old.length - head &&
    tail < wanted.length - head &&
    old[old.length - 1 - tail] === wanted[wanted.length - 1 - tail]
  ) {
    tail += 1
    aligned[wanted.length - tail] = old.length - tail
  }
  const rows = old.length - head - tail
  const columns = wanted.length - head - tail
  if (rows === 0 || columns === 0 || rows * columns > MAX_PAIRS) return aligned
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const equal = old[head + i] === wanted[head + j]
      lengths[i * width + j] = equal
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns;) {
    if (old[head + i] === wanted[head + j]) aligned[head + j++] = head + i++
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1
    else j += 1
  }
  return aligned
}

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
  const aligned = alignLines(
    old,
    wanted.map((line) => line.text),
  )
  const paired = carry === undefined ? [] : pairChanged(aligned, old.length)
  const addedEnd = oldText.endsWith('\n') && file.at(-1)?.eol === ''
  let last = eolOf(file, eol)
  return wanted
    .map((line, at) => {
      const source = file[aligned[at]!]
      const changed = file[paired[at] ?? -1]
      const text = source?.text ?? newLine(fit(line.text), changed, old[paired[at] ?? -1])
      // An inserted line ends as the line before it does.
      last = source !== undefined && source.eol !== '' ? source.eol : last
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
function pairChanged(aligned: number[], oldCount: number): number[] {
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
