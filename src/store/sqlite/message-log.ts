import type { SessionStore } from '../../session/session-store.ts'
import { StoreError } from '../store-error.ts'
import type { Database } from './database.ts'
import { raiseHighMark } from './high-mark.ts'
import { newId } from './ids.ts'
import { soundMessages } from './damaged-messages.ts'
import { CONTENT_COLUMNS, type MessageRow, rowValues } from './message-row.ts'
import { unindexMessage } from './search.ts'
import { changeLive, countMessage, countOf } from './session-live.ts'

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
      const { pk, placed } = database.write(() => {
        const time = now()
        const seq = countMessage(database, sessionId, time)
        const place = { session_id: sessionId, seq, id: newId(time), created_at: time }
        // Nothing but damage can have put a row there.
        const row = database.get(
          `INSERT OR REPLACE INTO messages (session_id, seq, id, created_at, ${CONTENT_COLUMNS}, sum)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING pk`,
          sessionId,
          seq,
          place.id,
          time,
          ...rowValues(place, message),
        )
        return { pk: Number(row!['pk']), placed: { ...message, id: place.id, sessionId, seq, time } }
      })
      raiseHighMark(database, 'messages', pk)
      return placed
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
          `UPDATE messages SET (${CONTENT_COLUMNS}, sum) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE pk = ?`,
          ...rowValues({ ...place, session_id: sessionId, id: messageId }, message),
          place.pk,
        )
        changeLive(database, sessionId, { updated_at: now() })
        unindexMessage(database, place.pk)
        return { ...message, id: messageId, sessionId, seq: place.seq, time: place.created_at }
      })
    },
    messages(sessionId, { lastUserMessages, limit = -1, last, after: from = 0 } = {}) {
      return database.read(() => {
        const after = lastUserMessages === undefined ? from : Math.max(from, beforeUser(sessionId, lastUserMessages))
        const count = countOf(database, sessionId)
        if (count === undefined) return []
        if (last !== undefined) {
          const from = Math.max(after, count - last)
          const newest = database.all<MessageRow>(
            'SELECT * FROM messages WHERE session_id = ? AND seq > ? ORDER BY seq DESC LIMIT ?',
            sessionId,
            from,
            last,
          )
          return soundMessages(database, newest.reverse(), { sessionId, after: from, upto: count })
        }
        const rows = database.all<MessageRow>(
          'SELECT * FROM messages WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?',
          sessionId,
          after,
          limit,
        )
        const upto = limit < 0 ? count : Math.min(count, after + limit)
        return soundMessages(database, rows, { sessionId, after: Math.min(after, upto), upto })
      })
    },
    truncate(sessionId, fromSeq) {
      return database.write(() => {
        const count = countOf(database, sessionId) ?? 0
        const removed = Math.max(0, count - fromSeq + 1)
        database.run('DELETE FROM messages WHERE session_id = ? AND seq >= ?', sessionId, fromSeq)
        if (removed > 0) changeLive(database, sessionId, { message_count: fromSeq - 1, updated_at: now() })
        return removed
      })
    },
  }
}
