import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { GIT_FILES } from './find.ts'
import { isHarmlessConfig, isOrdinaryChange } from './git-programs.ts'
import { isSame, makeAgain, type Kept, type Snapshot } from './snapshot.ts'

/** What a command did to a protected path. */
export interface ProtectedChange {
  /** Absolute. */
  path: string
  change: 'changed' | 'created' | 'removed'
  /** False when it could not be put back, or was not to be. */
  putBack: boolean
  /** Where what the command wrote lies now, for the user to look at. */
  keptAt?: string
}

export interface Comparison {
  roots: readonly string[]
  before: Snapshot
  after: Snapshot
  /** Paths that the command could not change, because mounts held them: what changed there, somebody else changed. */
  held: (path: string) => boolean
}

/** The paths that a sandbox mounts read-only: all that were there but links, for a mount holds what a link leads to. */
export function heldByMounts(before: Snapshot): (path: string) => boolean {
  return (path) => before.has(path) && before.get(path)!.kind !== 'link'
}

/** Lists what changed. A new repository that names no program is ordinary work and not listed. */
export function compareSnapshots(comparison: Comparison): ProtectedChange[] {
  const { before, after, held } = comparison
  const changes: ProtectedChange[] = []
  const add = (path: string, change: ProtectedChange['change']): void => {
    changes.push({ path, change, putBack: false })
  }
  for (const [path, old] of before) {
    const now = after.get(path)
    if (held(path) || (now && (isSame(old, now) || isOrdinary(path, old, now)))) continue
    add(path, now ? 'changed' : 'removed')
  }
  const taken = new Set<string>()
  for (const [path, now] of after) {
    if (before.has(path) || [...taken].some((folder) => path.startsWith(`${folder}/`))) continue
    const armed = armedPath(path, now, comparison)
    if (armed === undefined || taken.has(armed)) continue
    taken.add(armed)
    add(armed, 'created')
  }
  // A folder stands before what lies in it.
  return changes.sort((a, b) => a.path.length - b.path.length)
}

function isOrdinary(path: string, old: Kept, now: Kept): boolean {
  if (basename(path) !== 'config' || !IS_GIT_OWN.test(dirname(path))) return false
  if (old.kind !== 'file' || now.kind !== 'file' || !old.content || !now.content) return false
  return isOrdinaryChange(old.content, now.content)
}

/** The path to take away so that what came to be makes nobody run anything; undefined when it does not. */
function armedPath(path: string, now: Kept, { roots, before, after }: Comparison): string | undefined {
  if (now.kind === 'git-folder') return undefined
  const folder = gitFolderOf(path, after)
  if (folder === undefined) {
    const isPointer = basename(path) === '.git' && now.kind === 'file' && pointsInside(path, now, roots)
    return isPointer ? undefined : path
  }
  if (!isArmed(path, now, folder, !before.has(folder))) return undefined
  // What makes an ordinary folder a repository without a work tree is its HEAD; `config` may be something else there.
  return IS_GIT_OWN.test(folder) || before.has(folder) ? path : join(folder, 'HEAD')
}

/** Git's own folders: `.git`, and the modules and worktrees in one. */
const IS_GIT_OWN = /\/\.git(?:\/|$)/

function isArmed(path: string, now: Kept, folder: string, fresh: boolean): boolean {
  switch (basename(path)) {
    case 'config':
    case 'config.worktree':
      return now.kind !== 'folder' && (now.kind !== 'file' || !isHarmlessConfig(path))
    case 'attributes':
      return !fresh
    case 'commondir':
    case 'gitdir':
      return !fresh || !/\/\.git\/worktrees\/[^/]+$/.test(folder) || !leadsHome(path, now, folder)
    case 'hooks':
      return now.kind !== 'folder'
    default:
      return true
  }
}

/** The git folder whose configuration or hooks a path is. */
function gitFolderOf(path: string, after: Snapshot): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (after.get(folder)?.kind !== 'git-folder') continue
    const [first = '', ...rest] = path.slice(folder.length + 1).split('/')
    const isOwn = first === 'hooks' || (rest.length === 0 && GIT_FILES.includes(first))
    return isOwn || (first === 'info' && rest[0] === 'attributes') ? folder : undefined
  }
  return undefined
}

/** A worktree of its own repository: its common folder is the one it lies in, and it names a place of a `.git` file. */
function leadsHome(path: string, { content }: Kept, folder: string): boolean {
  const text = content?.toString().trim() ?? ''
  return basename(path) === 'commondir' ? resolve(folder, text) === resolve(folder, '../..') : text.endsWith('/.git')
}

/** A `.git` file of a worktree or submodule of a repository in the workspace. */
function pointsInside(path: string, { content }: Kept, roots: readonly string[]): boolean {
  const target = /^gitdir: (.+)$/m.exec(content?.toString() ?? '')?.[1]
  if (target === undefined) return false
  const folder = resolve(dirname(path), target.trim())
  return /\/\.git\/(?:worktrees|modules)\//.test(folder) && roots.some((root) => folder.startsWith(`${root}/`))
}

/** Makes protected paths as they were. What stood in their place is moved to `keepFolder`. Never throws. */
export function putBack(changes: readonly ProtectedChange[], before: Snapshot, keepFolder: string): ProtectedChange[] {
  return changes.map((change) => {
    const old = before.get(change.path)
    try {
      // A folder above it that was made a link leads to somebody else's files.
      if (isReachedByLink(change.path)) return change
      if (old?.kind === 'git-folder') return { ...change, putBack: bringBack(change.path, old, keepFolder) }
      if (old?.kind === 'folder' && isFolder(change.path)) {
        chmodSync(change.path, old.mode)
        return { ...change, putBack: true }
      }
      const keptAt = setAside(change.path, keepFolder)
      const kept = keptAt === undefined ? {} : { keptAt }
      if (change.change === 'created') {
        removeEmptyParents(change.path, before)
        return { ...change, ...kept, putBack: true }
      }
      mkdirSync(dirname(change.path), { recursive: true })
      return { ...change, ...kept, putBack: old !== undefined && makeAgain(change.path, old) }
    } catch {
      return change
    }
  })
}

function isReachedByLink(path: string): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const stats = lstatSync(folder, { throwIfNoEntry: false })
    if (stats) return realpathSync.native(folder) !== folder
  }
  return false
}

/** Moves a path away; undefined when nothing is there. */
function setAside(path: string, keepFolder: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return undefined
  const isEmpty = stats.isFile() ? stats.size === 0 : stats.isDirectory() && readdirSync(path).length === 0
  if (isEmpty) {
    rmSync(path, { recursive: true })
    return undefined
  }
  mkdirSync(keepFolder, { recursive: true, mode: 0o700 })
  const name = `${basename(dirname(path))}-${basename(path)}`.replaceAll(/^\.|[^\w.-]/g, '_')
  let to = join(keepFolder, name)
  for (let at = 2; lstatSync(to, { throwIfNoEntry: false }); at++) to = join(keepFolder, `${name}-${at}`)
  try {
    renameSync(path, to)
  } catch {
    if (stats.isFile() || stats.isDirectory()) cpSync(path, to, { recursive: true, verbatimSymlinks: true })
    rmSync(path, { recursive: true, force: true })
  }
  return to
}

/** A git folder that was renamed comes back from beside its place; one that is gone cannot be made again. */
function bringBack(path: string, old: Kept, keepFolder: string): boolean {
  const parent = dirname(path)
  const isIt = (name: string): boolean => {
    const stats = lstatSync(join(parent, name), { throwIfNoEntry: false })
    return stats?.isDirectory() === true && `${stats.dev}.${stats.ino}` === old.key
  }
  const name = readdirSync(parent).find(isIt)
  // Of another folder in its place, what git would run is compared by itself.
  if (name === undefined && isFolder(path)) return false
  setAside(path, keepFolder)
  if (name === undefined) return false
  renameSync(join(parent, name), path)
  return true
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function removeEmptyParents(path: string, before: Snapshot): void {
  for (let folder = dirname(path); !before.has(folder) && basename(folder).startsWith('.'); folder = dirname(folder)) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}
