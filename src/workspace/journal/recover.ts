import { type FileState, readState } from '../files/file-state.ts'
import type { JournalEntry, JournalFile, JournalState, JournalStore } from './journal-store.ts'
import { performRestore, type RestoreParts, type RestoreStep } from './restore.ts'

export interface Recovered {
  /** Changes that had been made in full. */
  kept: JournalEntry[]
  /** Changes that were taken back, or had not begun. */
  reverted: JournalEntry[]
  /** Files that are neither as before nor as after: left alone, to be told to the user. */
  unclear: string[]
}

/**
 * Settles entries a crash left pending: files that are all as after the change stay, else each file that the change had reached,
 * also one written half (in place), goes back to before.
 */
export function recoverEntries(store: JournalStore, parts: RestoreParts): Recovered {
  const result: Recovered = { kept: [], reverted: [], unclear: [] }
  for (const entry of store.list({ states: ['pending'] })) {
    const found = entry.files.map((file) => stateOf(file, parts))
    if (found.every(({ like }) => like === 'after' || like === 'same')) {
      store.update(entry.position, { state: 'done' })
      result.kept.push(entry)
      continue
    }
    const steps = found.flatMap(({ step, like }) =>
      step !== null && like !== 'before' && like !== 'unclear' ? [step] : [],
    )
    const failure = performRestore(steps, entry.made, parts)
    result.unclear.push(...found.filter(({ like }) => like === 'unclear').map(({ path }) => path))
    if (failure !== null) result.unclear.push(...steps.map(({ at }) => at.relative))
    // An undo that was cut short is finished by this, a change that was is gone: neither is there any more.
    store.update(entry.position, { state: 'dropped' })
    result.reverted.push(entry)
  }
  return result
}

interface Found {
  path: string
  like: 'before' | 'after' | 'same' | 'half' | 'unclear'
  step: RestoreStep | null
}

function stateOf(file: JournalFile, parts: RestoreParts): Found {
  const { path, before, after } = file
  const at = parts.guard.resolveEntry(path)
  if (!at.ok) return { path, like: 'unclear', step: null }
  const now = readState(at, parts.opener)
  if (now !== null && 'ok' in now) return { path, like: 'unclear', step: null }
  const step: RestoreStep = { at, now, target: before }
  const [isBefore, isAfter] = [isLike(now, before), isLike(now, after)]
  if (isBefore && isAfter) return { path, like: 'same', step }
  if (isBefore) return { path, like: 'before', step }
  if (isAfter) return { path, like: 'after', step }
  const half = now !== null && isHalfWritten(now, before, after, parts)
  return { path, like: half ? 'half' : 'unclear', step }
}

/** Mode -1 stands for one that was not known yet. */
function isLike(now: FileState | null, state: JournalState | null): boolean {
  if (now === null || state === null) return now === state
  return now.hash === state.hash && (state.mode < 0 || now.mode === state.mode)
}

/** Whether a file is the beginning of its new content over the rest of its old one, as a write in place leaves it. */
function isHalfWritten(
  now: FileState,
  before: JournalState | null,
  after: JournalState | null,
  { blobs }: RestoreParts,
): boolean {
  const old = before === null ? null : blobs.get(before.hash)
  const wanted = after === null ? null : blobs.get(after.hash)
  if (old === null || wanted === null) return false
  const { bytes } = now
  let written = 0
  while (written < wanted.length && written < bytes.length && wanted[written] === bytes[written]) written += 1
  // From there on it is the old content; the two may agree around the seam, so any earlier seam will do as well.
  let same = bytes.length === Math.max(old.length, written) ? bytes.length : -1
  if (same < 0) return false
  while (same > 0 && same <= old.length && bytes[same - 1] === old[same - 1]) same -= 1
  return same <= written
}
