import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What the guard must know of a file system; tests pass others to play macOS and Windows on Linux. */
export interface FsFacts {
  separator: '/' | '\\'
  /** `README.md` and `readme.md` are one file. */
  caseInsensitive: boolean
  /** Composed and decomposed letters are one name (APFS, HFS+). */
  foldsUnicode: boolean
  /** Windows' reserved names, alternate streams (`a:b`) and trailing dots count. */
  windowsNames: boolean
  /** Open files can be traced back to their real path through /proc/self/fd (Linux). */
  procFd: boolean
  /** The real path with every link resolved, or null where nothing exists. */
  realpath(path: string): string | null
  /** The target of a symbolic link, or null where there is none. */
  readlink(path: string): string | null
  /** Names in a folder, or an empty list. */
  names(folder: string): string[]
}

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** Whether the file system that holds `folder` folds case: seen by asking for the folder under other letters. */
function foldsCase(folder: string): boolean {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const name = basename(at)
    const swapped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()
    if (swapped === name) continue
    const here = orNull(() => lstatSync(at))
    const there = orNull(() => lstatSync(join(dirname(at), swapped)))
    return here !== null && there !== null && here.ino === there.ino && here.dev === there.dev
  }
  return process.platform === 'darwin' || process.platform === 'win32'
}

export function factsOf(root: string): FsFacts {
  const windows = process.platform === 'win32'
  return {
    separator: windows ? '\\' : '/',
    caseInsensitive: foldsCase(root),
    foldsUnicode: process.platform === 'darwin',
    windowsNames: windows,
    procFd: process.platform === 'linux' && existsSync('/proc/self/fd'),
    realpath: (path) => orNull(() => realpathSync.native(path)),
    readlink: (path) => orNull(() => readlinkSync(path)),
    names: (folder) => orNull(() => readdirSync(folder)) ?? [],
  }
}
