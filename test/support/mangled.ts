import fc from './property.ts'

const ODD = [
  '',
  '{',
  '}',
  '(',
  ')',
  '"',
  "'",
  '`',
  '\\',
  '\0',
  '\ud800',
  '\u{1f600}',
  '\n',
  '\r\n',
  '<',
  '#',
  '/*',
  '<<EOF\n',
]

/** A text cut up: pieces left out, said twice, put elsewhere, with odd characters between. */
export function mangled(text: string): fc.Arbitrary<string> {
  const place = fc.nat(text.length)
  return fc
    .array(fc.tuple(place, place, fc.constantFrom(...ODD)), { minLength: 1, maxLength: 6 })
    .map((cuts) =>
      cuts.map(([from, to, between]) => text.slice(Math.min(from, to), Math.max(from, to)) + between).join(''),
    )
}
