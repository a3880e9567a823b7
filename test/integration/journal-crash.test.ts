import { spawn } from 'node:child_process'
import { linkSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/store/sqlite/database.ts'
import { createJournalStore } from '../../src/store/sqlite/journal-store.ts'
import { workspaceMigrations } from '../../src/store/sqlite/migrations/workspace.ts'
import { createSessionStore } from '../../src/store/sqlite/session-store.ts'
import { openBlobStore } from '../../src/workspace/journal/blob-store.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'

const ROUNDS = 12
const LONGEST_LIFE_MS = 250
/** A dozen processes are started one after the other. */
const TIMEOUT_MS = 180_000

function contents(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  return Object.fromEntries(
    files.map((each) => {
      const path = join(each.parentPath, each.name)
      return [path.slice(root.length + 1), readFileSync(path, 'utf8')]
    }),
  )
}

/** Whether a text is one version throughout, and not the head of one over the tail of another. */
function isWhole(text: string): boolean {
  const lines = text.split('\n').slice(0, -1)
  return text.endsWith('\n') && lines.every((line) => line === lines[0])
}

test(
  'Killed at any moment, no file is left half-written and every change that was made can be undone',
  async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'journal-crash-')))
    const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'journal-crash-root-'))))
    const [databaseFile, blobFolder] = [join(base, 'workspace.db'), join(base, 'blobs')]
    const original = { 'plain.txt': 'plain original\n', 'linked.txt': 'linked original\n' }
    for (const [name, text] of Object.entries(original)) writeFileSync(join(root, name), text)
    // A file with several links is written in place: the case where a kill can leave it half-written.
    linkSync(join(root, 'linked.txt'), join(base, 'other-name'))
    const database = openDatabase(databaseFile, workspaceMigrations)
    const { id } = createSessionStore(database).create({
      title: 't',
      type: 'CHAT',
      workspaceId: 'w',
      root,
      model: 'a/b',
    })
    const writer = join(import.meta.dirname, '../support/journal-writer.ts')
    const unclear: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const child = spawn(process.execPath, [writer, root, databaseFile, blobFolder, id], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise((resolve) => child.stdout.once('data', resolve))
      await new Promise((resolve) => setTimeout(resolve, (round / ROUNDS) * LONGEST_LIFE_MS))
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      const store = createJournalStore(database)
      const { journal } = openWorkspace({ root, journal: { store, blobs: openBlobStore(blobFolder) }, durable: false })
      const recovered = await journal!.recover()
      unclear.push(...recovered.unclear)
      expect(Object.entries(contents(root)).filter(([, text]) => !isWhole(text))).toEqual([])
      expect(readdirSync(root).filter((name) => name.endsWith('.codehound-tmp'))).toEqual([])
      expect(store.list({ states: ['pending'] })).toEqual([])
    }
    expect(unclear).toEqual([])
    const store = createJournalStore(database)
    const { journal } = openWorkspace({ root, journal: { store, blobs: openBlobStore(blobFolder) }, durable: false })
    expect(store.list().length).toBeGreaterThan(0)
    expect(journal!.undo({ sessionId: id, count: 100_000 })).toMatchObject({ ok: true })
    expect(contents(root)).toEqual(original)
    database.close()
  },
  TIMEOUT_MS,
)
