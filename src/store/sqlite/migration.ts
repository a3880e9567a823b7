import type { DatabaseSync } from './load-sqlite.ts'

/** One step of a schema of user data. A published step never changes: what comes next is appended to the list. */
export interface Migration {
  /** What is true afterwards, one short line. */
  title: string
  /** Tables must keep their rowid: what is left of a damaged file is read by it. */
  sql: string
  /** What SQL cannot do, in the same transaction. */
  afterwards?: (db: DatabaseSync) => void
  /** Makes whole what a damaged file lost, after the rows that could be read are back. */
  repair?: string
}
