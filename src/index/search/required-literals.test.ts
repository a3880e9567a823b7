import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requiredLiterals } from './required-literals.ts'

/** In the order of their first texts. */
const needed = (source: string): string[][] =>
  requiredLiterals(source, false).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))

test('a plain text is needed as it stands', () => {
  expect(needed('parseUserNames')).toEqual([['parseUserNames']])
  expect(needed('a\\.b\\(c')).toEqual([['a.b(c']])
  expect(needed('\\x41BC|\\u0041bc')).toEqual([['ABC', 'Abc']])
})

test('texts around what is not known are each needed', () => {
  expect(needed('function \\w+Service\\(')).toEqual([['Service('], ['function ']])
  expect(needed('import .* from .vs/base')).toEqual([[' from '], ['import '], ['vs/base']])
  expect(needed('\\bawait\\s+this\\.\\w+')).toEqual([['await'], ['this.']])
})

test('of an alternation one is needed, with what stands around it', () => {
  expect(needed('TODO|FIXME')).toEqual([['FIXME', 'TODO']])
  expect(needed('^export (const|let) ')).toEqual([['export const ', 'export let ']])
  expect(needed('\\.(?:map|filter)\\(\\w+ => ')).toEqual([[' => '], ['.filter(', '.map(']])
  expect(needed('https?://[a-z]+')).toEqual([['http://', 'https://']])
  expect(needed('(?:abc.def|ghi.jkl)mno')).toContainEqual(['abc', 'ghi'])
  expect(needed('(?:abc.def|ghi.jkl)mno')).toContainEqual(['defmno', 'jklmno'])
})

test('a small class is each of its characters', () => {
  expect(needed('gr[ae]y')).toEqual([['gray', 'grey']])
  expect(needed('0x[0-9a-f]{6}')[0]).toContain('0xf')
  expect(needed('log[^x]end')).toEqual([['end'], ['log']])
})

test('what may be left out, and what is only looked at, is not needed', () => {
  for (const source of ['(?:abc)?', '(?:abc)*', '(?:abc){0,2}', '(?=abc)', '(?!abc)', '(?<!abc)', 'abc|', 'ab', '\\w+'])
    expect(needed(source), source).toEqual([])
  expect(needed('abc(?:def){2,}ghi')).toEqual([['abcdefdef'], ['defghi']])
})

test('the case of letters beyond ASCII is not followed', () => {
  expect(requiredLiterals('straße der', true)).toEqual([['stra'], ['e der']])
  expect(needed('straße')).toEqual([['straße']])
  expect(needed('\\ud83dabc')).toEqual([])
})

// Whatever an expression matches holds one text of each choice: if not, a search would miss the file.
test('every match holds one text of each choice', () => {
  const atom = fc.oneof(
    fc.constantFrom(
      'a',
      'b',
      'c',
      'abc',
      '.',
      '\\w',
      '\\d',
      '[ab]',
      '[^a]',
      '[a-c]',
      '\\b',
      '^',
      'ä',
      '😀',
      '\\x61',
      '\\.',
      '-',
    ),
    fc.constantFrom('{', '\\1', '\\cA', '[\\w-]', '(?=a)', '(?<!b)', '(?:)', '[]a]', '\\u{2}', '{,3}', '\\0'),
  )
  const { source } = fc.letrec((tie) => ({
    source: fc.array(tie('term'), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
    term: fc
      .tuple(
        fc.oneof({ weight: 5, arbitrary: atom }, { weight: 2, arbitrary: tie('group') }),
        fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{1,3}', '{0}', '+?', '{2,}'),
      )
      .map(([inner, quantifier]) => `${inner as string}${quantifier}`),
    group: fc.array(tie('source'), { minLength: 1, maxLength: 3 }).map((sides) => `(${sides.join('|')})`),
  })) as { source: fc.Arbitrary<string> }
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'abc', 'ab', 'ä', '😀', '-', '.', '1', 'A', 'B', 'u', '{,3}'), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''))
  let matched = 0
  fc.assert(
    fc.property(source, fc.array(text, { maxLength: 8 }), fc.boolean(), (pattern, texts, ignoresCase) => {
      let expression: RegExp
      try {
        expression = new RegExp(pattern, ignoresCase ? 'mi' : 'm')
      } catch {
        return
      }
      const choices = requiredLiterals(pattern, ignoresCase)
      const fold = (s: string): string => (ignoresCase ? s.replaceAll(/[A-Z]/g, (c) => c.toLowerCase()) : s)
      for (const each of texts.filter((candidate) => expression.test(candidate))) {
        if (choices.length > 0) matched++
        for (const choice of choices)
          expect(
            choice.some((literal) => fold(each).includes(fold(literal))),
            `${pattern} in ${each}: ${choice.join()}`,
          ).toBe(true)
      }
    }),
    { numRuns: 3000 },
  )
  expect(matched).toBeGreaterThan(50)
})
