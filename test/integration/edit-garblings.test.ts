// The share of test/proof/edits.ts that every run of the tests has: changes of this repository's own history.
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { changesOf, drawing, garblings, tryAll } from '../proof/edits.ts'

/** A commit that stays in the history, so that a run is the same after any other. */
const BEFORE = 'c90c0f9'

test('a garbled edit gives the right text or is refused, never another text', () => {
  const draw = drawing(20)
  const changes = changesOf(resolve(import.meta.dirname, '../..'), 120, () => Math.floor(draw() * 4), BEFORE)
  expect(changes.length).toBe(120)
  const outcomes = tryAll(changes, draw)
  expect(Object.keys(outcomes)).toEqual(Object.keys(garblings))
  for (const [name, { right, refused, wrong }] of Object.entries(outcomes)) {
    expect(wrong, name).toEqual([])
    if (!/twice|wrong letter/.test(name)) expect(right, name).toBeGreaterThan(refused)
  }
})
