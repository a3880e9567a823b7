// Promises the journal's rows in the workspace database: an entry is durable against kill -9 when `append` returns.
// Keeps no contents, and does not say what may be undone: that is the journal's business.
import type {
  JournalEntry,
  JournalEntryState,
  JournalFile,
  JournalFilter,
  JournalStore,
  NewJournalEntry,
} from '../../workspace/journal/journal-store.ts'
import { StoreError } from '../store-error.ts'
import type { Database } from './database.ts'
import { raiseHighMark } from './high-mark.ts'
import { checkpointSum, journalSum } from './row-sum.ts'

const allStates: readonly JournalEntryState[] = ['pending', 'done', 'undone', 'dropped']

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
  sum: string | null
}

export function createJournalStore(database: Database): JournalStore {
  const last = (): number => {
    const row = database.get(
      "SELECT max((SELECT coalesce(max(pk), 0) FROM journal), (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'journal')) AS last",
    )
    return Number(row!['last'])
  }
  return {
    append(entry) {
      const position = database.write(() => {
        const row = { pk: last() + 1, ...toRow(entry) }
        const columns = Object.keys(row)
        database.run(
          `INSERT INTO journal (${columns.join(', ')}, sum) VALUES (${'?, '.repeat(columns.length)}?)`,
          ...Object.values(row),
          journalSum(row),
        )
        return row.pk
      })
      raiseHighMark(database, 'journal', position)
      return position
    },
    update(position, change) {
      database.write(() => {
        const row = soundRows(database, 'WHERE pk = ?', position)[0]
        if (row !== undefined) rewrite(database, row, change)
      })
    },
    remove(position) {
      database.run('DELETE FROM journal WHERE pk = ?', position)
    },
    list: (filter = {}) => listEntries(database, filter),
    dropUndone(sessionId) {
      database.write(() => {
        const undone = soundRows(database, "WHERE state = 'undone' AND session_id IS ?", sessionId ?? null)
        for (const row of undone) rewrite(database, row, { state: 'dropped' })
      })
    },
    last,
    addCheckpoint({ sessionId, runId, userSeq, position }) {
      database.run(
        'INSERT INTO checkpoints (session_id, run_id, user_seq, position, sum) VALUES (?, ?, ?, ?, ?)',
        sessionId,
        runId,
        userSeq,
        position,
        checkpointSum({ session_id: sessionId, run_id: runId, user_seq: userSeq, position }),
      )
    },
    checkpoint(sessionId, userSeq) {
      const row = database.get(
        'SELECT * FROM checkpoints WHERE session_id = ? AND user_seq >= ? ORDER BY user_seq, pk DESC LIMIT 1',
        sessionId,
        userSeq,
      )
      if (row === undefined) return undefined
      if (row['sum'] === checkpointSum(row)) return Number(row['position'])
      throw new StoreError(
        'corrupt',
        `the checkpoint of message ${userSeq} of session ${sessionId} is damaged, so it is not known where its files stood`,
        'Go back with `codehound undo`, change by change: each is checked by itself.',
      )
    },
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
  // A state that is none is damage, and is to be met.
  const others = states === undefined ? [] : allStates.filter((state) => !states.includes(state))
  if (others.length > 0) {
    conditions.push(`state NOT IN (${others.map(() => '?').join(', ')})`)
    values.push(...others)
  }
  if (after !== undefined) {
    conditions.push('pk > ?')
    values.push(after)
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const most = limit === undefined ? '' : 'LIMIT ?'
  if (limit !== undefined) values.push(limit)
  return soundRows(database, `${where} ORDER BY pk DESC ${most}`, ...values).map(toEntry)
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

function toRow(entry: NewJournalEntry): Omit<JournalRow, 'pk' | 'sum'> {
  return {
    session_id: entry.sessionId ?? null,
    run_id: entry.runId ?? null,
    call_id: entry.callId ?? null,
    tool: entry.tool ?? null,
    kind: entry.kind,
    description: entry.description,
    state: entry.state,
    files: JSON.stringify(entry.files),
    made: JSON.stringify(entry.made),
    not_kept: JSON.stringify(entry.notKept),
    snapshot: entry.snapshot ?? null,
    created_at: entry.time,
  }
}

/** Rows that are as they were stored, newest or oldest first as `rest` says; a line is noted for each that is not. */
function soundRows(database: Database, rest: string, ...values: (string | number | null)[]): JournalRow[] {
  return database.all<JournalRow>(`SELECT * FROM journal ${rest}`, ...values).filter((row) => {
    const isSound = row.sum === journalSum({ ...row })
    if (!isSound)
      database.noteDamage(`entry ${row.pk} of the journal is damaged: that change can be neither undone nor redone`)
    return isSound
  })
}

function rewrite(database: Database, row: JournalRow, change: Parameters<JournalStore['update']>[1]): void {
  const changed = toRow({ ...toEntry(row), ...change })
  const columns = Object.keys(changed)
  database.run(
    `UPDATE journal SET ${columns.map((column) => `${column} = ?`).join(', ')}, sum = ? WHERE pk = ?`,
    ...Object.values(changed),
    journalSum({ pk: row.pk, ...changed }),
    row.pk,
  )
}
