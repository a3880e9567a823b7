import { basename, dirname, join, relative, sep } from 'node:path'
import { editDistance } from '../../lib/edit-distance.ts'
import type { FsFacts } from '../paths/facts.ts'
import type { ResolvedPath } from '../paths/guard.ts'

const SHOWN = 3
// A whole-workspace search for the name stops here; a hint is not worth more.
const FOLDERS_SEARCHED = 400
const SKIPPED = new Set(['node_modules', '.git', 'dist', 'build', 'coverage'])

/** Existing paths that resemble one that does not exist: the same name elsewhere, then like names near it. */
export function nearestPaths(at: ResolvedPath, facts: FsFacts): string[] {
  const wanted = basename(at.absolute)
  const folder = nearestFolder(dirname(at.absolute), at.root, facts)
  const like = facts
    .names(folder)
    .map((name) => ({ name, distance: editDistance(name.toLowerCase(), wanted.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(Math.max(name.length, wanted.length) / 3)))
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => join(folder, name))
  const same = sameName(at.root, wanted, facts)
  const found = [...new Set([...same, ...like])].slice(0, SHOWN)
  return found.map((path) => relative(at.root, path).split(sep).join('/'))
}

function nearestFolder(folder: string, root: string, facts: FsFacts): string {
  let at = folder
  while (at.length > root.length && facts.realpath(at) === null) at = dirname(at)
  return at.length < root.length ? root : at
}

function sameName(root: string, wanted: string, facts: FsFacts): string[] {
  const found: string[] = []
  const queue = [root]
  for (let visited = 0; queue.length > 0 && visited < FOLDERS_SEARCHED && found.length < SHOWN; visited++) {
    const folder = queue.shift()!
    for (const name of facts.names(folder)) {
      const path = join(folder, name)
      if (name.toLowerCase() === wanted.toLowerCase()) found.push(path)
      // A name with a dot is hardly a folder; a link is never followed.
      else if (!name.includes('.') && !SKIPPED.has(name) && facts.readlink(path) === null) queue.push(path)
    }
  }
  return found
}
