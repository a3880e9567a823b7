// Finds the protected paths of a workspace: by name at any depth, what git's own folders run, and what git's configuration names.
import { lstatSync, readdirSync, readlinkSync, type Dirent } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
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
      if (isGitFolder(path)) addGitFolder(path, places, 0, roots)
      else places.fixed.push(...onTheWay(path, roots))
    }
    for (const target of targets.flatMap((each) => each()))
      places.fixed.push(...onTheWay(target, roots).filter((path) => !places.gitFolders.includes(path)))
    const outermost = [...new Set(places.fixed)].sort()
    places.fixed = outermost.filter((path) => !outermost.some((other) => path.startsWith(`${other}/`)))
    return places
  }
}

/** More links than this on the way to one path are a ring (path_resolution(7)). */
const MOST_LINKS = 40

/**
 * What stands for a protected path in the roots: each link on the way to it, which could be turned elsewhere, and what lies at its
 * end. None of these is reached through a link, and what lies outside of the roots is not among them.
 */
function onTheWay(path: string, roots: readonly string[]): string[] {
  const found: string[] = []
  let rest = path
  for (let links = 0; links <= MOST_LINKS; links++) {
    const root = roots.find((each) => rest === each || rest.startsWith(`${each}/`))
    if (root === undefined) return found
    const link = firstLink(root, rest)
    if (link === undefined) return exists(rest) ? [...found, rest] : found
    found.push(link)
    rest = resolve(dirname(link), readlinkSync(link)) + rest.slice(link.length)
  }
  return found
}

function firstLink(root: string, path: string): string | undefined {
  let at = root
  for (const part of path.slice(root.length).split(sep).filter(Boolean)) {
    at = join(at, part)
    const stats = lstatSync(at, { throwIfNoEntry: false })
    if (!stats) return undefined
    if (stats.isSymbolicLink()) return at
  }
  return undefined
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

function addGitFolder(folder: string, places: ProtectedPlaces, depth: number, roots: readonly string[]): void {
  places.gitFolders.push(folder)
  // The folders of a linked worktree lie outside of the roots.
  const within = [...roots, folder]
  for (const name of GIT_FILES) places.fixed.push(...onTheWay(join(folder, name), within))
  for (const parent of ['modules', 'worktrees']) {
    const path = join(folder, parent)
    if (isLink(path)) places.fixed.push(path)
    else addChildren(path, places, depth, roots)
  }
}

/** Modules lie at the path of their submodule, so that folders stand between. */
function addChildren(folder: string, places: ProtectedPlaces, depth: number, roots: readonly string[]): void {
  if (depth > MODULES_DEPTH) return
  const children = foldersIn(folder)
  if (children === undefined) return
  places.gitFolders.push(folder)
  for (const child of children) {
    const path = join(folder, child)
    if (exists(join(path, 'HEAD')) || exists(join(path, 'config'))) addGitFolder(path, places, depth + 1, roots)
    else addChildren(path, places, depth + 1, roots)
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

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
