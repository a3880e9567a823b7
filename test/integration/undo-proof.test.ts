import { expect, test } from 'vitest'
import { proveUndo } from '../proof/undo.ts'

/** A share of `node test/proof/undo.ts --count 10000 --kills 100`; journal-crash.test.ts has the kills. */
const TIMEOUT_MS = 300_000

test(
  'Undo, redo and rewind over random edits and commands give the very trees there were',
  async () => {
    const { differences, operations } = await proveUndo({ count: 150, kills: 0, seed: 1 })
    expect(differences).toEqual([])
    expect(operations).toBeGreaterThanOrEqual(150)
  },
  TIMEOUT_MS,
)
