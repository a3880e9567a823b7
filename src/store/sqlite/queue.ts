import type { SessionStore } from '../../session/session-store.ts'
import type { Database } from './database.ts'
import { queuedSum } from './row-sum.ts'

/** The part of the store that holds messages which wait for their turn. */
export function queuePart(
  database: Database,
  now: () => number,
): Pick<SessionStore, 'addQueued' | 'removeQueued' | 'queued'> {
  return {
    addQueued(sessionId, text) {
      const time = now()
      const row = database.get(
        'INSERT INTO queued_messages (session_id, text, created_at, sum) VALUES (?, ?, ?, ?) RETURNING pk',
        sessionId,
        text,
        time,
        queuedSum({ session_id: sessionId, text, created_at: time }),
      )
      return Number(row!['pk'])
    },
    removeQueued(key) {
      database.run('DELETE FROM queued_messages WHERE pk = ?', key)
    },
    queued: (sessionId) =>
      database
        .all<QueuedRow>('SELECT * FROM queued_messages WHERE session_id = ? ORDER BY pk', sessionId)
        .filter((row) => {
          const isSound = row.sum === queuedSum({ ...row })
          if (!isSound) database.noteDamage(`a message that waited in session ${sessionId} is damaged and left out`)
          return isSound
        })
        .map(({ pk, text }) => ({ key: pk, text })),
  }
}

interface QueuedRow {
  pk: number
  session_id: string
  text: string
  created_at: number
  sum: string | null
}
