import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/sqlite/database.ts'
import { createJournalStore } from '../../src/store/sqlite/journal-store.ts'
import { workspaceMigrations } from '../../src/store/sqlite/migrations/workspace.ts'
import { createSessionStore } from '../../src/store/sqlite/session-store.ts'
import type { JournalStore, NewJournalEntry } from '../../src/workspace/journal/journal-store.ts'
import { createMemoryJournalStore } from '../../src/workspace/journal/memory-journal-store.ts'

function sqlite(): { store: JournalStore; sessions: [string, string] } {
  const database = openDatabase(':memory:', workspaceMigrations)
  const create = () =>
    createSessionStore(database).create({ title: 't', type: 'CHAT', workspaceId: 'w', root: '/', model: 'a/b' }).id
  return { store: createJournalStore(database), sessions: [create(), create()] }
}

const implementations: Record<string, () => { store: JournalStore; sessions: [string, string] }> = {
  memory: () => ({ store: createMemoryJournalStore(), sessions: ['one', 'two'] }),
  sqlite,
}

function entry(sessionId: string, more: Partial<NewJournalEntry> = {}): NewJournalEntry {
  const after = { hash: 'ab', mode: 0o644, kept: true }
  const files = [{ path: 'é "a".txt', before: null, after }]
  return {
    sessionId,
    kind: 'edit',
    description: 'edit a',
    state: 'done',
    files,
    made: [],
    notKept: [],
    time: 1000,
    ...more,
  }
}

describe.each(Object.entries(implementations))('journal store: %s', (_name, make) => {
  test('An entry comes back as it was stored, with its position', () => {
    const { store, sessions } = make()
    const full = entry(sessions[0], {
      runId: 'r',
      callId: 'c',
      tool: 'edit_file',
      made: ['/x'],
      notKept: ['big'],
      snapshot: 'cd',
    })
    const position = store.append(full)
    expect(store.list()).toEqual([{ ...full, position }])
    expect(store.last()).toBe(position)
  })

  test('Entries are listed newest first, by session, state, position and number', () => {
    const { store, sessions } = make()
    const [one, two] = sessions
    const positions = [entry(one), entry(two), entry(one, { state: 'undone' }), entry(one)].map((each) =>
      store.append(each),
    )
    const list = (filter: Parameters<JournalStore['list']>[0]) =>
      store.list(filter).map((each) => positions.indexOf(each.position))
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    expect(list({})).toEqual([3, 2, 1, 0])
    expect(list({ sessionId: one, states: ['done'] })).toEqual([3, 0])
    expect(list({ sessionId: one, states: ['done', 'undone'], limit: 2 })).toEqual([3, 2])
    expect(list({ after: positions[1]! })).toEqual([3, 2])
    expect(list({ sessionId: 'unknown' })).toEqual([])
  })

  test('What is updated changes, all else stays', () => {
    const { store, sessions } = make()
    const [first, second] = [store.append(entry(sessions[0])), store.append(entry(sessions[0]))]
    store.remove(store.append(entry(sessions[0])))
    store.update(first, { state: 'undone', made: ['/m'] })
    expect(store.list()).toEqual([
      { ...entry(sessions[0]), position: second },
      { ...entry(sessions[0]), position: first, state: 'undone', made: ['/m'] },
    ])
    store.dropUndone(sessions[1])
    expect(store.list({ states: ['undone'] })).toHaveLength(1)
    store.dropUndone(sessions[0])
    expect(store.list({ states: ['dropped'] })).toHaveLength(1)
  })

  test('A checkpoint is found by its message or the next one that has one', () => {
    const { store, sessions } = make()
    const [one, two] = sessions
    const add = (sessionId: string, userSeq: number, position: number) =>
      store.addCheckpoint({ sessionId, runId: `r${userSeq}`, userSeq, position })
    add(one, 1, 0)
    add(one, 5, 3)
    add(one, 5, 4)
    add(two, 7, 9)
    expect([0, 1, 2, 5, 6].map((seq) => store.checkpoint(one, seq))).toEqual([0, 0, 4, 4, undefined])
  })

  test('Old entries are removed and their positions are never given again', () => {
    const { store, sessions } = make()
    const positions = [1, 2, 3].map((time) => store.append(entry(sessions[0], { time })))
    store.removeThrough(positions[1]!)
    expect(store.list()).toMatchObject([{ time: 3 }])
    store.removeThrough(positions[2]!)
    expect(store.last()).toBe(positions[2])
    expect(store.append(entry(sessions[0]))).toBeGreaterThan(positions[2]!)
  })
})

test('A deleted session takes its journal along', () => {
  const database = openDatabase(':memory:', workspaceMigrations)
  const sessions = createSessionStore(database)
  const { id } = sessions.create({ title: 't', type: 'CHAT', workspaceId: 'w', root: '/', model: 'a/b' })
  const store = createJournalStore(database)
  store.append(entry(id))
  sessions.delete(id)
  expect(store.list()).toEqual([])
})
