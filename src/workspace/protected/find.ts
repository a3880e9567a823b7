// Finds the protected paths of a workspace: by name at any depth, what git's own folders run, and what git's configuration names.
import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { createFolderScan } from './folder-scan.ts'
import { createGitTargets } from './git-programs.ts'
import { protectedUnder } from './names.ts'

export interface ProtectedPlaces {
  /** Existing files and folders of which nothing may change. */
  fixed: string[]
  /** Existing folders of git: what lies in them changes, they themselves stay where they are. */
  gitFolders: string[]
}

/** Not entered: installed packages, which are many, and what git keeps. */
const SKIPPED = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', 'venv', '__pycache__', 'target'])
/** Of a git folder, what makes git run something or look elsewhere. */
export const GIT_FILES: readonly string[] = [
  'config',
  'config.worktree',
  'commondir',
  'gitdir',
  'hooks',
  'info/attributes',
]
/** Folders of submodules in submodules are looked into so deep. */
const MODULES_DEPTH = 6

/** Makes the look at the protected paths below some folders; each look is fresh. */
export function createProtectedFinder(
  roots: readonly string[],
  gitFolders: readonly string[] = [],
): () => ProtectedPlaces {
  const scan = createFolderScan({ roots, skipped: SKIPPED, pick: protectedEntries })
  const targets = roots.map((root) => createGitTargets(root))
  return () => {
    const places: ProtectedPlaces = { fixed: [], gitFolders: [] }
    for (const path of [...scan(), ...gitFolders]) {
      if (isGitFolder(path)) addGitFolder(path, places, 0)
      else if (exists(path)) places.fixed.push(path)
    }
    for (const target of targets.flatMap((each) => each())) {
      const inside = roots.some((root) => target.startsWith(`${root}/`))
      if (inside && exists(target) && !places.gitFolders.includes(target)) places.fixed.push(target)
    }
    const outermost = [...new Set(places.fixed)].sort()
    places.fixed = outermost.filter((path) => !outermost.some((other) => path.startsWith(`${other}/`)))
    return places
  }
}

function protectedEntries(folder: string, entries: readonly Dirent[]): string[] {
  const found = entries.flatMap(({ name }) => protectedUnder(name).map((path) => join(folder, path)))
  const names = new Set(entries.map(({ name }) => name))
  // A folder that looks like a repository without a work tree is one to git that is started in it.
  if (names.has('HEAD') && ((names.has('objects') && names.has('refs')) || names.has('commondir'))) found.push(folder)
  if (names.has('node_modules')) found.push(join(folder, 'node_modules', '.git'))
  return found
}

function isGitFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory() !== true) return false
  return path.endsWith('/.git') || exists(join(path, 'HEAD'))
}

function addGitFolder(folder: string, places: ProtectedPlaces, depth: number): void {
  places.gitFolders.push(folder)
  for (const name of GIT_FILES) {
    const path = join(folder, name)
    if (exists(path)) places.fixed.push(path)
  }
  for (const parent of ['modules', 'worktrees']) addChildren(join(folder, parent), places, depth)
}

/** Modules lie at the path of their submodule, so that folders stand between. */
function addChildren(folder: string, places: ProtectedPlaces, depth: number): void {
  if (depth > MODULES_DEPTH) return
  const children = foldersIn(folder)
  if (children === undefined) return
  places.gitFolders.push(folder)
  for (const child of children) {
    const path = join(folder, child)
    if (exists(join(path, 'HEAD')) || exists(join(path, 'config'))) addGitFolder(path, places, depth + 1)
    else addChildren(path, places, depth + 1)
  }
}

function foldersIn(folder: string): string[] | undefined {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch {
    return undefined
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
