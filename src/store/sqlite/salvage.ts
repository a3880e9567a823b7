import { existsSync, renameSync, rmSync } from 'node:fs'
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { DatabaseSync } from './load-sqlite.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migration.ts'
import { rowSum, sealedTables } from './row-sum.ts'

type Row = Record<string, SQLOutputValue>

/** Rows copied by one statement while the pages are sound. */
const BATCH_ROWS = 200

/** Beside a database whose damage was met in use: the next open salvages it. */
export function damageMarker(file: string): string {
  return `${file}.is-damaged`
}

/**
 * Sets a damaged database aside and makes a new one from all rows of it that can still be read.
 *
 * @returns one line for the user: where the damaged file is and how much was kept
 */
export function salvage(file: string, migrations: readonly Migration[]): string {
  const aside = `${file}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  renameSync(file, aside)
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`)
  for (const left of [`${file}-shm`, `${file}-journal`, damageMarker(file)]) rmSync(left, { force: true })

  const target = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  try {
    target.exec('PRAGMA journal_mode = WAL')
    migrate(target, file, migrations)
    const kept = copyReadable(aside, target)
    for (const { repair, afterwards } of migrations) {
      if (repair !== undefined) target.exec(repair)
      afterwards?.(target)
    }
    const rows = kept.filter(([, count]) => count > 0).map(([table, count]) => `${count} ${table}`)
    const saved = rows.length === 0 ? 'nothing in it could be read' : `saved from it: ${rows.join(', ')}`
    return `${file} was damaged; ${saved}. The damaged file is kept as ${aside}.`
  } finally {
    target.close()
  }
}

function copyReadable(source: string, target: DatabaseSync): [table: string, rows: number][] {
  let damaged: DatabaseSync | undefined
  try {
    damaged = new DatabaseSync(source, { readOnly: true, defensive: false })
    // Reads on although the file is shorter than its header says, or the definition of one table is damaged.
    damaged.exec('PRAGMA writable_schema = ON')
    return userTables(target).map((table) => [table, copyTable(damaged!, target, table)])
  } catch {
    // Not even the header can be read: the line says that nothing was saved.
    return []
  } finally {
    damaged?.close()
  }
}

/** Tables of user data; those that SQLite and full-text search keep for themselves are made again. */
export function userTables(db: DatabaseSync): string[] {
  const rows = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE %' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%!_fts!_%' ESCAPE '!'",
    )
    .all()
  return rows.map((row) => String(row['name']))
}

/** Copies row by row where pages are damaged, leaping over what cannot be read in steps that double. */
function copyTable(damaged: DatabaseSync, target: DatabaseSync, table: string): number {
  let columns: string[]
  try {
    const there = new Set(columnsOf(damaged, table))
    columns = columnsOf(target, table).filter((column) => there.has(column))
  } catch {
    return 0
  }
  if (columns.length === 0) return 0
  const list = columns.map((column) => `"${column}"`).join(', ')
  const into = `INTO "${table}" (rowid, ${list}) VALUES (?${', ?'.repeat(columns.length)})`
  const insert = target.prepare(`INSERT OR REPLACE ${into}`)
  const sums = sealedTables.find((sealed) => sealed.table === table)?.sums ?? {}
  // A file of an older program has no checksums yet: what can be read of it is taken as it is.
  const sealed = Object.entries(sums).filter(([name]) => columns.includes(name))
  /** Damaged rows, for the places that no sound row has: they are told to be damaged when somebody reads them. */
  const damagedRows: SQLInputValue[][] = []
  const isDamaged = (row: Row): boolean => sealed.some(([name, over]) => row[name] !== rowSum(row, over))
  const valuesOf = (row: Row): SQLInputValue[] => ['rowid_', ...columns].map((column) => row[column] ?? null)
  const read = `SELECT rowid AS rowid_, ${list} FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ?`

  let copied = 0
  let after = -1
  let leap = 1
  let batch = BATCH_ROWS
  target.exec('BEGIN')
  while (Number.isSafeInteger(after)) {
    let rows: Row[]
    try {
      // A statement that met damage is not used again.
      rows = readBatch(damaged, read, after, batch)
      // Damaged pages can lead back to rows that were read before.
      if (rows.some((row, at) => Number(row['rowid_']) <= (at === 0 ? after : Number(rows[at - 1]!['rowid_']))))
        throw new Error('rows out of order')
      if (batch > 1 && rows.some(isDamaged)) throw new Error('a damaged row, whose place says nothing')
    } catch {
      if (batch > 1) batch = 1
      else {
        after += leap
        leap *= 2
      }
      continue
    }
    if (rows.length === 0) break
    const [only] = rows
    if (only !== undefined && isDamaged(only)) {
      const values = valuesOf(only)
      for (const [name] of sealed) values[columns.indexOf(name) + 1] ??= ''
      damagedRows.push(values)
      after = Math.min(Number(only['rowid_']), after + leap)
      leap *= 2
      continue
    }
    for (const row of rows) {
      const values = valuesOf(row)
      try {
        insert.run(...values)
        copied++
      } catch {
        // A row that breaks a constraint is damaged too.
      }
    }
    after = Number(rows.at(-1)!['rowid_'])
    leap = 1
  }
  const fill = target.prepare(`INSERT OR IGNORE ${into}`)
  for (const values of damagedRows) {
    try {
      fill.run(...values)
    } catch {
      // It breaks a constraint as well.
    }
  }
  target.exec('COMMIT')
  return copied
}

/** Numbers that do not fit were never stored; they come as text, so that only their own row is lost. */
function readBatch(damaged: DatabaseSync, sql: string, after: number, batch: number): Row[] {
  const statement = damaged.prepare(sql)
  statement.setReadBigInts(true)
  const rows = statement.all(after, batch)
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (typeof value === 'bigint') row[name] = Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  return rows
}

function columnsOf(db: DatabaseSync, table: string): string[] {
  return db
    .prepare(`PRAGMA table_info("${table}")`)
    .all()
    .map((row) => String(row['name']))
}
