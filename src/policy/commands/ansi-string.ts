const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
}

const ESCAPE =
  /\\(?:([abeEfnrtv\\'"?])|([0-7]{1,3})|x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|c([^])|([^]))/g

/**
 * Decodes the inside of `$'…'` (bash(1), QUOTING). Undefined where the locale or the version decides: NUL,
 * what lies over 0x7f, and escapes bash does not define.
 */
export function decodeAnsi(text: string): string | undefined {
  let sure = true
  const decoded = text.replaceAll(ESCAPE, (_, letter, octal, hex, short, long, control, other) => {
    if (letter !== undefined) return LETTERS[letter as string]!
    if (control !== undefined || other !== undefined) {
      sure = false
      return ''
    }
    const code = octal === undefined ? parseInt((hex ?? short ?? long) as string, 16) : parseInt(octal as string, 8)
    if (code === 0 || code > 0x7f) sure = false
    return sure ? String.fromCodePoint(code) : ''
  })
  return sure ? decoded : undefined
}
