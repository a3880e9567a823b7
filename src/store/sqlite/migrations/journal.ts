import type { Migration } from '../migration.ts'

/**
 * The record of changes. `pk` is the position of an entry; `files`, `made` and `not_kept` are JSON. Contents are not here: they lie in a
 * folder of their own, by hash; `snapshot` is one of them. Checkpoints say where the journal stood when a run began.
 */
export const journalMigration: Migration = {
  title: 'journal of changes and checkpoints',
  sql: `
CREATE TABLE journal (
  pk INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
  run_id TEXT,
  call_id TEXT,
  tool TEXT,
  kind TEXT NOT NULL,
  description TEXT NOT NULL,
  state TEXT NOT NULL,
  files TEXT NOT NULL,
  made TEXT NOT NULL,
  not_kept TEXT NOT NULL,
  snapshot TEXT,
  created_at INTEGER NOT NULL
);
CREATE INDEX journal_by_session ON journal (session_id, state);
CREATE INDEX journal_by_state ON journal (state);

CREATE TABLE checkpoints (
  pk INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  run_id TEXT NOT NULL,
  user_seq INTEGER NOT NULL,
  position INTEGER NOT NULL
);
CREATE INDEX checkpoints_by_session ON checkpoints (session_id, user_seq);
`,
  repair: `
UPDATE journal SET session_id = NULL WHERE session_id NOT IN (SELECT id FROM sessions);
DELETE FROM checkpoints WHERE session_id NOT IN (SELECT id FROM sessions);
`,
}
