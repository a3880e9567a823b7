// Promises an open SQLite database in WAL mode whose schema is this program's: a call that returned survives kill -9,
// several processes may write at once, and every fault is a StoreError that says what to do.
// Does not promise to survive power loss by more than the last second (synchronous NORMAL), and knows no table.
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Migration } from './migration.ts'
import { DamageFound, isCorrupt, toStoreError } from './fault.ts'
import { DatabaseSync } from './load-sqlite.ts'
import { migrate } from './migrate.ts'
import { damageMarker, salvage, userTables } from './salvage.ts'

/** Milliseconds a call waits for another process's write before it gives up: longer than any transaction of ours. */
const BUSY_TIMEOUT_MS = 10_000

/**
 * Pages of the log before it is written back (16 MB): each time costs two syncs of the disk in the middle of a turn, and at
 * SQLite's own 1,000 a run that reads files does it every 40 turns. Closing writes all of it back.
 */
const CHECKPOINT_PAGES = 4_000

type Row = Record<string, SQLOutputValue>

export class Database {
  readonly file: string
  /** True when the file was written by a newer program, or cannot be written: every write throws. */
  readonly readOnly: boolean
  /** Lines for the user about what happened at open: data salvaged, opened read-only. */
  readonly notices: readonly string[]
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync, file: string, readOnly: boolean, notices: readonly string[]) {
    this.#db = db
    this.file = file
    this.readOnly = readOnly
    this.notices = notices
  }

  /** First row, or undefined. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.#prepare(sql).get(...values))
  }

  /** All rows, as objects of the shape the statement selects. */
  all<T = Row>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.#guard(() => this.#prepare(sql).all(...values) as T[])
  }

  /** Runs one statement and returns how many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#guard(() => Number(this.#prepare(sql).run(...values).changes))
  }

  /** Runs statements without values, for example a PRAGMA. */
  exec(sql: string): void {
    this.#guard(() => this.#db.exec(sql))
  }

  /** Runs `work` as one transaction: all of it, or nothing when it throws. A transaction inside another joins it. */
  write<T>(work: () => T): T {
    if (this.#db.isTransaction) return work()
    return this.#guard(() => {
      this.#db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        this.#db.exec('COMMIT')
        return result
      } catch (error) {
        // SQLite ends the transaction itself when the disk is full or the file is damaged.
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
        throw error
      }
    })
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close()
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      // Node 24.0 binds nothing to a numbered parameter.
      if (/\?\d/.test(sql)) throw new Error(`use ? and not a numbered parameter: ${sql}`)
      statement = this.#db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (isCorrupt(error)) markDamaged(this.file)
      throw toStoreError(error, this.file, this.readOnly)
    }
  }
}

/**
 * Opens a database, makes it when it is not there, and brings its schema up to date (with a backup of what was there).
 * A file of a newer program is opened read-only; a damaged one is set aside and what can be read of it is kept.
 *
 * @param file absolute path in an existing folder, or `:memory:`
 * @param migrations all steps, oldest first; `user_version` counts those that are done
 * @throws StoreError when the file cannot be opened or made
 */
export function openDatabase(file: string, migrations: readonly Migration[]): Database {
  const notices: string[] = []
  try {
    return openOnce(file, migrations, notices)
  } catch (error) {
    if (!isCorrupt(error) || file === ':memory:') throw toStoreError(error, file, false)
  }
  try {
    notices.push(salvage(file, migrations))
    return openOnce(file, migrations, notices)
  } catch (error) {
    throw toStoreError(error, file, false)
  }
}

function openOnce(file: string, migrations: readonly Migration[], notices: string[]): Database {
  const fresh = file === ':memory:' || !existsSync(file)
  // Made for its owner alone; SQLite gives the files beside it the same mode.
  if (fresh && file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
  let db = connect(file, false)
  try {
    // A file made a moment ago holds nothing to lose: its first pages need no sync, and start-up is measured.
    db.exec(
      fresh
        ? 'PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL; PRAGMA trusted_schema = OFF'
        : 'PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF',
    )
    if (!fresh && existsSync(damageMarker(file))) throw new DamageFound()
    const version = userVersion(db)
    if (version > migrations.length) {
      db.close()
      db = connect(file, true)
      notices.push(
        `${file} was written by a newer codehound (schema ${version}, this program knows ${migrations.length}): it is open read-only. Update codehound to write to it.`,
      )
      return new Database(db, file, true, notices)
    }
    // Its maker may have died before it set the mode; the mode is kept in the file.
    if (version === 0 && !fresh) db.exec('PRAGMA journal_mode = WAL')
    if (version < migrations.length) migrate(db, file, migrations)
    else checkReadable(db)
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    if (fresh) db.exec('PRAGMA synchronous = NORMAL')
    return new Database(db, file, false, notices)
  } catch (error) {
    db.close()
    throw error
  }
}

function connect(file: string, readOnly: boolean): DatabaseSync {
  return new DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
}

/** Leaves word for the next open; when even that cannot be written the error itself is what the user gets. */
function markDamaged(file: string): void {
  try {
    if (file !== ':memory:') writeFileSync(damageMarker(file), '')
  } catch {
    // The folder cannot be written; the next open meets the damage again.
  }
}

function userVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
}

/**
 * Finds damage that can be found in well under a millisecond whatever the size: a file that is shorter than its header
 * says, or tables whose first and last pages cannot be read. A full check (`PRAGMA quick_check`) reads every page.
 */
function checkReadable(db: DatabaseSync): void {
  for (const table of userTables(db)) {
    db.prepare(`SELECT * FROM "${table}" LIMIT 1`).get()
    db.prepare(`SELECT * FROM "${table}" ORDER BY rowid DESC LIMIT 1`).get()
  }
}

/** Reads every page, for `codehound doctor`: the faults found, none when the file is sound. */
export function checkDatabase(database: Database): string[] {
  return database
    .all<{ quick_check: string }>('PRAGMA quick_check(20)')
    .map((row) => row.quick_check)
    .filter((line) => line !== 'ok')
}
