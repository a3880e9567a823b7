// Promises the journal's rows in the workspace database: an entry is durable against kill -9 when `append` returns.
// Keeps no contents, and does not say what may be undone: that is the journal's business.
import type {
  JournalEntry,
  JournalEntryState,
  JournalFile,
  JournalFilter,
  JournalStore,
} from '../../workspace/journal/journal-store.ts'
import type { Database } from './database.ts'

interface JournalRow {
  pk: number
  session_id: string | null
  run_id: string | null
  call_id: string | null
  tool: string | null
  kind: JournalEntry['kind']
  description: string
  state: JournalEntryState
  files: string
  made: string
  not_kept: string
  snapshot: string | null
  created_at: number
}

export function createJournalStore(database: Database): JournalStore {
  return {
    append(entry) {
      database.run(
        `INSERT INTO journal (session_id, run_id, call_id, tool, kind, description, state, files, made, not_kept, snapshot, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        entry.sessionId ?? null,
        entry.runId ?? null,
        entry.callId ?? null,
        entry.tool ?? null,
        entry.kind,
        entry.description,
        entry.state,
        JSON.stringify(entry.files),
        JSON.stringify(entry.made),
        JSON.stringify(entry.notKept),
        entry.snapshot ?? null,
        entry.time,
      )
      return Number(database.get('SELECT last_insert_rowid() AS pk')!['pk'])
    },
    update(position, { state, files, made, notKept }) {
      database.run(
        `UPDATE journal SET state = coalesce(?, state), files = coalesce(?, files), made = coalesce(?, made),
         not_kept = coalesce(?, not_kept) WHERE pk = ?`,
        state ?? null,
        jsonOrNull(files),
        jsonOrNull(made),
        jsonOrNull(notKept),
        position,
      )
    },
    remove(position) {
      database.run('DELETE FROM journal WHERE pk = ?', position)
    },
    list: (filter = {}) => listEntries(database, filter),
    dropUndone(sessionId) {
      database.run("UPDATE journal SET state = 'dropped' WHERE state = 'undone' AND session_id IS ?", sessionId ?? null)
    },
    last: () => Number(database.get("SELECT seq FROM sqlite_sequence WHERE name = 'journal'")?.['seq'] ?? 0),
    addCheckpoint({ sessionId, runId, userSeq, position }) {
      database.run(
        'INSERT INTO checkpoints (session_id, run_id, user_seq, position) VALUES (?, ?, ?, ?)',
        sessionId,
        runId,
        userSeq,
        position,
      )
    },
    checkpoint(sessionId, userSeq) {
      const row = database.get(
        'SELECT position FROM checkpoints WHERE session_id = ? AND user_seq >= ? ORDER BY user_seq, pk DESC LIMIT 1',
        sessionId,
        userSeq,
      )
      return row === undefined ? undefined : Number(row['position'])
    },
    removeBefore: (time) => database.run('DELETE FROM journal WHERE created_at < ?', time),
    removeThrough(position) {
      database.run('DELETE FROM journal WHERE pk <= ?', position)
    },
  }
}

function listEntries(database: Database, { sessionId, states, after, limit }: JournalFilter): JournalEntry[] {
  // Only the conditions that are asked for, so that each index can serve.
  const conditions: string[] = []
  const values: (string | number)[] = []
  if (sessionId !== undefined) {
    conditions.push('session_id = ?')
    values.push(sessionId)
  }
  if (states !== undefined) {
    conditions.push(`state IN (${states.map(() => '?').join(', ')})`)
    values.push(...states)
  }
  if (after !== undefined) {
    conditions.push('pk > ?')
    values.push(after)
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const most = limit === undefined ? '' : 'LIMIT ?'
  if (limit !== undefined) values.push(limit)
  return database.all<JournalRow>(`SELECT * FROM journal ${where} ORDER BY pk DESC ${most}`, ...values).map(toEntry)
}

function toEntry(row: JournalRow): JournalEntry {
  return {
    position: row.pk,
    ...(row.session_id === null ? {} : { sessionId: row.session_id }),
    ...(row.run_id === null ? {} : { runId: row.run_id }),
    ...(row.call_id === null ? {} : { callId: row.call_id }),
    ...(row.tool === null ? {} : { tool: row.tool }),
    kind: row.kind,
    description: row.description,
    state: row.state,
    files: JSON.parse(row.files) as JournalFile[],
    made: JSON.parse(row.made) as string[],
    notKept: JSON.parse(row.not_kept) as string[],
    ...(row.snapshot === null ? {} : { snapshot: row.snapshot }),
    time: row.created_at,
  }
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
