import { describe, expect, test } from 'vitest'
import { lintAnswer } from './answer-lint.ts'
import type { AnswerRecord } from './answer-lint.ts'

const files: Record<string, string> = {
  'src/cart.ts': 'export function subtotal(items: Item[]): number {\n  return items.length\n}\n',
  'README.md': '# Cart\n',
}
const names = new Set(['subtotal', 'items', 'useState', 'Item'])
const record = (more: Partial<AnswerRecord> = {}): AnswerRecord => ({
  text: (path) => Promise.resolve(files[path] ?? files[`src/${path}`]),
  hasName: (name) => Promise.resolve(names.has(name)),
  changed: new Set(),
  tests: undefined,
  commands: [],
  ...more,
})
const lint = async (answer: string, more?: Partial<AnswerRecord>): Promise<string[]> =>
  (await lintAnswer(answer, record(more))).map(({ claim, evidence }) => `${claim}: ${evidence}`)

describe('an answer that holds has no findings', () => {
  test.each([
    ['of places', 'It is in src/cart.ts:1, see also `README.md` and src/cart.ts:1-3.'],
    ['of names', 'Call `subtotal()` with `items.length`; React’s `useState` is not needed.'],
    ['of a quotation', 'src/cart.ts:1 reads\n```ts\nexport function subtotal(items: Item[]): number {\n```'],
    ['of a proposal', 'You could write this:\n```ts\nexport const total = computeTotal()\n```'],
    ['about tests not run', 'The tests should pass once the cart is mended. I did not run the tests.'],
    ['of links and versions', 'See https://example.org/a/b.html and version 1.2.3, e.g. Node.js 24.'],
    ['in words', 'Hello! It works like a charm, and/or better.'],
  ])('%s', async (_, answer) => {
    expect(await lint(answer)).toEqual([])
  })

  test('about changes and tests that are on record', async () => {
    const tests = { passed: 3, failed: 0, skipped: 0, command: 'npm test', stale: false }
    const changed = new Set(['src/cart.ts'])
    expect(await lint('I fixed src/cart.ts. All tests pass.', { tests, changed })).toEqual([])
    const commands = [{ command: 'npm test', exitCode: 0, durationMs: 1 }]
    expect(await lint('Changed `cart.ts`; the tests pass.', { commands, changed })).toEqual([])
  })
})

describe('what does not hold is named with the evidence', () => {
  test.each([
    ['It is in src/basket.ts.', ['src/basket.ts: there is no file src/basket.ts']],
    ['See src/cart.ts:90.', ['src/cart.ts:90: src/cart.ts has 3 lines']],
    ['Call `grandTotal()`.', ['`grandTotal()`: grandTotal stands nowhere in the project']],
    [
      'At src/cart.ts:2:\n```ts\n  return items.reduce(add, 0)\n```',
      ['return items.reduce(add, 0): this line does not stand in src/cart.ts'],
    ],
    ['All tests pass.', ['All tests pass: no tests were run']],
    ['I updated src/cart.ts.', ['updated … src/cart.ts: no change of src/cart.ts is recorded in this session']],
  ])('%s', async (answer, findings) => {
    expect(await lint(answer)).toEqual(findings)
  })

  test('tests that failed, or ran before the last change', async () => {
    const tests = { passed: 2, failed: 1, skipped: 0, command: 'npm test', stale: false }
    expect(await lint('The tests passed.', { tests })).toEqual([
      'The tests passed: the last run of the tests had 1 that failed',
    ])
    expect(await lint('The tests pass.', { tests: { ...tests, failed: 0, stale: true } })).toEqual([
      'The tests pass: a file was changed after the last run of the tests',
    ])
    const commands = [{ command: 'make check', exitCode: 2, durationMs: 1 }]
    expect(await lint('All checks pass.', { commands })).toEqual(['All checks pass: make check ended with exit code 2'])
    const piped = [{ command: 'npm test | tail', exitCode: 0, durationMs: 1, pipes: [[1, 0]] }]
    expect(await lint('All checks pass.', { commands: piped })).toEqual([
      'All checks pass: in npm test | tail a command of the pipe failed (1 | 0)',
    ])
  })
})
