import type { Migration } from '../migration.ts'

/** Images that were attached to messages, by the SHA-256 of their bytes; they go with their session. */
export const imagesMigration: Migration = {
  title: 'images attached to messages',
  sql: `
CREATE TABLE images (
  pk INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  data BLOB NOT NULL,
  UNIQUE (session_id, hash)
);
`,
  repair: `
DELETE FROM images WHERE session_id NOT IN (SELECT id FROM sessions);
`,
}
