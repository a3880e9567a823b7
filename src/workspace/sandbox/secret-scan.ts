import { join } from 'node:path'
import { createFolderScan } from '../protected/folder-scan.ts'

/** Folders that hold other people's code: what looks like a key there is a fixture, and they are large. */
const SKIPPED = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  'dist',
  'build',
  'target',
  '.venv',
  'venv',
  '__pycache__',
])

/** Finds the secret files of a workspace; each look is fresh. */
export function createSecretScan(
  roots: readonly string[],
  isSecret: (path: string) => boolean,
): () => readonly string[] {
  return createFolderScan({
    roots,
    skipped: SKIPPED,
    pick: (folder, entries) =>
      entries.flatMap((entry) => {
        const path = join(folder, entry.name)
        return !entry.isDirectory() && isSecret(path) ? [path] : []
      }),
  })
}
