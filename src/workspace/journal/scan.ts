import { lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from '../fault.ts'
import { listFolder } from '../files/list-folder.ts'
import { TEMPORARY_SUFFIX } from '../files/write-file.ts'
import type { Git } from '../git/git.ts'
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
}

/** Above so many files a look before and after each command would cost more than it gives. */
export const MAX_SCANNED_FILES = 50_000

/** Stamps of every file and link that is not ignored; a string says why there are none. */
export async function scanFiles(root: string, guard: PathGuard, git: Git): Promise<Map<string, FileStamp> | string> {
  const paths = await listPaths(guard, git)
  if (!Array.isArray(paths)) return paths.message
  if (paths.length > MAX_SCANNED_FILES) return `there are more than ${MAX_SCANNED_FILES} files`
  const stamps = new Map<string, FileStamp>()
  for (const path of paths) {
    if (isOwn(path)) continue
    const stamp = stampFile(join(root, path))
    if (stamp !== null) stamps.set(path, stamp)
  }
  return stamps
}

async function listPaths(guard: PathGuard, git: Git): Promise<string[] | Fault> {
  const listed = await git.listed()
  if (listed.ok) return listed.paths
  const walked = await listFolder(guard, '.', { recursive: true, limit: MAX_SCANNED_FILES + 1 })
  return walked.ok
    ? walked.entries.filter(({ kind }) => kind === 'file' || kind === 'link').map(({ path }) => path)
    : walked
}

/** codehound's own files are not the user's work, and are protected from being put back. */
function isOwn(path: string): boolean {
  return path.endsWith(TEMPORARY_SUFFIX) || (path.startsWith('.codehound/') && !path.startsWith('.codehound/notes/'))
}

/** Null when there is neither a file nor a link. */
export function stampFile(path: string): FileStamp | null {
  const stats = statsOf(path)
  if (stats === undefined || !(stats.isFile() || stats.isSymbolicLink())) return null
  // ctime: a write that puts size and mtime back is a change too.
  const key = `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.mode}`
  const { size, ctimeMs, birthtimeMs } = stats
  return { key, size, mode: stats.mode & 0o7777, link: stats.isSymbolicLink(), ctimeMs, birthtimeMs }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // A part of the path is a file by now, or may not be entered.
    return undefined
  }
}
