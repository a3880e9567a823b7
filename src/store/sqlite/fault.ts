import { StoreError } from '../store-error.ts'

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html; the low byte of an extended code. */
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26

interface SqliteError extends Error {
  errcode: number
}

/** An earlier process met damage in this file, so it counts as damaged although it opens. */
export class DamageFound extends Error {
  readonly errcode = CORRUPT

  constructor() {
    super('damage was found in it before')
    this.name = 'DamageFound'
  }
}

/** What SQLite says of the definition of a virtual table that it cannot read, under the code of any error. */
const BAD_DEFINITION =
  /^(?:parse error in |vtable constructor failed|malformed database schema|no such (?:table|column|module)|table \S+ has no column)/

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined
  return BAD_DEFINITION.test(error.message) ? CORRUPT : (error as SqliteError).errcode & 0xff
}

/** Whether SQLite says that the file itself is damaged or is no database. */
export function isCorrupt(error: unknown): boolean {
  const code = resultCode(error instanceof StoreError ? error.cause : error)
  return code === CORRUPT || code === NOTADB
}

/** Turns what SQLite throws into a StoreError; anything else comes back unchanged. */
export function toStoreError(error: unknown, file: string, newer: boolean): unknown {
  if (isFileError(error)) return cannotOpen(file, error.code, error)
  const code = resultCode(error)
  if (code === undefined) return error
  const reason = (error as Error).message
  switch (code) {
    case READONLY:
      return newer
        ? new StoreError(
            'newer',
            `${file} was written by a newer codehound and is open read-only`,
            'Update codehound (npm install -g codehound@latest), or run with --ephemeral to store nothing.',
            error,
          )
        : new StoreError(
            'read_only',
            `${file} cannot be written (${reason})`,
            'Make the file and its folder writable, point XDG_DATA_HOME at a folder that is, or run with --ephemeral to store nothing.',
            error,
          )
    case CANTOPEN:
      return cannotOpen(file, reason, error)
    case FULL:
      return new StoreError(
        'disk_full',
        `the disk is full: ${file} could not be written`,
        'Free some space and try again; what was stored before is safe. `codehound sessions purge --older 90d` frees old sessions.',
        error,
      )
    case BUSY:
    case LOCKED:
      return new StoreError(
        'busy',
        `${file} is held by another process (${reason})`,
        'Try again; if it stays so, end the other codehound process.',
        error,
      )
    case CORRUPT:
    case NOTADB:
      return new StoreError(
        'corrupt',
        `${file} is damaged (${reason})`,
        'Start codehound again: it sets the damaged file aside and keeps what can be read.',
        error,
      )
    case IOERR:
      return new StoreError(
        'io',
        `${file} could not be read or written (${reason})`,
        'Check the disk (free space, file system errors) and try again.',
        error,
      )
    default:
      return new StoreError('io', `${file}: ${reason}`, 'Please report this: it is a fault of codehound.', error)
  }
}

/** A new file is made by Node and not by SQLite; EACCES, EROFS, ENOENT, ENOTDIR, ENOSPC and their like. */
function isFileError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}

function cannotOpen(file: string, reason: string, cause: unknown): StoreError {
  return new StoreError(
    reason === 'ENOSPC' ? 'disk_full' : 'read_only',
    `${file} cannot be opened (${reason})`,
    'Check that its folder exists and is writable, point XDG_DATA_HOME at one that is, or run with --ephemeral to store nothing.',
    cause,
  )
}
