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
  /[\u2018-\u201f\u2032\u2033\u2035\u2036\u02bc\uff02\uff07\u00ab\u00bb\u2010-\u2015\u2212\ufe63\uff0d\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\u2026\ufeff\u00ad]/

export function hasFoldedPunctuation(text: string): boolean {
  return ANY.test(text)
}

/** A text with ASCII punctuation; `at[i]` is the offset in the text of character `i` of `folded`, plus one for the end. */
export interface FoldedText {
  folded: string
  at: number[]
}

export function foldPunctuation(text: string): FoldedText {
  const at: number[] = []
  let folded = ''
  for (let offset = 0; offset < text.length; offset++) {
    const character = text[offset]!
    const like = ANY.test(character) ? LIKE.find(([, pattern]) => pattern.test(character))![0] : character
    for (let each = 0; each < like.length; each++) at.push(offset)
    folded += like
  }
  at.push(text.length)
  return { folded, at }
}

/**
 * The new line with the file's own punctuation wherever old and new agree at its ends, so that an edit in the middle
 * of a line does not straighten the quotes beside it. `fileLine` and `oldLine` fold to the same text.
 */
export function carryPunctuation(fileLine: string, oldLine: string, newLine: string): string {
  const file = foldPunctuation(fileLine)
  const old = foldPunctuation(oldLine).folded
  const { folded: wanted, at } = foldPunctuation(newLine)
  if (file.folded !== old) return newLine
  const most = Math.min(old.length, wanted.length)
  let head = 0
  while (head < most && old[head] === wanted[head]) head += 1
  let tail = 0
  while (tail < most - head && old[old.length - 1 - tail] === wanted[wanted.length - 1 - tail]) tail += 1
  const fileTail = old.length - tail
  const newTail = wanted.length - tail
  // A cut inside "…" written as three dots would double it.
  if (splits(file.at, head) || splits(file.at, fileTail) || splits(at, head) || splits(at, newTail)) return newLine
  return fileLine.slice(0, file.at[head]) + newLine.slice(at[head], at[newTail]) + fileLine.slice(file.at[fileTail])
}

/** Whether an offset of a folded text lies inside what one character was folded to. */
export function splits(at: number[], offset: number): boolean {
  return offset > 0 && offset < at.length - 1 && at[offset - 1] === at[offset]
}
