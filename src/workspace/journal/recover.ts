import { readdirSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TEMPORARY_SUFFIX } from '../files/write-file.ts'
import type { ResolvedPath } from '../paths/guard.ts'
import { type EntryState, isFolder, readEntry, resolvePlace } from './entry-state.ts'
import type { JournalEntry, JournalFile, JournalState, JournalStore } from './journal-store.ts'
import { isState } from './keep.ts'
import { type FolderMove, imageOf, moveFolders, movesOf, settleMoves, tagOf } from './move-folders.ts'
import { OPEN_BITS, performRestore } from './perform-restore.ts'
import type { RestoreParts, RestoreStep } from './restore.ts'

export interface Recovered {
  /** Changes that had been made in full. */
  kept: JournalEntry[]
  /** Changes that were taken back, or had not begun. */
  reverted: JournalEntry[]
  /** Files that are neither as before nor as after: left alone, to be told to the user. */
  unclear: string[]
}

/** Finishes the entry of a command that was running when codehound ended. */
type ResumeCommand = (entry: JournalEntry) => Promise<{ entry: JournalEntry } | null>

/**
 * Settles entries a crash left pending: files that are all as after the change stay, else each file that the change had reached,
 * also one written half (in place), goes back to before. What a command had changed by then is recorded.
 */
export async function recoverEntries(
  entries: readonly JournalEntry[],
  store: JournalStore,
  parts: RestoreParts,
  resume: ResumeCommand,
): Promise<Recovered> {
  const result: Recovered = { kept: [], reverted: [], unclear: [] }
  const commands = entries.filter((entry) => entry.snapshot !== undefined && entry.files.length === 0)
  for (const group of groupsOf(entries.filter((entry) => !commands.includes(entry))))
    settle(group, store, parts, result)
  for (const entry of commands) {
    const changes = await resume(entry)
    if (changes !== null) result.kept.push(changes.entry)
  }
  return result
}

/**
 * Entries of one session, which one undo or redo left, and those that have files in common, directly or through others. One of
 * several that stood alone would leave a folder without what came before it.
 */
function groupsOf(entries: readonly JournalEntry[]): JournalEntry[][] {
  let groups: { entries: JournalEntry[]; paths: Set<string> }[] = []
  for (const entry of entries) {
    const paths = new Set(entry.files.map((file) => file.path))
    const touching = groups.filter(
      (group) =>
        group.entries.some(({ sessionId }) => sessionId === entry.sessionId) ||
        [...paths].some((path) => group.paths.has(path)),
    )
    const joined = {
      entries: [entry, ...touching.flatMap((group) => group.entries)],
      paths: new Set([...paths, ...touching.flatMap((group) => [...group.paths])]),
    }
    groups = [...groups.filter((group) => !touching.includes(group)), joined]
  }
  return groups.map((group) => group.entries)
}

/** An undo of several changes may have been cut short, so entries that share files are settled together. */
function settle(entries: readonly JournalEntry[], store: JournalStore, parts: RestoreParts, result: Recovered): void {
  for (const entry of entries.toSorted((a, b) => b.position - a.position)) settleMoves(entry, parts)
  const moving = entries.some((entry) => movesOf(entry, 'before').length > 0)
  const look = (): Found[] => chainsOf(entries).map(([path, chain]) => findFile(path, chain, moving, parts))
  let found = look()
  removeTemporaries(found, parts)
  if (found.every(({ like }) => like === 'newest')) {
    const modes = new Map(found.map(({ path, mode }) => [path, mode]))
    for (const entry of entries) store.update(entry.position, { state: 'done', files: withModes(entry.files, modes) })
    result.kept.push(...entries)
    return
  }
  for (const entry of entries.toSorted((a, b) => b.position - a.position)) {
    moveFolders(movesOfNew(entry), tagOf(entry, 'before'), parts)
  }
  found = look()
  const steps = found.flatMap(({ step, like }) => (step !== null && like !== 'unclear' ? [step] : []))
  if (moving) steps.push(...cameAlong(entries, parts))
  const made = entries.flatMap((entry) => entry.made)
  const failure = performRestore(steps, made, parts)
  result.unclear.push(...found.filter(({ like }) => like === 'unclear').map(({ path }) => path))
  if (failure !== null) result.unclear.push(...steps.map(({ at }) => at.relative))
  // An undo that was cut short is finished by this, a change that was is gone: neither is there any more.
  for (const entry of entries) store.update(entry.position, { state: 'dropped' })
  result.reverted.push(...entries)
}

/** What folders took to where nothing of it is to be, when the moves were cut short before it was put right. */
function cameAlong(entries: readonly JournalEntry[], parts: RestoreParts): RestoreStep[] {
  const chains = new Map(chainsOf(entries))
  const strays = new Map<string, (JournalState | null)[]>()
  for (const entry of [...entries, ...entries.toReversed()]) {
    for (const direction of ['before', 'after'] as const) {
      for (const [path, chain] of [...chains, ...strays]) {
        const image = imageOf(path, movesOf(entry, direction))
        if (image !== null && !chains.has(image)) strays.set(image, chain)
      }
    }
  }
  return [...strays].flatMap(([path, chain]): RestoreStep[] => {
    const at = resolvePlace(path, parts.root, parts.guard)
    const now = at.ok ? readEntry(at, parts.opener) : null
    if (!at.ok || now === null || 'ok' in now) return []
    const known = chain.some((state) => isState(now, state, parts.blobs) || (isFolder(now) && isFolder(state)))
    return known ? [{ path, at, now, target: null, linked: [] }] : []
  })
}

/** Moves to places where nothing was before: where they are still to be taken back cannot be mistaken. */
function movesOfNew(entry: JournalEntry): FolderMove[] {
  const fresh = new Set(entry.files.flatMap(({ path, before }) => (before === null ? path : [])))
  return movesOf(entry, 'before').filter(({ from }) => fresh.has(from))
}

/** The states each file went through, oldest first. */
function chainsOf(entries: readonly JournalEntry[]): [string, (JournalState | null)[]][] {
  const chains = new Map<string, (JournalState | null)[]>()
  for (const { files } of entries.toSorted((a, b) => a.position - b.position)) {
    for (const { path, before, after } of files) {
      const chain = chains.get(path) ?? [before]
      chain.push(after)
      chains.set(path, chain)
    }
  }
  return [...chains]
}

/** A new file's mode is stored after it was written: a crash in between leaves it to be seen now. */
function withModes(files: readonly JournalFile[], modes: ReadonlyMap<string, number | undefined>): JournalFile[] {
  return files.map(({ path, before, after }) => {
    const mode = after === null || after.mode >= 0 ? after?.mode : modes.get(path)
    return { path, before, after: after && { ...after, mode: mode ?? after.mode } }
  })
}

const TEMPORARY = new RegExp(`^\\..*[0-9a-f]{12}\\${TEMPORARY_SUFFIX}$`, 's')

/** What writes that never came to their rename left beside the files. */
function removeTemporaries(found: readonly Found[], { opener }: RestoreParts): void {
  const byFolder = new Map(found.flatMap(({ at }) => (at === null ? [] : [[dirname(at.real), at]])))
  for (const at of byFolder.values()) {
    const folder = opener.openParent(at, false)
    if (!folder.ok) continue
    try {
      for (const name of readdirSync(folder.handle)) {
        if (TEMPORARY.test(name)) unlinkSync(join(folder.handle, name))
      }
    } catch {
      // A left-over is ugly, not harmful.
    } finally {
      folder.close()
    }
  }
}

interface Found {
  path: string
  at: ResolvedPath | null
  /** `unclear`: neither one of the states nor on the way between two of them. */
  like: 'newest' | 'earlier' | 'unclear'
  /** The mode it has now. */
  mode: number | undefined
  /** What brings it back to the oldest state; null when it is there. */
  step: RestoreStep | null
}

function findFile(path: string, chain: (JournalState | null)[], moving: boolean, parts: RestoreParts): Found {
  const { blobs } = parts
  const at = resolvePlace(path, parts.root, parts.guard)
  if (!at.ok) return { path, like: 'unclear', at: null, mode: undefined, step: null }
  const now = readEntry(at, parts.opener)
  if (now !== null && 'ok' in now) return { path, like: 'unclear', at, mode: undefined, step: null }
  const oldest = chain[0] ?? null
  const newest = chain.at(-1) ?? null
  const linked = [...new Set(chain.flatMap((state) => state?.names ?? []))]
  const step: RestoreStep = { path, at, now, target: oldest, linked }
  const mode = now?.mode
  if (isState(now, newest, blobs)) {
    return { path, like: 'newest', at, mode, step: isState(now, oldest, blobs) ? null : step }
  }
  if (isState(now, oldest, blobs)) return { path, like: 'earlier', at, mode, step: null }
  const known = chain.some((state) => isState(now, state, blobs)) || isBetween(now, chain, moving)
  const half = now !== null && waysBetween(chain).some(([from, to]) => isHalfWritten(now, from, to, parts))
  return { path, like: known || half ? 'earlier' : 'unclear', at, mode, step }
}

/**
 * A folder while something is put into it; nothing, where a folder makes way for a file or the reverse. While folders are moved
 * (`moving`), what was in them is not there for a moment, or in a folder that was made for it.
 */
function isBetween(now: EntryState | null, chain: readonly (JournalState | null)[], moving: boolean): boolean {
  const folders = chain.filter((state) => isFolder(state))
  if (now === null) return moving || (folders.length > 0 && folders.length < chain.length)
  return isFolder(now) && folders.some((state) => moving || now.mode === (state!.mode | OPEN_BITS))
}

/** The writes that may have been cut short: one change, or an undo or redo of all of them. */
function waysBetween(chain: (JournalState | null)[]): [from: JournalState | null, to: JournalState | null][] {
  const [oldest, newest] = [chain[0] ?? null, chain.at(-1) ?? null]
  const changes = chain.slice(1).map((state, at): [JournalState | null, JournalState | null] => [chain[at]!, state])
  return [...changes, [oldest, newest], [newest, oldest]]
}

/** Whether a file is the beginning of its new content over the rest of its old one, as a write in place leaves it. */
function isHalfWritten(
  now: EntryState,
  before: JournalState | null,
  after: JournalState | null,
  { blobs }: RestoreParts,
): boolean {
  const [old, wanted] = [before, after].map((state) =>
    state === null || isFolder(state) ? null : blobs.get(state.hash),
  )
  if (!old || !wanted || isFolder(now)) return false
  const { bytes } = now
  let written = 0
  while (written < wanted.length && written < bytes.length && wanted[written] === bytes[written]) written += 1
  // From there on it is the old content; the two may agree around the seam, so any earlier seam will do as well.
  let same = bytes.length === Math.max(old.length, written) ? bytes.length : -1
  if (same < 0) return false
  while (same > 0 && same <= old.length && bytes[same - 1] === old[same - 1]) same -= 1
  return same <= written
}
