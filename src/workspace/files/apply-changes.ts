// Promises: a list of file changes is made as a whole: all are checked first, then recorded, then written in
// order; when one fails the earlier ones are put back. What the files held is given to `record` before the
// first byte is written.

import { rmdirSync } from 'node:fs'
import { fault, type Fault } from '../fault.ts'
import type { PathGuard, ResolvedPath } from '../paths/guard.ts'
import type { InsideOpener } from '../paths/open-inside.ts'
import { type FileState, putState, readState } from './file-state.ts'
import { sha256 } from './text-format.ts'

export interface FileWrite {
  path: string
  /** New content; null deletes. A function gets what the file held. */
  content: Buffer | null | ((before: FileState | null) => Buffer)
  /** sha256 the file must have; null: must not exist; absent: anything. */
  expected?: string | null
  mode?: number
}

export interface PreparedWrite {
  at: ResolvedPath
  before: FileState | null
  after: { bytes: Buffer; hash: string; mode: number | undefined } | null
}

/** Called with everything that is about to be written; what it returns is told how it went. */
export type RecordWrites = (writes: PreparedWrite[]) => RecordedWrites | Fault

export interface RecordedWrites {
  /** All is written; `made` are the folders that had to be made, real paths. */
  done(made: string[]): void
  /** Nothing is written, or all is as it was. */
  failed(): void
}

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
  const how = { opener: parts.opener, durable: parts.durable ?? true, made }
  for (const [at, write] of prepared.entries()) {
    const failure = putState(write.at, write.after, how)
    if (failure === null) continue
    for (const earlier of prepared.slice(0, at).reverse()) putState(earlier.at, earlier.before, how)
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
  const before = readState(at, parts.opener)
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

/** Removes folders that a change made and that hold nothing any more, innermost first. */
export function removeEmptyFolders(made: readonly string[]): void {
  for (const folder of made.toSorted((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder)
    } catch {
      // Somebody put something in it meanwhile: it stays.
    }
  }
}
