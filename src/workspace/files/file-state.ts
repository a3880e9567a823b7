import { closeSync, fstatSync, lstatSync, readFileSync, readlinkSync, renameSync, symlinkSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { fault, faultOfError, type Fault } from '../fault.ts'
import type { ResolvedPath } from '../paths/guard.ts'
import type { InsideOpener, OpenedFolder } from '../paths/open-inside.ts'
import { MAX_FILE_BYTES } from './read-file.ts'
import { sha256 } from './text-format.ts'
import { removeInFolder, TEMPORARY_SUFFIX, writeInFolder } from './write-file.ts'

/** What stands in the place of permission bits for a symbolic link; its bytes are the target (stat.h, S_IFLNK). */
export const LINK_MODE = 0o120000

/** Stands before the permission bits of a folder (stat.h, S_IFDIR). */
export const FOLDER_MODE = 0o040000

/** A file, or a link itself, as it is or was. */
export interface FileState {
  bytes: Buffer
  /** sha256, hex. */
  hash: string
  /** Permission bits, or `LINK_MODE`. */
  mode: number
}

/** What a file holds now, or the link that stands there; null when there is nothing. */
export function readState(at: ResolvedPath, opener: InsideOpener): FileState | null | Fault {
  const opened = opener.openFile(at)
  if (!opened.ok) {
    if (opened.code === 'NOT_FOUND') return null
    // ELOOP is all that says "a link"; it comes as this code.
    return (opened.code === 'OUTSIDE_WORKSPACE' ? linkState(at, opener) : null) ?? opened
  }
  try {
    const stats = fstatSync(opened.fd)
    if (stats.isDirectory()) return fault('IS_DIRECTORY', `${at.relative} is a folder, not a file.`)
    if (!stats.isFile()) return fault('NOT_A_FILE', `${at.relative} is a device, pipe or socket, not a file.`)
    if (stats.size > MAX_FILE_BYTES) {
      const limit = MAX_FILE_BYTES / 2 ** 20
      return fault(
        'TOO_LARGE',
        `${at.relative} has ${stats.size} bytes. Files over ${limit} MiB cannot be kept for undo; change it by a command.`,
      )
    }
    const bytes = readFileSync(opened.fd)
    return { bytes, hash: sha256(bytes), mode: stats.mode & 0o7777 }
  } finally {
    closeSync(opened.fd)
  }
}

/** A link is met only where links are not followed, that is when the journal puts something back. */
function linkState(at: ResolvedPath, opener: InsideOpener): FileState | null {
  const folder = opener.openParent(at, false)
  if (!folder.ok) return null
  try {
    const path = join(folder.handle, basename(at.real))
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return null
    const bytes = readlinkSync(path, { encoding: 'buffer' })
    return { bytes, hash: sha256(bytes), mode: LINK_MODE }
  } finally {
    folder.close()
  }
}

/** Makes a file be what `state` says; null removes it. Folders that had to be made are added to `made`. */
export function putState(
  at: ResolvedPath,
  state: { bytes: Buffer; mode: number | undefined } | null,
  { opener, durable, made }: { opener: InsideOpener; durable: boolean; made: string[] },
): Fault | null {
  const folder = opener.openParent(at, state !== null)
  if (!folder.ok) return folder
  made.push(...folder.made)
  try {
    const name = basename(at.real)
    if (state?.mode === LINK_MODE) return putLink(folder, name, state.bytes, at.relative)
    const options = state?.mode === undefined ? { durable } : { durable, mode: state.mode }
    const done =
      state === null
        ? removeInFolder(folder, name, at.relative, durable)
        : writeInFolder(folder, name, state.bytes, at.relative, options)
    return done.ok ? null : done
  } finally {
    folder.close()
  }
}

function putLink(folder: OpenedFolder, name: string, target: Buffer, asked: string): Fault | null {
  const temporary = join(folder.handle, `.${randomBytes(6).toString('hex')}${TEMPORARY_SUFFIX}`)
  try {
    symlinkSync(target, temporary)
    renameSync(temporary, join(folder.handle, name))
    return null
  } catch (error) {
    return faultOfError(error, asked)
  }
}
