import type { Migration } from '../migration.ts'

/**
 * Sessions and their messages. Times are milliseconds since the epoch. `messages.seq` has no holes in a session;
 * `content` is the linear text, `rest` (JSON) everything of a message that has no column. The full-text table is filled
 * when somebody searches, up to `search_state.upto`: appending a message costs it nothing.
 */
export const sessionsMigration: Migration = {
  title: 'sessions, messages, command history, input history and questions',
  sql: `
CREATE TABLE sessions (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  type TEXT NOT NULL,
  workspace_id TEXT NOT NULL,
  root TEXT NOT NULL,
  backend TEXT NOT NULL,
  model TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  message_count INTEGER NOT NULL DEFAULT 0,
  forked_from TEXT,
  forked_seq INTEGER,
  stats TEXT NOT NULL,
  metadata TEXT NOT NULL
);
CREATE INDEX sessions_by_time ON sessions (updated_at);

CREATE TABLE messages (
  pk INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  sender TEXT NOT NULL,
  type TEXT,
  content TEXT NOT NULL,
  raw TEXT,
  tool_calls TEXT,
  tool_call_id TEXT,
  tool_name TEXT,
  exclude_from_prompt INTEGER,
  rest TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (session_id, seq)
);

CREATE VIRTUAL TABLE messages_fts USING fts5 (
  content, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2 tokenchars '_'"
);
CREATE TABLE search_state (one INTEGER PRIMARY KEY CHECK (one = 1), upto INTEGER NOT NULL);
INSERT INTO search_state VALUES (1, 0);
CREATE TRIGGER messages_deleted AFTER DELETE ON messages
WHEN old.pk <= (SELECT upto FROM search_state) BEGIN
  DELETE FROM messages_fts WHERE rowid = old.pk;
END;

CREATE TABLE command_history (
  pk INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  command TEXT NOT NULL,
  exit_code INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX command_history_by_session ON command_history (session_id, created_at);

CREATE TABLE input_history (
  pk INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX input_history_by_session ON input_history (session_id);

CREATE TABLE questions (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  options TEXT,
  data TEXT,
  asked_at INTEGER NOT NULL,
  answer TEXT,
  answered_by TEXT,
  answered_at INTEGER
);
CREATE INDEX questions_by_session ON questions (session_id, asked_at);
`,
  repair: `
INSERT INTO sessions (id, title, type, workspace_id, root, backend, model, created_at, updated_at, stats, metadata)
SELECT session_id, 'Recovered session', 'CHAT', '', '', '', '', min(created_at), max(created_at), '{}', '{}'
FROM messages WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id;
UPDATE search_state SET upto = 0;
INSERT OR IGNORE INTO search_state VALUES (1, 0);
DELETE FROM command_history WHERE session_id NOT IN (SELECT id FROM sessions);
DELETE FROM input_history WHERE session_id NOT IN (SELECT id FROM sessions);
DELETE FROM questions WHERE session_id NOT IN (SELECT id FROM sessions);
`,
}
