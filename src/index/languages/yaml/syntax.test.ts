import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import fc from '../../../../test/support/property.ts'
import { hasFault, isPlain } from './syntax.ts'

const faulty = (text: string): boolean => {
  const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent', prettyErrors: false })
  return 'empty' in documents ? false : documents.some(({ errors }) => errors.length > 0)
}

test.each([
  ['a list that is not closed', 'a: [1, 2\nb: 3\n'],
  ['a tab as indentation', 'a:\n\tb: 1\n'],
  ['an entry between two levels', 'a:\n    b: 1\n  c: 2\n'],
  ['a key under a value', 'a: 1\n  b: 2\n'],
  ['a quotation that does not end', 'a: "one\nb: two\n'],
  ['two keys on a line', 'a: b: c\n'],
  ['a word among keys', 'a: 1\nword\nb: 2\n'],
])('%s is a fault', (_, text) => {
  expect(faulty(text)).toBe(true)
  expect(hasFault(text)).toBe(true)
})

const usual = `# A workflow
name: CI
on:
  push: { branches: [main] }
env:
  GREETING: "a: b # no comment"
  EMPTY: []
jobs:
  test:
    runs-on: ubuntu-latest   # the usual
    steps:
    - uses: actions/checkout@v4
    - name: say it
      if: \${{ github.ref == 'x' }}
      run: |
        echo one

        if true; then
          echo two
        fi
    - - nested
      - list
---
second: document
`

test('what is usual is no fault, and needs no parser but for the line with braces', () => {
  expect(hasFault(usual)).toBe(false)
  expect(isPlain(usual.replace('push: { branches: [main] }', 'push: main'))).toBe(true)
})

test('a template is not held against the form of what it makes', () => {
  expect(hasFault('a: {{ .Values.name }}\n{{- if x }}\nb: [1\n{{- end }}\n')).toBe(false)
})

/** What YAML is made of, and what breaks it. */
const pieces = String.raw`a: |b:|c: d|- |-|- e|"q": |'s'|"t|: |#| # x|>-|[x, y]|[x|{}|...|?|&a|*a|!t |%|word|-5`
  .split('|')
  .concat(['|', '\n', '\n', '\n  ', '\n    ', '\n ', '\n- ', '\n  - ', '\n\t', '\r\n', '---\n'])

test('what is taken as plain has no fault, however it is mixed', () => {
  const piece = fc.constantFrom(...pieces)
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (parts) => {
      const text = parts.join('')
      if (isPlain(text)) expect(faulty(text)).toBe(false)
    }),
    { numRuns: 1000 },
  )
})

test('faults in a usual file are what the parser says', () => {
  fc.assert(
    fc.property(
      fc.nat(usual.length - 1),
      fc.constantFrom('', ' ', ':', '"', '\n', '  ', '- ', '[', '\t'),
      (at, put) => {
        const text = usual.slice(0, at) + put + usual.slice(at + 1)
        // Without its $ the expression would be a template's.
        if (text.includes('${{')) expect(hasFault(text)).toBe(faulty(text))
      },
    ),
    { numRuns: 300 },
  )
})
