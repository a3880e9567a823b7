import type { Migration } from '../migration.ts'

/** Messages typed during a run, until they are among the session's messages; they go with their session. */
export const queueMigration: Migration = {
  title: 'messages that wait for their turn',
  sql: `
CREATE TABLE queued_messages (
  pk INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX queued_messages_by_session ON queued_messages (session_id);
`,
  repair: `
DELETE FROM queued_messages WHERE session_id NOT IN (SELECT id FROM sessions);
`,
}
