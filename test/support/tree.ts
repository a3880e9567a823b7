// What is under a folder, read plainly: the oracle of what undo is to give back. Knows nothing of the journal.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One line for each file, folder and link, by path: type, permission bits, and the content's sha256 or the target. With `links`,
 * files that are one file under several names say which is the first of them. `skip` leaves out paths with all that is below them.
 */
export function readTree(
  root: string,
  { skip = (path) => path === '.git', links = true }: { skip?: (path: string) => boolean; links?: boolean } = {},
): Record<string, string> {
  const found: Record<string, string> = {}
  const first = new Map<string, string>()
  const walk = (below: string): void => {
    for (const name of readdirSync(join(root, below)).toSorted()) {
      const path = below === '' ? name : `${below}/${name}`
      if (skip(path)) continue
      const at = join(root, path)
      const stats = lstatSync(at)
      const mode = (stats.mode & 0o7777).toString(8)
      if (stats.isDirectory()) {
        found[path] = `folder ${mode}`
        walk(path)
      } else if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(at, 'latin1')}`
      else if (!stats.isFile()) found[path] = `other ${mode}`
      else {
        const inode = `${stats.dev}:${stats.ino}`
        const same = stats.nlink > 1 ? first.get(inode) : undefined
        if (same === undefined) first.set(inode, path)
        const hash = createHash('sha256').update(readFileSync(at)).digest('hex').slice(0, 16)
        found[path] = `file ${mode} ${stats.size} ${hash}${links && same !== undefined ? ` = ${same}` : ''}`
      }
    }
  }
  walk('')
  return found
}
