// What the workspace answers when it will not or cannot do a thing. A fault is a value, never a throw:
// a code from one closed list, a message that names the path and what to do next, and, where it helps,
// the nearest valid choices. Faults of the program itself (a bug) still throw.

export type FaultCode =
  | 'BAD_PATH'
  | 'OUTSIDE_WORKSPACE'
  | 'PROTECTED_PATH'
  | 'SECRET_FILE'
  | 'NOT_FOUND'
  | 'NOT_TEXT'
  | 'IS_DIRECTORY'
  | 'NOT_A_FILE'
  | 'TOO_LARGE'
  | 'EXISTS'
  | 'CHANGED_SINCE'
  | 'NO_PERMISSION'
  | 'READ_ONLY'
  | 'DISK_FULL'
  | 'NO_GIT'
  | 'GIT_FAILED'
  | 'IO_ERROR'

export interface Fault {
  ok: false
  code: FaultCode
  message: string
  /** Existing paths that resemble the one asked for, best first; only with `NOT_FOUND`. */
  near?: string[]
}

export function fault(code: FaultCode, message: string): Fault {
  return { ok: false, code, message }
}

/** Turns an error of `node:fs` about `path` into a fault; what is not an errno error is thrown on. */
export function faultOfError(error: unknown, path: string): Fault {
  const code = (error as NodeJS.ErrnoException | null)?.code
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return fault('NOT_FOUND', `${path} does not exist.`)
    case 'EISDIR':
      return fault('IS_DIRECTORY', `${path} is a folder, not a file.`)
    case 'EACCES':
    case 'EPERM':
      return fault('NO_PERMISSION', `${path}: the system refuses access (${code}). Check the file's owner and mode.`)
    case 'EROFS':
      return fault('READ_ONLY', `${path} lies on a read-only file system.`)
    case 'ENOSPC':
    case 'EDQUOT':
      return fault('DISK_FULL', `${path} could not be written: the disk is full (${code}). Nothing was changed.`)
    case 'ELOOP':
      return fault('OUTSIDE_WORKSPACE', `${path} goes through a symbolic link that may not be followed.`)
    case 'ENAMETOOLONG':
      return fault('BAD_PATH', `${path} is longer than the file system allows.`)
    case undefined:
      throw error
    default:
      return fault('IO_ERROR', `${path}: ${(error as Error).message}`)
  }
}
