import { expect, test } from 'vitest'
import { pageRank } from './page-rank.ts'

const edges = (...list: [number, number, number?][]) => ({
  from: Int32Array.from(list.map(([from]) => from)),
  to: Int32Array.from(list.map(([, to]) => to)),
  weight: Int32Array.from(list.map(([, , weight = 1]) => weight)),
})

test('ranks sum to one and what many use ranks highest', () => {
  const rank = pageRank(4, edges([0, 3], [1, 3], [2, 3], [3, 0]))
  expect(rank.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 6)
  expect(rank[3]).toBeGreaterThan(rank[0]!)
  expect(rank[0]).toBeGreaterThan(rank[1]!)
})

test('weights pull the ranks to their neighbourhood', () => {
  const graph = edges([0, 1], [2, 3])
  const rank = pageRank(4, graph, Float64Array.of(1, 0, 0, 0))
  expect([rank[1]! > 0, rank[3]]).toEqual([true, 0])
})

test('a graph without edges ranks all alike', () => {
  expect([...pageRank(2, edges())]).toEqual([0.5, 0.5])
})
