import { isAbsolute, join } from 'node:path'
import { faultOfError } from '../fault.ts'
import { type FileState, LINK_MODE, readState } from '../files/file-state.ts'
import { sha256 } from '../files/text-format.ts'
import type { JournalState } from './journal-store.ts'
import type { JournalParts } from './journal.ts'
import { keepState } from './keep.ts'
import { type FileStamp, scanFiles } from './scan.ts'

/** Copied before one command at most, all files together. */
export const COPY_LIMIT_BYTES = 64 * 1024 * 1024

/** A file before a command, and where its content is to be had. Neither `hash` nor `blob`: nowhere. */
export interface Snapshot extends FileStamp {
  /** Hash of the content in the journal's own store. */
  hash?: string
}

export type Snapshots = Map<string, Snapshot>

/** Contents in the journal's store, by the stamp the file had when it was kept. */
export type KeptContents = Map<string, { key: string; hash: string }>

/** Looks at all files before a command; a string says why they cannot be looked at. */
export async function takeSnapshots(parts: JournalParts, kept: KeptContents): Promise<Snapshots | string> {
  const { root, guard, git, blobs } = parts
  const scanned = await scanFiles(root, guard, git)
  if (typeof scanned === 'string') return scanned
  const snapshots: Snapshots = new Map()
  let room = COPY_LIMIT_BYTES
  for (const [path, stamp] of scanned) {
    const known = kept.get(path)
    if (known?.key === stamp.key && blobs.has(known.hash)) snapshots.set(path, { ...stamp, hash: known.hash })
    else if (stamp.blob !== undefined) snapshots.set(path, stamp)
    else if (stamp.size > room) snapshots.set(path, stamp)
    else {
      room -= stamp.size
      snapshots.set(path, { ...stamp, ...copyContent(path, stamp, parts, kept) })
    }
  }
  return snapshots
}

function copyContent(path: string, stamp: FileStamp, parts: JournalParts, kept: KeptContents): { hash?: string } {
  const state = stateNow(path, parts)
  if (state === null) return {}
  // Not waited for: what is lost with the power goes with the command that was running.
  parts.blobs.put(state.hash, state.bytes, false)
  kept.set(path, { key: stamp.key, hash: state.hash })
  return { hash: state.hash }
}

export function stateNow(path: string, { guard, opener }: JournalParts): FileState | null {
  const at = guard.resolveEntry(path)
  if (!at.ok) return null
  const state = readState(at, opener)
  return state === null || 'ok' in state ? null : state
}

/** What a file held before, as the journal stores it; undefined when the content is not to be had any more. */
export function stateBefore(
  snapshot: Snapshot,
  contents: ReadonlyMap<string, Buffer>,
  { blobs }: JournalParts,
): JournalState | undefined {
  const mode = snapshot.link ? LINK_MODE : snapshot.mode
  if (snapshot.hash !== undefined) return { hash: snapshot.hash, mode, kept: true }
  const blob = contents.get(snapshot.blob ?? '')
  const bytes = blob === undefined ? null : asCheckedOut(blob, snapshot.size)
  if (bytes === null) return undefined
  try {
    return keepState({ bytes, hash: sha256(bytes), mode }, blobs, false) ?? undefined
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

/** Snapshots as bytes, so that a crash during the command does not lose them. */
export function encodeSnapshots(snapshots: Snapshots): Buffer {
  return Buffer.from(JSON.stringify([...snapshots]))
}

export function decodeSnapshots(bytes: Buffer): Snapshots {
  return new Map(JSON.parse(bytes.toString('utf8')) as [string, Snapshot][])
}

/** The place of a journal path on disk. */
export function placeOf(root: string, path: string): string {
  return isAbsolute(path) ? path : join(root, path)
}
