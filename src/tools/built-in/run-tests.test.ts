import { afterEach, expect, test } from 'vitest'
import { openToolBench, type ToolBench } from '../../../test/support/tool-bench.ts'

let bench: ToolBench
afterEach(() => bench.close())

const sum = { 'sum.mjs': 'export const sum = (a, b) => a - b\n' }
const suite = `import test from 'node:test'
import assert from 'node:assert'
import { sum } from './sum.mjs'
test('nothing', () => assert.equal(sum(0, 0), 0))
test('something', () => assert.equal(sum(1, 2), 3))
test.skip('later', () => {})
`

test('a failing test is shown first with the counts; mended and run again it passes', async () => {
  bench = openToolBench({
    files: { ...sum, 'sum.test.mjs': suite, 'package.json': '{"scripts":{"test":"node --test"}}' },
  })
  const failed = await bench.call('run_tests')
  expect(failed).toMatchObject({
    status: 'success',
    data: { command: 'npm test', runner: 'node', passed: 1, failed: 1, skipped: 1, exitCode: 1 },
  })
  expect(failed.text).toMatch(
    /^1 passed, 1 failed, 1 skipped \(npm test, exit code 1, \d+\.\d s\)\n(?:✖ failing tests:|not ok)/,
  )
  expect(bench.judged.at(-1)).toEqual({ kind: 'command', tool: 'run_tests', command: 'npm test' })
  await bench.call('edit_file', { path: 'sum.mjs', old_text: 'a - b', new_text: 'a + b' })
  expect(await bench.call('run_tests')).toMatchObject({ data: { passed: 2, failed: 0, skipped: 1, exitCode: 0 } })
  const one = await bench.call('run_tests', { path: 'sum.test.mjs', filter: 'nothing' })
  expect(one).toMatchObject({
    data: { passed: 1, failed: 0, command: 'node --test --test-name-pattern nothing sum.test.mjs' },
  })
})

test('without a runner it is said so', async () => {
  bench = openToolBench({ files: { 'README.md': 'hi' } })
  expect(await bench.call('run_tests')).toMatchObject({ status: 'failed', code: 'NO_RUNNER' })
})

test('a runner that is not installed is not fetched: it is said, with what installs it', async () => {
  const manifest = '{"devDependencies":{"ava":"6.0.0"}}'
  bench = openToolBench({ files: { ...sum, 'test.js': '', 'package.json': manifest, 'pnpm-lock.yaml': '' } })
  expect(await bench.call('run_tests')).toMatchObject({
    status: 'failed',
    code: 'NO_RUNNER',
    text: expect.stringMatching(/^ava is not installed: .* \(pnpm install\)/) as string,
  })
  expect(bench.judged).toEqual([])
})

test('a test file that does not exist is not run, and the nearest one is named', async () => {
  bench = openToolBench({
    files: { ...sum, 'sum.test.mjs': suite, 'package.json': '{"scripts":{"test":"node --test"}}' },
  })
  expect(await bench.call('run_tests', { path: 'test/sum.test.mjs' })).toMatchObject({
    status: 'failed',
    code: 'NOT_FOUND',
    text: 'test/sum.test.mjs does not exist. Nearest: sum.test.mjs.',
  })
})
