import type { Database } from './database.ts'
import { sessionLiveSum, sessionSum } from './row-sum.ts'
import { noStats, type SessionRow } from './session-row.ts'

/**
 * Makes the rows of sessions whole again after damage: a session whose row is damaged keeps its messages and loses what its
 * row said and cannot be trusted (model, metadata); one whose row is gone has a new one. Notes a line for each.
 */
export function mendSessions(database: Database): void {
  database.write(() => {
    database.exec('REINDEX sessions')
    const rows = database.all<SessionRow & { pk: number }>('SELECT * FROM sessions NOT INDEXED ORDER BY pk')
    for (const row of rows.filter((each) => !isSoundSession(each))) {
      const isUsed =
        typeof row.id === 'string' &&
        database.get('SELECT 1 AS one FROM messages WHERE session_id = ? LIMIT 1', row.id) !== undefined
      if (!isUsed) {
        // A damaged id leads nowhere; the messages, if there are any, find a new row below.
        database.run('DELETE FROM sessions WHERE pk = ?', row.pk)
        database.noteDamage('the record of a session is damaged and removed; messages of it are listed as recovered')
        continue
      }
      database.noteDamage(
        `the record of session ${row.id} is damaged: its title may be wrong; its model and its settings are those of the configuration`,
      )
      const mended = {
        ...unknownRow(row.id),
        title: typeof row.title === 'string' ? row.title : 'Recovered session',
        message_count: row.message_count,
        updated_at: row.updated_at,
        stats: row.stats,
        live_sum: row.live_sum,
      }
      write(database, mended, row.pk)
    }
    const orphans = database.all<{ id: string; seq: number; first: number; last: number }>(
      `SELECT session_id AS id, max(seq) AS seq, min(created_at) AS first, max(created_at) AS last FROM messages
       WHERE session_id NOT IN (SELECT id FROM sessions) AND typeof(session_id) = 'text' GROUP BY session_id`,
    )
    for (const { id, seq, first, last } of orphans) {
      database.noteDamage(`the record of session ${id} was lost; it is made again from its messages`)
      const row = { ...unknownRow(id), created_at: first, message_count: seq, updated_at: last }
      write(database, { ...row, live_sum: sessionLiveSum(row) })
    }
  })
}

/** Whether what does not change with every message is as it was stored. */
export function isSoundSession(row: SessionRow): boolean {
  return row.sum === sessionSum({ ...row })
}

type Written = Omit<SessionRow, 'sum'>

function unknownRow(id: string): Written {
  return {
    id,
    title: 'Recovered session',
    type: 'CHAT',
    workspace_id: '',
    root: '',
    backend: '',
    model: '',
    created_at: 0,
    updated_at: 0,
    message_count: 0,
    forked_from: null,
    forked_seq: null,
    stats: JSON.stringify(noStats),
    metadata: '{}',
    live_sum: null,
  }
}

function write(database: Database, row: Written, pk: number | null = null): void {
  const values = { ...row, sum: sessionSum({ ...row }) }
  const columns = Object.keys(values)
  const set = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  database.run(
    `INSERT INTO sessions (pk, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})
     ON CONFLICT (pk) DO UPDATE SET ${set}`,
    pk,
    ...Object.values(values),
  )
}
