// Promises sessions and messages in one SQLite database per workspace: a write is durable against kill -9 when the call
// returns, a message keeps its place, several processes may append at once. Reads only what is asked for.
// Does not judge messages, and does not say who may run: one run at a time is the session folder's rule.
import type { Session } from '../../protocol/index.ts'
import type { NewSession, SessionStore } from '../../session/session-store.ts'
import { StoreError } from '../store-error.ts'
import { type Database, openDatabase } from './database.ts'
import { historyPart } from './history.ts'
import { imagePart } from './images.ts'
import { newId } from './ids.ts'
import { messagePart } from './message-log.ts'
import { workspaceMigrations } from './migrations/workspace.ts'
import { queuePart } from './queue.ts'
import { searchMessages } from './search.ts'
import { unknownSession } from './unknown-session.ts'
import { noStats, type SessionRow, splitModel, toSession } from './session-row.ts'

/** Characters of an id that are accepted in its place when they fit only one. */
const MIN_PREFIX = 4
/** Freed pages over this share of the file are given back to the disk after a purge. */
const FREE_SHARE_TO_VACUUM = 0.25

/** Opens the store of one workspace. `file` is `:memory:` for a session that leaves nothing behind. */
export function openSessionStore(file: string): SessionStore & { database: Database } {
  const database = openDatabase(file, workspaceMigrations)
  return { ...createSessionStore(database), database }
}

export function createSessionStore(database: Database, now: () => number = Date.now): SessionStore {
  const read = (id: string): Session | undefined => {
    const exact = database.all<SessionRow>('SELECT * FROM sessions WHERE id = ?', id)[0]
    if (exact !== undefined || id.length < MIN_PREFIX) return exact && toSession(exact)
    const typed = id.toLowerCase()
    // Ids of one day begin alike, so the last characters are accepted as well.
    for (const pattern of [`${escapeLike(typed)}%`, `%${escapeLike(typed)}`]) {
      const rows = database.all<SessionRow>("SELECT * FROM sessions WHERE id LIKE ? ESCAPE '!' LIMIT 2", pattern)
      if (rows.length > 0) return rows.length === 1 ? toSession(rows[0]!) : undefined
    }
    return undefined
  }

  const insert = (session: NewSession): Session => {
    const time = now()
    const [backend, model] = splitModel(session.model)
    const id = newId(time)
    database.run(
      `INSERT INTO sessions (id, title, type, workspace_id, root, backend, model, created_at, updated_at,
         forked_from, forked_seq, stats, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      session.title,
      session.type,
      session.workspaceId,
      session.root,
      backend,
      model,
      time,
      time,
      session.forkedFrom?.id ?? null,
      session.forkedFrom?.seq ?? null,
      JSON.stringify(noStats),
      JSON.stringify(session.metadata ?? {}),
    )
    return read(id)!
  }

  const update = (id: string, set: string, ...values: (string | number)[]): void => {
    if (database.run(`UPDATE sessions SET ${set} WHERE id = ?`, ...values, id) === 0) throw unknownSession(id)
  }

  return {
    ...messagePart(database, now),
    ...historyPart(database, now),
    ...imagePart(database),
    ...queuePart(database, now),
    create: insert,
    get: read,
    list({ limit = -1, query } = {}) {
      const like = query === undefined ? '%' : `%${escapeLike(query)}%`
      return database
        .all<SessionRow>(
          "SELECT * FROM sessions WHERE title LIKE ? ESCAPE '!' OR id LIKE ? ESCAPE '!' ORDER BY updated_at DESC, pk DESC LIMIT ?",
          like,
          like,
          limit,
        )
        .map(toSession)
    },
    rename: (id, title) => update(id, 'title = ?', title),
    delete: (id) => database.run('DELETE FROM sessions WHERE id = ?', id) > 0,
    purge(before) {
      const deleted = database.run('DELETE FROM sessions WHERE updated_at < ?', before)
      if (deleted > 0) giveBackSpace(database)
      return deleted
    },
    setModel(id, model) {
      update(id, 'backend = ?, model = ?', ...splitModel(model))
    },
    setMetadata: (id, metadata) => update(id, 'metadata = ?', JSON.stringify(metadata)),
    addStats(id, stats) {
      database.write(() => {
        const session = read(id)
        if (session === undefined) throw unknownSession(id)
        const sums = { ...session.stats }
        for (const key of Object.keys(noStats) as (keyof typeof noStats)[]) sums[key] += stats[key] ?? 0
        update(id, 'stats = ?', JSON.stringify(sums))
      })
    },
    fork(sessionId, seq) {
      return database.write(() => {
        const source = read(sessionId)
        if (source === undefined) throw unknownSession(sessionId)
        const upto = Math.min(seq ?? source.messageCount, source.messageCount)
        const { title, type, workspaceId, root, model, metadata } = source
        const forkedFrom = { id: source.id, seq: upto }
        const copy = insert({ title, type, workspaceId, root, model, metadata, forkedFrom })
        database.run(
          `INSERT INTO messages (session_id, seq, id, sender, type, content, raw, tool_calls, tool_call_id, tool_name,
             exclude_from_prompt, rest, created_at)
           SELECT ?, seq, id, sender, type, content, raw, tool_calls, tool_call_id, tool_name, exclude_from_prompt, rest,
             created_at FROM messages WHERE session_id = ? AND seq <= ? ORDER BY seq`,
          copy.id,
          source.id,
          upto,
        )
        database.run(
          'INSERT INTO images (session_id, hash, data) SELECT ?, hash, data FROM images WHERE session_id = ?',
          copy.id,
          source.id,
        )
        update(copy.id, 'message_count = ?', upto)
        return { ...copy, messageCount: upto }
      })
    },
    search: (query, options) => searchMessages(database, query, options),
    close: () => database.close(),
  }
}

/** `!` escapes the wildcards of LIKE in what a person typed. */
function escapeLike(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&')
}

function giveBackSpace(database: Database): void {
  const pages = Number(database.get('PRAGMA page_count')!['page_count'])
  const free = Number(database.get('PRAGMA freelist_count')!['freelist_count'])
  if (free <= pages * FREE_SHARE_TO_VACUUM) return
  try {
    database.exec('VACUUM')
  } catch (error) {
    // Another process is at work: the pages stay free for reuse and the next purge tries again.
    if (!(error instanceof StoreError && error.fault === 'busy')) throw error
  }
}
