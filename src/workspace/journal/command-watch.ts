// Sees what a command changed: stamps of all files and folders before and after, contents from git where the file was tracked and
// clean, else from the journal's own contents, else copied before the command runs. Promises: what it could not keep is named
// in the entry (`notKept`); a crash during the command loses nothing of that. Does not see ignored files, nor what a command
// still does after `finish`.

import { dirname, relative, sep } from 'node:path'
import { faultOfError } from '../fault.ts'
import { sha256 } from '../files/text-format.ts'
import type { ResolvedPath } from '../paths/guard.ts'
import type { ChangeOrigin } from '../workspace.ts'
import { compareLooks } from './command-changes.ts'
import { placeOf } from './entry-state.ts'
import { changedPaths, gitSteps, type JournalEntry, type JournalState, lostPaths } from './journal-store.ts'
import type { JournalParts } from './journal.ts'
import { createScanner, stampPath } from './scan.ts'
import {
  decodeSnapshots,
  encodeSnapshots,
  type KeptContents,
  remember,
  type Snapshots,
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
  /** What it did to the repository, which undo does not take back. */
  git: string[]
}

export function createCommandWatcher(parts: JournalParts) {
  const { root, git, store, blobs } = parts
  const kept: KeptContents = new Map()
  const running = new Set<Snapshots>()
  const scan = createScanner(root, git)

  /** The name of a file in the journal: its real path below the root, or the whole of it in an added root. */
  function keyOf(at: ResolvedPath): string {
    return at.root === root ? relative(root, at.real).split(sep).join('/') : at.real
  }

  /** Told of every change that has its entry, null for none or an unknown content; gives the state with the mode the file has now. */
  function wrote(path: string, state: JournalState | null): JournalState | null {
    const stamp = stampPath(placeOf(root, path))
    for (const { stamps } of running) {
      // A running command has not made this change, nor the folders for it.
      if (stamp === null) stamps.delete(path)
      else stamps.set(path, state?.kept === true && stamp.kind !== 'folder' ? { ...stamp, hash: state.hash } : stamp)
      for (let at = dirname(path); at !== '.' && at !== '/' && !stamps.has(at); at = dirname(at)) {
        const folder = stampPath(placeOf(root, at))
        if (folder !== null) stamps.set(at, folder)
      }
    }
    if (state === null || stamp === null) {
      kept.delete(path)
      return state
    }
    if (stamp.kind === 'folder') return state
    if (state.kept) remember(kept, path, stamp, state.hash)
    return { ...state, mode: stamp.mode }
  }

  /** Folders that an undo took away, so that no running command is thought to have. */
  function removed(folders: readonly string[]): void {
    for (const folder of folders) {
      const path = relative(root, folder).split(sep).join('/')
      if (stampPath(folder) === null) for (const { stamps } of running) stamps.delete(path)
    }
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
      const look = await scan()
      if (typeof look === 'string') return look
      const snapshots = takeSnapshots(look, await git.mark(), parts, kept)
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
    const snapshots = bytes && decodeSnapshots(bytes)
    if (snapshots !== null) return await settle(entry, snapshots)
    store.update(entry.position, { state: 'dropped' })
    return null
  }

  async function settle(pending: JournalEntry, before: Snapshots): Promise<CommandChanges | null> {
    const { files, notKept } = await compareLooks(before, await scan(), pending.time, parts, kept)
    if (files.length === 0 && notKept.length === 0) {
      store.remove(pending.position)
      return null
    }
    // Commands that still run have not made these changes.
    for (const { path, after } of files) wrote(path, after)
    for (const path of lostPaths({ notKept })) wrote(path, null)
    const git = gitSteps({ notKept })
    // What changed no file is told, and stands in nobody's way to an earlier change.
    const state = files.length === 0 && git.length === notKept.length ? ('dropped' as const) : ('done' as const)
    const done = { state, files, notKept }
    if (state === 'done') store.dropUndone(pending.sessionId)
    store.update(pending.position, done)
    return { entry: { ...pending, ...done }, paths: [...changedPaths(files), ...lostPaths(done)], git }
  }

  return { watch, resume, wrote, removed, keyOf }
}

function isOverHome(root: string, home: string): boolean {
  const below = relative(root, home)
  return below === '' || (!below.startsWith('..') && !below.startsWith(sep))
}
