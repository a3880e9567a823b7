import { expect, test } from 'vitest'
import { failuresFirst, passingShort, readCounts } from './test-output.ts'
import type { RunnerName } from './test-runners.ts'

test('the counts of each runner are read from its own summary', () => {
  const outputs: [RunnerName, string, [number, number, number]][] = [
    ['vitest', ' Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 8 passed | 2 skipped (11)\n', [8, 1, 2]],
    ['vitest', ' Test Files  2 passed (2)\n      Tests  9 passed (9)\n   Start at  10:00:00', [9, 0, 0]],
    ['jest', 'Test Suites: 1 failed, 1 total\nTests:       2 failed, 1 skipped, 5 passed, 8 total\n', [5, 2, 1]],
    ['vitest', ' Failed Suites 1 \n Test Files  1 failed | 1 passed (2)\n      Tests  4 passed (4)\n', [4, 1, 0]],
    ['vitest', '⎯⎯ Failed Suites 2 ⎯⎯\n Test Files  2 failed (2)\n      Tests  no tests\n', [0, 2, 0]],
    [
      'jest',
      '  ● Test suite failed to run\n\nTest Suites: 1 failed, 1 passed, 2 total\nTests:       5 passed, 5 total\n',
      [5, 1, 0],
    ],
    ['mocha', '\n  8 passing (12ms)\n  1 pending\n  2 failing\n', [8, 2, 1]],
    ['node', 'ℹ tests 4\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\n', [2, 1, 1]],
    ['node', '# tests 4\n# pass 3\n# fail 1\n# skipped 0\n', [3, 1, 0]],
    ['playwright', '  1 failed\n    a.spec.ts:3:1 › x\n  2 skipped\n  7 passed (3.2s)\n', [7, 1, 2]],
    ['pytest', '..F.\n=== FAILURES ===\n___ t ___\n1 failed, 3 passed, 1 skipped in 0.12s\n', [3, 1, 1]],
    ['pytest', '================= 2 passed, 1 warning in 0.01s =================\n', [2, 0, 0]],
    [
      'go',
      '=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/x (0.00s)\n--- FAIL: TestB (0.00s)\n--- SKIP: TestC (0.00s)\nFAIL\n',
      [2, 1, 1],
    ],
    [
      'cargo',
      'test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\ntest result: FAILED. 1 passed; 2 failed; 0 ignored;\n',
      [4, 2, 1],
    ],
    ['bun', ' 3 pass\n 1 fail\nRan 4 tests\n', [3, 1, 0]],
    ['deno', 'FAILED | 2 passed | 1 failed | 1 ignored (5ms)\n', [2, 1, 0]],
    ['maven', '[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n', [2, 2, 1]],
    ['rspec', '5 examples, 1 failure, 1 pending\n', [3, 1, 1]],
    ['script', '> check\n\n  4 passing (3ms)\n', [4, 0, 0]],
    ['make', 'Tests:       5 passed, 5 total\n', [5, 0, 0]],
  ]
  for (const [name, output, [passed, failed, skipped]] of outputs) {
    expect([name, readCounts(name, output)]).toEqual([name, { passed, failed, skipped }])
  }
})

test('what is no summary gives no counts', () => {
  expect(readCounts('vitest', 'SyntaxError: 3 passed over')).toBeUndefined()
  expect(readCounts('script', 'all 5 things done')).toBeUndefined()
})

test('the failures come first; of the rest only the lines of passing tests are left out', () => {
  const output =
    'setup\nok 1 - fine\ntests/test_b.py::test_b PASSED [ 50%]\n=== FAILURES ===\n___ test_a ___\nassert 1 == 2\n1 failed in 0.1s'
  expect(failuresFirst('pytest', output)).toBe(
    '=== FAILURES ===\n___ test_a ___\nassert 1 == 2\n1 failed in 0.1s\n--- output before the failures (without 2 lines of passing tests) ---\nsetup',
  )
  expect(failuresFirst('pytest', 'nothing here')).toBe('nothing here')
})

test('a long list of passing tests is left out, a short one is shown', () => {
  const list = (count: number): string => Array.from({ length: count }, (_, at) => `  ✓ test ${at} 1ms`).join('\n')
  expect(passingShort(`RUN\n${list(20)}\nTests  20 passed`)).toBe(`RUN\n${list(20)}\nTests  20 passed`)
  expect(passingShort(`RUN\n${list(21)}\nTests  21 passed`)).toBe(
    'RUN\nTests  21 passed\n(without 21 lines of passing tests)',
  )
})
