import { MAX_FILE_BYTES } from '../files/read-file.ts'
import { sha256 } from '../files/text-format.ts'
import type { BlobStore } from './blob-store.ts'
import { type EntryState, isFolder } from './entry-state.ts'
import type { JournalState } from './journal-store.ts'
import { isSealedName } from './seal.ts'

export interface KeepParts {
  blobs: BlobStore
  /** The pattern that makes a path secret, or null. */
  secretRule: (path: string) => string | null
}

/** Stores what stands at a path and says so as a journal state; a content over `MAX_FILE_BYTES` is named, not kept. */
export function keepState(
  path: string,
  state: EntryState | null,
  { blobs, secretRule }: KeepParts,
  durable: boolean,
): JournalState | null {
  if (state === null) return null
  if (isFolder(state)) return { hash: '', mode: state.mode, kept: true }
  const hash = secretRule(path) === null ? (state.hash ??= sha256(state.bytes)) : blobs.nameOf(state.bytes, true)
  const kept = hash !== null && state.bytes.length <= MAX_FILE_BYTES
  if (kept) blobs.put(hash, state.bytes, durable)
  return { hash: hash ?? '', mode: state.mode, kept }
}

/** A folder of which nothing is known but that it was made. */
export const ANY_FOLDER: JournalState = { hash: 'any', mode: 0o040000, kept: true }

export function sameState(a: JournalState | null, b: JournalState | null, blobs: BlobStore): boolean {
  if (a === null || b === null) return a === b
  if (isFolder(a) && isFolder(b)) return a.mode === b.mode || a === ANY_FOLDER || b === ANY_FOLDER
  if (!sameMode(a.mode, b.mode)) return false
  if (a.hash === b.hash || isSealedName(a.hash) === isSealedName(b.hash)) return a.hash === b.hash
  // A file that is secret by a rule of today, and was not when it was kept.
  const bytes = blobs.get(a.hash)
  return bytes !== null && hasHash({ bytes, mode: a.mode }, b.hash, blobs)
}

/** Whether what stands there is what the journal says. */
export function isState(now: EntryState | null, state: JournalState | null, blobs: BlobStore): boolean {
  if (now === null || state === null) return now === state
  if (isFolder(now) || isFolder(state)) return isFolder(now) && isFolder(state) && now.mode === state.mode
  return sameMode(now.mode, state.mode) && hasHash(now, state.hash, blobs)
}

/** Mode -1 stands for one that was not known yet. */
function sameMode(a: number, b: number): boolean {
  return a === b || a === -1 || b === -1
}

function hasHash(now: EntryState, hash: string, blobs: BlobStore): boolean {
  if (isSealedName(hash)) return blobs.nameOf(now.bytes, true) === hash
  return (now.hash ??= sha256(now.bytes)) === hash
}
