// What a command changed: the look before it against the look after it. Promises: a path that was not there before is new,
// whatever its times; one that was there and only comes to light (an ignore rule went) is never taken for new; what the
// journal cannot put back is named.

import { faultOfError } from '../fault.ts'
import { MAX_FILE_BYTES } from '../files/read-file.ts'
import { placeOf } from './entry-state.ts'
import { GIT_STEP, type JournalFile, type JournalState } from './journal-store.ts'
import type { JournalParts } from './journal.ts'
import { keepState, sameState } from './keep.ts'
import { movedFolders } from './move-folders.ts'
import { CLOCK_SLACK_MS, type FileStamp, type Look, stampPath } from './scan.ts'
import { isYoung, type KeptContents, remember, type Snapshots, stateBefore, stateNow } from './snapshot.ts'

export interface Compared {
  files: JournalFile[]
  /** As in a journal entry. */
  notKept: string[]
}

/** `scanned` is the look after the command, or why there was none; `began` when the command began, milliseconds since 1970. */
export async function compareLooks(
  before: Snapshots,
  scanned: Look | string,
  began: number,
  parts: JournalParts,
  kept: KeptContents,
): Promise<Compared> {
  const { root, git, blobs } = parts
  const after =
    typeof scanned === 'string' ? { stamps: new Map<string, FileStamp>(), unlisted: new Map(), time: 0 } : scanned
  const files: JournalFile[] = []
  const notKept: string[] = typeof scanned === 'string' ? [`new files, because ${scanned}`] : []

  /** A file that is ignored since a rule for it was written is not listed any more; that is no change of it. */
  function nowOf(path: string): FileStamp | null {
    const seen = after.stamps.get(path)
    if (seen !== undefined) return seen
    return typeof scanned === 'string' || isUnlisted(after, path) ? stampPath(placeOf(root, path)) : null
  }

  const touched: [path: string, now: FileStamp | null][] = []
  for (const [path, old] of before.stamps) {
    const now = nowOf(path)
    const known = old.hash !== undefined || old.blob !== undefined
    if (now?.key !== old.key || (known && isYoung(old, before.time))) touched.push([path, now])
  }
  const contents = await gitContents(touched.flatMap(([path]) => before.stamps.get(path)?.blob ?? []))
  const [namesBefore, namesAfter] = [namesOf(before.stamps), namesOf(after.stamps)]
  for (const [path, now] of touched) {
    const old = before.stamps.get(path)!
    const left = isKeepable(old) && isKeepable(now) ? keepNow(path, now) : undefined
    const was = left === undefined ? undefined : stateBefore(path, old, contents, parts)
    if (left === undefined || was === undefined) notKept.push(path)
    else if (!sameState(was, left, blobs) || isRegrouped(path)) {
      files.push({ path, before: withNames(was, path, namesBefore), after: withNames(left, path, namesAfter) })
    }
  }
  for (const [path, stamp] of after.stamps) {
    if (before.stamps.has(path)) continue
    if (wasThere(path, stamp)) {
      if (stamp.kind !== 'folder' && stamp.ctimeMs >= began - CLOCK_SLACK_MS) notKept.push(path)
      continue
    }
    const left = isKeepable(stamp) ? keepNow(path, stamp) : undefined
    if (left === undefined) notKept.push(path)
    else if (left !== null) files.push({ path, before: null, after: withNames(left, path, namesAfter) })
  }
  addMoves(files, movedFolders(before.stamps, after.stamps), after.stamps)
  notKept.push(...repositoriesMoved(before, after))
  notKept.push(...(await git.stepsSince(before.git)).map((step) => `${GIT_STEP}${step}`))
  return { files, notKept }

  /** Two paths that are there before and after are one file now and were not, or the reverse. */
  function isRegrouped(path: string): boolean {
    const stayed = (names: ReadonlyMap<string, string[]>): string[] =>
      (names.get(path) ?? []).filter((name) => before.stamps.has(name) && after.stamps.has(name))
    return stayed(namesBefore).toSorted().join('\0') !== stayed(namesAfter).toSorted().join('\0')
  }

  async function gitContents(ids: string[]): Promise<Map<string, Buffer>> {
    const read = ids.length === 0 ? undefined : await git.blobs(ids)
    return read?.ok === true ? read.contents : new Map()
  }

  /** In a folder that was ignored itself nothing is known of names: there, what is older than the command was there. */
  function wasThere(path: string, stamp: FileStamp): boolean {
    if (!isUnlisted(before, path)) return false
    const folder = folderOf(path)
    return folder === '' || before.stamps.has(folder) || stamp.birthtimeMs < began + CLOCK_SLACK_MS
  }

  /** Undefined where there is nothing that can be kept. */
  function keepNow(path: string, stamp: FileStamp | null): JournalState | null | undefined {
    const now = stateNow(path, parts)
    if (now !== null && 'ok' in now) return undefined
    try {
      const state = keepState(path, now, parts, false)
      if (state?.hash === '' && !state.kept) return undefined
      if (state?.kept === true && stamp !== null && stamp.kind !== 'folder') remember(kept, path, stamp, state.hash)
      return state
    } catch (error) {
      // The command ran; that its result cannot be made again is no reason to fail.
      faultOfError(error, path)
      return (
        now && { hash: blobs.nameOf(now.bytes, parts.secretRule(path) !== null) ?? '', mode: now.mode, kept: false }
      )
    }
  }
}

/** A folder that changed places with another may have no change of its own. */
function addMoves(
  files: JournalFile[],
  moved: ReadonlyMap<string, string>,
  stamps: ReadonlyMap<string, FileStamp>,
): void {
  const known = new Map(files.map((file) => [file.path, file]))
  for (const [path, movedFrom] of moved) {
    const state: JournalState = { hash: '', mode: stamps.get(path)!.mode, kept: true }
    const file = known.get(path) ?? { path, before: state, after: state }
    if (!known.has(path)) files.push(file)
    file.after = { ...(file.after ?? state), movedFrom }
  }
}

function isKeepable(stamp: FileStamp | null): boolean {
  return stamp === null || (stamp.kind !== 'other' && stamp.size <= MAX_FILE_BYTES)
}

/** Whether something was seen under this name without being listed, or somewhere in a folder that was. */
function isUnlisted(look: Look, path: string): boolean {
  const folder = folderOf(path)
  const name = folder === '' ? path : path.slice(folder.length + 1)
  if (folder === '' || look.stamps.has(folder)) return look.unlisted.get(folder)?.has(name) === true
  return isUnlisted(look, folder)
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** The other names of each file that has several, by path. */
function namesOf(stamps: ReadonlyMap<string, FileStamp>): Map<string, string[]> {
  const byInode = new Map<string, string[]>()
  for (const [path, { kind, inode }] of stamps) {
    if (inode === undefined || kind !== 'file') continue
    const names = byInode.get(inode)
    if (names === undefined) byInode.set(inode, [path])
    else names.push(path)
  }
  const groups = [...byInode.values()].filter((names) => names.length > 1)
  return new Map(groups.flatMap((names) => names.map((path) => [path, names.filter((other) => other !== path)])))
}

function withNames(
  state: JournalState | null,
  path: string,
  names: ReadonlyMap<string, string[]>,
): JournalState | null {
  const others = names.get(path)
  return state === null || others === undefined ? state : { ...state, names: others }
}

/** Repositories inside the workspace that came or went with a folder: their files are put back, what git keeps is not. */
function repositoriesMoved(before: Look, after: Look): string[] {
  const inFolders = ({ unlisted }: Look): Set<string> =>
    new Set([...unlisted].flatMap(([folder, names]) => (folder !== '' && names.has('.git') ? `${folder}/.git` : [])))
  const [were, are] = [inFolders(before), inFolders(after)]
  return [...[...were].filter((each) => !are.has(each)), ...[...are].filter((each) => !were.has(each))]
}
