import type { BlobStore } from './blob-store.ts'
import type { JournalFile, JournalState, JournalStore } from './journal-store.ts'
import { isFolder } from './entry-state.ts'
import { isSealedName } from './seal.ts'
import { collectJournal } from './retention.ts'

interface SealParts {
  blobs: BlobStore
  secretRule: (path: string) => string | null
  now: () => number
}

/**
 * Earlier versions kept contents of secret files in plain: those that entries need are sealed, then all that none needs goes.
 * Called while no other process is at work here; done once.
 */
export function sealOldContents(store: JournalStore, { blobs, secretRule, now }: SealParts): void {
  const seal = (state: JournalState | null): JournalState | null => {
    if (state === null || isFolder(state) || !state.kept || isSealedName(state.hash)) return state
    const bytes = blobs.get(state.hash)
    const name = bytes && blobs.nameOf(bytes, true)
    // Without a key it cannot be kept.
    if (!name) return { ...state, hash: '', kept: false }
    blobs.put(name, bytes, true)
    return { ...state, hash: name }
  }
  for (const { position, files } of store.list()) {
    if (!files.some(({ path }) => secretRule(path) !== null)) continue
    const sealed = files.map((file): JournalFile => {
      if (secretRule(file.path) === null) return file
      return { path: file.path, before: seal(file.before), after: seal(file.after) }
    })
    store.update(position, { files: sealed })
  }
  collectJournal(store, blobs, now())
  blobs.markSealed()
}
