import { expect, test } from 'vitest'
import { createMemoryBlobStore } from './blob-store.ts'
import { createMemoryJournalStore } from './memory-journal-store.ts'
import { collectJournal, JOURNAL_MAX_AGE_MS, KEPT_AT_ANY_AGE } from './retention.ts'

const DAY = 24 * 60 * 60 * 1000
const START = 2_000 * DAY

/** What is left of entries with these times, collected at `now`. */
function left(times: number[], now: number): number[] {
  const store = createMemoryJournalStore()
  for (const time of times)
    store.append({ kind: 'edit', description: '', state: 'done', files: [], made: [], notKept: [], time })
  const before = store.list().length
  const { entries } = collectJournal(store, createMemoryBlobStore(), now)
  expect(before - entries).toBe(store.list().length)
  return store.list().map(({ time }) => time)
}

const many = (count: number, time: number): number[] => Array.from({ length: count }, () => time)

test('a clock that is set forward by 400 days forgets nothing that was just done', () => {
  const times = many(KEPT_AT_ANY_AGE, START)
  expect(left(times, START + 400 * DAY)).toEqual(times)
})

test('a clock that was set back for a while makes no entry behind it old', () => {
  const times = [...many(200, START), START - 400 * DAY, ...many(KEPT_AT_ANY_AGE, START - DAY)]
  expect(left(times, START + DAY)).toHaveLength(times.length)
})

test('entries over the age are forgotten, but for the newest', () => {
  const old = START - JOURNAL_MAX_AGE_MS - 1
  expect(left([...many(300, old), ...many(150, START)], START)).toEqual(many(150, START))
  expect(left(many(300, old), START)).toHaveLength(KEPT_AT_ANY_AGE)
})
