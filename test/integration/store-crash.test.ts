import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkDatabase } from '../../src/store/sqlite/database.ts'
import { openSessionStore } from '../../src/store/sqlite/session-store.ts'

const writer = join(import.meta.dirname, '../support/store-writer.ts')
const session = { title: 't', type: 'CHAT' as const, workspaceId: 'w', root: '/w', model: 'a/b' }

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codehound-crash-'))
  file = join(folder, 'workspace.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function newSession(): string {
  const store = openSessionStore(file)
  const { id } = store.create(session)
  store.close()
  return id
}

interface Writer {
  child: ChildProcess
  /** Sequence numbers whose append had returned. */
  shown: () => number[]
  error: () => string
}

function startWriter(sessionId: string, count: number): Writer {
  const child = spawn(process.execPath, [writer, file, sessionId, String(count)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let error = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
  return { child, shown: () => out.split('\n').slice(0, -1).map(Number), error: () => error }
}

test('kill -9 at any point loses no message that was shown, and the next process goes on', async () => {
  const id = newSession()
  const shown: number[] = []
  for (const after of [1, 2, 7, 20, 40, 80, 120, 200]) {
    const { child, shown: lines } = startWriter(id, 100_000)
    const closed = once(child, 'close')
    while (lines().length < after) await once(child.stdout!, 'data')
    child.kill('SIGKILL')
    await closed
    shown.push(...lines())
  }
  const store = openSessionStore(file)
  const stored = store.messages(id)
  expect(store.database.notices).toEqual([])
  expect(checkDatabase(store.database)).toEqual([])
  expect(stored.map((message) => message.seq)).toEqual(stored.map((_, at) => at + 1))
  expect(store.get(id)?.messageCount).toBe(stored.length)
  for (const seq of shown) expect(stored[seq - 1]?.text).toMatch(/^\d+ \d+ whole$/)
  // At most the message each killed process was about to show is half-way.
  expect(stored.filter((message) => !message.text.endsWith('whole')).length).toBeLessThanOrEqual(8)
  expect(store.append(id, { sender: 'USER', text: 'and on' }).seq).toBe(stored.length + 1)
  store.close()
})

test('two processes append to one session at once: every message has its own place and none fails', async () => {
  const id = newSession()
  const count = 300
  const writers = [startWriter(id, count), startWriter(id, count)]
  const codes = await Promise.all(writers.map(async ({ child }) => (await once(child, 'close'))[0] as number))
  expect([codes, writers.map(({ error }) => error())]).toEqual([
    [0, 0],
    ['', ''],
  ])
  const shown = writers.flatMap((each) => each.shown()).toSorted((a, b) => a - b)
  expect(shown).toEqual(Array.from({ length: 2 * count }, (_, at) => at + 1))
  const store = openSessionStore(file)
  for (const { child } of writers) {
    const own = store.messages(id).filter((message) => message.text.startsWith(`${child.pid} `))
    expect(own.map((message) => message.text)).toEqual(
      Array.from({ length: count }, (_, at) => `${child.pid} ${at + 1} whole`),
    )
  }
  store.close()
})

test('many processes open a new store at the same moment and all get a working one', async () => {
  const id = newSession()
  rmSync(file)
  rmSync(`${file}-wal`, { force: true })
  // The session is gone with the file: each must open and say so, none may fail on the schema.
  const writers = Array.from({ length: 4 }, () => startWriter(id, 1))
  await Promise.all(writers.map(({ child }) => once(child, 'close')))
  for (const { error } of writers) expect(error()).toContain(`there is no session ${id}`)
  const store = openSessionStore(file)
  expect(checkDatabase(store.database)).toEqual([])
  store.close()
})
