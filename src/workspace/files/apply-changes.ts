// Promises: a list of file changes is made as a whole: all are checked first, then recorded, then written in
// order; when one fails the earlier ones are put back. What the files held is given to `record` before the
// first byte is written.

import { closeSync, fstatSync, readFileSync, rmdirSync, type Stats } from 'node:fs'
import { basename } from 'node:path'
import { fault, type Fault } from '../fault.ts'
import type { PathGuard, ResolvedPath } from '../paths/guard.ts'
import type { InsideOpener } from '../paths/open-inside.ts'
import { sha256 } from './text-format.ts'
import { removeInFolder, writeInFolder } from './write-file.ts'

export interface FileWrite {
  path: string
  /** New content; null deletes. A function gets what the file held. */
  content: Buffer | null | ((before: FileState | null) => Buffer)
  /** sha256 the file must have; null: must not exist; absent: anything. */
  expected?: string | null
  mode?: number
}

/** A file as it is or was. */
export interface FileState {
  bytes: Buffer
  /** sha256, hex. */
  hash: string
  /** Permission bits. */
  mode: number
}

export interface PreparedWrite {
  at: ResolvedPath
  before: FileState | null
  after: { bytes: Buffer; hash: string; mode: number | undefined } | null
}

/** Called with everything that is about to be written; what it returns is told how it went. */
export type RecordWrites = (writes: PreparedWrite[]) => { done(made: string[]): void; failed(): void } | Fault

export interface ApplyParts {
  guard: PathGuard
  opener: InsideOpener
  /** Why an existing file may not be written although the guard lets it, or null. */
  refuse(at: ResolvedPath): Fault | null
  record?: RecordWrites
  /** Waits until the disk has it; default true. */
  durable?: boolean
}

export function applyWrites(writes: FileWrite[], parts: ApplyParts): { ok: true; writes: PreparedWrite[] } | Fault {
  const prepared: PreparedWrite[] = []
  for (const write of writes) {
    const one = prepare(write, parts)
    if (!one.ok) return one
    if (prepared.some((other) => other.at.real === one.write.at.real)) {
      return fault('BAD_PATH', `${one.write.at.relative} is changed twice in one call. Put its edits together.`)
    }
    prepared.push(one.write)
  }
  const recorded = parts.record?.(prepared)
  if (recorded !== undefined && 'ok' in recorded) return recorded
  const made: string[] = []
  for (const [at, write] of prepared.entries()) {
    const failure = perform(write, write.after, parts, made)
    if (failure === null) continue
    for (const earlier of prepared.slice(0, at).reverse()) perform(earlier, earlier.before, parts, made)
    removeEmptyFolders(made)
    recorded?.failed()
    return failure
  }
  recorded?.done(made)
  return { ok: true, writes: prepared }
}

function prepare(write: FileWrite, parts: ApplyParts): { ok: true; write: PreparedWrite } | Fault {
  const at = parts.guard.resolve(write.path, 'write')
  if (!at.ok) return at
  if (at.real === at.root) return fault('IS_DIRECTORY', `${at.relative} is a folder, not a file.`)
  const before = stateOf(at, parts.opener)
  if (before !== null && 'ok' in before) return before
  const refused = before === null ? null : parts.refuse(at)
  if (refused !== null) return refused
  if (write.expected !== undefined && write.expected !== (before?.hash ?? null)) {
    if (write.expected === null) return fault('EXISTS', `${at.relative} already exists.`)
    if (before === null) return fault('CHANGED_SINCE', `${at.relative} was deleted since it was read.`)
    return fault('CHANGED_SINCE', `${at.relative} changed since it was read. Read it again.`)
  }
  if (write.content === null && before === null) return fault('NOT_FOUND', `${at.relative} does not exist.`)
  const content = typeof write.content === 'function' ? write.content(before) : write.content
  const mode = write.mode ?? before?.mode
  const after = content === null ? null : { bytes: content, hash: sha256(content), mode }
  return { ok: true, write: { at, before, after } }
}

/** What a file holds now; null when there is none. */
export function stateOf(at: ResolvedPath, opener: InsideOpener): FileState | null | Fault {
  const opened = opener.openFile(at)
  if (!opened.ok) return opened.code === 'NOT_FOUND' ? null : opened
  try {
    const stats: Stats = fstatSync(opened.fd)
    if (stats.isDirectory()) return fault('IS_DIRECTORY', `${at.relative} is a folder, not a file.`)
    if (!stats.isFile()) return fault('NOT_A_FILE', `${at.relative} is a device, pipe or socket, not a file.`)
    const bytes = readFileSync(opened.fd)
    return { bytes, hash: sha256(bytes), mode: stats.mode & 0o7777 }
  } finally {
    closeSync(opened.fd)
  }
}

function perform(
  { at }: PreparedWrite,
  state: { bytes: Buffer; mode: number | undefined } | null,
  { opener, durable = true }: ApplyParts,
  made: string[],
): Fault | null {
  const folder = opener.openParent(at, state !== null)
  if (!folder.ok) return folder
  made.push(...folder.made)
  try {
    const name = basename(at.real)
    const options = state?.mode === undefined ? { durable } : { durable, mode: state.mode }
    const done =
      state === null
        ? removeInFolder(folder, name, at.relative)
        : writeInFolder(folder, name, state.bytes, at.relative, options)
    return done.ok ? null : done
  } finally {
    folder.close()
  }
}

/** Removes folders that a change made and that hold nothing any more, innermost first. */
export function removeEmptyFolders(made: string[]): void {
  for (const folder of [...made].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder)
    } catch {
      // Somebody put something in it meanwhile: it stays.
    }
  }
}
