import type { BlobStore } from './blob-store.ts'
import type { JournalEntry, JournalStore } from './journal-store.ts'
import { decodeSnapshots } from './snapshot.ts'

/** Contents kept for a workspace; see editing-and-safety, "Undo". */
export const JOURNAL_QUOTA_BYTES = 512 * 1024 * 1024
export const JOURNAL_MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000

/**
 * The newest entries stay whatever their age says: a clock that is set forward makes what was done a minute ago look old.
 * The quota bounds them.
 */
export const KEPT_AT_ANY_AGE = 100

export interface Collected {
  /** Entries forgotten, by age and by quota. */
  entries: number
  /** Bytes freed. */
  bytes: number
  /** Bytes of contents that entries still need. */
  kept: number
}

/**
 * Forgets the oldest entries up to the last that is younger than the age, then more of them until the contents of the rest fit
 * the quota. Which entry is older is told by its position: times go back and forth with the clock.
 */
export function collectJournal(
  store: JournalStore,
  blobs: BlobStore,
  now: number,
  quota: number = JOURNAL_QUOTA_BYTES,
): Collected {
  let entries = store.list()
  const young = Math.max(entries.findLastIndex(({ time }) => time >= now - JOURNAL_MAX_AGE_MS) + 1, KEPT_AT_ANY_AGE)
  const oldest = entries[young]
  if (oldest) store.removeThrough(oldest.position)
  let forgotten = Math.max(entries.length - young, 0)
  entries = entries.slice(0, young)
  const sizes = blobs.sizes()
  const needed = new Set<string>()
  let total = 0
  for (const [at, entry] of entries.entries()) {
    const fresh = [...new Set(hashesOf(entry, blobs))].filter((hash) => !needed.has(hash))
    const size = fresh.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0)
    if (total + size > quota) {
      store.removeThrough(entry.position)
      forgotten += entries.length - at
      break
    }
    total += size
    for (const hash of fresh) needed.add(hash)
  }
  return { entries: forgotten, bytes: blobs.collect(needed), kept: total }
}

function hashesOf({ files, snapshot, state }: JournalEntry, blobs: BlobStore): string[] {
  const kept = files.flatMap(({ before, after }) =>
    (before?.kept ? [before.hash] : []).concat(after?.kept ? after.hash : []),
  )
  // A finished command needs its look at the files no more, nor what was copied for it.
  if (snapshot === undefined || state !== 'pending') return kept
  const look = blobs.get(snapshot)
  const snapshots = look && decodeSnapshots(look)
  const copied = [...(snapshots?.stamps.values() ?? [])].flatMap(({ hash }) => hash ?? [])
  return [...kept, snapshot, ...copied]
}
