import { expect, test } from 'vitest'
import { createApprovals, factApprovals } from './approvals.ts'

function memory(initial: Record<string, string> = {}) {
  const facts = new Map(Object.entries(initial))
  return {
    facts,
    getFact: (key: string) => facts.get(key),
    setFact: (key: string, value: string) => void facts.set(key, value),
  }
}

test('approvals of a workspace are kept once each, apart from those of others', () => {
  const store = memory()
  const first = factApprovals(store, 'w1')
  first.add('command: git commit')
  first.add('command: git commit')
  first.add('path: ./a.ts')
  factApprovals(store, 'w2').add('host: example.org')
  expect(factApprovals(store, 'w1').load()).toEqual(['command: git commit', 'path: ./a.ts'])
})

test('what is kept and damaged counts for nothing', () => {
  for (const text of ['{', '{"a":1}', '[1, {"x": 2}]']) {
    expect(factApprovals(memory({ 'approvals w': text }), 'w').load()).toEqual([])
  }
})

test('only rules that allow come out of what is kept, all at the level of the session', () => {
  const texts = ['command: a', 'deny command: b', 'ask host: c', 'nonsense']
  expect(createApprovals({ load: () => texts, add: () => {}, remove: () => undefined }).rules()).toEqual([
    { verdict: 'allow', kind: 'command', pattern: 'a', level: 'session', reason: 'It was approved.' },
  ])
})

test('a narrower scope never shortens a wider one', () => {
  const approvals = createApprovals()
  approvals.add(['command: a'], 'session')
  approvals.add(['command: a', 'command: b'], 'run')
  approvals.endRun()
  expect(approvals.list().map(({ text }) => text)).toEqual(['command: a'])
})
