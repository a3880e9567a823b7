import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Longest file that is taken. Characters. */
const MAX_LENGTH = 20_000

/** Text of a file that a project keeps for codehound; undefined when it cannot be read. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').slice(0, MAX_LENGTH)
  } catch {
    return undefined
  }
}

/** Entries of a folder in order; none when there is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Names and paths of the `*.md` in folders, the nearest folder first; names that cannot be typed are left out. */
export function markdownFiles(folders: readonly string[]): { name: string; file: string }[] {
  return folders.flatMap((folder) =>
    namesIn(folder)
      .filter((each) => /^[\w-]+\.md$/.test(each))
      .map((each) => ({ name: each.slice(0, -'.md'.length), file: join(folder, each) })),
  )
}
