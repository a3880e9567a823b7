import { lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from '../fault.ts'
import { listFolder } from '../files/list-folder.ts'
import { TEMPORARY_SUFFIX } from '../files/write-file.ts'
import type { Git, WorkTree } from '../git/git.ts'
import type { IndexEntry } from '../git/index-entries.ts'
import type { PathGuard } from '../paths/guard.ts'

/** What tells whether a file is still the one that was looked at; nothing is read. */
export interface FileStamp {
  key: string
  /** Bytes. */
  size: number
  /** Permission bits. */
  mode: number
  link: boolean
  /** Milliseconds since 1970: last change of the file or its name, and its birth. */
  ctimeMs: number
  birthtimeMs: number
  /** Blob of git with the content, where the file is tracked and unchanged. */
  blob?: string
}

/** Above so many files a look before and after each command would cost more than it gives. */
export const MAX_SCANNED_FILES = 50_000

/** Stamps of every file and link that is not ignored; a string says why there are none. */
export async function scanFiles(root: string, guard: PathGuard, git: Git): Promise<Map<string, FileStamp> | string> {
  const tree = await listFiles(guard, git)
  if (!tree.ok) return tree.message
  if (tree.files.size > MAX_SCANNED_FILES) return `there are more than ${MAX_SCANNED_FILES} files`
  const stamps = new Map<string, FileStamp>()
  for (const [path, entry] of tree.files) {
    if (isOwn(path)) continue
    const stats = statsOf(join(root, path))
    if (stats === undefined) continue
    const clean = entry !== null && isUnchanged(stats, entry, tree.indexMs)
    stamps.set(path, { ...stampOfStats(stats), ...(clean ? { blob: entry.blob } : {}) })
  }
  return stamps
}

async function listFiles(guard: PathGuard, git: Git): Promise<WorkTree | Fault> {
  const tree = await git.workTree()
  if (tree.ok) return tree
  const listed = await git.listed()
  if (listed.ok) return untracked(listed.paths)
  const walked = await listFolder(guard, '.', { recursive: true, limit: MAX_SCANNED_FILES + 1 })
  if (!walked.ok) return walked
  return untracked(walked.entries.filter(({ kind }) => kind === 'file' || kind === 'link').map(({ path }) => path))
}

function untracked(paths: string[]): WorkTree {
  return { ok: true, files: new Map(paths.map((path) => [path, null])), indexMs: 0 }
}

// Milliseconds as a number hold a time to less than a microsecond.
const TIME_SLACK_NS = 1000

/** Whether a file is as it was when it was put into the index: git's own test, and its doubt about files as young as the index. */
function isUnchanged(stats: Stats, entry: IndexEntry, indexMs: number): boolean {
  const seconds = Math.floor(stats.mtimeMs / 1000)
  const nanoseconds = (stats.mtimeMs - seconds * 1000) * 1e6
  return (
    stats.isFile() &&
    stats.mtimeMs < indexMs &&
    seconds === entry.mtimeSeconds &&
    Math.abs(nanoseconds - entry.mtimeNanoseconds) <= TIME_SLACK_NS &&
    stats.size % 2 ** 32 === entry.size &&
    (entry.inode === 0 || stats.ino % 2 ** 32 === entry.inode % 2 ** 32)
  )
}

/** codehound's own files are not the user's work, and are protected from being put back. */
function isOwn(path: string): boolean {
  return path.endsWith(TEMPORARY_SUFFIX) || (path.startsWith('.codehound/') && !path.startsWith('.codehound/notes/'))
}

/** Null when there is neither a file nor a link. */
export function stampFile(path: string): FileStamp | null {
  const stats = statsOf(path)
  return stats === undefined ? null : stampOfStats(stats)
}

function stampOfStats(stats: Stats): FileStamp {
  // ctime: a write that puts size and mtime back is a change too.
  const key = `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.mode}`
  const { size, ctimeMs, birthtimeMs } = stats
  return { key, size, mode: stats.mode & 0o7777, link: stats.isSymbolicLink(), ctimeMs, birthtimeMs }
}

/** Of a file or link; undefined for all else. */
function statsOf(path: string): Stats | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats?.isFile() === true || stats?.isSymbolicLink() === true ? stats : undefined
  } catch {
    // A part of the path is a file by now, or may not be entered.
    return undefined
  }
}
