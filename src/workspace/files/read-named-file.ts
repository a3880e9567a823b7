import { readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { fault, faultOfError, type Fault } from '../fault.ts'
import { MAX_FILE_BYTES } from './read-file.ts'

/** Whether a path says the whole way itself, from the root or the home folder. */
export const isWholePath = (path: string): boolean => isAbsolute(path) || /^~[/\\]/.test(path)

const inFull = (path: string): string => (path.startsWith('~') ? join(homedir(), path.slice(2)) : path)

/** Whether a whole path names a file. */
export function isNamedFile(path: string): boolean {
  try {
    return isWholePath(path) && statSync(inFull(path)).isFile()
  } catch {
    return false
  }
}

/**
 * Reads a file outside of the workspace that the user at the prompt named by its whole path, as when it is dropped on the
 * terminal. Never for a path of a model, a file or a script; secret files stay unread.
 */
export function readNamedFile(
  path: string,
  secretRule: (path: string) => string | null,
): { ok: true; bytes: Buffer } | Fault {
  const whole = inFull(path)
  try {
    const real = realpathSync(whole)
    const rule = secretRule(whole) ?? secretRule(real)
    if (rule !== null) return fault('SECRET_FILE', `${path} is not read: it matches the secret file pattern "${rule}".`)
    const stats = statSync(real)
    if (!stats.isFile()) return fault('NOT_A_FILE', `${path} is no file.`)
    if (stats.size > MAX_FILE_BYTES)
      return fault('TOO_LARGE', `${path} has ${stats.size} bytes; at most ${MAX_FILE_BYTES} are read.`)
    return { ok: true, bytes: readFileSync(real) }
  } catch (error) {
    return faultOfError(error, path)
  }
}
