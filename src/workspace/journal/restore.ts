// Puts files back. Promises: all or nothing, and only where every file is still what the journal left there; where somebody
// changed one since, nothing is touched and the difference is shown.

import { readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FileDiff } from '../../protocol/index.ts'
import { diffFile } from '../diff/file-diff.ts'
import { fault, type Fault } from '../fault.ts'
import { removeEmptyFolders } from '../files/apply-changes.ts'
import { type FileState, putState, readState } from '../files/file-state.ts'
import { whyNotText } from '../files/text-format.ts'
import type { PathGuard, ResolvedPath } from '../paths/guard.ts'
import type { InsideOpener } from '../paths/open-inside.ts'
import type { BlobStore } from './blob-store.ts'
import type { JournalEntry, JournalState } from './journal-store.ts'
import { sameState } from './keep.ts'

export interface RestoreParts {
  guard: PathGuard
  opener: InsideOpener
  blobs: BlobStore
  /** Waits until the disk has it. */
  durable: boolean
}

/** A file that somebody changed since: what the journal left there against what is there. */
export interface RestoreConflict {
  path: string
  /** Undefined for a file that is no text, or whose old content was not kept. */
  diff?: FileDiff
}

export type RestorePlan =
  | { ok: true; steps: RestoreStep[] }
  | { ok: false; code: 'CONFLICT'; message: string; conflicts: RestoreConflict[] }
  | { ok: false; code: 'NOT_KEPT'; message: string; paths: string[] }
  | (Fault & { conflicts?: undefined })

export interface RestoreStep {
  at: ResolvedPath
  now: FileState | null
  target: JournalState | null
}

/**
 * Walks entries in the order given, each from the state on its `from` side to the one on its `to` side, in memory; what every file
 * must become is the plan.
 */
export function planRestore(
  entries: readonly JournalEntry[],
  to: 'before' | 'after',
  parts: RestoreParts,
): RestorePlan {
  const from = to === 'before' ? 'after' : 'before'
  const found = new Map<string, { at: ResolvedPath; now: FileState | null; state: JournalState | null }>()
  const conflicts = new Map<string, RestoreConflict>()
  for (const entry of entries) {
    for (const file of entry.files) {
      const known = found.get(file.path) ?? lookUp(file.path, parts)
      if ('ok' in known) {
        conflicts.set(file.path, { path: file.path })
        continue
      }
      found.set(file.path, known)
      // Already as it is to be: the user did it by hand.
      if (sameState(known.state, file[to])) continue
      if (sameState(known.state, file[from])) known.state = file[to]
      else if (!conflicts.has(file.path)) conflicts.set(file.path, conflictOf(file.path, file[from], known.now, parts))
    }
  }
  if (conflicts.size > 0) {
    const paths = [...conflicts.keys()]
    const named = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '')
    const message = `${named} changed since, by somebody else. Nothing was ${to === 'before' ? 'undone' : 'redone'}.`
    return { ok: false, code: 'CONFLICT', message, conflicts: [...conflicts.values()] }
  }
  const steps = [...found.values()]
    .filter(({ now, state }) => !sameState(now, state))
    .map(({ at, now, state }): RestoreStep => ({ at, now, target: state }))
  const lost = steps.filter(({ target }) => target !== null && (!target.kept || !parts.blobs.has(target.hash)))
  if (lost.length === 0) return { ok: true, steps }
  const paths = lost.map(({ at }) => at.relative)
  return {
    ok: false,
    code: 'NOT_KEPT',
    message: `The content of ${paths.join(', ')} was not kept. Nothing was changed.`,
    paths,
  }
}

function lookUp(path: string, { guard, opener }: RestoreParts) {
  const at = guard.resolveEntry(path)
  if (!at.ok) return at
  const now = readState(at, opener)
  if (now !== null && 'ok' in now) {
    // A folder that stands where a file was may be one the same entry made, and gone by the time the file comes back.
    return now.code === 'IS_DIRECTORY' ? { at, now: null, state: null } : now
  }
  return { at, now, state: now === null ? null : { hash: now.hash, mode: now.mode, kept: true } }
}

function conflictOf(
  path: string,
  left: JournalState | null,
  now: FileState | null,
  { blobs }: RestoreParts,
): RestoreConflict {
  const before = left === null ? null : blobs.get(left.hash)
  if ((left !== null && before === null) || [before, now?.bytes].some((bytes) => bytes && whyNotText(bytes) !== null)) {
    return { path }
  }
  return { path, diff: diffFile(path, before?.toString('utf8') ?? null, now?.bytes.toString('utf8') ?? null) }
}

/** Does what a plan says; on a failure what was done is taken back. `made` of the entries are removed when empty. */
export function performRestore(
  steps: readonly RestoreStep[],
  made: readonly string[],
  parts: RestoreParts,
): Fault | null {
  const freshlyMade: string[] = []
  const how = { opener: parts.opener, durable: parts.durable, made: freshlyMade }
  // What goes makes room for what comes: a file may take the place of a folder.
  const gone = steps.filter((step) => step.target === null)
  const ordered = [...gone, ...steps.filter((step) => step.target !== null)]
  const done: RestoreStep[] = []
  for (const step of ordered) {
    if (step.target !== null && step.now === null) clearEmptyFolder(step.at.real)
    const failure = performStep(step, parts.blobs, how)
    if (failure !== null) {
      for (const earlier of done.reverse()) putState(earlier.at, earlier.now, how)
      removeEmptyFolders(freshlyMade)
      return failure
    }
    done.push(step)
  }
  removeEmptyFolders(made)
  return null
}

/** A folder without files where a file is to be: what was in it went with an earlier step. */
function clearEmptyFolder(path: string): void {
  try {
    for (const name of readdirSync(path)) clearEmptyFolder(join(path, name))
    rmdirSync(path)
  } catch {
    // No folder, or not empty: writing the file will say so.
  }
}

function performStep({ at, target }: RestoreStep, blobs: BlobStore, how: Parameters<typeof putState>[2]): Fault | null {
  if (target === null) return putState(at, null, how)
  const bytes = blobs.get(target.hash)
  if (bytes === null) return fault('IO_ERROR', `The kept content of ${at.relative} is damaged. Nothing was changed.`)
  return putState(at, { bytes, mode: target.mode }, how)
}
