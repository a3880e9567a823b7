import { expect, test } from 'vitest'
import { loadRules, type RuleEntry } from './load-rules.ts'

const load = (entries: RuleEntry[]) =>
  loadRules(entries, (index) => ({ level: 'app', source: { file: 'config.yaml', line: index + 10 } }))

test('reads texts and entries with a reason, each with its place', async () => {
  expect(await load(['allow command: make test', { rule: 'deny path: secrets/**', reason: 'Keys.' }])).toEqual({
    rules: [
      {
        verdict: 'allow',
        kind: 'command',
        pattern: 'make test',
        level: 'app',
        source: { file: 'config.yaml', line: 10 },
      },
      {
        verdict: 'deny',
        kind: 'path',
        pattern: 'secrets/**',
        level: 'app',
        source: { file: 'config.yaml', line: 11 },
        reason: 'Keys.',
      },
    ],
    faults: [],
  })
})

test.each<[RuleEntry, string]>([
  ['alow command: x', '"alow command: x" is no rule.'],
  ['allow command:', '"allow command:" is no rule.'],
  ['allow path exactly: x', '"allow path exactly: x" is no rule.'],
  [
    { rule: 'allow command: npm run *', match: ['npm run build', 'npm test'] },
    '"allow command: npm run *" does not cover "npm test", which is in its match.',
  ],
  [
    { rule: 'deny path: *.pem', noMatch: ['docs/a.pem'] },
    '"deny path: *.pem" covers "docs/a.pem", which is in its noMatch.',
  ],
  [
    { rule: 'allow host: *.example.org', match: ['a.example.org'], noMatch: ['example.org', 'evilexample.org', 'x'] },
    '',
  ],
  [{ rule: 'ask tool: note_*', match: ['note_write'], noMatch: ['write_note'] }, ''],
])('checks the rule and its examples: %j', async (entry, fault) => {
  const { faults } = await load([entry])
  if (fault === '') expect(faults).toEqual([])
  else expect(faults).toEqual([expect.stringContaining(`config.yaml:10: permissions.rules[0]: ${fault}`)])
})
