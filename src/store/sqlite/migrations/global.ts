import type { Migration } from '../migration.ts'

/** Schema of the user's database, oldest step first. Append only: a step that has been shipped never changes or moves. */
export const globalMigrations: readonly Migration[] = [
  {
    title: 'known workspaces, trust and facts',
    sql: `
CREATE TABLE workspaces (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  root_path TEXT NOT NULL UNIQUE,
  detected_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_active INTEGER NOT NULL
);
CREATE TABLE trust (pk INTEGER PRIMARY KEY, root_path TEXT NOT NULL UNIQUE, trusted_at INTEGER NOT NULL);
CREATE TABLE facts (pk INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
`,
  },
]
