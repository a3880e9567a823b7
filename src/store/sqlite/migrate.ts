import { hash } from 'node:crypto'
import { chmodSync, existsSync } from 'node:fs'
import type { DatabaseSync } from './load-sqlite.ts'
import type { Migration } from './migration.ts'

/**
 * Runs the steps that are not done yet, each in a transaction of its own. Before each step on a database that holds
 * data a copy is made beside it, `FILE.v<version>-backup`, readable by an older program.
 */
export function migrate(db: DatabaseSync, file: string, migrations: readonly Migration[]): void {
  const isNew = version(db) === 0
  for (let step = version(db); step < migrations.length; step = version(db)) {
    if (!isNew) backUp(db, `${file}.v${step}-backup`)
    db.exec('BEGIN IMMEDIATE')
    try {
      // Another process may have done this step while we waited for the lock.
      if (version(db) === step) {
        const { sql, afterwards } = migrations[step]!
        db.exec(sql)
        afterwards?.(db)
        db.exec(`PRAGMA user_version = ${step + 1}; PRAGMA application_id = ${schemaSum(db, step + 1)}`)
      }
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

/**
 * Sums up the definitions of all tables and the version: kept as the file's application id, so that damage to either is not
 * taken for another program's schema.
 *
 * @returns 31 bits, never 0: that is the id of a file of which nothing is known
 */
function schemaSum(db: DatabaseSync, version: number): number {
  const rows = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all()
  const digits = hash('sha256', JSON.stringify([version, rows.map((row) => Object.values(row))]), 'hex').slice(0, 8)
  return (Number.parseInt(digits, 16) >>> 1) | 1
}

/** Whether version and definitions are those that were written. True where no sum of them was written. */
export function isSchemaWhole(db: DatabaseSync): boolean {
  const id = Number(db.prepare('PRAGMA application_id').get()?.['application_id'] ?? 0)
  return id === 0 || id === schemaSum(db, version(db))
}

function version(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
}

function backUp(db: DatabaseSync, target: string): void {
  if (existsSync(target) || db.location() === null) return
  db.prepare('VACUUM INTO ?').run(target)
  chmodSync(target, 0o600)
}
