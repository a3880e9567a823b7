import type { Database } from './database.ts'
import { sessionLiveSum } from './row-sum.ts'
import { unknownSession } from './unknown-session.ts'

/** What of a session's row changes with every message. */
export interface LiveColumns {
  id: string
  message_count: number
  updated_at: number
  stats: string
  live_sum: string | null
}

/** What of a session's row changes with every message, made sound when it was damaged; undefined for an unknown session. */
function readLive(database: Database, id: string): LiveColumns | undefined {
  const row = database.all<LiveColumns>(
    'SELECT id, message_count, updated_at, stats, live_sum FROM sessions WHERE id = ?',
    id,
  )[0]
  if (row === undefined || row.live_sum === sessionLiveSum({ ...row })) return row
  database.noteDamage(
    `the count of messages of session ${id} is damaged: whether messages at its end are missing is not known; its figures (tokens, turns) begin anew`,
  )
  const last = database.get('SELECT max(seq) AS seq, max(created_at) AS time FROM messages WHERE session_id = ?', id)
  return { ...row, id, message_count: Number(last?.['seq'] ?? 0), updated_at: Number(last?.['time'] ?? 0), stats: '{}' }
}

/** Changes what changes with every message, with its checksum. */
export function changeLive(
  database: Database,
  id: string,
  change: Partial<Pick<LiveColumns, 'message_count' | 'updated_at' | 'stats'>>,
): void {
  const known = readLive(database, id)
  if (known === undefined) throw unknownSession(id)
  writeLive(database, { ...known, ...change })
}

function writeLive(database: Database, row: Omit<LiveColumns, 'live_sum'>): void {
  const { id, message_count, updated_at, stats } = row
  database.run(
    'UPDATE sessions SET message_count = ?, updated_at = ?, stats = ?, live_sum = ? WHERE id = ?',
    message_count,
    updated_at,
    stats,
    sessionLiveSum({ id, message_count, updated_at, stats }),
    id,
  )
}

/** Counts one more message at `time`; its place. */
export function countMessage(database: Database, id: string, time: number): number {
  const known = readLive(database, id)
  if (known === undefined) throw unknownSession(id)
  const seq = known.message_count + 1
  writeLive(database, { ...known, message_count: seq, updated_at: time })
  return seq
}

/** The place of the last message; undefined for an unknown session. */
export function countOf(database: Database, id: string): number | undefined {
  return readLive(database, id)?.message_count
}
