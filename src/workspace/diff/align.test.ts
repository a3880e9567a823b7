import { expect, test } from 'vitest'
import { align } from './align.ts'
import fc from '../../../test/support/property.ts'

const items = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 })

/** Length of the longest common subsequence, the slow way. */
function common(a: string[], b: string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0)
  for (const item of a) {
    const next = [0]
    for (const [at, other] of b.entries()) next.push(item === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!))
    row = next
  }
  return row[b.length]!
}

test('Aligned items are equal and in order', () => {
  fc.assert(
    fc.property(items, items, (before, after) => {
      const pairs = [...align(before, after)].map((a, b) => [a, b] as const).filter(([a]) => a >= 0)
      expect(pairs.every(([a, b]) => before[a] === after[b])).toBe(true)
      expect(pairs.every(([a], at) => at === 0 || pairs[at - 1]![0] < a)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('Without anchors the alignment is as long as can be', () => {
  fc.assert(
    fc.property(items, items, (before, after) => {
      const [a, b] = [before.flatMap((each) => [each, each]), after.flatMap((each) => [each, each])]
      expect(align(a, b).filter((each) => each >= 0)).toHaveLength(common(a, b))
    }),
    { numRuns: 1000 },
  )
})

test('Two parts with nothing in common are given up, not searched for ever', () => {
  const before = Array.from({ length: 5000 }, (_, at) => `a${at % 50}`)
  const after = Array.from({ length: 5000 }, (_, at) => `b${at % 50}`)
  expect(align(before, after).every((each) => each === -1)).toBe(true)
})
