// Promises: a file is either its old self or its new self, never half of each: a temporary file in the same
// folder, fsync, rename. Mode bits stay. A file with several links or another owner is written in place
// (a rename would cut the link or change the owner); its before-content must be stored by then.

import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { faultOfError, type Fault } from '../fault.ts'
import type { OpenedFolder } from '../paths/open-inside.ts'

/** Ends the name of a temporary file; scans and watchers leave such names out. */
export const TEMPORARY_SUFFIX = '.codehound-tmp'
const NEW_FILE_MODE = 0o666
const PRIVATE_MODE = 0o600
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

export interface WriteOptions {
  /** Permission bits; default those of the existing file, else 0o666 less the umask. */
  mode?: number
  /** Waits until the disk has it; default true. */
  durable?: boolean
  /** The file gets an inode of its own although it has several names; default false: all names get the content. */
  apart?: boolean
}

/** Writes `bytes` as `name` in an opened folder; `asked` names the file in a fault. */
export function writeInFolder(
  folder: OpenedFolder,
  name: string,
  bytes: Uint8Array,
  asked: string,
  options: WriteOptions = {},
): { ok: true; how: 'renamed' | 'in-place' } | Fault {
  const durable = options.durable ?? true
  const path = join(folder.handle, name)
  try {
    const existing = lstatSync(path, { throwIfNoEntry: false })
    const mode = options.mode ?? (existing?.isFile() === true ? existing.mode & 0o7777 : undefined)
    if (existing !== undefined && options.apart !== true && mustStayInPlace(existing)) {
      writeInPlace(path, bytes, mode, durable)
      return { ok: true, how: 'in-place' }
    }
    try {
      writeByRename(folder.handle, name, bytes, mode, durable)
      return { ok: true, how: 'renamed' }
    } catch (error) {
      // A folder that may not be written but holds a file that may.
      const code = (error as NodeJS.ErrnoException).code
      if (existing === undefined || (code !== 'EACCES' && code !== 'EPERM')) throw error
      writeInPlace(path, bytes, mode, durable)
      return { ok: true, how: 'in-place' }
    }
  } catch (error) {
    return faultOfError(error, asked)
  }
}

export function removeInFolder(
  folder: OpenedFolder,
  name: string,
  asked: string,
  durable = true,
): { ok: true } | Fault {
  try {
    unlinkSync(join(folder.handle, name))
    if (durable) syncFolder(folder.handle)
    return { ok: true }
  } catch (error) {
    return faultOfError(error, asked)
  }
}

function mustStayInPlace(stats: Stats): boolean {
  return stats.isFile() && (stats.nlink > 1 || (process.getuid !== undefined && stats.uid !== process.getuid()))
}

function writeByRename(
  handle: string,
  name: string,
  bytes: Uint8Array,
  mode: number | undefined,
  durable: boolean,
): void {
  // 200: with the rest the name stays below the 255 bytes a file system allows.
  const temporary = join(handle, `.${cut(name, 200)}.${randomBytes(6).toString('hex')}${TEMPORARY_SUFFIX}`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW
  // Until it has its mode, what may be a private file is for its owner alone.
  const fd = openSync(temporary, flags, mode === undefined ? NEW_FILE_MODE : PRIVATE_MODE)
  try {
    try {
      writeAll(fd, bytes)
      if (mode !== undefined) fchmodSync(fd, mode)
      if (durable) fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, join(handle, name))
  } catch (error) {
    unlinkSync(temporary)
    throw error
  }
  if (durable) syncFolder(handle)
}

function writeInPlace(path: string, bytes: Uint8Array, mode: number | undefined, durable: boolean): void {
  const fd = openSync(path, constants.O_WRONLY | NO_FOLLOW)
  try {
    writeAll(fd, bytes)
    ftruncateSync(fd, bytes.length)
    if (durable) fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  if (mode !== undefined && (lstatSync(path).mode & 0o7777) !== mode) chmodSync(path, mode)
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at)
}

/** Makes a name durable. Not every file system can (EINVAL on some network drives): then the content alone is. */
function syncFolder(handle: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(handle, constants.O_RDONLY)
  try {
    fsyncSync(fd)
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EBADF'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    closeSync(fd)
  }
}

function cut(name: string, bytes: number): string {
  return Buffer.byteLength(name) <= bytes
    ? name
    : Buffer.from(name).subarray(0, bytes).toString('utf8').replaceAll('\ufffd', '')
}
