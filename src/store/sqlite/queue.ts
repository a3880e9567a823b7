import type { SessionStore } from '../../session/session-store.ts'
import type { Database } from './database.ts'

/** The part of the store that holds messages which wait for their turn. */
export function queuePart(
  database: Database,
  now: () => number,
): Pick<SessionStore, 'addQueued' | 'removeQueued' | 'queued'> {
  return {
    addQueued(sessionId, text) {
      const row = database.get(
        'INSERT INTO queued_messages (session_id, text, created_at) VALUES (?, ?, ?) RETURNING pk',
        sessionId,
        text,
        now(),
      )
      return Number(row!['pk'])
    },
    removeQueued(key) {
      database.run('DELETE FROM queued_messages WHERE pk = ?', key)
    },
    queued: (sessionId) =>
      database.all<{ key: number; text: string }>(
        'SELECT pk AS key, text FROM queued_messages WHERE session_id = ? ORDER BY pk',
        sessionId,
      ),
  }
}
