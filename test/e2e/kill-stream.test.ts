// A fixed share of test/proof/kill.ts.
import { expect, test } from 'vitest'
import { kills } from '../proof/kill.ts'

test('kill -9 in the middle of an answer loses no character that was shown', async () => {
  const { kills: count, shown, lost, stuck, failures } = await kills(9, 1)
  expect({ count, lost, stuck, failures }).toEqual({ count: 9, lost: 0, stuck: 0, failures: [] })
  // Kills that all came before the first word would prove nothing.
  expect(shown).toBeGreaterThan(0)
})
