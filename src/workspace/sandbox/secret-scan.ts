import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

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
/** Folders looked at before the scan stops; a stat of each takes about 3 µs. */
const MAX_FOLDERS = 20_000
/** A folder changed this short a time before it was listed may change again within the same tick of its clock. */
const SETTLED_NS = 50_000_000n

interface Listed {
  changed: bigint
  folders: string[]
  secrets: string[]
}

/**
 * Finds the secret files of a workspace. A second look lists only the folders that changed: any new, renamed or
 * removed entry changes the time of the folder it is in.
 */
export function createSecretScan(
  roots: readonly string[],
  isSecret: (path: string) => boolean,
): () => readonly string[] {
  const known = new Map<string, Listed>()
  return () => {
    const found: string[] = []
    const seen = new Set<string>()
    const open = [...roots]
    for (let folder = open.pop(); folder !== undefined && seen.size < MAX_FOLDERS; folder = open.pop()) {
      seen.add(folder)
      const listed = look(folder, known.get(folder))
      if (!listed) continue
      known.set(folder, listed)
      found.push(...listed.secrets)
      open.push(...listed.folders)
    }
    for (const folder of known.keys()) if (!seen.has(folder)) known.delete(folder)
    return found
  }

  function look(folder: string, before: Listed | undefined): Listed | undefined {
    try {
      const { mtimeNs } = statSync(folder, { bigint: true })
      if (before && before.changed === mtimeNs) return before
      const folders: string[] = []
      const secrets: string[] = []
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name)
        if (!entry.isDirectory()) {
          if (isSecret(path)) secrets.push(path)
        } else if (!SKIPPED.has(entry.name)) folders.push(path)
      }
      const settled = BigInt(Date.now()) * 1_000_000n - mtimeNs > SETTLED_NS
      return { changed: settled ? mtimeNs : -1n, folders, secrets }
    } catch {
      return undefined
    }
  }
}
