// Says what files, links and folders must become to be as they were. Promises: only where everything is still what the journal
// left there; where somebody changed something since, nothing is touched and the difference is shown.

import type { FileDiff } from '../../protocol/index.ts'
import { diffFile } from '../diff/file-diff.ts'
import type { Fault } from '../fault.ts'
import { whyNotText } from '../files/text-format.ts'
import type { PathGuard, ResolvedPath } from '../paths/guard.ts'
import type { InsideOpener } from '../paths/open-inside.ts'
import type { BlobStore } from './blob-store.ts'
import { type EntryState, isFolder, placeOf, readEntry, resolvePlace } from './entry-state.ts'
import type { JournalEntry, JournalState } from './journal-store.ts'
import { ANY_FOLDER, isState, sameState } from './keep.ts'
import { stampPath } from './scan.ts'
import { type FolderMove, movesOf, tagOf } from './move-folders.ts'

export interface RestoreParts {
  root: string
  guard: PathGuard
  opener: InsideOpener
  blobs: BlobStore
  secretRule: (path: string) => string | null
  /** Waits until the disk has it. */
  durable: boolean
}

/** What somebody changed since: what the journal left there against what is there. */
export interface RestoreConflict {
  path: string
  /** Undefined for what is no text, or secret, or whose old content was not kept. */
  diff?: FileDiff
}

export type RestorePlan =
  | ({ ok: true } & Plan)
  | { ok: false; code: 'CONFLICT'; message: string; conflicts: RestoreConflict[] }
  | { ok: false; code: 'NOT_KEPT'; message: string; paths: string[] }
  | (Fault & { conflicts?: undefined })

/** What is to be done; `targets` is what every path of the entries must be in the end. */
export interface Plan {
  moves: { tag: string; moves: FolderMove[] }[]
  steps: RestoreStep[]
  targets: Omit<RestoreStep, 'now'>[]
}

export interface RestoreStep {
  path: string
  at: ResolvedPath
  now: EntryState | null
  target: JournalState | null
  /** Paths that may be names of the same file now; those that must not be are in no `names` of the target. */
  linked: string[]
}

/** A path on the way through the entries; `state` is undefined as long as it is what it is now. */
interface Walked {
  at: ResolvedPath
  now: EntryState | null
  state: JournalState | null | undefined
  linked: Set<string>
}

/**
 * Walks entries in the order given, each from the state on its `from` side to the one on its `to` side, in memory; what every path
 * must become is the plan.
 */
export function planRestore(
  entries: readonly JournalEntry[],
  to: 'before' | 'after',
  parts: RestoreParts,
): RestorePlan {
  const { blobs } = parts
  const from = to === 'before' ? 'after' : 'before'
  const found = new Map<string, Walked>()
  const conflicts = new Map<string, RestoreConflict>()
  const is = ({ now, state }: Walked, wanted: JournalState | null): boolean =>
    state === undefined ? isState(now, wanted, blobs) : sameState(state, wanted, blobs)
  for (const entry of entries) {
    for (const file of entry.files) {
      const known = found.get(file.path) ?? lookUp(file.path, parts)
      if ('ok' in known) {
        conflicts.set(file.path, { path: file.path })
        continue
      }
      found.set(file.path, known)
      for (const name of file[from]?.names ?? []) known.linked.add(name)
      // Already as it is to be: the user did it by hand.
      if (!is(known, file[from]) && is(known, file[to])) known.state = file[to]
      else if (is(known, file[from])) known.state = file[to]
      else if (!conflicts.has(file.path)) conflicts.set(file.path, conflictOf(file.path, file[from], known.now, parts))
    }
    walkMade(entry, to, found, parts)
  }
  if (conflicts.size > 0) {
    const paths = [...conflicts.keys()]
    const named = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '')
    const message = `${named} changed since, by somebody else. Nothing was ${to === 'before' ? 'undone' : 'redone'}.`
    const lacking = keysLacking(entries, parts)
    return { ok: false, code: 'CONFLICT', message: `${message}${lacking}`, conflicts: [...conflicts.values()] }
  }
  const steps = [...found].flatMap(([path, { at, now, state, linked }]): RestoreStep[] =>
    state === undefined || state === ANY_FOLDER ? [] : [{ path, at, now, target: state, linked: [...linked] }],
  )
  const needed = steps.filter((step) => !isState(step.now, step.target, blobs) || !hasItsNames(step, parts.root))
  const moves = entries.map((entry) => ({ tag: tagOf(entry, to), moves: movesOf(entry, to) }))
  return (
    whatIsLost(needed, entries, parts) ?? {
      ok: true,
      steps: needed,
      targets: steps,
      moves: moves.filter((each) => each.moves.length > 0),
    }
  )
}

/** Whether a path is one file with those it is to be one with, as far as they are there, and with no other. */
export function hasItsNames({ path, target, linked }: Omit<RestoreStep, 'now'>, root: string): boolean {
  const { names = [] } = target ?? {}
  if (names.length === 0 && linked.length === 0) return true
  const own = stampPath(placeOf(root, path))?.inode
  const inodeOf = (name: string): string | undefined => {
    const stamp = stampPath(placeOf(root, name))
    return stamp?.kind === 'file' ? (stamp.inode ?? 'alone') : undefined
  }
  const joined = names.every((name) => [undefined, own].includes(inodeOf(name)))
  return joined && linked.every((name) => names.includes(name) || own === undefined || inodeOf(name) !== own)
}

/** Folders that an edit made go with its undo when they are empty, and come with its redo. */
function walkMade(
  { made }: JournalEntry,
  to: 'before' | 'after',
  found: Map<string, Walked>,
  parts: RestoreParts,
): void {
  for (const folder of made) {
    const path = folder.startsWith(`${parts.root}/`) ? folder.slice(parts.root.length + 1) : folder
    const known = found.get(path) ?? lookUp(path, parts)
    if ('ok' in known) continue
    const stands = known.state === undefined ? isFolder(known.now) : isFolder(known.state)
    if (to === 'before' && stands) found.set(path, { ...known, state: null })
    if (to === 'after' && !stands) found.set(path, { ...known, state: ANY_FOLDER })
  }
}

function whatIsLost(
  steps: readonly RestoreStep[],
  entries: readonly JournalEntry[],
  parts: RestoreParts,
): RestorePlan | null {
  const lost = steps.filter(
    ({ target }) =>
      target !== null &&
      !isFolder(target) &&
      (!target.kept || !parts.blobs.has(target.hash) || parts.blobs.lacksKey(target.hash)),
  )
  if (lost.length === 0) return null
  const paths = lost.map(({ path }) => path)
  const message = `The content of ${paths.join(', ')} was not kept. Nothing was changed.${keysLacking(entries, parts)}`
  return { ok: false, code: 'NOT_KEPT', message, paths }
}

function keysLacking(entries: readonly JournalEntry[], { blobs }: RestoreParts): string {
  const sealed = entries.flatMap(({ files }) =>
    files.filter(({ before, after }) => [before, after].some((state) => state && blobs.lacksKey(state.hash))),
  )
  if (sealed.length === 0) return ''
  const paths = [...new Set(sealed.map(({ path }) => path))].join(', ')
  return ` What was kept of ${paths} is sealed, and the key (journal.key in the state folder) is not the one it was sealed with.`
}

function lookUp(path: string, { root, guard, opener }: RestoreParts): Walked | Fault {
  const at = resolvePlace(path, root, guard)
  if (!at.ok) return at
  const now = readEntry(at, opener)
  return now !== null && 'ok' in now ? now : { at, now, state: undefined, linked: new Set() }
}

function conflictOf(
  path: string,
  left: JournalState | null,
  now: EntryState | null,
  { blobs, secretRule }: RestoreParts,
): RestoreConflict {
  const before = left === null ? null : blobs.get(left.hash)
  if (secretRule(path) !== null || isFolder(left) || isFolder(now)) return { path }
  if ((left !== null && before === null) || [before, now?.bytes].some((bytes) => bytes && whyNotText(bytes) !== null)) {
    return { path }
  }
  return { path, diff: diffFile(path, before?.toString('utf8') ?? null, now?.bytes.toString('utf8') ?? null) }
}
