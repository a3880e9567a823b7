import { readdirSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path'

/** Folders looked at before a scan stops; a stat of each takes about 3 µs. */
const MAX_FOLDERS = 20_000
/** A folder changed this short a time before it was listed may change again within the same tick of its clock. */
const SETTLED_NS = 50_000_000n

interface Listed {
  changed: bigint
  folders: string[]
  found: string[]
}

export interface FolderScanOptions {
  roots: readonly string[]
  /** Folders that are not entered, by name. */
  skipped: ReadonlySet<string>
  /** What of a folder's entries is wanted, as absolute paths. */
  pick: (folder: string, entries: readonly Dirent[]) => string[]
}

/**
 * Finds entries of a workspace by name. A second look lists only the folders that changed: any new, renamed or removed
 * entry changes the time of the folder it is in. Links are not followed.
 */
export function createFolderScan({ roots, skipped, pick }: FolderScanOptions): () => readonly string[] {
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
      found.push(...listed.found)
      open.push(...listed.folders)
    }
    for (const folder of known.keys()) if (!seen.has(folder)) known.delete(folder)
    return found
  }

  function look(folder: string, before: Listed | undefined): Listed | undefined {
    try {
      const { mtimeNs, ctimeNs } = statSync(folder, { bigint: true })
      // A command can set the one time back, and nobody the other.
      const changed = mtimeNs > ctimeNs ? mtimeNs : ctimeNs
      if (before && before.changed === changed) return before
      const entries = readdirSync(folder, { withFileTypes: true })
      const folders = entries.flatMap((entry) =>
        entry.isDirectory() && !skipped.has(entry.name) ? [join(folder, entry.name)] : [],
      )
      const settled = BigInt(Date.now()) * 1_000_000n - changed > SETTLED_NS
      return { changed: settled ? changed : -1n, folders, found: pick(folder, entries) }
    } catch {
      return undefined
    }
  }
}
