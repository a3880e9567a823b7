// A fixed share of test/proof/flips.ts: whatever bytes of a stored session are damaged, no message changes without a word.
import { expect, test } from 'vitest'
import { flips } from '../proof/flips.ts'

test('flipped bytes, zeroed pages and cut files change nothing silently, and every session goes on', async () => {
  const { trials, damaged, silent, stuck, invalid, failures } = await flips(12, 3)
  expect({ trials, silent, stuck, invalid, failures }).toEqual({
    trials: 12,
    silent: 0,
    stuck: 0,
    invalid: 0,
    failures: [],
  })
  // Damage that nothing met would prove nothing.
  expect(damaged).toBeGreaterThan(3)
})
