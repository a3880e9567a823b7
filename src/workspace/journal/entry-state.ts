// What stands at a path of the journal, and how it is put there. Promises: a path means exactly itself: no link on the way is
// followed, no letter folded; what is neither file, link nor folder is never opened.

import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fault, faultOfError, type Fault } from '../fault.ts'
import { FOLDER_MODE, LINK_MODE, putState } from '../files/file-state.ts'
import { MAX_FILE_BYTES } from '../files/read-file.ts'
import { removeInFolder, TEMPORARY_SUFFIX, writeInFolder } from '../files/write-file.ts'
import type { PathGuard, ResolvedPath } from '../paths/guard.ts'
import type { InsideOpener } from '../paths/open-inside.ts'

export interface EntryState {
  /** Content of a file, target of a link, nothing of a folder. */
  bytes: Buffer
  /** Permission bits, with `FOLDER_MODE` of a folder; `LINK_MODE` of a link. */
  mode: number
  /** sha256, hex, once somebody asked. */
  hash?: string
}

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const NOTHING = Buffer.alloc(0)

export function isFolder(state: { mode: number } | null): boolean {
  return state !== null && (state.mode & 0o170000) === FOLDER_MODE
}

/** The place of a journal path on disk. */
export function placeOf(root: string, path: string): string {
  return isAbsolute(path) ? path : join(root, path)
}

/** The same as what the opener takes. */
export function resolvePlace(path: string, root: string, guard: PathGuard): ResolvedPath | Fault {
  const real = placeOf(root, path)
  const rootOfIt = guard.rootOf(real)
  if (path.includes('\0') || rootOfIt === null || real === rootOfIt || resolve(real) !== real) {
    return fault('BAD_PATH', `${path} is not the path of a file in the workspace.`)
  }
  return { ok: true, absolute: real, relative: path, real, root: rootOfIt }
}

/** Null when there is nothing, also where a folder on the way is a link or a file. */
export function readEntry(at: ResolvedPath, opener: InsideOpener): EntryState | null | Fault {
  const folder = opener.openParent(at, false)
  if (!folder.ok) return folder.code === 'NOT_FOUND' || folder.code === 'OUTSIDE_WORKSPACE' ? null : folder
  try {
    if (folder.real !== dirname(at.real)) return null
    const path = join(folder.handle, basename(at.real))
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? null : readStated(path, stats, at.relative)
  } catch (error) {
    return faultOfError(error, at.relative)
  } finally {
    folder.close()
  }
}

function readStated(path: string, stats: Stats, asked: string): EntryState | Fault {
  if (stats.isDirectory()) return { bytes: NOTHING, mode: FOLDER_MODE | (stats.mode & 0o7777) }
  if (stats.isSymbolicLink()) return { bytes: readlinkSync(path, { encoding: 'buffer' }), mode: LINK_MODE }
  if (!stats.isFile()) return fault('NOT_A_FILE', `${asked} is a device, pipe or socket, not a file.`)
  if (stats.size > MAX_FILE_BYTES) {
    return fault('TOO_LARGE', `${asked} has ${stats.size} bytes, more than the journal keeps.`)
  }
  const fd = openSync(path, READ_FLAGS)
  try {
    return { bytes: readFileSync(fd), mode: fstatSync(fd).mode & 0o7777 }
  } finally {
    closeSync(fd)
  }
}

export interface PutOptions {
  opener: InsideOpener
  durable: boolean
  /** Gets the folders that had to be made. */
  made: string[]
  /** See `WriteOptions.apart`. */
  apart?: boolean
}

/** Makes a path be this file or link; null removes the file or link that is there. */
export function putEntry(at: ResolvedPath, state: EntryState | null, options: PutOptions): Fault | null {
  if (state?.mode === LINK_MODE) return putState(at, state, options)
  return inParent(at, options, state !== null, (handle, name) => {
    const { durable, apart = false } = options
    if (state === null) return removeInFolder(handle, name, at.relative, durable)
    return writeInFolder(handle, name, state.bytes, at.relative, { durable, apart, mode: state.mode })
  })
}

/** Makes a folder, or gives the one that is there this mode. */
export function putFolder(at: ResolvedPath, mode: number, options: PutOptions): Fault | null {
  return inParent(at, options, true, ({ handle }, name) => {
    const path = join(handle, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) mkdirSync(path)
    else if (!stats.isDirectory()) return fault('EXISTS', `${at.relative} is not a folder.`)
    chmodSync(path, mode & 0o7777)
    return { ok: true }
  })
}

/** Removes an empty folder; `false` is one that holds something. */
export function removeFolder(at: ResolvedPath, options: PutOptions): boolean | Fault {
  let empty = true
  const failure = inParent(at, options, false, ({ handle }, name) => {
    try {
      rmdirSync(join(handle, name))
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      empty = false
    }
    return { ok: true }
  })
  return failure ?? empty
}

/** Makes a path another name of a file. */
export function putName(at: ResolvedPath, of: ResolvedPath, options: PutOptions): Fault | null {
  return inParent(at, options, true, ({ handle }, name) => {
    const temporary = join(handle, `.${randomBytes(6).toString('hex')}${TEMPORARY_SUFFIX}`)
    linkSync(of.real, temporary)
    renameSync(temporary, join(handle, name))
    return { ok: true }
  })
}

function inParent(
  at: ResolvedPath,
  { opener, made }: PutOptions,
  make: boolean,
  work: (folder: Extract<ReturnType<InsideOpener['openParent']>, { ok: true }>, name: string) => { ok: true } | Fault,
): Fault | null {
  const folder = opener.openParent(at, make)
  if (!folder.ok) return folder
  made.push(...folder.made)
  try {
    if (folder.real !== dirname(at.real)) {
      return fault('OUTSIDE_WORKSPACE', `${at.relative} goes through a symbolic link now. Nothing was done there.`)
    }
    const done = work(folder, basename(at.real))
    return done.ok ? null : done
  } catch (error) {
    return faultOfError(error, at.relative)
  } finally {
    folder.close()
  }
}
