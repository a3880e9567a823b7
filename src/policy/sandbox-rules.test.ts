import { expect, test } from 'vitest'
import type { SegmentJudgement } from './judgement.ts'
import type { Rule } from './rules/rule.ts'
import { parseRuleText } from './rules/rule.ts'
import { placeByRules, rememberedPlace } from './sandbox-rules.ts'

const segment = (text: string, readOnly = false): SegmentJudgement => ({
  text,
  via: [],
  verdict: 'allow',
  level: 'app',
  rule: '',
  reason: '',
  readOnly,
})
const rule = (text: string, level: Rule['level'] = 'session'): Rule => ({ ...parseRuleText(text)!, level })

test('an approved prefix runs at its place, and only when every part that does something is covered', () => {
  const rules = [rule('sandbox: network npm install'), rule('sandbox: outside git push')]
  const placeOf = (...texts: string[]) =>
    placeByRules(
      texts.map((text) => segment(text)),
      rules,
    )
  expect(placeOf('npm install left-pad')).toBe('network')
  expect(placeOf('cd packages/a', 'npm install')).toBe('network')
  expect(placeOf('git push origin main')).toBe('outside')
  expect(placeOf('npm install', 'node x.js')).toBeUndefined()
  expect(placeOf('npm run build')).toBeUndefined()
  expect(placeOf('npm …')).toBeUndefined()
  expect(placeByRules([segment('ls', true)], rules)).toBeUndefined()
})

test('a repository cannot widen the sandbox, and a rule that denies wins', () => {
  const segments = [segment('npm install')]
  expect(placeByRules(segments, [rule('allow sandbox: network npm install', 'workspace')])).toBeUndefined()
  expect(
    placeByRules(segments, [
      rule('allow sandbox: network npm *', 'app'),
      rule('deny sandbox: network npm install', 'app'),
    ]),
  ).toBeUndefined()
})

test('what an approval stores covers the command it was given for, and no other program', () => {
  for (const text of ['npm install left-pad', 'git ls-remote origin', 'curl -s https://a.example', "node 'a b.js'"]) {
    const segments = [segment('cd x'), segment('ls', true), segment(text)]
    for (const place of ['network', 'outside'] as const) {
      const texts = rememberedPlace(segments, place)
      expect(texts).toHaveLength(1)
      const rules = texts.map((each) => rule(each))
      expect(placeByRules(segments, rules)).toBe(place)
      expect(placeByRules([segment('python3 x.py')], rules)).toBeUndefined()
    }
  }
  expect(rememberedPlace([segment('node … x')], 'network')).toEqual([])
})
