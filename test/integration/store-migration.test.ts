// A database that an older program wrote is opened, keeps everything, and has its checksums from then on.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createJournalStore } from '../../src/store/sqlite/journal-store.ts'
import { openSessionStore } from '../../src/store/sqlite/session-store.ts'

test('a database of schema 4 opens with everything in it, and its rows have checksums', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codehound-v4-'))
  try {
    const file = join(folder, 'workspace.db')
    writeFileSync(file, gunzipSync(readFileSync(join(import.meta.dirname, '../fixtures/workspace-v4.db.gz'))))
    const store = openSessionStore(file)
    const [fork, session] = store.list().toSorted((a, b) => a.messageCount - b.messageCount)
    expect(session).toMatchObject({ title: 'stored by an older program', messageCount: 5, stats: { inputTokens: 9 } })
    const messages = store.messages(session!.id)
    expect(messages.map(({ sender, text }) => [sender, text])).toEqual([
      ['USER', 'look at a.ts — Überweisung 🐕 \uFFFD'],
      ['AI', 'I look.'],
      ['SYSTEM', ''],
      ['SYSTEM', ''],
      ['AI', 'It is empty.'],
    ])
    expect(messages[1]?.output?.toolCalls).toMatchObject([{ id: 'c1', args: { path: 'a.ts' } }])
    expect(store.image(session!.id, messages[0]!.attachments![0]!.image!.hash)).toHaveLength(4)
    expect(store.messages(fork!.id).map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(store.queued(session!.id).map(({ text }) => text)).toEqual(['and b.ts'])
    const journal = createJournalStore(store.database)
    expect(journal.list()).toMatchObject([{ description: 'write b.ts', state: 'done' }])
    expect(journal.checkpoint(session!.id, 1)).toBe(0)
    expect(store.append(session!.id, { sender: 'USER', text: 'on' }).seq).toBe(6)
    expect([store.takeDamage(), store.database.notices]).toEqual([[], []])
    expect(store.database.all('SELECT 1 FROM messages WHERE sum IS NULL')).toEqual([])
    // One letter that another program changed is damage from here on.
    store.database.run("UPDATE messages SET content = 'It is full.' WHERE session_id = ? AND seq = 5", session!.id)
    expect(store.messages(session!.id)[4]).toMatchObject({ sender: 'SYSTEM', seq: 5 })
    expect(store.takeDamage()).toEqual([`message 5 of session ${session!.id} is damaged and left out`])
    store.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
