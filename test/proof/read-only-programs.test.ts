import { expect, test } from 'vitest'
import { proveReadOnly } from './read-only-programs.ts'

test('no call that is judged to only look makes, changes or deletes a file', async () => {
  const { commands, run, failures } = await proveReadOnly({ count: 150, seed: 11 })
  expect(failures).toEqual([])
  // Most generated calls are free, so that the programs are really tried.
  expect([commands, run > 50]).toEqual([150, true])
})
