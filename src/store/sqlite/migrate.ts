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
        db.exec(migrations[step]!.sql)
        db.exec(`PRAGMA user_version = ${step + 1}`)
      }
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

function version(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
}

function backUp(db: DatabaseSync, target: string): void {
  if (existsSync(target) || db.location() === null) return
  db.prepare('VACUUM INTO ?').run(target)
  chmodSync(target, 0o600)
}
