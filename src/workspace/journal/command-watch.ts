// Sees what a command changed: stamps of all files before and after, contents from git where the file was tracked and
// clean, else from the journal's own contents, else copied before the command runs. Promises: what it could not keep is named
// in the entry (`notKept`). Does not see ignored files, nor what a command still does after `finish`.

import { dirname, join, relative, sep } from 'node:path'
import { statSync } from 'node:fs'
import { type FileState, LINK_MODE, readState } from '../files/file-state.ts'
import { MAX_FILE_BYTES } from '../files/read-file.ts'
import { sha256 } from '../files/text-format.ts'
import type { ResolvedPath } from '../paths/guard.ts'
import type { ChangeOrigin } from '../workspace.ts'
import type { JournalEntry, JournalFile, JournalState } from './journal-store.ts'
import type { JournalParts } from './journal.ts'
import { keepState, sameState } from './keep.ts'
import { type FileStamp, scanFiles, stampFile } from './scan.ts'

/** Copied before one command at most, all files together. */
export const COPY_LIMIT_BYTES = 64 * 1024 * 1024

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

/** A file before the command. */
interface Snapshot extends FileStamp {
  /** Hash of the content in our own store. */
  hash?: string
  /** Blob of git that holds the content. */
  blob?: string
}

export function createCommandWatcher(parts: JournalParts & { durable: boolean }) {
  const { root, guard, opener, git, store, blobs } = parts
  /** Contents in our store, by the stamp the file had then. */
  const kept = new Map<string, { key: string; hash: string }>()
  const running = new Set<Map<string, Snapshot>>()

  /** The name of a file in the journal: its real path below the root, or the whole of it in an added root. */
  function keyOf(at: ResolvedPath): string {
    return at.root === root ? relative(root, at.real).split(sep).join('/') : at.real
  }

  function fileOf(path: string): string {
    return path.startsWith(sep) ? path : join(root, path)
  }

  /** Told of every write of our own; gives the state with the mode the file has now. */
  function wrote(path: string, state: JournalState | null): JournalState | null {
    const stamp = state === null ? null : stampFile(fileOf(path))
    for (const snapshots of running) {
      // A running command has not made this change.
      if (stamp === null || state === null) snapshots.delete(path)
      else snapshots.set(path, { ...stamp, hash: state.hash })
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
    const [scanned, status, tracked] = await Promise.all([
      scanFiles(root, guard, git),
      git.status(),
      git.trackedBlobs(),
    ])
    if (typeof scanned === 'string') return { unwatched: scanned, finish: nothing }
    const dirty = new Set(status.ok ? status.entries.flatMap(({ path, from }) => [path, from ?? path]) : [])
    const clean = status.ok && tracked.ok ? tracked.blobs : new Map<string, string>()
    const snapshots = new Map<string, Snapshot>()
    let room = COPY_LIMIT_BYTES
    for (const [path, stamp] of scanned) {
      const known = kept.get(path)
      const blob = dirty.has(path) || stamp.link ? undefined : clean.get(path)
      if (known?.key === stamp.key && blobs.has(known.hash)) snapshots.set(path, { ...stamp, hash: known.hash })
      else if (blob !== undefined) snapshots.set(path, { ...stamp, blob })
      else if (stamp.size > room) snapshots.set(path, stamp)
      else {
        room -= stamp.size
        snapshots.set(path, { ...stamp, ...copy(path, stamp) })
      }
    }
    running.add(snapshots)
    const startedAt = parts.now()
    return {
      async finish() {
        running.delete(snapshots)
        return await settle(snapshots, startedAt, origin)
      },
    }
  }

  function copy(path: string, stamp: FileStamp): { hash?: string } {
    const state = stateNow(path)
    if (state === null || state.bytes.length > MAX_FILE_BYTES) return {}
    // Not waited for: what is lost with the power goes with the command that was running.
    blobs.put(state.hash, state.bytes, false)
    kept.set(path, { key: stamp.key, hash: state.hash })
    return { hash: state.hash }
  }

  function stateNow(path: string): FileState | null {
    const at = guard.resolveEntry(path)
    if (!at.ok) return null
    const state = readState(at, opener)
    return state === null || 'ok' in state ? null : state
  }

  async function settle(
    before: Map<string, Snapshot>,
    startedAt: number,
    origin: ChangeOrigin,
  ): Promise<CommandChanges | null> {
    const scanned = await scanFiles(root, guard, git)
    const after = typeof scanned === 'string' ? new Map<string, FileStamp>() : scanned
    const touched = [...before.keys()].filter((path) => isTouched(path, before.get(path)!, after.get(path)))
    const fresh = [...after.keys()].filter((path) => !before.has(path))
    if (touched.length === 0 && fresh.length === 0) return null
    const wanted = touched.flatMap((path) => before.get(path)?.blob ?? [])
    const read = wanted.length === 0 ? undefined : await git.blobs(wanted)
    const contents = read?.ok === true ? read.contents : new Map<string, Buffer>()
    const files: JournalFile[] = []
    const notKept: string[] = []
    for (const path of [...touched, ...fresh]) {
      const now = stateNow(path)
      const left = keepState(now, blobs, false)
      const stamp = stampFile(fileOf(path))
      if (left?.kept === true && stamp !== null) kept.set(path, { key: stamp.key, hash: left.hash })
      const snapshot = before.get(path)
      const old = snapshot === undefined ? null : contentBefore(snapshot, contents)
      if (old === undefined) notKept.push(path)
      else if (!sameState(old, left)) files.push({ path, before: old, after: left })
    }
    if (files.length === 0 && notKept.length === 0) return null
    const { description = origin.tool ?? 'command', ...who } = origin
    const made = foldersMade(files, startedAt)
    store.dropUndone(origin.sessionId)
    const entry = {
      ...who,
      kind: 'command' as const,
      description,
      state: 'done' as const,
      files,
      made,
      notKept,
      time: parts.now(),
    }
    const position = store.append(entry)
    return { entry: { ...entry, position }, paths: [...files.map(({ path }) => path), ...notKept] }
  }

  /** Ignored files are not listed any more once a rule for them is written; that is no change of theirs. */
  function isTouched(path: string, old: Snapshot, now: FileStamp | undefined): boolean {
    const stamp = now ?? stampFile(fileOf(path))
    return stamp?.key !== old.key
  }

  /** Undefined when the content before is not to be had any more. */
  function contentBefore(snapshot: Snapshot, contents: Map<string, Buffer>): JournalState | undefined {
    const mode = snapshot.link ? LINK_MODE : snapshot.mode
    if (snapshot.hash !== undefined) return { hash: snapshot.hash, mode, kept: true }
    const blob = contents.get(snapshot.blob ?? '')
    const bytes = blob === undefined ? null : asCheckedOut(blob, snapshot.size)
    return bytes === null ? undefined : (keepState({ bytes, hash: sha256(bytes), mode }, blobs, false) ?? undefined)
  }

  /** Parents of new files that came into being since the command began. */
  function foldersMade(files: JournalFile[], since: number): string[] {
    const made = new Set<string>()
    for (const { path, before } of files) {
      if (before !== null) continue
      for (let at = dirname(fileOf(path)); at.length > root.length && !made.has(at); at = dirname(at)) {
        const stats = statSync(at, { throwIfNoEntry: false })
        // Times of a file system may be coarser than ours.
        if (stats === undefined || stats.birthtimeMs < since - 20) break
        made.add(at)
      }
    }
    return [...made]
  }

  return { watch, wrote, keyOf }
}

/** The blob as it lay in the work tree: a clean file of the same size is the same, else with CRLF (`core.autocrlf`). */
function asCheckedOut(bytes: Buffer, size: number): Buffer | null {
  if (bytes.length === size) return bytes
  const crlf = Buffer.from(bytes.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
  return crlf.length === size ? crlf : null
}

function isOverHome(root: string, home: string): boolean {
  const below = relative(root, home)
  return below === '' || (!below.startsWith('..') && !below.startsWith(sep))
}
