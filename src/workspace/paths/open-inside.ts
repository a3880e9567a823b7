// Promises: what is opened here lies inside the workspace at the moment it is used, even when a folder on the
// way is swapped for a link while we look. On Linux every step goes through a handle: /proc/self/fd/N is the
// folder that was checked, whatever its name points to by now. Elsewhere the real path is compared before
// and after, which leaves a gap of microseconds (`raceSafe: false`, said in the status).

import { closeSync, constants, fstatSync, mkdirSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fault, faultOfError, type Fault } from '../fault.ts'
import type { FsFacts } from './facts.ts'
import type { Intent, PathGuard, ResolvedPath } from './guard.ts'
import { protectedPart } from './names.ts'

export interface OpenedFile {
  ok: true
  fd: number
  /** Where the open file really lies. */
  real: string
}

export interface OpenedFolder {
  ok: true
  /** A path that stands for the checked folder as long as it is open. */
  handle: string
  /** Where the folder really lies. */
  real: string
  /** Folders that had to be made, outermost first, real paths. */
  made: string[]
  close(): void
}

// O_NONBLOCK: opening a FIFO must not wait for a writer.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

export function createInsideOpener(guard: PathGuard, facts: FsFacts) {
  function realOfFd(fd: number, path: string): string | null {
    if (facts.procFd) return readlinkSync(`/proc/self/fd/${fd}`)
    const real = realpathSync.native(path)
    const [byName, byHandle] = [statSync(real), fstatSync(fd)]
    return byName.ino === byHandle.ino && byName.dev === byHandle.dev ? real : null
  }

  /** Null when the open file or folder may be used for this intent. */
  function whyNot(real: string | null, asked: string, intent: Intent): Fault | null {
    const root = real === null ? null : guard.rootOf(real)
    if (real === null || root === null) {
      return fault(
        'OUTSIDE_WORKSPACE',
        `${asked} was moved or swapped for a link while it was opened. Nothing was done.`,
      )
    }
    const parts = relative(root, real).split(sep).filter(Boolean)
    if (intent === 'write' && protectedPart(parts, facts) !== null) {
      return fault('PROTECTED_PATH', `${asked} is not written by tools, because programs run what is in it.`)
    }
    return null
  }

  function openChecked(path: string, flags: number, asked: string, intent: Intent): OpenedFile | Fault {
    let fd: number
    try {
      fd = openSync(path, flags)
    } catch (error) {
      return faultOfError(error, asked)
    }
    try {
      const real = realOfFd(fd, path)
      const refused = whyNot(real, asked, intent)
      if (refused === null && real !== null) return { ok: true, fd, real }
      closeSync(fd)
      return refused ?? fault('OUTSIDE_WORKSPACE', `${asked} could not be traced to its real path.`)
    } catch (error) {
      closeSync(fd)
      return faultOfError(error, asked)
    }
  }

  /** Opens an existing file for reading; the caller closes `fd`. */
  function openFile(at: ResolvedPath): OpenedFile | Fault {
    return openChecked(at.real, READ_FLAGS, at.relative, 'read')
  }

  /** Opens the folder that holds `at`, for writing in it; with `make`, missing folders are made. */
  function openParent(at: ResolvedPath, make: boolean): OpenedFolder | Fault {
    const missing: string[] = []
    let existing = dirname(at.real)
    while (facts.realpath(existing) === null && existing !== dirname(existing)) {
      missing.unshift(basename(existing))
      existing = dirname(existing)
    }
    if (missing.length > 0 && !make) return fault('NOT_FOUND', `${at.relative} does not exist.`)
    // Only the last folder is written in: `.codehound` is passed through on the way to `.codehound/notes`.
    const intentAt = (left: number): Intent => (left === 0 ? 'write' : 'read')
    let folder = openChecked(existing, FOLDER_FLAGS, at.relative, intentAt(missing.length))
    const made: string[] = []
    for (const [place, name] of missing.entries()) {
      if (!folder.ok) break
      const from: OpenedFile = folder
      const step = facts.procFd ? `/proc/self/fd/${from.fd}/${name}` : join(from.real, name)
      try {
        mkdirSync(step)
        made.push(join(from.real, name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
          closeSync(from.fd)
          return faultOfError(error, at.relative)
        }
      }
      folder = openChecked(step, FOLDER_FLAGS, at.relative, intentAt(missing.length - 1 - place))
      closeSync(from.fd)
    }
    if (!folder.ok) return folder
    const { fd, real } = folder
    return { ok: true, handle: facts.procFd ? `/proc/self/fd/${fd}` : real, real, made, close: () => closeSync(fd) }
  }

  return { openFile, openParent, raceSafe: facts.procFd }
}

export type InsideOpener = ReturnType<typeof createInsideOpener>
