import { join } from 'node:path'
import type { SessionChoice } from '../client/workbench.ts'
import type { Config } from '../config/schema.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { Session } from '../protocol/index.ts'
import { stateFolder, workspaceId } from '../store/data-folder.ts'
import type { Database } from '../store/sqlite/database.ts'
import { createJournalStore } from '../store/sqlite/journal-store.ts'
import { createMemoryBlobStore, openBlobStore } from '../workspace/journal/blob-store.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Opened } from './opened.ts'

/**
 * The workspace with its journal: rows in the database, contents in `folder` beside it, or in memory when nothing is kept. The key
 * that seals contents of secret files lies apart from both.
 */
export function journalled(
  root: string,
  { permissions, secrets }: Config,
  database: Database,
  folder: string | undefined,
): Workspace {
  return openWorkspace({
    root,
    additionalRoots: permissions.additionalRoots,
    secretFiles: secrets.files,
    journal: {
      store: createJournalStore(database),
      blobs:
        folder === undefined
          ? createMemoryBlobStore()
          : openBlobStore(join(folder, 'blobs'), join(stateFolder(), 'journal.key')),
    },
  })
}

/** The session the options name, or a new one. */
export function sessionRow(
  { store, options, workspace, loaded }: Opened,
  which: SessionChoice = { kind: 'start' },
): { row: Session; resumed: boolean } {
  const wanted = which.kind === 'stored' ? which.id : which.kind === 'start' ? options.resume : undefined
  if (wanted !== undefined) {
    const row = store.get(wanted)
    if (row) return { row: withModel(row, loaded), resumed: true }
    throw new UserError('session_not_found', `There is no session "${wanted}" in this workspace.`, {
      exitCode: EXIT.usage,
      suggestion: 'codehound sessions list shows them.',
    })
  }
  if (options.continue && which.kind === 'start') {
    const [row] = store.list({ limit: 1 })
    if (row) return { row: withModel(row, loaded), resumed: true }
    throw new UserError('session_not_found', 'There is no session to continue in this workspace.', {
      exitCode: EXIT.usage,
      suggestion: 'Start one without --continue.',
    })
  }
  const row = store.create({
    title: 'New session',
    type: 'CHAT',
    workspaceId: workspaceId(workspace.root),
    root: workspace.root,
    model: loaded.config.model,
  })
  return { row, resumed: false }
}

/** A session whose record was lost to damage goes on with the model of the configuration. */
function withModel(row: Session, { config }: Opened['loaded']): Session {
  return row.model === '' ? { ...row, model: config.model } : row
}
