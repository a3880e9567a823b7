// Characters that editors, chat windows and models swap for their ASCII likes, and back.
const LIKE: [string, RegExp][] = [
  ["'", /[\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\uff07]/],
  ['"', /[\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\uff02]/],
  ['-', /[\u2010-\u2015\u2212\ufe63\uff0d]/],
  [' ', /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/],
  ['...', /\u2026/],
  ['', /[\u200b-\u200d\u2060\ufeff\u00ad]/],
]
const ANY =
  /[\u2018-\u201f\u2032\u2033\u2035\u2036\u02bc\uff02\uff07\u00ab\u00bb\u2010-\u2015\u2212\ufe63\uff0d\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\u2026\ufeff\u00ad]/g

export function hasFoldedPunctuation(text: string): boolean {
  return text.search(ANY) >= 0
}

/** A text with ASCII punctuation, and the way back to its own offsets. */
export interface FoldedText {
  folded: string
  /** Offset in the text of the character that stands at this offset of `folded`; its length for the end. */
  sourceOf(offset: number): number
  /** Whether an offset of `folded` lies inside what one character was folded to. */
  splits(offset: number): boolean
}

export function foldPunctuation(text: string): FoldedText {
  // Only the characters that are folded are remembered: a source file has few.
  const sources: number[] = []
  const starts: number[] = []
  const lengths: number[] = []
  let folded = ''
  let from = 0
  for (const { index, 0: character } of text.matchAll(ANY)) {
    folded += text.slice(from, index)
    const like = LIKE.find(([, pattern]) => pattern.test(character))![0]
    sources.push(index)
    starts.push(folded.length)
    lengths.push(like.length)
    folded += like
    from = index + 1
  }
  if (sources.length === 0) return { folded: text, sourceOf: (offset) => offset, splits: () => false }
  folded += text.slice(from)

  /** The last folded character that begins at or before an offset, or -1. Of those folded to nothing, the last. */
  function characterAt(offset: number): number {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  return {
    folded,
    sourceOf(offset) {
      const at = characterAt(offset)
      if (at < 0) return offset
      const into = offset - starts[at]!
      return into < lengths[at]! ? sources[at]! : sources[at]! + 1 + into - lengths[at]!
    },
    splits(offset) {
      const at = characterAt(offset)
      return at >= 0 && offset > starts[at]! && offset < starts[at]! + lengths[at]!
    },
  }
}

/**
 * The new line with the file's own punctuation wherever old and new agree at its ends, so that an edit in the middle
 * of a line does not straighten the quotes beside it. `fileLine` and `oldLine` fold to the same text.
 */
export function carryPunctuation(fileLine: string, oldLine: string, newLine: string): string {
  const file = foldPunctuation(fileLine)
  const old = foldPunctuation(oldLine).folded
  const wanted = foldPunctuation(newLine)
  if (file.folded !== old) return newLine
  const most = Math.min(old.length, wanted.folded.length)
  let head = 0
  while (head < most && old[head] === wanted.folded[head]) head += 1
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === wanted.folded.at(-1 - tail)) tail += 1
  const fileTail = old.length - tail
  const newTail = wanted.folded.length - tail
  // A cut inside "…" written as three dots would double it.
  if ([head, fileTail].some((at) => file.splits(at)) || [head, newTail].some((at) => wanted.splits(at))) return newLine
  return (
    fileLine.slice(0, file.sourceOf(head)) +
    newLine.slice(wanted.sourceOf(head), wanted.sourceOf(newTail)) +
    fileLine.slice(file.sourceOf(fileTail))
  )
}
