import type { SessionStore } from '../../session/session-store.ts'
import type { Database } from './database.ts'

/** The part of the store that holds images of messages. */
export function imagePart(database: Database): Pick<SessionStore, 'addImage' | 'image'> {
  return {
    addImage(sessionId, hash, data) {
      database.run('INSERT OR IGNORE INTO images (session_id, hash, data) VALUES (?, ?, ?)', sessionId, hash, data)
    },
    image(sessionId, hash) {
      const row = database.get('SELECT data FROM images WHERE session_id = ? AND hash = ?', sessionId, hash)
      return row === undefined ? undefined : (row['data'] as Uint8Array)
    },
  }
}
