// Folders that a command moved go back as they are, with what the journal does not keep of them: ignored files, repositories,
// inodes. Promises: a folder that cannot be moved back stays where it is (its files are then put back one by one); what was
// moved on the way stands under a name that says to which entry it belongs, so that a crash in between loses nothing.

import { renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { removeEmptyFolders } from '../files/apply-changes.ts'
import { TEMPORARY_SUFFIX } from '../files/write-file.ts'
import { placeOf, resolvePlace } from './entry-state.ts'
import type { JournalEntry } from './journal-store.ts'
import type { RestoreParts } from './restore.ts'
import { type FileStamp, stampPath } from './scan.ts'

export interface FolderMove {
  from: string
  to: string
}

/** Where each moved folder was, by where it is; one that only came along with an outer one is left out. */
export function movedFolders(
  before: ReadonlyMap<string, FileStamp>,
  after: ReadonlyMap<string, FileStamp>,
): Map<string, string> {
  const places = new Map<string, string>()
  for (const [path, { kind, inode }] of before) if (kind === 'folder' && inode !== undefined) places.set(inode, path)
  const moved = new Map<string, string>()
  for (const [path, { kind, inode }] of after) {
    const from = kind === 'folder' ? places.get(inode ?? '') : undefined
    if (from !== undefined && from !== path) moved.set(path, from)
  }
  const cameAlong = ([to, from]: [string, string]): boolean =>
    moved.get(dirname(to)) === dirname(from) && basename(to) === basename(from)
  return new Map([...moved].filter((each) => !cameAlong(each)))
}

/** The moves that take an entry back, or make it again. */
export function movesOf({ files }: JournalEntry, to: 'before' | 'after'): FolderMove[] {
  return files.flatMap(({ path, after }) => {
    if (after?.movedFrom === undefined) return []
    return to === 'after' ? { from: after.movedFrom, to: path } : { from: path, to: after.movedFrom }
  })
}

export interface FoldersMoved {
  /** Those that could be. */
  moved: FolderMove[]
  takeBack(): void
}

/** Moves folders that belong to one entry, also in circles, as far as that is possible. */
export function moveFolders(moves: readonly FolderMove[], tag: string, parts: RestoreParts): FoldersMoved {
  const moved: FolderMove[] = []
  const done: FolderMove[] = []
  const made: string[] = []
  const waiting: [temporary: string, move: FolderMove][] = []
  const go = (from: string, to: string): boolean => {
    if (!rename(from, to, made, parts)) return false
    done.push({ from, to })
    return true
  }
  const [only] = moves
  if (only !== undefined && moves.length === 1) {
    if (go(only.from, only.to)) moved.push(only)
  } else {
    // Inner folders leave before the outer ones are moved, and come back behind them.
    for (const [at, move] of innerFirst(moves).entries()) {
      const temporary = temporaryName(tag, at)
      if (go(move.from, temporary)) waiting.push([temporary, move])
    }
    for (const [temporary, move] of waiting.toSorted(([, a], [, b]) => depth(a.to) - depth(b.to))) {
      if (go(temporary, move.to)) moved.push(move)
      else go(temporary, move.from)
    }
  }
  const takeBack = (): void => {
    for (const { from, to } of done.toReversed()) rename(to, from, [], parts)
    removeEmptyFolders(made)
  }
  return { moved, takeBack }
}

/** Where a path is after folders were moved; null when it did not come along. */
export function imageOf(path: string, moved: readonly FolderMove[]): string | null {
  const [nearest] = moved
    .filter(({ from }) => path.startsWith(`${from}/`))
    .toSorted((a, b) => b.from.length - a.from.length)
  return nearest === undefined ? null : nearest.to + path.slice(nearest.from.length)
}

/** After a crash: folders that were on their way go to where the entry had them before, or else to where it left them. */
export function settleMoves(entry: JournalEntry, parts: RestoreParts): void {
  for (const direction of ['before', 'after'] as const) {
    for (const [at, { from, to }] of innerFirst(movesOf(entry, direction)).entries()) {
      const temporary = temporaryName(tagOf(entry, direction), at)
      if (stampPath(placeOf(parts.root, temporary)) === null) continue
      const [first, second] = direction === 'before' ? [to, from] : [from, to]
      if (!rename(temporary, first, [], parts)) rename(temporary, second, [], parts)
    }
  }
}

/** What a folder on its way is called by. */
export function tagOf({ position }: JournalEntry, direction: 'before' | 'after'): string {
  return `${position}-${direction}`
}

function innerFirst(moves: readonly FolderMove[]): FolderMove[] {
  return moves.toSorted((a, b) => depth(b.from) - depth(a.from))
}

function depth(path: string): number {
  return path.split('/').length
}

function temporaryName(tag: string, at: number): string {
  return `.moved-${tag}-${at}${TEMPORARY_SUFFIX}`
}

/** A link or file in the way has gone before; an empty folder gives way by itself. False when it was not possible. */
function rename(from: string, to: string, made: string[], parts: RestoreParts): boolean {
  const [source, target] = [from, to].map((path) => resolvePlace(path, parts.root, parts.guard))
  if (source?.ok !== true || target?.ok !== true) return false
  if (stampPath(source.real)?.kind !== 'folder') return false
  const [left, entered] = [parts.opener.openParent(source, false), parts.opener.openParent(target, true)]
  try {
    if (!left.ok || !entered.ok) return false
    made.push(...entered.made)
    if (left.real !== dirname(source.real) || entered.real !== dirname(target.real)) return false
    renameSync(join(left.handle, basename(source.real)), join(entered.handle, basename(target.real)))
    return true
  } catch {
    return false
  } finally {
    if (left.ok) left.close()
    if (entered.ok) entered.close()
  }
}
