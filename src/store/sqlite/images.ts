import type { SessionStore } from '../../session/session-store.ts'
import { hash as digest } from 'node:crypto'
import type { Database } from './database.ts'

/** The part of the store that holds images of messages. */
export function imagePart(database: Database): Pick<SessionStore, 'addImage' | 'image'> {
  return {
    addImage(sessionId, hash, data) {
      database.run('INSERT OR IGNORE INTO images (session_id, hash, data) VALUES (?, ?, ?)', sessionId, hash, data)
    },
    image(sessionId, hash) {
      const row = database.get('SELECT data FROM images WHERE session_id = ? AND hash = ?', sessionId, hash)
      if (row === undefined) return undefined
      const data = row['data'] as Uint8Array
      if (digest('sha256', data, 'hex') === hash) return data
      database.noteDamage(`an image of session ${sessionId} is damaged and left out`)
      return undefined
    },
  }
}
