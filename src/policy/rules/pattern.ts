/** Splits a rule's words at spaces; single and double quotes keep spaces, a backslash takes the next character as it is. */
export function splitPattern(pattern: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    if (quote !== '') {
      if (char === quote) quote = ''
      else word = (word ?? '') + char
    } else if (char === "'" || char === '"') {
      quote = char
      word ??= ''
    } else if (char === '\\' && at + 1 < pattern.length) {
      word = (word ?? '') + pattern[++at]!
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + char
    }
  }
  if (word !== undefined) words.push(word)
  return words
}

/** Writes words so that `splitPattern` gives them back. */
export function joinPattern(words: readonly string[]): string {
  return words.map((word) => (/^[^\s'"\\]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`)).join(' ')
}

/** Matches one word against a pattern in which `*` is any text (slashes too) and `?` one character. */
export function matchesWord(pattern: string, word: string): boolean {
  // Two pointers with one way back: linear in both, whatever the pattern.
  let [at, p, star, mark] = [0, 0, -1, 0]
  while (at < word.length) {
    if (p < pattern.length && pattern[p] === '*') {
      star = p++
      mark = at
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === word[at])) {
      p++
      at++
    } else if (star >= 0) {
      p = star + 1
      at = ++mark
    } else {
      return false
    }
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
