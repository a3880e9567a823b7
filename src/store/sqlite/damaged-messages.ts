import type { Message } from '../../protocol/index.ts'
import type { Database } from './database.ts'
import { isSound, type MessageRow, toMessage } from './message-row.ts'

/** What was asked for: places after `after`, the last of them at most `upto`. */
interface Range {
  sessionId: string
  after: number
  upto: number
}

/**
 * Turns rows into messages. A row that is not as it was stored, and a place without a row, is left out: one SYSTEM message
 * stands for each such stretch, so that model and user know of it, and the database notes a line.
 *
 * @param rows by `seq`, as an index gave them: where they have gaps the table itself is read as well
 */
export function soundMessages(database: Database, rows: MessageRow[], range: Range): Message[] {
  if (range.upto <= range.after) return []
  const sound = inOrder(rows, range)
  if (sound.length === range.upto - range.after) return sound.map(toMessage)
  const all = database.all<MessageRow>(
    'SELECT * FROM messages NOT INDEXED WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq',
    range.sessionId,
    range.after,
    range.upto,
  )
  const found = inOrder(all, range)
  const messages: Message[] = []
  let last = range.after
  const leaveOut = (before: number): void => {
    if (before > last + 1) messages.push(leftOut(database, range.sessionId, last + 1, before - 1))
  }
  for (const row of found) {
    leaveOut(row.seq)
    messages.push(toMessage(row))
    last = row.seq
  }
  leaveOut(range.upto + 1)
  return messages
}

function inOrder(rows: readonly MessageRow[], { sessionId, after, upto }: Range): MessageRow[] {
  let last = after
  return rows.filter((row) => {
    const fits = row.session_id === sessionId && row.seq > last && row.seq <= upto && isSound(row)
    if (fits) last = row.seq
    return fits
  })
}

function leftOut(database: Database, sessionId: string, from: number, to: number): Message {
  const which = from === to ? `message ${from}` : `messages ${from} to ${to}`
  const are = from === to ? 'is' : 'are'
  database.noteDamage(`${which} of session ${sessionId} ${are} damaged and left out`)
  const data = `Here ${which} of this conversation ${from === to ? 'was' : 'were'} lost to damage of the disk or the file. What stood there is not known: look before you rely on it.`
  return {
    id: `damaged-${from}`,
    sessionId,
    seq: from,
    time: 0,
    sender: 'SYSTEM',
    text: '',
    system: { type: 'INTERRUPTED', data, summary: `${which} ${are} damaged and left out` },
  }
}
