import type { Migration } from '../migration.ts'
import { checksumsMigration } from './checksums.ts'
import { imagesMigration } from './images.ts'
import { journalMigration } from './journal.ts'
import { queueMigration } from './queue.ts'
import { sessionsMigration } from './sessions.ts'

/** Schema of a workspace database, oldest step first. Append only: a step that has been shipped never changes or moves. */
export const workspaceMigrations: readonly Migration[] = [
  sessionsMigration,
  journalMigration,
  imagesMigration,
  queueMigration,
  checksumsMigration,
]
