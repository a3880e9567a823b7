// Promises what belongs to the user and not to one workspace: known workspaces, trust, small facts.
// The database is opened at the first call, not before: most starts need only the workspace's own.
import { existsSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GlobalStore } from '../../session/session-store.ts'
import { privateFolder, workspaceId } from '../data-folder.ts'
import { type Database, openDatabase } from './database.ts'
import { DatabaseSync } from './load-sqlite.ts'
import { globalMigrations } from './migrations/global.ts'

interface WorkspaceRow {
  id: string
  root_path: string
  detected_by: string
  created_at: number
  last_active: number
}

/**
 * Makes the user's store; nothing is opened or created yet.
 *
 * @param file absolute path, or `:memory:`
 * @param onNotice gets each line about the open that the user should read
 */
export function openGlobalStore(
  file: string,
  { now = Date.now, onNotice = () => {} }: { now?: () => number; onNotice?: (line: string) => void } = {},
): GlobalStore {
  let opened: Database | undefined
  const database = (): Database => {
    if (opened === undefined) {
      if (file !== ':memory:') privateFolder(dirname(file))
      opened = openDatabase(file, globalMigrations)
      opened.notices.forEach(onNotice)
    }
    return opened
  }
  return {
    touchWorkspace(root, detectedBy) {
      const id = workspaceId(root)
      const time = now()
      database().run(
        `INSERT INTO workspaces (id, root_path, detected_by, created_at, last_active) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET detected_by = excluded.detected_by, last_active = excluded.last_active`,
        id,
        resolve(root),
        detectedBy,
        time,
        time,
      )
      return id
    },
    workspaces() {
      return database()
        .all<WorkspaceRow>('SELECT * FROM workspaces ORDER BY last_active DESC, pk DESC')
        .map((row) => ({
          id: row.id,
          root: row.root_path,
          detectedBy: row.detected_by,
          createdAt: row.created_at,
          lastActive: row.last_active,
        }))
    },
    isTrusted: (root) => database().get('SELECT 1 FROM trust WHERE root_path = ?', trustKey(root)) !== undefined,
    setTrusted(root, trusted) {
      if (trusted)
        database().run('INSERT OR IGNORE INTO trust (root_path, trusted_at) VALUES (?, ?)', trustKey(root), now())
      else database().run('DELETE FROM trust WHERE root_path = ?', trustKey(root))
    },
    getFact: (key) => database().all<{ value: string }>('SELECT value FROM facts WHERE key = ?', key)[0]?.value,
    setFact(key, value) {
      database().run('INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)', key, value)
    },
    close: () => opened?.close(),
  }
}

/**
 * Makes a store that knows which folders the user trusts and keeps nothing: for a run that is to leave nothing behind, also
 * where nothing can be written.
 *
 * @param file the user's store; nothing is known when it is missing or cannot be read
 */
export function openEphemeralGlobalStore(file: string): GlobalStore {
  const store = openGlobalStore(':memory:')
  for (const root of trustedIn(file)) store.setTrusted(root, true)
  return store
}

function trustedIn(file: string): string[] {
  if (!existsSync(file)) return []
  let database: DatabaseSync | undefined
  try {
    // `immutable`: not even the files beside it are made.
    const url = pathToFileURL(file)
    url.searchParams.set('immutable', '1')
    database = new DatabaseSync(url, { readOnly: true })
    return database
      .prepare('SELECT root_path FROM trust')
      .all()
      .map((row) => String(row['root_path']))
  } catch {
    return []
  } finally {
    database?.close()
  }
}

/** Trust goes to the real folder: a link that is pointed elsewhere later is not trusted with it. */
function trustKey(root: string): string {
  try {
    return realpathSync(root)
  } catch {
    return resolve(root)
  }
}
