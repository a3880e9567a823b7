import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Entries looked at; a reader that goes through more is not followed to its end. */
const MAX_ENTRIES = 50_000
/** Their secret-looking files are others' test keys, or no plain text. */
const OTHERS = new Set(['node_modules', '.git'])

export interface Reached {
  secrets: string[]
  linked: string[]
  complete: boolean
}

/** Goes through a folder as a recursive reader would: its secret files and, when links are followed, where they lead. */
export function reachOf(
  folder: string,
  follow: boolean,
  { isSecret, realPath }: { isSecret: (path: string) => boolean; realPath: (path: string) => string },
): Reached {
  const reached: Reached = { secrets: [], linked: [], complete: true }
  const folders = [realPath(folder)]
  const seen = new Set(folders)
  let entries = 0
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    let listed
    try {
      listed = readdirSync(at, { withFileTypes: true })
    } catch {
      // No folder, or one that may not be read: nothing of it is shown either.
      continue
    }
    entries += listed.length
    if (entries > MAX_ENTRIES) return { ...reached, complete: false }
    for (const entry of listed) {
      const path = join(at, entry.name)
      const others = !follow && OTHERS.has(entry.name)
      const real = entry.isSymbolicLink() && follow ? realPath(path) : path
      if (real !== path) reached.linked.push(real)
      if (isSecret(path) || (real !== path && isSecret(real))) reached.secrets.push(real)
      if (others || seen.has(real) || (entry.isSymbolicLink() ? real === path : !entry.isDirectory())) continue
      seen.add(real)
      folders.push(real)
    }
  }
  return reached
}
