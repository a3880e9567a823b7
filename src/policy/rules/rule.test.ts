import { describe, expect, test } from 'vitest'
import { joinPattern, matchesWord, splitPattern } from './pattern.ts'
import { matchesPath } from './path-rule.ts'
import { matchesCommand, matchesHost, parseRuleText, ruleText, strongest } from './rule.ts'
import fc from '../../../test/support/property.ts'

describe('the words of a pattern', () => {
  test('come back from how they are written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
        expect(splitPattern(joinPattern(words))).toEqual(words)
      }),
    )
  })

  test('match as a regular expression of them would', () => {
    const letter = fc.constantFrom('a', 'b', '*', '?')
    fc.assert(
      fc.property(fc.array(letter), fc.array(fc.constantFrom('a', 'b')), (pattern, word) => {
        const expression = pattern.map((each) => (each === '*' ? '.*' : each === '?' ? '.' : each)).join('')
        expect(matchesWord(pattern.join(''), word.join(''))).toBe(new RegExp(`^${expression}$`).test(word.join('')))
      }),
    )
  })

  test('take a time that grows with their length only', () => {
    expect(matchesWord(`${'a*'.repeat(2000)}b`, 'a'.repeat(5000))).toBe(false)
  })
})

test.each([
  ['git status', ['git', 'status'], true],
  ['git status', ['git', 'status', '-s'], true],
  ['git status', ['git'], false],
  ['git status', ['git', 'statusx'], false],
  ['npm run *', ['npm', 'run'], true],
  ['npm run *', ['npm', 'run', 'x', 'y'], true],
  ['npm run test:*', ['npm', 'run', 'test:unit'], true],
  ['npm run test:*', ['npm', 'run', 'build'], false],
  ['git push', ['git', undefined], false],
  ['git push', ['git', 'push', undefined], true],
  ['*', ['anything'], true],
  ['', [], false],
])('the command rule %j over %j: %s', (pattern, words, matched) => {
  expect(matchesCommand({ pattern }, words)).toBe(matched)
})

test('an exact rule covers no more words', () => {
  expect(matchesCommand({ pattern: 'cp a b', exact: true }, ['cp', 'a', 'b'])).toBe(true)
  expect(matchesCommand({ pattern: 'cp a b', exact: true }, ['cp', 'a', 'b', 'c'])).toBe(false)
  expect(matchesCommand({ pattern: 'cp a b', exact: true }, ['cp', 'a', undefined])).toBe(false)
})

test.each([
  ['example.org', 'EXAMPLE.org.', true],
  ['example.org', 'a.example.org', false],
  ['*.example.org', 'a.b.example.org', true],
  ['*.example.org', 'badexample.org', false],
  ['[::1]', '::1', true],
  ['*', 'x', true],
])('the host rule %s over %s: %s', (pattern, host, matched) => {
  expect(matchesHost({ pattern }, host)).toBe(matched)
})

test.each([
  ['*.ts', 'src/deep/a.ts', true],
  ['./a.ts', 'a.ts', true],
  ['./a.ts', 'src/a.ts', false],
  ['src/', 'src/x/y', true],
  ['src/**', 'srcs/x', false],
  ['**/.hidden', 'a/.hidden', true],
  ['./we\\[i\\]rd \\*.ts', 'we[i]rd *.ts', true],
])('the path rule %s over %s: %s', async (glob, path, matched) => {
  expect(await matchesPath(glob, path)).toBe(matched)
})

test('a rule is read from its own text', () => {
  const rule = { verdict: 'deny', kind: 'command', pattern: 'a  "b c": d', exact: true } as const
  expect(parseRuleText(ruleText(rule))).toEqual(rule)
  expect(parseRuleText('command: git commit')).toEqual({ verdict: 'allow', kind: 'command', pattern: 'git commit' })
  expect(parseRuleText('allow command git commit')).toEqual(parseRuleText('allow command: git commit'))
  expect(parseRuleText('git commit')).toBeUndefined()
})

test('deny is stronger than ask, ask than allow, and the first of equals wins', () => {
  const [a, b, c, d] = (['allow', 'ask', 'ask', 'deny'] as const).map((verdict, at) => ({ verdict, at }))
  expect(strongest([a!, b!, c!, d!])).toBe(d)
  expect(strongest([a!, b!, c!])).toBe(b)
  expect(strongest([a!])).toBe(a)
  expect(strongest([])).toBeUndefined()
})
