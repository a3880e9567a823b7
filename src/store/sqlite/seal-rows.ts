import type { SQLInputValue } from 'node:sqlite'
import type { DatabaseSync } from './load-sqlite.ts'
import { rowSum, sealedTables } from './row-sum.ts'

/** Rows read at a time. */
const BATCH_ROWS = 500

/** Gives every row that has no checksum yet its own: rows that an older program stored, or that were made again. */
export function sealRows(db: DatabaseSync): void {
  for (const { table, sums } of sealedTables) {
    const names = Object.keys(sums)
    const read = db.prepare(
      `SELECT rowid AS rowid_, * FROM ${table} WHERE rowid > ? AND ${names.map((name) => `${name} IS NULL`).join(' AND ')}
       ORDER BY rowid LIMIT ${BATCH_ROWS}`,
    )
    const write = db.prepare(`UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE rowid = ?`)
    for (let after = -1, more = true; more;) {
      const rows = read.all(after)
      for (const row of rows) {
        const values: SQLInputValue[] = names.map((name) => rowSum(row, sums[name]!))
        write.run(...values, row['rowid_']!)
        after = Number(row['rowid_'])
      }
      more = rows.length === BATCH_ROWS
    }
  }
}
