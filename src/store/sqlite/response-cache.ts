// Promises answers of models kept by their request, in a file of their own in the cache folder: derived data, made anew when
// it is damaged or of another version, bounded in size. It promises no answer: a row may go at any time.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CacheStore } from '../../model/response-cache.ts'
import { privateFolder } from '../data-folder.ts'
import { type Database, openDatabase } from './database.ts'
import { isCorrupt } from './fault.ts'
import type { Migration } from './migration.ts'

/** Characters of all answers together; a long session is about one million. */
const MAX_CHARS = 64 * 1024 * 1024
/** A full cache is emptied down to this share, so that not every write has to look for room. */
const KEPT_SHARE = 0.9

const migrations: readonly Migration[] = [
  {
    title: 'answers of models are kept by their request',
    sql: `
      CREATE TABLE response_cache (
        prompt_hash TEXT PRIMARY KEY,
        response TEXT NOT NULL,
        model TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        hit_count INTEGER NOT NULL DEFAULT 0,
        used_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX response_cache_expiry ON response_cache (expires_at);
      CREATE INDEX response_cache_use ON response_cache (used_at);
    `,
  },
]

interface CacheRow {
  prompt_hash: string
  response: string
  model: string
  created_at: number
  expires_at: number
}

/** The cache, and what its user may want to know of it. */
export interface SqliteResponseCache extends CacheStore {
  stats(): { entries: number; hits: number; chars: number }
  close(): void
}

/**
 * Opens the cache; a file that cannot be read is removed first.
 *
 * @param file absolute path, or `:memory:`
 * @throws StoreError when the folder cannot be written
 */
export function openResponseCache(
  file: string,
  { maxChars = MAX_CHARS }: { maxChars?: number } = {},
): SqliteResponseCache {
  if (file !== ':memory:') privateFolder(dirname(file))
  const database = openFresh(file)
  return {
    get(hash, now) {
      const row = database.all<CacheRow>(
        `UPDATE response_cache SET hit_count = hit_count + 1, used_at = ? WHERE prompt_hash = ? AND expires_at > ?
         RETURNING prompt_hash, response, model, created_at, expires_at`,
        now,
        hash,
        now,
      )[0]
      if (row === undefined) return undefined
      const { prompt_hash, response, model, created_at: createdAt, expires_at: expiresAt } = row
      return { hash: prompt_hash, response, model, createdAt, expiresAt }
    },
    put({ hash, response, model, createdAt, expiresAt }) {
      database.write(() => {
        database.run(
          `INSERT OR REPLACE INTO response_cache (prompt_hash, response, model, created_at, expires_at, used_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
          hash,
          response,
          model,
          createdAt,
          expiresAt,
          createdAt,
        )
        makeRoom(database, maxChars)
      })
    },
    sweep: (now) => database.run('DELETE FROM response_cache WHERE expires_at <= ?', now),
    stats() {
      const row = database.get(
        'SELECT count(*) AS entries, total(hit_count) AS hits, total(length(response)) AS chars FROM response_cache',
      )
      return { entries: Number(row?.['entries']), hits: Number(row?.['hits']), chars: Number(row?.['chars']) }
    },
    close: () => database.close(),
  }
}

function makeRoom(database: Database, maxChars: number): void {
  const used = Number(database.get('SELECT total(length(response)) AS chars FROM response_cache')?.['chars'])
  if (used <= maxChars) return
  // What was used last stays, up to the share that is kept.
  database.run(
    `DELETE FROM response_cache WHERE prompt_hash IN (
       SELECT prompt_hash FROM (
         SELECT prompt_hash, sum(length(response)) OVER (ORDER BY used_at DESC, rowid DESC) AS through FROM response_cache
       ) WHERE through > ?)`,
    maxChars * KEPT_SHARE,
  )
}

function openFresh(file: string): Database {
  let opened: Database | undefined
  try {
    opened = openDatabase(file, migrations)
    // A newer program's cache would be read-only: useless, and cheap to make again.
    if (!opened.readOnly && opened.notices.length === 0) return opened
  } catch (error) {
    if (!isCorrupt(error)) throw error
  }
  opened?.close()
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
  return openDatabase(file, migrations)
}
