import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoreError } from '../store-error.ts'
import { type Database, openDatabase } from './database.ts'
import type { Migration } from './migration.ts'
import { createSessionStore, openSessionStore } from './session-store.ts'
import { workspaceMigrations } from './migrations/workspace.ts'

/** The user that owns nothing, on Debian and most others. */
const NOBODY = 65534
const session = { title: 't', type: 'CHAT' as const, workspaceId: 'w', root: '/w', model: 'a/b' }
const first: Migration = { title: 'notes', sql: 'CREATE TABLE notes (pk INTEGER PRIMARY KEY, text TEXT NOT NULL)' }
const second: Migration = {
  title: 'notes have a colour',
  sql: "ALTER TABLE notes ADD COLUMN colour TEXT DEFAULT 'red'",
}

let folder: string
let file: string
let opened: Database[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codehound-database-'))
  file = join(folder, 'x.db')
})
afterEach(() => {
  for (const database of opened) database.close()
  opened = []
  rmSync(folder, { recursive: true, force: true })
})

function open(migrations: readonly Migration[]): Database {
  const database = openDatabase(file, migrations)
  opened.push(database)
  return database
}

function thrown(work: () => unknown): StoreError {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError)
    return error as StoreError
  }
  throw new Error('nothing was thrown')
}

test('a migration keeps the data, and what was there before it is backed up', () => {
  const old = open([first])
  old.run('INSERT INTO notes (text) VALUES (?)', 'kept')
  old.close()
  const updated = open([first, second])
  expect(updated.all('SELECT text, colour FROM notes')).toEqual([{ text: 'kept', colour: 'red' }])
  expect(updated.notices).toEqual([])
  const backup = `${file}.v1-backup`
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  const before = openDatabase(backup, [first])
  expect(before.all('SELECT * FROM notes')).toEqual([{ pk: 1, text: 'kept' }])
  before.close()
})

test('a new database has nothing to back up', () => {
  open([first, second])
  expect(readdirSync(folder).filter((name) => name.includes('backup'))).toEqual([])
})

test('a migration that fails leaves everything as it was', () => {
  open([first]).close()
  const broken: Migration = { title: 'broken', sql: 'ALTER TABLE notes ADD COLUMN a TEXT; SELECT * FROM nowhere' }
  expect(thrown(() => open([first, broken])).message).toContain('nowhere')
  const again = open([first])
  expect(again.readOnly).toBe(false)
  expect(again.all("SELECT name FROM pragma_table_info('notes')")).toEqual([{ name: 'pk' }, { name: 'text' }])
})

test('a store of a newer program is read and never written', () => {
  open([first, second]).close()
  const older = open([first])
  expect(older.readOnly).toBe(true)
  expect(older.notices).toEqual([
    `${file} was written by a newer codehound (schema 2, this program knows 1): it is open read-only. Update codehound to write to it.`,
  ])
  expect(older.all('SELECT * FROM notes')).toEqual([])
  expect(thrown(() => older.run("INSERT INTO notes (text) VALUES ('x')"))).toMatchObject({
    code: 'store',
    fault: 'newer',
  })
})

test('the files are for their owner alone', () => {
  open([first]).run("INSERT INTO notes (text) VALUES ('x')")
  for (const name of readdirSync(folder))
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
})

test('a transaction is all or nothing, also when the second half throws', () => {
  const database = open([first])
  expect(() =>
    database.write(() => {
      database.run("INSERT INTO notes (text) VALUES ('half')")
      database.write(() => database.run("INSERT INTO notes (text) VALUES ('inner')"))
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(database.all('SELECT * FROM notes')).toEqual([])
})

test('a full disk is a clear error, and what was stored before is still there', () => {
  const database = open([first])
  database.run("INSERT INTO notes (text) VALUES ('before')")
  const pages = Number(database.get('PRAGMA page_count')!['page_count'])
  database.exec(`PRAGMA max_page_count = ${pages + 2}`)
  const error = thrown(() => database.run('INSERT INTO notes (text) VALUES (?)', 'x'.repeat(100_000)))
  expect(error).toMatchObject({ code: 'store', fault: 'disk_full' })
  expect(error.message).toBe(`the disk is full: ${file} could not be written`)
  expect(
    thrown(() => database.write(() => database.run('INSERT INTO notes (text) VALUES (?)', 'x'.repeat(100_000)))).fault,
  ).toBe('disk_full')
  expect(database.all('SELECT text FROM notes')).toEqual([{ text: 'before' }])
})

test('a folder that is not there, or is a file, is a clear error', () => {
  file = join(folder, 'nowhere', 'x.db')
  expect(thrown(() => open([first]))).toMatchObject({ fault: 'read_only', code: 'store' })
  writeFileSync(join(folder, 'plain'), '')
  file = join(folder, 'plain', 'x.db')
  expect(thrown(() => open([first])).suggestion).toContain('XDG_DATA_HOME')
})

test('a folder without the right to write is a clear error, and so is a file', () => {
  open([first]).close()
  // Root may write everywhere, so it steps down for a moment.
  const root = process.geteuid?.() === 0
  chmodSync(folder, 0o755)
  chmodSync(file, 0o444)
  if (root) process.seteuid!(NOBODY)
  else chmodSync(folder, 0o555)
  try {
    expect(thrown(() => open([first]))).toMatchObject({ fault: 'read_only' })
    file = join(folder, 'other.db')
    expect(thrown(() => open([first]))).toMatchObject({
      fault: 'read_only',
      message: `${file} cannot be opened (EACCES)`,
    })
  } finally {
    if (root) process.seteuid!(0)
    chmodSync(folder, 0o700)
  }
})

test('a file that is no database is set aside and a new one made', () => {
  writeFileSync(file, 'these are not the pages you are looking for '.repeat(200))
  const database = open([first])
  expect(database.notices).toHaveLength(1)
  expect(database.notices[0]).toMatch(
    /was damaged; nothing in it could be read\. The damaged file is kept as .*damaged-/,
  )
  database.run("INSERT INTO notes (text) VALUES ('new')")
  expect(readdirSync(folder).some((name) => name.startsWith('x.db.damaged-'))).toBe(true)
})

test('a damaged page costs what was on it: the rest is read at once, what is lost is named, the session works', () => {
  const store = createSessionStore(open(workspaceMigrations))
  const { id } = store.create(session)
  for (let n = 1; n <= 400; n++) store.append(id, { sender: 'USER', text: `message ${n} ${'filler '.repeat(100)}` })
  store.close()
  // A page in the middle of the file, where message rows lie.
  const bytes = readFileSync(file)
  const page = 4096
  bytes.fill(0xa5, 60 * page, 61 * page)
  writeFileSync(file, bytes)

  const salvaged = createSessionStore(open(workspaceMigrations))
  const messages = salvaged.messages(id)
  const sound = messages.filter(({ sender }) => sender === 'USER')
  expect(sound.length).toBeGreaterThan(380)
  expect(sound.map(({ text }) => Number(text.split(' ')[1]))).toEqual(sound.map(({ seq }) => seq))
  const told = salvaged.takeDamage()
  expect(told[0]).toMatch(/was damaged; saved from it: 1 sessions, \d+ messages, 1 search_state/)
  const [, from, to] = /^messages (\d+) to (\d+) of session \w+ are damaged and left out$/.exec(told[1]!)!
  expect(sound).toHaveLength(400 - (Number(to) - Number(from) + 1))
  expect(messages.filter(({ sender }) => sender === 'SYSTEM')).toMatchObject([{ seq: Number(from) }])
  expect(salvaged.append(id, { sender: 'USER', text: 'on' }).seq).toBe(401)
  expect(salvaged.search('filler', { limit: 3 })).toHaveLength(3)
})

test('a file that was cut short is found at open', () => {
  const store = createSessionStore(open(workspaceMigrations))
  const { id } = store.create(session)
  for (let n = 1; n <= 100; n++) store.append(id, { sender: 'USER', text: 'x'.repeat(1000) })
  store.close()
  truncateSync(file, statSync(file).size / 2)
  const database = open(workspaceMigrations)
  expect(database.notices).toHaveLength(1)
  expect(existsSync(`${file}.is-damaged`)).toBe(false)
  expect(createSessionStore(database).list().length).toBeLessThanOrEqual(1)
})

test('a session of 100,000 messages opens by reading only what is asked for', () => {
  const store = openSessionStore(':memory:')
  const { id } = store.create(session)
  store.database.write(() => {
    for (let n = 1; n <= 100_000; n++) store.append(id, { sender: 'USER', text: `message ${n}` })
  })
  expect(store.get(id)?.messageCount).toBe(100_000)
  expect(store.messages(id, { last: 2 }).map((message) => message.seq)).toEqual([99_999, 100_000])
  const plan = store.database.all<{ detail: string }>(
    'EXPLAIN QUERY PLAN SELECT * FROM messages WHERE session_id = ? AND seq > ? ORDER BY seq DESC LIMIT ?',
    id,
    0,
    100,
  )
  // No scan and no sort: the time to open does not grow with the session.
  expect(plan.map((step) => step.detail)).toEqual([
    'SEARCH messages USING INDEX sqlite_autoindex_messages_1 (session_id=? AND seq>?)',
  ])
  store.close()
})
