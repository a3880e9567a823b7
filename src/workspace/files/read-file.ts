import { closeSync, fstatSync, readSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { fault, type Fault } from '../fault.ts'
import type { FsFacts } from '../paths/facts.ts'
import type { PathGuard, ResolvedPath } from '../paths/guard.ts'
import type { InsideOpener } from '../paths/open-inside.ts'
import { nearestPaths } from './nearest-paths.ts'
import { decodeText, sha256, whyNotText, type TextFormat } from './text-format.ts'

/** Largest file that is read, journalled and edited whole; see editing-and-safety, "Undo". */
export const MAX_FILE_BYTES = 64 * 1024 * 1024

export interface FileBytes {
  ok: true
  /** Relative to the root, as `ResolvedPath.relative`. */
  path: string
  /** Where the file really lies. */
  real: string
  bytes: Buffer
  /** sha256 of the bytes, hex. */
  hash: string
  stats: Stats
}

export interface TextFile {
  ok: true
  path: string
  /** Line ends as in the file, no byte order mark. */
  text: string
  /** sha256 of the bytes, hex. */
  hash: string
  /** Bytes. */
  size: number
  /** Milliseconds since 1970. */
  mtimeMs: number
  format: TextFormat
}

export interface ReadOptions {
  /** Bytes; default `MAX_FILE_BYTES`. */
  maxBytes?: number
}

export interface FileReader {
  readBytes(path: string, options?: ReadOptions): FileBytes | Fault
  readText(path: string, options?: ReadOptions): TextFile | Fault
}

export interface FileReaderParts {
  guard: PathGuard
  facts: FsFacts
  opener: InsideOpener
  /** The pattern that makes a real or relative path secret, or null. */
  secretRule: (path: string) => string | null
}

export function createFileReader({ guard, facts, opener, secretRule }: FileReaderParts): FileReader {
  function refuseSecret(path: string, ...names: string[]): Fault | null {
    const rule = names.map((name) => secretRule(name)).find((found) => found !== null)
    if (rule === undefined || rule === null) return null
    return fault(
      'SECRET_FILE',
      `${path} is not read: it matches the secret file pattern "${rule}". Only the user can allow it.`,
    )
  }

  function notFound(at: ResolvedPath): Fault {
    const near = nearestPaths(at, facts)
    const hint = near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ` Use list_files on ${dirname(at.relative)}.`
    return { ...fault('NOT_FOUND', `${at.relative} does not exist.${hint}`), near }
  }

  function readBytes(path: string, options: ReadOptions = {}): FileBytes | Fault {
    const at = guard.resolve(path, 'read')
    if (!at.ok) return at
    const secret = refuseSecret(at.relative, at.relative, at.real)
    if (secret !== null) return secret
    const opened = opener.openFile(at)
    if (!opened.ok) return opened.code === 'NOT_FOUND' ? notFound(at) : opened
    try {
      // What was opened may be another file than what was resolved a moment ago.
      const swapped = refuseSecret(at.relative, opened.real)
      if (swapped !== null) return swapped
      const stats = fstatSync(opened.fd)
      if (stats.isDirectory()) {
        return fault('IS_DIRECTORY', `${at.relative} is a folder. Use list_files to see what is in it.`)
      }
      if (!stats.isFile()) return fault('NOT_A_FILE', `${at.relative} is a device, pipe or socket, not a file.`)
      const limit = options.maxBytes ?? MAX_FILE_BYTES
      if (stats.size > limit) {
        return fault(
          'TOO_LARGE',
          `${at.relative} has ${stats.size} bytes; at most ${limit} are read. Use search_text on it.`,
        )
      }
      const bytes = readAll(opened.fd, stats.size)
      return { ok: true, path: at.relative, real: opened.real, bytes, hash: sha256(bytes), stats }
    } finally {
      closeSync(opened.fd)
    }
  }

  function readText(path: string, options: ReadOptions = {}): TextFile | Fault {
    const file = readBytes(path, options)
    if (!file.ok) return file
    const wrong = whyNotText(file.bytes)
    if (wrong !== null) return fault('NOT_TEXT', `${file.path} ${wrong} (${file.bytes.length} bytes).`)
    const { text, format } = decodeText(file.bytes, file.stats.mode & 0o7777)
    const { mtimeMs } = file.stats
    return { ok: true, path: file.path, text, hash: file.hash, size: file.bytes.length, mtimeMs, format }
  }

  return { readBytes, readText }
}

/** Reads to the end, also of a file that grew or shrank since it was measured. */
function readAll(fd: number, size: number): Buffer {
  const chunks: Buffer[] = []
  // One byte more than measured: a single read then also finds the end.
  let room = size + 1
  for (;;) {
    const chunk = Buffer.allocUnsafe(room)
    const got = readSync(fd, chunk, 0, room, null)
    chunks.push(chunk.subarray(0, got))
    if (got === 0) break
    room = 64 * 1024
  }
  return chunks.length === 2 ? chunks[0]! : Buffer.concat(chunks)
}
