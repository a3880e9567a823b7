import { expect, test } from 'vitest'
import { requiredLiterals } from './required-literals.ts'
import fc from '../../../test/support/property.ts'

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

/** A part of an expression, and a text that it matches (nearly always: a look around it may forbid it). */
interface Part {
  source: string
  sample: string
}

const atom: fc.Arbitrary<Part> = fc
  .constantFrom(
    ...Object.entries({
      a: 'a',
      b: 'b',
      c: 'c',
      abc: 'abc',
      ä: 'ä',
      '😀': '😀',
      '-': '-',
      '.': '-',
      '\\w': 'u',
      '\\d': '1',
      '[ab]': 'b',
      '[^a]': 'B',
      '[a-c]': 'c',
      '\\b': '',
      '^': '',
      '\\x61': 'a',
      '\\.': '.',
      '{': '{',
      '\\1': '',
      '\\cA': '\u0001',
      '[\\w-]': '-',
      '(?=a)': '',
      '(?<!b)': '',
      '(?:)': '',
      '[]a]': 'a]',
      '\\u{2}': 'uu',
      '{,3}': '{,3}',
      '\\0': '\0',
    }),
  )
  .map(([source, sample]) => ({ source, sample }))

/** How often a quantifier has its part in the sample. */
const quantifier = fc
  .oneof(
    { weight: 3, arbitrary: fc.constant(['', 1] as const) },
    {
      weight: 8,
      arbitrary: fc.constantFrom(
        ...Object.entries({ '?': 0, '*': 3, '+': 2, '{2}': 2, '{1,3}': 1, '{0}': 0, '+?': 1, '{2,}': 2 }),
      ),
    },
  )
  .map(([sign, times]) => ({ sign, times }))

const { expression } = fc.letrec<{ expression: Part; term: Part; group: Part }>((tie) => ({
  expression: fc.array(tie('term'), { minLength: 1, maxLength: 5 }).map((parts) => ({
    source: parts.map((part) => part.source).join(''),
    sample: parts.map((part) => part.sample).join(''),
  })),
  term: fc
    .tuple(
      fc.oneof({ maxDepth: 2 }, { weight: 5, arbitrary: atom }, { weight: 2, arbitrary: tie('group') }),
      quantifier,
    )
    .map(([inner, { sign, times }]) => ({ source: inner.source + sign, sample: inner.sample.repeat(times) })),
  group: fc.tuple(fc.array(tie('expression'), { minLength: 1, maxLength: 3 }), fc.nat()).map(([sides, which]) => ({
    source: `(${sides.map((side) => side.source).join('|')})`,
    sample: sides[which % sides.length]!.sample,
  })),
}))

// Whatever an expression matches holds one text of each choice: if not, a search would miss the file.
test('every match holds one text of each choice', () => {
  const around = fc
    .array(fc.constantFrom('a', 'b', 'c', 'abc', 'ab', 'ä', '😀', '-', '.', '1', 'A', 'B', 'u', '{,3}'), {
      maxLength: 6,
    })
    .map((parts) => parts.join(''))
  let matched = 0
  fc.assert(
    fc.property(expression, around, around, fc.boolean(), ({ source, sample }, before, after, ignoresCase) => {
      let compiled: RegExp
      try {
        compiled = new RegExp(source, ignoresCase ? 'mi' : 'm')
      } catch {
        return
      }
      const choices = requiredLiterals(source, ignoresCase)
      const fold = (s: string): string => (ignoresCase ? s.replaceAll(/[A-Z]/g, (c) => c.toLowerCase()) : s)
      for (const each of [sample, before, before + sample + after, `${before}\n${sample}`, sample.toUpperCase()]) {
        // Quantifiers within quantifiers try a long text in ever more ways.
        if (each.length > 16 || !compiled.test(each)) continue
        if (choices.length > 0) matched++
        for (const choice of choices)
          expect(
            choice.some((literal) => fold(each).includes(fold(literal))),
            `${source} in ${each}: ${choice.join()}`,
          ).toBe(true)
      }
    }),
    { numRuns: 3000 },
  )
  expect(matched).toBeGreaterThan(200)
})
