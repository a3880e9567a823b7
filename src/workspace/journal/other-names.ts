import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Entries looked at for other names of one file: in a larger workspace some may be missed, and become files of their own. */
const LOOKED_AT = 20_000
const NEVER = new Set(['.git', 'node_modules'])

/** Other paths below the root that are names of the same file; undefined when it has but one. */
export function otherNames(root: string, path: string): string[] | undefined {
  const file = lstatSync(join(root, path), { throwIfNoEntry: false })
  if (file?.isFile() !== true || file.nlink < 2) return undefined
  const found: string[] = []
  const folders = ['']
  let left = LOOKED_AT
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      left -= 1
      const inner = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && !NEVER.has(entry.name)) folders.push(inner)
      if (!entry.isFile() || inner === path) continue
      const stats = lstatSync(join(root, inner), { throwIfNoEntry: false })
      if (stats?.ino === file.ino && stats.dev === file.dev) found.push(inner)
      // One of the names is the path itself.
      if (found.length === file.nlink - 1) return found
    }
  }
  return found.length === 0 ? undefined : found
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
