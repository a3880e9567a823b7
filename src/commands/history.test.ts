import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSessionStore } from '../store/sqlite/session-store.ts'
import { createMemoryBlobStore } from '../workspace/journal/blob-store.ts'
import { createMemoryJournalStore } from '../workspace/journal/memory-journal-store.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { run, type HistoryRequest } from './history.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-history-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function setUp() {
  const journal = { store: createMemoryJournalStore(), blobs: createMemoryBlobStore() }
  const workspace = openWorkspace({ root, journal, durable: false, home: '/nowhere' })
  const store = openSessionStore(':memory:')
  let out = ''
  let err = ''
  const act = async (request: HistoryRequest) => {
    out = err = ''
    const code = await run(request, {
      stdout: { write: (text) => (out += text) },
      stderr: { write: (text) => (err += text) },
      openHistory: () => Promise.resolve({ workspace, store, stackSize: 2, close: () => {} }),
    })
    return { code, out, err }
  }
  const edit = (path: string, after: string) => workspace.apply([{ path, after }], { sessionId: 's1' })
  return { act, edit, read: (path: string) => readFileSync(join(root, path), 'utf8') }
}

test('more changes than go without asking are taken back with --yes only', async () => {
  const { act, edit, read } = setUp()
  for (const text of ['1', '2', '3']) await edit('a.txt', text)
  await expect(act({ action: 'undo', count: 3 })).rejects.toThrow('3 changes are more than go without asking')
  expect(read('a.txt')).toBe('3')
  expect(await act({ action: 'undo', count: 2 })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Undone 2 changes: /),
  })
  expect(read('a.txt')).toBe('1')
  await act({ action: 'redo', count: 2 })
  expect(await act({ action: 'undo', count: 99, yes: true })).toMatchObject({ code: 0 })
})

test('a number beyond what there is asks for nothing when little is there', async () => {
  const { act, edit } = setUp()
  await edit('a.txt', '1')
  expect(await act({ action: 'undo', count: 99 })).toMatchObject({ code: 0, out: 'Undone: create a.txt.\n' })
  await expect(act({ action: 'undo', count: 1 })).rejects.toThrow('There is nothing to undo')
})

test('names and contents cannot steer the terminal', async () => {
  const { act, edit } = setUp()
  await edit('e\u001b[2J\nvil.txt', 'x\u001b]0;title\u0007\n')
  const { out } = await act({ action: 'changes', limit: 5, diff: true })
  expect(out).not.toMatch(/(?!\n)\p{Cc}/u)
  expect(out).toContain(String.raw`e\x1b[2J`)
  expect(out.split('\n')[0]).toContain('vil.txt')
})
