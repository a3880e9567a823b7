// Sees what a command changed: stamps of all files before and after, contents from git where the file was tracked and
// clean, else from the journal's own contents, else copied before the command runs. Promises: what it could not keep is named
// in the entry (`notKept`); a crash during the command loses nothing of that. Does not see ignored files, nor what a command
// still does after `finish`.

import { statSync } from 'node:fs'
import { basename, dirname, relative, sep } from 'node:path'
import { faultOfError } from '../fault.ts'
import { LINK_MODE } from '../files/file-state.ts'
import { loadIgnoreRules } from '../files/ignored.ts'
import { MAX_FILE_BYTES } from '../files/read-file.ts'
import { sha256 } from '../files/text-format.ts'
import type { ResolvedPath } from '../paths/guard.ts'
import type { ChangeOrigin } from '../workspace.ts'
import type { JournalEntry, JournalFile, JournalState } from './journal-store.ts'
import type { JournalParts } from './journal.ts'
import { keepState, sameState } from './keep.ts'
import { type FileStamp, scanFiles, stampFile } from './scan.ts'
import {
  decodeSnapshots,
  encodeSnapshots,
  type KeptContents,
  placeOf,
  type Snapshot,
  type Snapshots,
  stateBefore,
  stateNow,
  takeSnapshots,
} from './snapshot.ts'

export interface CommandWatch {
  /** Set when the command is not watched: why. Its changes cannot be undone. */
  unwatched?: string
  /** Stores what the command changed; null when it changed nothing. Call once, when the command has ended. */
  finish(): Promise<CommandChanges | null>
}

export interface CommandChanges {
  entry: JournalEntry
  /** Every path that changed, also those that were not kept. */
  paths: string[]
}

// Times of a file system may lie so far behind the clock (the kernel's tick).
const CLOCK_SLACK_MS = 20

export function createCommandWatcher(parts: JournalParts) {
  const { root, guard, git, store, blobs } = parts
  const kept: KeptContents = new Map()
  const running = new Set<Snapshots>()

  /** The name of a file in the journal: its real path below the root, or the whole of it in an added root. */
  function keyOf(at: ResolvedPath): string {
    return at.root === root ? relative(root, at.real).split(sep).join('/') : at.real
  }

  /** Told of every change that has its entry, null for none or an unknown content; gives the state with the mode the file has now. */
  function wrote(path: string, state: JournalState | null): JournalState | null {
    const stamp = stampFile(placeOf(root, path))
    for (const snapshots of running) {
      // A running command has not made this change.
      if (stamp === null) snapshots.delete(path)
      else snapshots.set(path, state?.kept === true ? { ...stamp, hash: state.hash } : stamp)
    }
    if (state === null || stamp === null) {
      kept.delete(path)
      return state
    }
    if (state.kept) kept.set(path, { key: stamp.key, hash: state.hash })
    return { ...state, mode: stamp.link ? LINK_MODE : stamp.mode }
  }

  async function watch(origin: ChangeOrigin): Promise<CommandWatch> {
    const nothing = async (): Promise<null> => null
    if (isOverHome(root, parts.home)) {
      return { unwatched: 'the workspace holds the home folder', finish: nothing }
    }
    const begun = await begin(origin)
    if (typeof begun === 'string') return { unwatched: begun, finish: nothing }
    const { snapshots, pending } = begun
    running.add(snapshots)
    return {
      async finish() {
        running.delete(snapshots)
        return await settle(pending, snapshots)
      },
    }
  }

  /** Looks at the files and stores the look; a string says why that was not possible. */
  async function begin(origin: ChangeOrigin): Promise<{ snapshots: Snapshots; pending: JournalEntry } | string> {
    try {
      const snapshots = await takeSnapshots(parts, kept)
      if (typeof snapshots === 'string') return snapshots
      const bytes = encodeSnapshots(snapshots)
      const snapshot = sha256(bytes)
      blobs.put(snapshot, bytes, false)
      const { description = origin.tool ?? 'command', ...who } = origin
      const what = {
        kind: 'command' as const,
        description,
        state: 'pending' as const,
        files: [],
        made: [],
        notKept: [],
      }
      const entry = { ...who, ...what, snapshot, time: parts.now() }
      return { snapshots, pending: { ...entry, position: store.append(entry) } }
    } catch (error) {
      return faultOfError(error, 'The journal').message
    }
  }

  /** Finishes the entry of a command during which codehound ended; null when there is nothing to tell. */
  async function resume(entry: JournalEntry): Promise<CommandChanges | null> {
    const bytes = entry.snapshot === undefined ? null : blobs.get(entry.snapshot)
    if (bytes !== null) return await settle(entry, decodeSnapshots(bytes))
    store.update(entry.position, { state: 'dropped' })
    return null
  }

  async function settle(pending: JournalEntry, before: Snapshots): Promise<CommandChanges | null> {
    const scanned = await scanFiles(root, guard, git)
    const after = typeof scanned === 'string' ? new Map<string, FileStamp>() : scanned
    const touched = [...before].filter(([path, old]) => isTouched(path, old, after.get(path))).map(([path]) => path)
    const fresh = [...after].filter(
      ([path, stamp]) => !before.has(path) && stamp.ctimeMs >= pending.time - CLOCK_SLACK_MS,
    )
    const wanted = touched.flatMap((path) => before.get(path)?.blob ?? [])
    const read = wanted.length === 0 ? undefined : await git.blobs(wanted)
    const contents = read?.ok === true ? read.contents : new Map<string, Buffer>()
    const files: JournalFile[] = []
    const notKept: string[] = []
    for (const path of touched) {
      if (isLarge(before.get(path)) || isLarge(after.get(path))) {
        notKept.push(path)
        continue
      }
      const left = keepNow(path)
      const old = stateBefore(before.get(path)!, contents, parts)
      if (old === undefined) notKept.push(path)
      else if (!sameState(old, left)) files.push({ path, before: old, after: left })
    }
    const wasThere = await oldFiles([...touched, ...fresh.map(([path]) => path)], files, pending.time)
    for (const [path, stamp] of fresh) {
      if (wasThere(path, stamp) || isLarge(stamp)) notKept.push(path)
      else files.push({ path, before: null, after: keepNow(path) })
    }
    return finishEntry(pending, files, notKept)
  }

  /**
   * Where the ignore rules changed, an old file that is listed now was there before: removing it would be no undo. One born
   * about when the command began is old when the rules of before left it out of the list.
   */
  async function oldFiles(
    changed: string[],
    files: JournalFile[],
    began: number,
  ): Promise<(path: string, stamp: FileStamp) => boolean> {
    const ruleFiles = changed.filter((path) => basename(path) === '.gitignore')
    if (ruleFiles.length === 0) return () => false
    const before = new Map(files.map((file) => [file.path, file.before]))
    const textOf = (path: string): string => {
      const hash = before.get(path)?.hash
      return (hash === undefined ? null : blobs.get(hash))?.toString('utf8') ?? ''
    }
    const rules = await loadIgnoreRules(root, [], new Map(ruleFiles.map((path) => [path, textOf(path)])))
    return (path, { birthtimeMs }) =>
      birthtimeMs < began - CLOCK_SLACK_MS || (birthtimeMs < began + CLOCK_SLACK_MS && rules.ignores(path, false))
  }

  function finishEntry(pending: JournalEntry, files: JournalFile[], notKept: string[]): CommandChanges | null {
    if (files.length === 0 && notKept.length === 0) {
      store.remove(pending.position)
      return null
    }
    // Commands that still run have not made these changes.
    for (const { path, after } of files) wrote(path, after)
    for (const path of notKept) wrote(path, null)
    const done = { state: 'done' as const, files, made: foldersMade(files, pending.time), notKept }
    store.dropUndone(pending.sessionId)
    store.update(pending.position, done)
    return { entry: { ...pending, ...done }, paths: [...files.map(({ path }) => path), ...notKept] }
  }

  function keepNow(path: string): JournalState | null {
    const now = stateNow(path, parts)
    let state: JournalState | null
    try {
      state = keepState(now, blobs, false)
    } catch (error) {
      // The command ran; that its result cannot be made again is no reason to fail.
      faultOfError(error, path)
      state = now && { hash: now.hash, mode: now.mode, kept: false }
    }
    const stamp = stampFile(placeOf(root, path))
    if (state?.kept === true && stamp !== null) kept.set(path, { key: stamp.key, hash: state.hash })
    return state
  }

  /** A file that is ignored since a rule for it was written is not listed any more; that is no change of it. */
  function isTouched(path: string, old: Snapshot, now: FileStamp | undefined): boolean {
    const stamp = now ?? stampFile(placeOf(root, path))
    return stamp?.key !== old.key
  }

  /** Parents of new files that came into being since the command began. */
  function foldersMade(files: JournalFile[], since: number): string[] {
    const made = new Set<string>()
    for (const { path, before } of files) {
      if (before !== null) continue
      for (let at = dirname(placeOf(root, path)); at.length > root.length && !made.has(at); at = dirname(at)) {
        const stats = statSync(at, { throwIfNoEntry: false })
        if (stats === undefined || stats.birthtimeMs < since - CLOCK_SLACK_MS) break
        made.add(at)
      }
    }
    return [...made]
  }

  return { watch, resume, wrote, keyOf }
}

function isLarge(stamp: FileStamp | undefined): boolean {
  return (stamp?.size ?? 0) > MAX_FILE_BYTES
}

function isOverHome(root: string, home: string): boolean {
  const below = relative(root, home)
  return below === '' || (!below.startsWith('..') && !below.startsWith(sep))
}
