// Looks at what is in the workspace without reading any file: a stamp of each file, link and folder that is not ignored, and
// the bare names of what is. Promises: two looks tell what was added, changed or taken away in between by inode, times of
// change, size, mode and type, never by how old something is; nothing is opened but folders.

import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { FOLDER_MODE, LINK_MODE } from '../files/file-state.ts'
import { type IgnoreRules, loadIgnoreRules } from '../files/ignored.ts'
import { TEMPORARY_SUFFIX } from '../files/write-file.ts'
import type { Git, WorkTree } from '../git/git.ts'
import type { IndexEntry } from '../git/index-entries.ts'
import { oddEntries } from './odd-names.ts'

/** What tells whether something is still what was looked at. */
export interface FileStamp {
  /** `other`: a pipe, socket or device, or something whose name is not UTF-8: seen, and never put back. */
  kind: 'file' | 'link' | 'folder' | 'other'
  /** Equal as long as nothing was changed; of a folder, its mode. */
  key: string
  /** Bytes. */
  size: number
  /** Permission bits, with `FOLDER_MODE` of a folder; `LINK_MODE` of a link. */
  mode: number
  /** Milliseconds since 1970: last change of the file or its name, and its birth. */
  ctimeMs: number
  birthtimeMs: number
  /** What makes it the same wherever it is: of a folder, and of a file with several names. */
  inode?: string
  /** Blob of git with the content, where the file is tracked and unchanged. */
  blob?: string
}

export interface Look {
  stamps: Map<string, FileStamp>
  /** Names in a folder with a stamp that have none themselves: ignored ones, repositories. */
  unlisted: Map<string, Set<string>>
  /** Milliseconds since 1970. */
  time: number
}

/** Above so many files a look before and after each command would cost more than it gives. */
export const MAX_SCANNED_FILES = 50_000

/** Times of a file system may lie so far behind the clock (the kernel's tick). */
export const CLOCK_SLACK_MS = 20

interface Folder {
  key: string
  entries: Dirent[]
}

/** Makes the function that looks; a string says why there is nothing to see. What folders hold is remembered between looks. */
export function createScanner(root: string, git: Git): () => Promise<Look | string> {
  let remembered = new Map<string, Folder>()

  return async () => {
    const [tree, rules] = await Promise.all([listFiles(git), loadIgnoreRules(root)])
    const time = Date.now()
    const look: Look = { stamps: new Map(), unlisted: new Map(), time }
    const folders = new Map<string, Folder>()
    const walk = { root, tree, rules, look, folders, remembered, inGit: foldersOf(tree) }
    visit('', tree === null, walk)
    remembered = folders
    return look.stamps.size > MAX_SCANNED_FILES ? `there are more than ${MAX_SCANNED_FILES} files` : look
  }
}

/** What git knows of the files; null without git, then the ignore rules alone say what is listed. */
async function listFiles(git: Git): Promise<WorkTree | null> {
  const tree = await git.workTree()
  if (tree.ok) return tree
  const listed = await git.listed()
  return listed.ok ? { ok: true, files: new Map(listed.paths.map((path) => [path, null])), indexMs: 0 } : null
}

function foldersOf(tree: WorkTree | null): Set<string> {
  const folders = new Set<string>()
  for (const path of tree?.files.keys() ?? []) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

interface Walk {
  root: string
  tree: WorkTree | null
  rules: IgnoreRules
  look: Look
  /** What the folders hold now, and what the last look remembered of them. */
  folders: Map<string, Folder>
  remembered: ReadonlyMap<string, Folder>
  /** Folders with a file that git lists. */
  inGit: ReadonlySet<string>
}

/** `byRules`: git does not list what is in here (no git, or a repository in the repository), so the ignore rules decide. */
function visit(folder: string, byRules: boolean, walk: Walk): void {
  const { look, tree, rules, root } = walk
  if (look.stamps.size > MAX_SCANNED_FILES) return
  const unlisted = new Set<string>()
  let odd = false
  for (const entry of entriesOf(folder, walk)) {
    const { name } = entry
    const path = folder === '' ? name : `${folder}/${name}`
    if (isOwn(path)) continue
    if (name.includes('\ufffd')) odd = true
    if (entry.isDirectory()) {
      const stats = walk.inGit.has(path) || !rules.ignores(path, true) ? statsOf(`${root}/${path}`) : undefined
      if (stats?.isDirectory() !== true) {
        unlisted.add(name)
        continue
      }
      if (!isOwnFolder(path)) look.stamps.set(path, toStamp(stats))
      visit(path, byRules || tree?.files.has(path) === true || tree?.files.has(`${path}/`) === true, walk)
      continue
    }
    const tracked = byRules ? undefined : tree?.files.get(path)
    const bySight = byRules || !(entry.isFile() || entry.isSymbolicLink())
    const listed = bySight ? !rules.ignores(path, false) : tracked !== undefined
    const stats = listed ? statsOf(`${root}/${path}`) : undefined
    if (stats === undefined) unlisted.add(name)
    else look.stamps.set(path, withBlob(toStamp(stats), stats, tracked, tree))
  }
  if (odd)
    for (const [path, stats] of oddEntries(root, folder)) look.stamps.set(path, { ...toStamp(stats), kind: 'other' })
  if (unlisted.size > 0) look.unlisted.set(folder, unlisted)
}

/** Read anew only where the folder changed: a name that comes or goes changes its time, and nobody can set that back. */
function entriesOf(folder: string, { root, folders, remembered }: Walk): Dirent[] {
  const path = folder === '' ? root : `${root}/${folder}`
  const stats = statsOf(path)
  if (stats === undefined) return []
  const key = `${stats.ino}:${stats.mtimeMs}:${stats.ctimeMs}`
  const known = remembered.get(folder)
  const now = Date.now()
  const read = known?.key === key ? known : { key, entries: readFolder(path) }
  // As young as its reading, it may change again within the same tick.
  if (stats.ctimeMs < now - CLOCK_SLACK_MS) folders.set(folder, read)
  return read.entries
}

function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    // It may not be read, or is gone by now.
    return []
  }
}

// Milliseconds as a number hold a time to less than a microsecond.
const TIME_SLACK_NS = 1000

function withBlob(
  stamp: FileStamp,
  stats: Stats,
  entry: IndexEntry | null | undefined,
  tree: WorkTree | null,
): FileStamp {
  if (entry && tree && isUnchanged(stats, entry, tree.indexMs)) stamp.blob = entry.blob
  return stamp
}

/** Whether a file is as it was when it was put into the index: git's own test, and its doubt about files as young as the index. */
function isUnchanged(stats: Stats, entry: IndexEntry, indexMs: number): boolean {
  return (
    stats.isFile() &&
    stats.mtimeMs < indexMs &&
    // The one time that a program cannot set back.
    stats.ctimeMs < indexMs &&
    isTime(stats.mtimeMs, entry.mtimeSeconds, entry.mtimeNanoseconds) &&
    isTime(stats.ctimeMs, entry.ctimeSeconds, entry.ctimeNanoseconds) &&
    stats.size % 2 ** 32 === entry.size &&
    (entry.inode === 0 || stats.ino % 2 ** 32 === entry.inode % 2 ** 32)
  )
}

function isTime(ms: number, wholeSeconds: number, nanoseconds: number): boolean {
  const seconds = Math.floor(ms / 1000)
  return seconds === wholeSeconds && Math.abs((ms - seconds * 1000) * 1e6 - nanoseconds) <= TIME_SLACK_NS
}

/** codehound's own files are not the user's work, and are protected from being put back. */
function isOwn(path: string): boolean {
  if (path.endsWith(TEMPORARY_SUFFIX)) return true
  return path.startsWith('.codehound/') && path !== '.codehound/notes' && !path.startsWith('.codehound/notes/')
}

function isOwnFolder(path: string): boolean {
  return path === '.codehound' || path === '.codehound/notes'
}

/** Null when there is nothing. */
export function stampPath(path: string): FileStamp | null {
  const stats = statsOf(path)
  return stats === undefined ? null : toStamp(stats)
}

function toStamp(stats: Stats): FileStamp {
  const { size, ctimeMs, birthtimeMs } = stats
  if (stats.isDirectory()) {
    const mode = FOLDER_MODE | (stats.mode & 0o7777)
    // An inode is given again when its folder is gone, but not with the same birth.
    const inode = `${stats.dev}:${stats.ino}:${birthtimeMs}`
    return { kind: 'folder', key: `folder:${mode}`, size: 0, mode, ctimeMs, birthtimeMs, inode }
  }
  if (!stats.isFile() && !stats.isSymbolicLink()) {
    const key = `${stats.ino}:${stats.mode}:${stats.rdev}`
    return { kind: 'other', key, size: 0, mode: stats.mode & 0o7777, ctimeMs, birthtimeMs }
  }
  // ctime: a write that puts size and mtime back is a change too.
  const key = `${stats.ino}:${size}:${stats.mtimeMs}:${ctimeMs}:${stats.mode}`
  if (stats.isSymbolicLink()) return { kind: 'link', key, size, mode: LINK_MODE, ctimeMs, birthtimeMs }
  const stamp: FileStamp = { kind: 'file', key, size, mode: stats.mode & 0o7777, ctimeMs, birthtimeMs }
  if (stats.nlink > 1) stamp.inode = `${stats.dev}:${stats.ino}`
  return stamp
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // A part of the path is a file by now, or may not be entered.
    return undefined
  }
}
