// Words of identifiers, comments and paths: split at case and signs, lower case, plain English endings cut, so that
// `parseUserNames` and "parses the names of users" share words.

const STOP = new Set(
  'a an and are as at be by can do does for from has have if in into is it its not of on or that the their then there this to was were when which will with returns return given used use uses using'.split(
    ' ',
  ),
)

/** Cuts the commonest English endings; crude on purpose, and the same on both sides. */
export function stem(word: string): string {
  if (word.length > 4 && /ie[sd]$/.test(word)) return `${word.slice(0, -3)}y`
  if (word.length > 5 && word.endsWith('ing')) return bare(word.slice(0, -3))
  if (word.length > 4 && word.endsWith('ed')) return bare(word.slice(0, -2))
  if (word.length > 4 && /(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return withoutE(word.slice(0, -1))
  return withoutE(word)
}

/** What is left of a verb: `stopp` is `stop`. */
function bare(word: string): string {
  const last = word.at(-1)
  if (last === word.at(-2) && !/[lsz]/.test(last ?? '')) return word.slice(0, -1)
  return withoutE(word)
}

function withoutE(word: string): string {
  if (word.length > 4 && word.endsWith('ie')) return `${word.slice(0, -2)}y`
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word
}

const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\p{L}+/gu

/** Stemmed words of a text or identifier, in order, without stop words and single letters. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const [part] of text.matchAll(PARTS)) {
    const word = part.toLowerCase()
    if (word.length > 1 && !STOP.has(word)) words.push(stem(word))
  }
  return words
}
