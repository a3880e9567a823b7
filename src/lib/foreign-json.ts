// JSON that others wrote. Text of a few kilobytes can nest a hundred thousand values; `JSON.parse` reads it, and the first
// function that walks such a value by calling itself (a schema, `JSON.stringify`) overflows the stack. So a bound on the
// nesting is checked where the text comes in, and no walk behind that point needs one of its own.

/** Arrays and objects inside one another. Deeper values are not data that a person or a model means. */
export const MOST_NESTED = 200

export const TOO_DEEP = `nested more than ${MOST_NESTED} levels deep`

/** The text may be right, but nobody may walk what it means. `message` goes on from "it is". */
export class TooDeepError extends Error {
  constructor() {
    super(TOO_DEEP)
    this.name = 'TooDeepError'
  }
}

/** As `JSON.parse`; throws TooDeepError for a value of more than MOST_NESTED levels, before it is made. */
export function parseForeignJson(text: string): unknown {
  if (isTooDeep(text)) throw new TooDeepError()
  return JSON.parse(text)
}

/** Whether brackets outside of strings stand more than MOST_NESTED levels deep in a text. */
export function isTooDeep(text: string): boolean {
  // Each level takes a character to open it: short texts, such as the parts of a stream, are not looked at.
  if (text.length <= MOST_NESTED) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MOST_NESTED) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** Where the string that opens at `at` closes; the end of the text when it does not. */
function endOfString(text: string, at: number): number {
  for (let close = text.indexOf('"', at + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    let slashes = 0
    while (text.charCodeAt(close - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return close
  }
  return text.length
}

/** Whether a value that another reader than JSON's made has more than MOST_NESTED levels. */
export function isTooDeepValue(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.filter((each) => typeof each === 'object' && each !== null)
    if (inner.length > 0 && depth >= MOST_NESTED) return true
    level = [...new Set(inner)].flatMap((each) => Object.values(each))
  }
  return false
}
