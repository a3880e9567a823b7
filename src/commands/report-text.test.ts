import { expect, test } from 'vitest'
import type { Report } from '../protocol/index.ts'
import { oneLine, reportText } from './report-text.ts'

const report: Report = {
  outcome: 'done',
  exitCode: 0,
  sessionId: 's1',
  model: 'm',
  turns: 1,
  toolCalls: 2,
  inputTokens: 12_300,
  outputTokens: 45,
  cachedTokens: 0,
  elapsedMs: 1_500,
  filesChanged: [],
  commands: [{ command: 'cat <<E\na\nE', exitCode: 0, durationMs: 1 }],
  refused: [],
  plan: [],
  hosts: [],
}

test('tokens are told in and out, and a command of many lines stands on one', () => {
  expect(reportText(report)).toBe(
    'done · 1 turn · 2 tool calls · 12,300 tokens in, 45 out · 1.5 s · session s1\n  ran      cat <<E … (exit 0)',
  )
  expect(reportText({ ...report, inputTokens: 0, outputTokens: 0 })).toMatch(/2 tool calls · 1\.5 s/)
  expect(reportText({ ...report, commands: [] })).toBe('')
  const piped = { command: 'npm test | tail', exitCode: 0, durationMs: 1, pipes: [[1, 0]] }
  expect(reportText({ ...report, commands: [piped] })).toContain('npm test | tail (exit 0; along the pipe 1 | 0)')
})

test('tests without counts, and a refused command of many lines, are told in a line each', () => {
  const tests = { passed: 0, failed: 1, skipped: 0, command: 'npm test', stale: false }
  const refused = [{ tool: 'shell_exec', what: 'run cat <<E\na\nE', reason: 'No rule.\nMore.' }]
  expect(
    reportText({ ...report, commands: [], tests: { ...tests, uncounted: true }, refused })
      .split('\n')
      .slice(1),
  ).toEqual(['  tests    failed, without counts (npm test)', '  refused  run cat <<E …: No rule.'])
  expect(reportText({ ...report, tests })).toContain('  tests    0 passed, 1 failed, 0 skipped (npm test)')
})

test('a title is cut to one line', () => {
  expect(oneLine('npm test')).toBe('npm test')
  expect(oneLine('x'.repeat(500))).toHaveLength(160)
})
