// The checksum of a stored row: what tells a row that was changed by damage from one that codehound wrote. Against flipped
// bytes, not against somebody who can write the file.
import { hash } from 'node:crypto'
import type { SQLOutputValue } from 'node:sqlite'

/** Hex digits that are kept: 64 bits, so that no damage is overlooked in any number of rows. */
const SUM_LENGTH = 16

type Row = Readonly<Record<string, SQLOutputValue | undefined>>

/**
 * Sums up columns of a row, by name and type. Columns that are null count as absent, so a column that a later step adds
 * leaves the sums of the rows before it true.
 *
 * @returns 16 hex digits
 */
export function rowSum(row: Row, columns: readonly string[]): string {
  let text = ''
  for (const column of columns) {
    const value = row[column]
    if (value === null || value === undefined) continue
    const written = typeof value === 'object' ? Buffer.from(value).toString('hex') : String(value)
    text += `${column}:${typeof value}:${written.length}:${written}\n`
  }
  return hash('sha256', text, 'hex').slice(0, SUM_LENGTH)
}

/** Where the checksums of a table stand, and what each is over. */
export interface SealedTable {
  table: string
  sums: Readonly<Record<string, readonly string[]>>
}

const MESSAGE_COLUMNS = [
  'session_id',
  'seq',
  'id',
  'sender',
  'type',
  'content',
  'raw',
  'tool_calls',
  'tool_call_id',
  'tool_name',
  'exclude_from_prompt',
  'rest',
  'created_at',
]
const SESSION_COLUMNS = [
  'id',
  'title',
  'type',
  'workspace_id',
  'root',
  'backend',
  'model',
  'created_at',
  'forked_from',
  'forked_seq',
  'metadata',
]
/** What every message changes has a sum of its own, so that an append need not read the rest of its session's row. */
const SESSION_LIVE_COLUMNS = ['id', 'message_count', 'updated_at', 'stats']
const JOURNAL_COLUMNS = [
  'pk',
  'session_id',
  'run_id',
  'call_id',
  'tool',
  'kind',
  'description',
  'state',
  'files',
  'made',
  'not_kept',
  'snapshot',
  'created_at',
]
const CHECKPOINT_COLUMNS = ['session_id', 'run_id', 'user_seq', 'position']
const QUEUED_COLUMNS = ['session_id', 'text', 'created_at']

/** Tables of a workspace whose rows carry checksums. */
export const sealedTables: readonly SealedTable[] = [
  { table: 'sessions', sums: { sum: SESSION_COLUMNS, live_sum: SESSION_LIVE_COLUMNS } },
  { table: 'messages', sums: { sum: MESSAGE_COLUMNS } },
  { table: 'journal', sums: { sum: JOURNAL_COLUMNS } },
  { table: 'checkpoints', sums: { sum: CHECKPOINT_COLUMNS } },
  { table: 'queued_messages', sums: { sum: QUEUED_COLUMNS } },
]

export const messageSum = (row: Row): string => rowSum(row, MESSAGE_COLUMNS)
export const sessionSum = (row: Row): string => rowSum(row, SESSION_COLUMNS)
export const sessionLiveSum = (row: Row): string => rowSum(row, SESSION_LIVE_COLUMNS)
export const journalSum = (row: Row): string => rowSum(row, JOURNAL_COLUMNS)
export const checkpointSum = (row: Row): string => rowSum(row, CHECKPOINT_COLUMNS)
export const queuedSum = (row: Row): string => rowSum(row, QUEUED_COLUMNS)
