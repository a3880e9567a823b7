// Remembers beside the database how far its tables were filled: a write-ahead log that was cut short takes transactions with it
// and leaves no trace of them in the database itself. Two numbers of 8 bytes, in the order of `tables`.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Database } from './database.ts'

const tables = ['messages', 'journal'] as const
const words = { messages: 'messages', journal: 'entries of the journal' }
const BYTES = 8

/** Notes what is missing in a table that was filled further once, and begins anew from what is there. */
export function checkHighMark(database: Database): void {
  if (database.file === ':memory:' || database.readOnly) return
  let known: Buffer
  try {
    known = readFileSync(markFile(database.file))
  } catch {
    return
  }
  for (const [at, table] of tables.entries()) {
    if (known.length < (at + 1) * BYTES) return
    const mark = Number(known.readBigInt64LE(at * BYTES))
    const last = lastOf(database, table)
    if (mark <= last || !Number.isSafeInteger(mark)) continue
    const lost = mark - last
    // A number that no store reaches is damage of the mark itself.
    if (lost < MOST_LOST)
      database.noteDamage(
        `what was stored last was lost to damage of ${database.file}: up to ${lost} ${words[table]} are missing at the end`,
      )
    markOf(database).raise(table, last)
  }
}

const MOST_LOST = 10_000_000

/** Remembers that a row was stored. Only for whole transactions: one that is undone would be missed later. */
export function raiseHighMark(database: Database, table: (typeof tables)[number], last: number): void {
  if (database.file !== ':memory:' && !database.isInTransaction) markOf(database).raise(table, last)
}

interface Mark {
  raise(table: (typeof tables)[number], last: number): void
}

const marks = new WeakMap<Database, Mark>()

function markOf(database: Database): Mark {
  let mark = marks.get(database)
  if (mark) return mark
  let handle: number | undefined
  const bytes = Buffer.alloc(BYTES)
  database.onClose(() => {
    if (handle !== undefined) closeSync(handle)
    handle = undefined
  })
  mark = {
    raise(table, last) {
      try {
        handle ??= openMark(markFile(database.file))
        bytes.writeBigInt64LE(BigInt(last))
        writeSync(handle, bytes, 0, BYTES, tables.indexOf(table) * BYTES)
      } catch {
        // Without it a cut log goes unseen; what is stored is stored.
      }
    },
  }
  marks.set(database, mark)
  return mark
}

function openMark(file: string): number {
  try {
    return openSync(file, 'r+')
  } catch {
    return openSync(file, 'w+', 0o600)
  }
}

function lastOf(database: Database, table: string): number {
  const row = database.get(
    `SELECT max((SELECT coalesce(max(pk), 0) FROM ${table}),
       (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?)) AS last`,
    table,
  )
  return Number(row!['last'])
}

const markFile = (file: string): string => `${file}-mark`
