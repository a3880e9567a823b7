// The record of every change, so that it can be taken back. Promises: an entry with what the files held is stored before
// the first byte is written; undo gives back content, line ends, byte order mark, mode and absence, and refuses where
// somebody changed a file since; what a command changed counts as well (command-watch.ts), folders, links and modes too. Works
// without git. Does not undo commits or branch switches, only files, and not what was ignored or too large: that is named.

import type { FileDiff } from '../../protocol/index.ts'
import { diffFile } from '../diff/file-diff.ts'
import { fault, faultOfError, type Fault } from '../fault.ts'
import type { PreparedWrite, RecordedWrites } from '../files/apply-changes.ts'
import { whyNotText } from '../files/text-format.ts'
import type { Git } from '../git/git.ts'
import type { PathGuard } from '../paths/guard.ts'
import type { InsideOpener } from '../paths/open-inside.ts'
import type { ChangeOrigin } from '../workspace.ts'
import type { BlobStore } from './blob-store.ts'
import { type CommandWatch, createCommandWatcher } from './command-watch.ts'
import { isFolder, placeOf } from './entry-state.ts'
import { changedPaths, gitSteps, type JournalEntry, type JournalState, type JournalStore } from './journal-store.ts'
import { keepState } from './keep.ts'
import { otherNames } from './other-names.ts'
import { recoverEntries, type Recovered } from './recover.ts'
import { performPlan } from './perform-restore.ts'
import { planRestore, type RestoreConflict } from './restore.ts'
import { collectJournal, type Collected, JOURNAL_QUOTA_BYTES } from './retention.ts'
import { stampPath } from './scan.ts'
import { sealOldContents } from './seal-old.ts'

export interface JournalParts {
  root: string
  guard: PathGuard
  opener: InsideOpener
  git: Git
  store: JournalStore
  blobs: BlobStore
  /** The pattern that makes a path secret, or null: such contents are kept sealed, and not shown. */
  secretRule: (path: string) => string | null
  /** Milliseconds since 1970. */
  now: () => number
  /** The user's home folder: commands are not watched over it. */
  home: string
  /** Waits for the disk; default true. */
  durable?: boolean
}

export type Undone =
  /** `git`: what was done to the repository since, and stays. */
  | { ok: true; entries: JournalEntry[]; paths: string[]; git: string[] }
  | {
      ok: false
      code: 'NOTHING' | 'CONFLICT' | 'NOT_KEPT' | Fault['code']
      message: string
      conflicts?: RestoreConflict[]
    }

export interface Journal {
  /** Stores the entry of a change that is about to be made; used by `Workspace.apply`. */
  record(writes: PreparedWrite[], origin: ChangeOrigin): RecordedWrites | Fault
  /** Looks at the files before a command; `finish` of the answer stores what it changed. */
  watchCommand(origin: ChangeOrigin): Promise<CommandWatch>
  /** Newest first; default the entries that can be undone or redone, and the commands that changed the repository alone. */
  changes(filter?: { sessionId?: string; limit?: number; all?: boolean }): JournalEntry[]
  /** The diffs of an entry; files that are no text, or were not kept, have no hunks and a note. */
  diffOf(entry: JournalEntry): FileDiff[]
  /** Takes the last changes of a session back, or of the workspace without one. */
  undo(options?: { sessionId?: string; count?: number }): Undone
  redo(options?: { sessionId?: string; count?: number }): Undone
  checkpoint(checkpoint: { sessionId: string; runId: string; userSeq: number }): void
  /** Takes back every change of a session since its run that began with this user message. */
  rewind(sessionId: string, userSeq: number): Undone
  /** Settles what a crash left half-done; nothing while another process is at work here. Call before the first change. */
  recover(): Promise<Recovered>
  /** Forgets entries and contents beyond age and quota. */
  collect(): Collected
  /** Whether nothing was collected here for a day. */
  collectDue(): boolean
}

// Collecting walks all contents: in the middle of a session it waits until the quota is well passed.
const COLLECT_ABOVE_BYTES = 1.1 * JOURNAL_QUOTA_BYTES
const COLLECT_EVERY_MS = 24 * 60 * 60 * 1000

export function openJournal(parts: JournalParts): Journal {
  const { store, blobs, now } = parts
  const durable = parts.durable ?? true
  const { root, guard, opener, secretRule } = parts
  const restore = { root, guard, opener, blobs, secretRule, durable }
  const watcher = createCommandWatcher(parts)
  const openedAt = store.last()
  // Bytes that are surely stored: those left by the last collection and those written since.
  let storedBytes = 0
  let countedAt = 0

  function record(writes: PreparedWrite[], origin: ChangeOrigin): RecordedWrites | Fault {
    try {
      return recordEntry(writes, origin)
    } catch (error) {
      // What cannot be recorded is not done.
      const { code, message } = faultOfError(error, 'The journal')
      return fault(code, `${message} Without an entry for undo no file is changed.`)
    }
  }

  function recordEntry(writes: PreparedWrite[], origin: ChangeOrigin): RecordedWrites {
    // The after-content is kept as well, so the next edit of the file finds its before-content stored.
    const files = writes.map(({ at, before, after }) => {
      const path = watcher.keyOf(at)
      const left = after && { ...after, mode: after.mode ?? -1 }
      const was = keepState(path, before, parts, durable)
      // A write goes to all names of a file, and so does its undo; one that is deleted has to find the others again.
      const names = was === null || left !== null ? undefined : otherNames(root, path)
      const named = was !== null && names !== undefined ? { ...was, names } : was
      return { path, before: named, after: keepState(path, left, parts, false) }
    })
    store.dropUndone(origin.sessionId)
    const { description = describe(writes), ...who } = origin
    const entry = { ...who, kind: 'edit' as const, description, files, made: [], notKept: [], time: now() }
    const position = store.append({ ...entry, state: 'pending' })
    return {
      done(made) {
        // A new file's mode is the umask's affair, so it is known only now.
        for (const file of files) file.after = watcher.wrote(file.path, file.after)
        store.update(position, { state: 'done', made, files })
        if (storedBytes + blobs.written() - countedAt > COLLECT_ABOVE_BYTES) collect()
      },
      failed: () => store.update(position, { state: 'dropped' }),
    }
  }

  /** Where a file has several names, each change was made to all of them: then they are taken back one by one. */
  function takeBack(entries: JournalEntry[], to: 'before' | 'after'): Undone {
    if (entries.length === 1 || !entries.some((entry) => hasLinks(entry, root))) return takeBackAtOnce(entries, to)
    const done: JournalEntry[] = []
    const paths = new Set<string>()
    for (const entry of entries) {
      const one = takeBackAtOnce([entry], to)
      if (!one.ok) {
        const back = to === 'before' ? 'after' : 'before'
        for (const earlier of done.toReversed()) takeBackAtOnce([earlier], back)
        return one
      }
      done.push(entry)
      for (const path of one.paths) paths.add(path)
    }
    return { ok: true, entries, paths: [...paths], git: stepsSince(entries) }
  }

  function takeBackAtOnce(entries: JournalEntry[], to: 'before' | 'after'): Undone {
    const plan = planRestore(entries, to, restore)
    if (!plan.ok) return plan
    const made = to === 'before' ? entries.flatMap((entry) => entry.made) : []
    // Marked first: a crash in between is settled by `recover`, towards the state the files are in.
    for (const entry of entries) store.update(entry.position, { state: 'pending' })
    const failure = performPlan(plan, made, restore)
    const undone = (failure === null) === (to === 'before')
    for (const entry of entries) store.update(entry.position, { state: undone ? 'undone' : 'done' })
    if (failure !== null) return failure
    for (const { path, target } of plan.steps) watcher.wrote(path, target)
    watcher.removed(made)
    const files = plan.steps.map(({ path, now, target }) => ({
      path,
      before: now && { hash: '', mode: now.mode, kept: true },
      after: target,
    }))
    return { ok: true, entries, paths: changedPaths(files), git: stepsSince(entries) }
  }

  /** What commands did to the repository in these entries, and since the first of them without changing a file. */
  function stepsSince(entries: readonly JournalEntry[]): string[] {
    const first = Math.min(...entries.map(({ position }) => position))
    const dropped = store.list({ ...forSession(entries[0]?.sessionId), states: ['dropped'], after: first })
    return [...dropped.filter(({ files }) => files.length === 0), ...entries]
      .toSorted((a, b) => a.position - b.position)
      .flatMap(gitSteps)
  }

  function undo({ sessionId, count = 1 }: { sessionId?: string; count?: number } = {}): Undone {
    const entries = store.list({ ...forSession(sessionId), states: ['done'], limit: count })
    return entries.length === 0 ? nothing('undo') : takeBack(entries, 'before')
  }

  function redo({ sessionId, count = 1 }: { sessionId?: string; count?: number } = {}): Undone {
    const entries = store
      .list({ ...forSession(sessionId), states: ['undone'] })
      .slice(-count)
      .reverse()
    return entries.length === 0 ? nothing('redo') : takeBack(entries, 'after')
  }

  function rewind(sessionId: string, userSeq: number): Undone {
    const position = store.checkpoint(sessionId, userSeq)
    if (position === undefined) return { ok: true, entries: [], paths: [], git: [] }
    const entries = store.list({ sessionId, states: ['done'], after: position })
    return entries.length === 0 ? { ok: true, entries, paths: [], git: [] } : takeBack(entries, 'before')
  }

  function changes({ sessionId, limit = Infinity, all }: Parameters<Journal['changes']>[0] = {}): JournalEntry[] {
    const filter = forSession(sessionId)
    if (all === true) return store.list({ ...filter, ...(limit === Infinity ? {} : { limit }) })
    const listed = store.list({ ...filter, states: ['done', 'undone'], ...(limit === Infinity ? {} : { limit }) })
    // What changed the repository alone is told as well.
    const after = listed.length < limit ? 0 : (listed.at(-1)?.position ?? 0)
    const told = store
      .list({ ...filter, states: ['dropped'], after })
      .filter(({ kind, files }) => kind === 'command' && files.length === 0)
      .filter((entry) => gitSteps(entry).length > 0)
    if (told.length === 0) return listed
    return [...listed, ...told].toSorted((a, b) => b.position - a.position).slice(0, limit)
  }

  async function recover(): Promise<Recovered> {
    if (blobs.shared()) return { kept: [], reverted: [], unclear: [] }
    // What this process has under way is not left over.
    const left = store.list({ states: ['pending'] }).filter((entry) => entry.position <= openedAt)
    const recovered = await recoverEntries(left, store, restore, watcher.resume)
    if (!blobs.isSealed()) sealOldContents(store, parts)
    return recovered
  }

  function collect(): Collected {
    countedAt = blobs.written()
    const collected = collectJournal(store, blobs, now())
    storedBytes = collected.kept
    return collected
  }

  return {
    record,
    watchCommand: (origin) => watcher.watch(origin),
    changes,
    diffOf: (entry) =>
      entry.files.flatMap(({ path, before, after }) => {
        if ((before === null || isFolder(before)) && (after === null || isFolder(after))) return []
        return diffOfFile(path, before, after, parts)
      }),
    undo,
    redo,
    checkpoint: (checkpoint) => store.addCheckpoint({ ...checkpoint, position: store.last() }),
    rewind,
    recover,
    collect,
    collectDue: () => now() - blobs.collectedAt() > COLLECT_EVERY_MS,
  }
}

function forSession(sessionId: string | undefined): { sessionId?: string } {
  return sessionId === undefined ? {} : { sessionId }
}

function nothing(what: 'undo' | 'redo'): Undone {
  return { ok: false, code: 'NOTHING', message: `There is nothing to ${what}.` }
}

function describe(writes: PreparedWrite[]): string {
  return writes
    .map(({ at, before, after }) => `${after === null ? 'delete' : before === null ? 'create' : 'edit'} ${at.relative}`)
    .join(', ')
}

function diffOfFile(
  path: string,
  before: JournalState | null,
  after: JournalState | null,
  { blobs, secretRule }: JournalParts,
): FileDiff {
  const change = before === null ? 'created' : after === null ? 'deleted' : 'modified'
  const empty = { path, change, added: 0, removed: 0, hunks: [] } as const
  if (secretRule(path) !== null) return { ...empty, hunks: [], note: 'a secret file, not shown' }
  const [old, wanted] = [before, after].map((state) =>
    state === null || isFolder(state) ? null : blobs.get(state.hash),
  )
  if (isLost(before, old) || isLost(after, wanted)) return { ...empty, hunks: [], note: 'the content was not kept' }
  if ([old, wanted].some((bytes) => bytes && whyNotText(bytes) !== null))
    return { ...empty, hunks: [], note: 'not text' }
  const note = before !== null && after !== null && before.mode !== after.mode ? modeNote(before, after) : undefined
  return diffFile(
    path,
    old?.toString('utf8') ?? null,
    wanted?.toString('utf8') ?? null,
    note === undefined ? {} : { note },
  )
}

function isLost(state: JournalState | null, bytes: Buffer | null | undefined): boolean {
  return state !== null && !isFolder(state) && !bytes
}

/** Whether a file of the entry has, or had, several names. */
function hasLinks({ files }: JournalEntry, root: string): boolean {
  return files.some(({ path, before, after }) => {
    if (before?.names !== undefined || after?.names !== undefined) return true
    const stamp = stampPath(placeOf(root, path))
    return stamp?.kind === 'file' && stamp.inode !== undefined
  })
}

function modeNote(before: JournalState, after: JournalState): string {
  return `mode ${before.mode.toString(8)} to ${after.mode.toString(8)}`
}
