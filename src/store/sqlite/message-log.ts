import type { Message } from '../../protocol/index.ts'
import type { SessionStore } from '../../session/session-store.ts'
import { StoreError } from '../store-error.ts'
import type { Database } from './database.ts'
import { newId } from './ids.ts'
import { CONTENT_COLUMNS, contentValues, type MessageRow, toMessage } from './message-row.ts'
import { unindexMessage } from './search.ts'
import { unknownSession } from './unknown-session.ts'

/** The part of the store that holds messages. */
export function messagePart(
  database: Database,
  now: () => number,
): Pick<SessionStore, 'append' | 'replace' | 'messages' | 'truncate'> {
  /** The place just before the n-th newest message of the user; 0 when there are fewer. */
  const beforeUser = (sessionId: string, count: number): number => {
    const row = database.get(
      "SELECT seq FROM messages WHERE session_id = ? AND sender = 'USER' ORDER BY seq DESC LIMIT 1 OFFSET ?",
      sessionId,
      count - 1,
    )
    return row === undefined ? 0 : Number(row['seq']) - 1
  }

  return {
    append(sessionId, message) {
      return database.write(() => {
        const time = now()
        const session = database.all<{ message_count: number }>(
          'UPDATE sessions SET message_count = message_count + 1, updated_at = ? WHERE id = ? RETURNING message_count',
          time,
          sessionId,
        )[0]
        if (session === undefined) throw unknownSession(sessionId)
        const placed: Message = { ...message, id: newId(time), sessionId, seq: session.message_count, time }
        database.run(
          `INSERT INTO messages (session_id, seq, id, created_at, ${CONTENT_COLUMNS})
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          sessionId,
          placed.seq,
          placed.id,
          time,
          ...contentValues(message),
        )
        return placed
      })
    },
    replace(sessionId, messageId, message) {
      return database.write(() => {
        // What is replaced is nearly always among the last, so the scan from the end is short and needs no index.
        const place = database.all<{ pk: number; seq: number; created_at: number }>(
          'SELECT pk, seq, created_at FROM messages WHERE session_id = ? AND id = ? ORDER BY seq DESC LIMIT 1',
          sessionId,
          messageId,
        )[0]
        if (place === undefined)
          throw new StoreError(
            'message_not_found',
            `session ${sessionId} has no message ${messageId}`,
            'The session was rewound or deleted meanwhile; send the message again.',
          )
        database.run(
          `UPDATE messages SET (${CONTENT_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE pk = ?`,
          ...contentValues(message),
          place.pk,
        )
        database.run('UPDATE sessions SET updated_at = ? WHERE id = ?', now(), sessionId)
        unindexMessage(database, place.pk)
        return { ...message, id: messageId, sessionId, seq: place.seq, time: place.created_at }
      })
    },
    messages(sessionId, { lastUserMessages, limit = -1, last, after: from = 0 } = {}) {
      const after = lastUserMessages === undefined ? from : Math.max(from, beforeUser(sessionId, lastUserMessages))
      if (last !== undefined)
        return database
          .all<MessageRow>(
            'SELECT * FROM messages WHERE session_id = ? AND seq > ? ORDER BY seq DESC LIMIT ?',
            sessionId,
            after,
            last,
          )
          .map(toMessage)
          .reverse()
      return database
        .all<MessageRow>(
          'SELECT * FROM messages WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?',
          sessionId,
          after,
          limit,
        )
        .map(toMessage)
    },
    truncate(sessionId, fromSeq) {
      return database.write(() => {
        const removed = database.run('DELETE FROM messages WHERE session_id = ? AND seq >= ?', sessionId, fromSeq)
        database.run(
          'UPDATE sessions SET message_count = message_count - ?, updated_at = ? WHERE id = ?',
          removed,
          now(),
          sessionId,
        )
        return removed
      })
    },
  }
}
