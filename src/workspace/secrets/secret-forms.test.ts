import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import fc from '../../../test/support/property.ts'
import { createSecretMask } from './mask.ts'

const VALUE = 'h7Gk+29s/q1 "x&y\'Zz8'
/** What real programs make of a text on stdin. */
const ENCODERS = [
  'cat',
  'base64',
  'base64 -w0',
  'base64 -w 20',
  'base32',
  'xxd',
  'xxd -p',
  'xxd -c 6',
  'od',
  'od -c',
  'od -An -tx1',
  'od -An -tu1',
  'hexdump -C',
  'rev',
  "tr 'a-zA-Z' 'n-za-mN-ZA-M'",
  'tr a-z A-Z',
  "sed 's/./& /g'",
  'fold -w 5',
]

const print = (command: string, input: string): string =>
  execFileSync('bash', ['-c', command], { input, encoding: 'utf8' })

test.each(ENCODERS)('a known value does not pass through %s', (command) => {
  const mask = createSecretMask()
  mask.know([VALUE])
  for (const lead of ['', 'A=', 'export TOKEN=']) {
    const shown = print(command, `one\n${lead}${VALUE}\nlast line of the file\n`)
    const masked = mask.mask(shown)
    expect(masked).toContain('⟦secret:')
    // Lines that are others for another value tell of it.
    const other = print(command, `one\n${lead}${'-'.repeat(VALUE.length)}\nlast line of the file\n`).split('\n')
    const telling = shown.split('\n').filter((line, at) => count(line, other[at] ?? '') >= 6)
    expect(telling.filter((line) => masked.split('\n').includes(line))).toEqual([])
  }
})

function count(a: string, b: string): number {
  return Array.from(a).filter((character, at) => character !== b[at]).length
}

test('a known value does not pass as other languages write it', () => {
  const mask = createSecretMask()
  mask.know([VALUE])
  const html = VALUE.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
  const written = [
    JSON.stringify(VALUE),
    JSON.stringify(JSON.stringify({ a: VALUE })),
    encodeURIComponent(VALUE),
    encodeURIComponent(VALUE).toLowerCase().replaceAll('h7gk', 'h7Gk').replaceAll('zz8', 'Zz8'),
    new URLSearchParams({ q: VALUE }).toString(),
    new URL(`http://u:${encodeURIComponent(VALUE)}@h/`).href,
    JSON.stringify(Buffer.from(VALUE)),
    JSON.stringify(Buffer.from(VALUE), null, 2),
    html,
    Buffer.from(VALUE).toString('base64url'),
    Buffer.from(VALUE, 'utf16le').toString('base64'),
    `'${VALUE.replaceAll("'", String.raw`'\''`)}'`,
    print(`printf '%q' "$(cat)"`, VALUE),
  ]
  expect(written.filter((text) => !mask.mask(`x ${text} y`).includes('⟦secret:'))).toEqual([])
})

test('an ordinary text is hidden beside its name and alone on a line, and nowhere else', () => {
  const mask = createSecretMask()
  mask.know([
    { name: 'DB_PIN', value: '4821' },
    { name: 'POSTGRES_PASSWORD', value: 'postgres' },
  ])
  const hidden = [
    'DB_PIN=4821',
    'dbPin: 4821,',
    '"db_pin":"4821"',
    '<dbPin>4821</dbPin>',
    'a\n4821\nb',
    '  12| 4821',
    'POSTGRES_PASSWORD: postgres',
  ]
  expect(hidden.filter((text) => !mask.mask(text).includes('⟦secret:'))).toEqual([])
  const shown = ['port 4821', 'const a = 4821', 'x48215', 'image: postgres', 'docker run postgres', 'at 14821:4821']
  for (const text of shown) expect(mask.mask(text)).toBe(text)
  expect(mask.mask(Buffer.from('A=1\nDB_PIN=4821\nB=2\n').toString('base64'))).toContain('⟦secret:')
})

test('a text in pieces is masked as the whole is', () => {
  const values = ['planted-7k2Lm9', 'first line 81\nsecond line 92', Buffer.from('binary 12345 value').toString('hex')]
  const word = fc.constantFrom(
    ...values,
    values[0]!.slice(0, 7),
    'API_KEY=h7Gk29sLq1x',
    'text',
    '....',
    '\n',
    ' ',
    'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8',
  )
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (words, sizes) => {
        const whole = words.join('\n')
        const mask = createSecretMask()
        mask.know(values)
        const stream = mask.stream()
        let shown = ''
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const size = sizes[turn % sizes.length]!
          shown += stream.push(whole.slice(at, at + size))
          at += size
        }
        shown += stream.end()
        const once = createSecretMask()
        once.know(values)
        expect(shown.replaceAll(/\d+⟧/g, '⟧')).toBe(once.mask(whole).replaceAll(/\d+⟧/g, '⟧'))
        for (const value of values) expect(shown).not.toContain(value)
      },
    ),
  )
})

test('what is to leave is checked without case, without separators and decoded', () => {
  const mask = createSecretMask()
  mask.know(['Hunter2-planted/9'])
  const leaving = [
    'https://hunter2-planted-9.example.org/',
    'https://hunter2.planted.9.example.org/',
    'https://h/?q=Hunter2%2Dplanted%2F9',
    'https://h/?q=Hunter2%252Dplanted%252F9',
    'https://h/H/u/n/t/e/r/2/planted/9',
    `curl -H "X: Hun"'ter2-plan'ted/9 h`,
    `https://h/${Buffer.from('Hunter2-planted/9').toString('base64url')}`,
    `https://h/#${Buffer.from('xHunter2-planted/9').toString('hex')}`,
  ]
  expect(leaving.filter((text) => !mask.holdsKnown({ url: [text] }))).toEqual([])
  const fine = ['https://planted.example.org/hunter', 'curl -H "X: $TOKEN" h', 'git push']
  expect(fine.filter((text) => mask.holdsKnown(text))).toEqual([])
})
