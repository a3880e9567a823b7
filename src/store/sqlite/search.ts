import type { SearchHit } from '../../session/session-store.ts'
import type { Database } from './database.ts'
import { isSound, type MessageRow } from './message-row.ts'

/** Characters of one message that are searched: a long command output is found by its head. */
const INDEXED_CHARACTERS = 20_000
/** Messages indexed in one transaction, so that a search never holds up another process's append for long. */
const INDEX_BATCH = 2_000
const EXCERPT_LENGTH = 200
const DEFAULT_HITS = 50

/** What of a row is searched: its text, and for a tool's result the text the model read. */
const SEARCHED = `substr(content || ' ' || coalesce(json_extract(rest, '$.system.result.text'), '') || ' ' ||
  coalesce(json_extract(rest, '$.system.data'), ''), 1, ${INDEXED_CHARACTERS})`

type HitRow = MessageRow & { title: string; text: string }

/** Finds messages that hold every word of the query (as words or their beginnings), else the query as it stands. */
export function searchMessages(
  database: Database,
  query: string,
  { limit = DEFAULT_HITS, sessionId }: { limit?: number; sessionId?: string } = {},
): SearchHit[] {
  const words = query.match(/[\p{L}\p{N}_]+/gu) ?? []
  const inSession = sessionId === undefined ? '' : 'AND messages.session_id = ?'
  const select = `SELECT messages.*, sessions.title, ${SEARCHED} AS text
    FROM messages JOIN sessions ON sessions.id = messages.session_id`
  const order = 'ORDER BY messages.created_at DESC, messages.pk DESC LIMIT ?'
  const rest = sessionId === undefined ? [limit] : [sessionId, limit]

  let rows: HitRow[] = []
  if (words.length > 0) {
    if (!database.readOnly) indexNewMessages(database)
    rows = database.all<HitRow>(
      `${select} WHERE messages.pk IN (SELECT rowid FROM messages_fts WHERE messages_fts MATCH ?) ${inSession} ${order}`,
      words.map((word) => `"${word}"*`).join(' '),
      ...rest,
    )
  }
  // The middle of a word, or a language without spaces.
  if (rows.length === 0 && query.trim() !== '')
    rows = database.all<HitRow>(
      `${select} WHERE instr(lower(text), ?) > 0 ${inSession} ${order}`,
      query.toLowerCase(),
      ...rest,
    )
  const wanted = words.map((word) => word.toLowerCase())
  return rows.filter(isSound).map((row) => ({
    sessionId: row.session_id,
    title: row.title,
    seq: row.seq,
    excerpt: excerpt(row.text, [query.toLowerCase(), ...wanted]),
    time: row.created_at,
  }))
}

/** Takes a changed message out of the index when it is in it already; the next search puts its new text in. */
export function unindexMessage(database: Database, pk: number): void {
  const upto = indexedUpto(database)
  if (pk > upto) return
  database.run('DELETE FROM messages_fts WHERE rowid = ?', pk)
  database.run(`INSERT INTO messages_fts (rowid, content) SELECT pk, ${SEARCHED} FROM messages WHERE pk = ?`, pk)
}

/** `pk` of the last message the index has seen. */
function indexedUpto(database: Database): number {
  return Number(database.get('SELECT upto FROM search_state')!['upto'])
}

function indexNewMessages(database: Database): void {
  let more = true
  while (more)
    more = database.write(() => {
      const upto = indexedUpto(database)
      const next = database.all<{ pk: number | null }>(
        'SELECT max(pk) AS pk FROM (SELECT pk FROM messages WHERE pk > ? ORDER BY pk LIMIT ?)',
        upto,
        INDEX_BATCH,
      )[0]?.pk
      if (next == null) return false
      database.run(
        `INSERT INTO messages_fts (rowid, content) SELECT pk, ${SEARCHED} FROM messages WHERE pk > ? AND pk <= ?`,
        upto,
        next,
      )
      database.run('UPDATE search_state SET upto = ?', next)
      return true
    })
}

/** The first line that holds one of the words, cut around it. */
function excerpt(text: string, words: string[]): string {
  const folded = text.toLowerCase()
  const at = words.map((word) => folded.indexOf(word)).find((index) => index !== -1) ?? 0
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const start = at - lineStart > EXCERPT_LENGTH / 2 ? at - EXCERPT_LENGTH / 2 : lineStart
  return text
    .slice(start, start + EXCERPT_LENGTH)
    .split('\n', 1)[0]!
    .trim()
}
