import { expect, test } from 'vitest'
import type { Workspace } from '../workspace/workspace.ts'
import { scanText } from './scan-text.ts'

/** A workspace of files that each say `word`; reading the one of `endAt` ends the search. */
function play(count: number, endAt: number, word = 'word') {
  const end = new AbortController()
  let read = 0
  const entries = Array.from({ length: count }, (_, at) => ({ kind: 'file', path: `${at}.ts` }))
  const workspace = {
    list: () => Promise.resolve({ ok: true, entries }),
    readText: () => {
      if (++read === endAt) end.abort(new Error('over'))
      return Promise.resolve({ ok: true, text: `a ${word}\n` })
    },
  } as unknown as Workspace
  return { workspace, signal: end.signal }
}

test('a search that is ended says what it did not see', async () => {
  const { workspace, signal } = play(10, 4)
  const found = await scanText(workspace, { query: 'word', signal })
  expect(found).toMatchObject({ total: 4, files: 4, unsearched: 6 })
})

// Symptom: a search that ran out of time on a busy machine said "No match in the workspace" of a name that was there.
test('a search that is ended before it found anything is no search without matches', async () => {
  const { workspace, signal } = play(10, 4, 'other')
  await expect(scanText(workspace, { query: 'word', signal })).rejects.toThrow('over')
})
