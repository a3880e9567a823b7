import { expect, test } from 'vitest'
import { proveSecrets } from '../support/secrets/prove.ts'

test('of planted secrets none is in a request, the store, an export, an output or an address', async () => {
  const proof = await proveSecrets({ count: 60, seed: 11, share: 12 })
  expect(proof.planted).toBe(60)
  expect(proof.requests).toBeGreaterThan(60)
  expect(proof.leaks.slice(0, 3)).toEqual([])
}, 300_000)
