// Promises an open SQLite database in WAL mode whose schema is this program's: a call that returned survives kill -9,
// several processes may write at once, and every fault is a StoreError that says what to do.
// Does not promise to survive power loss by more than the last second (synchronous NORMAL), and knows no table.
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Migration } from './migration.ts'
import { DamageFound, isCorrupt, toStoreError } from './fault.ts'
import { DatabaseSync } from './load-sqlite.ts'
import { isSchemaWhole, migrate } from './migrate.ts'
import { damageMarker, salvage, userTables } from './salvage.ts'
import { lostFromLog } from './wal-log.ts'

/** Milliseconds a call waits for another process's write before it gives up: longer than any transaction of ours. */
const BUSY_TIMEOUT_MS = 10_000

/**
 * Pages of the log before it is written back (16 MB): each time costs two syncs of the disk in the middle of a turn, and at
 * SQLite's own 1,000 a run that reads files does it every 40 turns. Closing writes all of it back.
 */
const CHECKPOINT_PAGES = 4_000

/** Times one process saves what is left of a file: a disk that damages each new one is not fought for ever. */
const MAX_HEALED = 3

type Row = Record<string, SQLOutputValue>

export class Database {
  readonly file: string
  /** True when the file was written by a newer program, or cannot be written: every write throws. */
  readonly readOnly: boolean
  /** Lines for the user about what happened at open: data salvaged, opened read-only. */
  readonly notices: readonly string[]
  #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #reopen: (() => { db: DatabaseSync; notice: string }) | undefined
  readonly #closing: (() => void)[] = []
  #healed = 0
  /** Lines about damage that nobody has taken yet, and all that were ever left here. */
  #damage: string[] = []
  readonly #told = new Set<string>()

  constructor(
    db: DatabaseSync,
    file: string,
    readOnly: boolean,
    notices: readonly string[],
    reopen?: () => { db: DatabaseSync; notice: string },
  ) {
    this.#db = db
    this.file = file
    this.readOnly = readOnly
    this.notices = notices
    this.#reopen = readOnly || file === ':memory:' ? undefined : reopen
  }

  /** Leaves a line for the user about damage that was met; the same line counts once. */
  noteDamage(line: string): void {
    if (this.#told.has(line)) return
    this.#told.add(line)
    this.#damage.push(line)
  }

  /** Gives the lines about damage since the last call. */
  takeDamage(): string[] {
    return this.#damage.splice(0)
  }

  /** First row, or undefined. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => withLargeNumbers(this.#prepare(sql), (statement) => statement.get(...values)))
  }

  /** All rows, as objects of the shape the statement selects. */
  all<T = Row>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.#guard(() => withLargeNumbers(this.#prepare(sql), (statement) => statement.all(...values)) as T[])
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

  /** Runs reads that must see one state. Inside of a transaction it joins that. */
  read<T>(work: () => T): T {
    if (this.#db.isTransaction) return work()
    return this.#guard(() => {
      this.#db.exec('BEGIN')
      try {
        return work()
      } finally {
        if (this.#db.isTransaction) this.#db.exec('COMMIT')
      }
    })
  }

  get isInTransaction(): boolean {
    return this.#db.isTransaction
  }

  /** Called when the database is closed. */
  onClose(done: () => void): void {
    this.#closing.push(done)
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close()
    for (const done of this.#closing.splice(0)) done()
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
      if (isCorrupt(error)) {
        if (this.#heal()) return this.#guard(work)
        markDamaged(this.file)
      }
      throw toStoreError(error, this.file, this.readOnly)
    }
  }

  /** Saves what can be read into a new file and goes on with it. False inside of a transaction: its outermost call does it. */
  #heal(): boolean {
    if (this.#reopen === undefined || this.#healed === MAX_HEALED || this.#db.isTransaction) return false
    this.#healed += 1
    this.#statements.clear()
    if (this.#db.isOpen) this.#db.close()
    const { db, notice } = this.#reopen()
    this.#db = db
    this.noteDamage(notice)
    return true
  }
}

/** A number that does not fit was never stored: it is read all the same, so that its row can be told to be damaged. */
function withLargeNumbers<T>(statement: StatementSync, read: (statement: StatementSync) => T): T {
  try {
    return read(statement)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_OUT_OF_RANGE') throw error
  }
  statement.setReadBigInts(true)
  try {
    const found = read(statement)
    for (const row of Array.isArray(found) ? (found as Row[]) : [found as Row | undefined])
      for (const [name, value] of Object.entries(row ?? {}))
        if (typeof value === 'bigint') row![name] = Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    return found
  } finally {
    statement.setReadBigInts(false)
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
  const isLogLost = !fresh && lostFromLog(file)
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
    if (!isSchemaWhole(db)) throw new DamageFound()
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
    if (isLogLost)
      notices.push(`${file}-wal was damaged: what was stored last before the program ended may be missing.`)
    return new Database(db, file, false, notices, () => {
      const notice = salvage(file, migrations)
      const saved = connect(file, false)
      saved.exec(
        `PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
      )
      return { db: saved, notice }
    })
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
