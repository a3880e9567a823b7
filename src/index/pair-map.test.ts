import { expect, test } from 'vitest'
import { PairLists, PairMap } from './pair-map.ts'

test('A pair map holds what a map of joined keys holds', () => {
  const map = new PairMap()
  const oracle = new Map<string, number>()
  let seed = 7
  const next = (limit: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 8) % limit
  }
  for (let i = 0; i < 20_000; i++) {
    const a = next(300)
    const b = next(300)
    map.set(a, b, i - 3)
    oracle.set(`${a} ${b}`, i - 3)
  }
  const wrong: string[] = []
  for (let a = 0; a < 300; a++)
    for (let b = 0; b < 300; b++) if (map.get(a, b) !== oracle.get(`${a} ${b}`)) wrong.push(`${a} ${b}`)
  expect(wrong).toEqual([])
  expect(oracle.size).toBeGreaterThan(10_000)
  map.clear()
  expect(map.get(1, 1)).toBeUndefined()
})

test('Pair lists give what was added to a key, in order', () => {
  const lists = new PairLists()
  for (let i = 0; i < 5_000; i++) lists.add(i % 7, i % 3, i, -i)
  const expected = Array.from({ length: 5_000 }, (_unused, i) => i).filter((i) => i % 7 === 4 && i % 3 === 2)
  expect(lists.of(4, 2)).toEqual(expected.flatMap((i) => [i, -i]))
  expect(lists.of(9, 9)).toEqual([])
})
