/* oxlint-disable no-misleading-character-class -- single code points are meant */
/* oxlint-disable typescript/no-misused-spread -- code points are what is tested */
import { expect, test } from 'vitest'
import fc from '../../test/support/property.ts'
import { forTerminal, visible } from './visible.ts'

/** Written without the expressions of the program: by general category and by what Unicode says is drawn as nothing. */
const isObeyed = (char: string): boolean =>
  char !== '\n' &&
  /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|(?![\u200C\u200D\uFE0F])\p{Default_Ignorable_Code_Point}/u.test(char)

const anyText = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)) }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      '\u202E',
      '\u009B',
      '\u200B',
      '\u{E0041}',
      '\uFE0F',
      '\u001B',
      '\r',
      '\n',
      '❤',
      '\u2066',
    ),
  }),
)

// U+202E in a command reached the terminal, which then showed another command than the one that was approved.
test('no text has a code point that a terminal obeys or that reads otherwise than it stands', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect([...visible(text)].filter(isObeyed)).toEqual([])
    }),
  )
})

test('what is written out can be read, and ordinary text of any script stays as it is', () => {
  expect(visible('rm \u202Ecba\u202C \u001B]8;;http://x\u0007y \u009B31m \u{E0041}')).toBe(
    'rm \\u202ecba\\u202c \\x1b]8;;http://x\\x07y \\u009b31m \\u{e0041}',
  )
  for (const text of ['Überweisung', '你好', 'می\u200Cخواهم', 'שלום', '❤\uFE0F', '👩\u200D💻', 'e\u0301'])
    expect(visible(text)).toBe(text)
  // In a name of ASCII letters a joiner only hides that it is another name.
  expect(visible('pay\u200Dpal')).toBe('pay\\u200dpal')
})

test('own colours stay on the way to a terminal, everything else of theirs does not', () => {
  expect(forTerminal('\u001B[1mbold\u001B[0m \u001B[8mhidden \u001B[2J \u001B]52;c;eA==\u0007')).toBe(
    '\u001B[1mbold\u001B[0m \\x1b[8mhidden \\x1b[2J \\x1b]52;c;eA==\\x07',
  )
  const json = JSON.stringify({ text: 'a\u202Eb\u009Bc' })
  expect(JSON.parse(forTerminal(json))).toEqual(JSON.parse(json))
})
