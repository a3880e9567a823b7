import type { Migration } from '../migration.ts'
import { sealRows } from '../seal-rows.ts'

/** Checksums of rows (row-sum.ts). A row without one counts as damaged from this step on. */
export const checksumsMigration: Migration = {
  title: 'checksums of sessions, messages, journal entries, checkpoints and waiting messages',
  sql: `
ALTER TABLE sessions ADD COLUMN sum TEXT;
ALTER TABLE sessions ADD COLUMN live_sum TEXT;
ALTER TABLE messages ADD COLUMN sum TEXT;
ALTER TABLE journal ADD COLUMN sum TEXT;
ALTER TABLE checkpoints ADD COLUMN sum TEXT;
ALTER TABLE queued_messages ADD COLUMN sum TEXT;
`,
  afterwards: sealRows,
}
