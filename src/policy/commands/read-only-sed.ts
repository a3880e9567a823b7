import type { Word } from './segment.ts'

const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\]|\\[^\n])*/)`
/** Addresses with `p`, `d`, `q`, `=` or `l`: no `w`, `e`, `r`, `s///e`, so neither files nor commands. */
const STEP = new RegExp(`^\\s*(?:${ADDRESS}(?:,(?:\\+\\d+|${ADDRESS}))?)?\\s*!?\\s*[pdq=l]?\\s*$`)
/** A substitution without the flags `e` and `w`; GNU sed takes any delimiter, three are known here. */
const SUBSTITUTION = /^\s*s([/|#])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI\d]*\s*$/

/** Tells whether a call of sed only prints: `-n`, `-E` or `-r`, one script of plain steps, then files. */
export function readOnlySed(args: readonly Word[]): boolean {
  let at = 0
  while (/^-(?:[nEru]+|-quiet|-silent|-regexp-extended|-posix|-sandbox)$/.test(args[at]?.value ?? '')) at++
  if (args[at]?.value === '-e') at++
  const script = args[at]?.value
  if (script === undefined || script.startsWith('-')) return false
  // A file name that starts with `-` would be an option wherever it stands.
  if (
    args.slice(at + 1).some((word) => (word.value ?? word.prefix).startsWith('-') || (word.value ?? word.prefix) === '')
  )
    return false
  return SUBSTITUTION.test(script) || script.split(';').every((step) => STEP.test(step))
}
