import type { FileState } from '../files/file-state.ts'
import { MAX_FILE_BYTES } from '../files/read-file.ts'
import type { BlobStore } from './blob-store.ts'
import type { JournalState } from './journal-store.ts'

/** Stores what a file holds and says so as a journal state; a content over `MAX_FILE_BYTES` is named, not kept. */
export function keepState(
  state: Pick<FileState, 'bytes' | 'hash' | 'mode'> | null,
  blobs: BlobStore,
  durable: boolean,
): JournalState | null {
  if (state === null) return null
  const kept = state.bytes.length <= MAX_FILE_BYTES
  if (kept) blobs.put(state.hash, state.bytes, durable)
  return { hash: state.hash, mode: state.mode, kept }
}

export function sameState(
  a: Pick<JournalState, 'hash' | 'mode'> | null,
  b: Pick<JournalState, 'hash' | 'mode'> | null,
): boolean {
  if (a === null || b === null) return a === b
  return a.hash === b.hash && a.mode === b.mode
}
