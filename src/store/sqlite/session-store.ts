// Promises sessions and messages in one SQLite database per workspace: a write is durable against kill -9 when the call
// returns, a message keeps its place, several processes may append at once. Reads only what is asked for.
// Does not judge messages, and does not say who may run: one run at a time is the session folder's rule.
import type { Session } from '../../protocol/index.ts'
import type { NewSession, SessionStore } from '../../session/session-store.ts'
import { StoreError } from '../store-error.ts'
import { type Database, openDatabase } from './database.ts'
import { growingPart, recoverGrowing } from './growing.ts'
import { checkHighMark } from './high-mark.ts'
import { historyPart } from './history.ts'
import { imagePart } from './images.ts'
import { newId } from './ids.ts'
import { isSoundSession, mendSessions } from './mend-sessions.ts'
import { messagePart } from './message-log.ts'
import { CONTENT_COLUMNS, isSound, type MessageRow, rowValues, toMessage } from './message-row.ts'
import { workspaceMigrations } from './migrations/workspace.ts'
import { queuePart } from './queue.ts'
import { sessionLiveSum, sessionSum } from './row-sum.ts'
import { searchMessages } from './search.ts'
import { changeLive, type LiveColumns } from './session-live.ts'
import { unknownSession } from './unknown-session.ts'
import { noStats, type SessionRow, splitModel, toSession } from './session-row.ts'

/** Characters of an id that are accepted in its place when they fit only one. */
const MIN_PREFIX = 4
/** Messages copied at a time. */
const FORK_BATCH = 500
/** Freed pages over this share of the file are given back to the disk after a purge. */
const FREE_SHARE_TO_VACUUM = 0.25

/** Opens the store of one workspace. `file` is `:memory:` for a session that leaves nothing behind. */
export function openSessionStore(file: string): SessionStore & { database: Database } {
  const database = openDatabase(file, workspaceMigrations)
  const store = createSessionStore(database)
  checkHighMark(database)
  recoverGrowing(database, (sessionId, id, message) => store.replace(sessionId, id, message))
  return { ...store, database }
}

export function createSessionStore(database: Database, now: () => number = Date.now): SessionStore {
  const find = (sql: string, ...values: (string | number)[]): SessionRow[] => {
    const rows = database.all<SessionRow>(sql, ...values)
    if (database.readOnly || rows.every(isSoundSession)) return rows
    mendSessions(database)
    return database.all<SessionRow>(sql, ...values)
  }

  const read = (id: string): Session | undefined => {
    const exact = find('SELECT * FROM sessions WHERE id = ?', id)[0]
    if (exact !== undefined) return toSession(exact)
    if (id.length < MIN_PREFIX) return undefined
    if (!database.readOnly && hasMessages(database, id)) {
      mendSessions(database)
      return find('SELECT * FROM sessions WHERE id = ?', id).map(toSession)[0]
    }
    const typed = id.toLowerCase()
    // Ids of one day begin alike, so the last characters are accepted as well.
    for (const pattern of [`${escapeLike(typed)}%`, `%${escapeLike(typed)}`]) {
      const rows = find("SELECT * FROM sessions WHERE id LIKE ? ESCAPE '!' LIMIT 2", pattern)
      if (rows.length > 0) return rows.length === 1 ? toSession(rows[0]!) : undefined
    }
    return undefined
  }

  const insert = (session: NewSession): Session => {
    const time = now()
    const [backend, model] = splitModel(session.model)
    const id = newId(time)
    const row = {
      id,
      title: session.title,
      type: session.type,
      workspace_id: session.workspaceId,
      root: session.root,
      backend,
      model,
      created_at: time,
      updated_at: time,
      message_count: 0,
      forked_from: session.forkedFrom?.id ?? null,
      forked_seq: session.forkedFrom?.seq ?? null,
      stats: JSON.stringify(noStats),
      metadata: JSON.stringify(session.metadata ?? {}),
    }
    database.run(
      `INSERT INTO sessions (${Object.keys(row).join(', ')}, sum, live_sum) VALUES (${'?, '.repeat(15)}?)`,
      ...Object.values(row),
      sessionSum(row),
      sessionLiveSum(row),
    )
    return read(id)!
  }

  const update = (id: string, change: Partial<Pick<SessionRow, 'title' | 'backend' | 'model' | 'metadata'>>): void =>
    database.write(() => {
      const row = find('SELECT * FROM sessions WHERE id = ?', id)[0]
      if (row === undefined) throw unknownSession(id)
      const changed = { ...row, ...change }
      database.run(
        'UPDATE sessions SET title = ?, backend = ?, model = ?, metadata = ?, sum = ? WHERE id = ?',
        changed.title,
        changed.backend,
        changed.model,
        changed.metadata,
        sessionSum({ ...changed }),
        id,
      )
    })

  return {
    ...messagePart(database, now),
    ...historyPart(database, now),
    ...imagePart(database),
    ...queuePart(database, now),
    ...growingPart(database),
    create: insert,
    get: read,
    list({ limit = -1, query } = {}) {
      const like = query === undefined ? '%' : `%${escapeLike(query)}%`
      return find(
        `SELECT * FROM sessions WHERE (title LIKE ? ESCAPE '!' OR id LIKE ? ESCAPE '!')
         AND (message_count > 0 OR id IN (SELECT session_id FROM queued_messages))
         ORDER BY updated_at DESC, pk DESC LIMIT ?`,
        like,
        like,
        limit,
      ).map(toSession)
    },
    rename: (id, title) => update(id, { title }),
    delete: (id) => database.run('DELETE FROM sessions WHERE id = ?', id) > 0,
    purge(before) {
      const old = database.all<LiveColumns & { pk: number }>(
        'SELECT pk, id, message_count, updated_at, stats, live_sum FROM sessions WHERE updated_at < ?',
        before,
      )
      // A time that damage made is no reason to delete anything.
      const deleted = old
        .filter((row) => row.live_sum === sessionLiveSum({ ...row }))
        .reduce((count, { pk }) => count + database.run('DELETE FROM sessions WHERE pk = ?', pk), 0)
      if (deleted > 0) giveBackSpace(database)
      return deleted
    },
    setModel(id, model) {
      const [backend, name] = splitModel(model)
      update(id, { backend, model: name })
    },
    setMetadata: (id, metadata) => update(id, { metadata: JSON.stringify(metadata) }),
    addStats(id, stats) {
      database.write(() => {
        const session = read(id)
        if (session === undefined) throw unknownSession(id)
        const sums = { ...session.stats }
        for (const key of Object.keys(noStats) as (keyof typeof noStats)[]) sums[key] += stats[key] ?? 0
        changeLive(database, id, { stats: JSON.stringify(sums) })
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
        for (let after = 0; after < upto; after += FORK_BATCH) copyMessages(database, source.id, copy.id, after, upto)
        database.run(
          'INSERT INTO images (session_id, hash, data) SELECT ?, hash, data FROM images WHERE session_id = ?',
          copy.id,
          source.id,
        )
        changeLive(database, copy.id, { message_count: upto })
        return { ...copy, messageCount: upto }
      })
    },
    search: (query, options) => searchMessages(database, query, options),
    takeDamage: () => database.takeDamage(),
    close: () => database.close(),
  }
}

/** Copies messages as they are; a damaged one stays behind and is missing in the copy. */
function copyMessages(database: Database, from: string, to: string, after: number, upto: number): void {
  const rows = database.all<MessageRow>(
    'SELECT * FROM messages WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq',
    from,
    after,
    Math.min(upto, after + FORK_BATCH),
  )
  for (const row of rows) {
    if (!isSound(row)) continue
    const place = { session_id: to, seq: row.seq, id: row.id, created_at: row.created_at }
    database.run(
      `INSERT INTO messages (session_id, seq, id, created_at, ${CONTENT_COLUMNS}, sum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...Object.values(place),
      ...rowValues(place, toMessage(row)),
    )
  }
}

function hasMessages(database: Database, id: string): boolean {
  return database.get('SELECT 1 AS one FROM messages WHERE session_id = ? LIMIT 1', id) !== undefined
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
