import { expect, test } from 'vitest'
import type { Event, Report } from '../protocol/index.ts'
import { RunRecord } from './record.ts'

function testsAfter(...runs: Record<string, unknown>[]): Report['tests'] {
  const record = new RunRecord(0, false)
  for (const [at, data] of runs.entries()) {
    const result = { status: 'success', text: '', data }
    record.take({ type: 'tool-result', callId: `c${at}`, tool: 'run_tests', result, durationMs: 1 } as unknown as Event)
  }
  return record.report({ outcome: 'done' } as never, { sessionId: 's', model: 'm', modelHost: undefined, now: 1 }).tests
}

test('tests that fail without counts are not hidden by an earlier success', () => {
  // Symptom: "tests 34 passed, 0 failed" at the end of a run whose last test file could not be loaded.
  const passed = { command: 'vitest a', exitCode: 0, passed: 34, failed: 0, skipped: 0 }
  const broken = { command: 'vitest b', exitCode: 1 }
  const failed = { passed: 0, failed: 1, skipped: 0, command: 'vitest b', stale: false, uncounted: true }
  expect(testsAfter(passed, broken)).toEqual(failed)
  expect(testsAfter({ ...broken, exitCode: null })).toEqual(failed)
  expect(testsAfter(passed, { command: 'make test', exitCode: 0 })).toMatchObject({ passed: 34 })
  expect(testsAfter(broken, passed)).toMatchObject({ passed: 34, failed: 0 })
})
