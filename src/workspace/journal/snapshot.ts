import { faultOfError, type Fault } from '../fault.ts'
import { type EntryState, readEntry, resolvePlace } from './entry-state.ts'
import type { RefMark } from '../git/ref-log.ts'
import type { JournalState } from './journal-store.ts'
import type { JournalParts } from './journal.ts'
import { keepState } from './keep.ts'
import { CLOCK_SLACK_MS, type FileStamp, type Look } from './scan.ts'

/** Copied before one command at most, all files together. */
export const COPY_LIMIT_BYTES = 64 * 1024 * 1024

/** What stood at a path before a command, and where its content is to be had. Of a file, neither `hash` nor `blob`: nowhere. */
export interface Snapshot extends FileStamp {
  /** Name of the content in the journal's own store. */
  hash?: string
}

export interface Snapshots extends Look {
  stamps: Map<string, Snapshot>
  /** Where the repository stood. */
  git: RefMark | null
}

/** Contents in the journal's store, by the stamp the file had when it was kept. */
export type KeptContents = Map<string, { key: string; hash: string }>

/** Keeps what would be lost with the files that were looked at, before a command. */
export function takeSnapshots(look: Look, git: RefMark | null, parts: JournalParts, kept: KeptContents): Snapshots {
  const stamps = new Map<string, Snapshot>()
  let room = COPY_LIMIT_BYTES
  for (const [path, stamp] of look.stamps) {
    const known = kept.get(path)
    if (stamp.kind === 'folder' || stamp.kind === 'other') stamps.set(path, stamp)
    else if (known?.key === stamp.key && parts.blobs.has(known.hash)) stamps.set(path, { ...stamp, hash: known.hash })
    else if (stamp.blob !== undefined || stamp.size > room) stamps.set(path, stamp)
    else {
      const copied = copyContent(path, stamp, parts, kept)
      if (copied.fresh) room -= stamp.size
      stamps.set(path, copied.hash === undefined ? stamp : { ...stamp, hash: copied.hash })
    }
  }
  return { ...look, stamps, git }
}

function copyContent(
  path: string,
  stamp: FileStamp,
  parts: JournalParts,
  kept: KeptContents,
): { hash?: string; fresh: boolean } {
  const state = stateNow(path, parts)
  if (state === null || 'ok' in state) return { fresh: false }
  const stored = parts.blobs.written()
  // Not waited for: what is lost with the power goes with the command that was running.
  const { hash, kept: isKept } = keepState(path, state, parts, false)!
  if (!isKept) return { fresh: false }
  remember(kept, path, stamp, hash)
  return { hash, fresh: parts.blobs.written() > stored }
}

/** A file as young as its reading may change again within the same tick, and its stamp would not tell. */
export function remember(kept: KeptContents, path: string, stamp: FileStamp, hash: string): void {
  if (isYoung(stamp, Date.now())) kept.delete(path)
  else kept.set(path, { key: stamp.key, hash })
}

export function isYoung({ ctimeMs }: FileStamp, time: number): boolean {
  return ctimeMs >= time - CLOCK_SLACK_MS
}

/** What stands at a path; a fault where that is nothing the journal can keep. */
export function stateNow(path: string, { root, guard, opener }: JournalParts): EntryState | null | Fault {
  const at = resolvePlace(path, root, guard)
  return at.ok ? readEntry(at, opener) : at
}

/** What a path held before, as the journal stores it; undefined when the content is not to be had any more. */
export function stateBefore(
  path: string,
  { kind, mode, hash, blob, size }: Snapshot,
  contents: ReadonlyMap<string, Buffer>,
  parts: JournalParts,
): JournalState | undefined {
  if (kind === 'folder') return { hash: '', mode, kept: true }
  if (hash !== undefined) return { hash, mode, kept: true }
  const found = contents.get(blob ?? '')
  const bytes = found === undefined ? null : asCheckedOut(found, size)
  if (bytes === null) return undefined
  try {
    const state = keepState(path, { bytes, mode }, parts, false)
    return state?.kept === true ? state : undefined
  } catch (error) {
    // No room for it: then it is named as not kept.
    faultOfError(error, 'The journal')
    return undefined
  }
}

/** The blob as it lay in the work tree: a clean file of the same size is the same, else with CRLF (`core.autocrlf`). */
function asCheckedOut(bytes: Buffer, size: number): Buffer | null {
  if (bytes.length === size) return bytes
  const crlf = Buffer.from(bytes.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
  return crlf.length === size ? crlf : null
}

interface StoredSnapshots {
  stamps: [string, Snapshot][]
  unlisted: [string, string[]][]
  time: number
  git: RefMark | null
}

/** Snapshots as bytes, so that a crash during the command does not lose them. */
export function encodeSnapshots({ stamps, unlisted, time, git }: Snapshots): Buffer {
  const stored: StoredSnapshots = {
    stamps: [...stamps],
    unlisted: [...unlisted].map(([folder, names]) => [folder, [...names]]),
    time,
    git,
  }
  return Buffer.from(JSON.stringify(stored))
}

/** Null for those of an older version, which did not look at folders. */
export function decodeSnapshots(bytes: Buffer): Snapshots | null {
  const { stamps, unlisted, time, git = null } = JSON.parse(bytes.toString('utf8')) as Partial<StoredSnapshots>
  if (stamps === undefined || unlisted === undefined || time === undefined) return null
  const names = new Map(unlisted.map(([folder, inIt]) => [folder, new Set(inIt)]))
  return { stamps: new Map(stamps), unlisted: names, time, git }
}
