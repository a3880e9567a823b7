// Does what a plan says. Promises: all or nothing; what goes makes room for what comes, folders come before what is in them and
// get their modes last; a file that is to have a name of its own never takes another name's content with it.

import { fault, type Fault } from '../fault.ts'
import { removeEmptyFolders } from '../files/apply-changes.ts'
import { LINK_MODE } from '../files/file-state.ts'
import {
  type EntryState,
  isFolder,
  placeOf,
  putEntry,
  putFolder,
  putName,
  type PutOptions,
  readEntry,
  removeFolder,
  resolvePlace,
} from './entry-state.ts'
import { isState } from './keep.ts'
import { type FoldersMoved, imageOf, moveFolders } from './move-folders.ts'
import { stampPath } from './scan.ts'
import { hasItsNames, type Plan, type RestoreParts, type RestoreStep } from './restore.ts'

/** Permission bits without which nothing can be changed in a folder. */
export const OPEN_BITS = 0o700

/** Moves folders first; what is not as it must be then is done file by file. */
export function performPlan(
  { moves, steps, targets }: Plan,
  made: readonly string[],
  parts: RestoreParts,
): Fault | null {
  if (moves.length === 0) return performRestore(steps, made, parts)
  const how: PutOptions = { opener: parts.opener, durable: parts.durable, made: [] }
  const entered = new Set(moves.flatMap((each) => each.moves.map(({ to }) => to)))
  const inTheWay = steps.filter(
    ({ path, now, target }) => entered.has(path) && now !== null && !isFolder(now) && isFolder(target),
  )
  for (const { at } of inTheWay) putEntry(at, null, how)
  const done: FoldersMoved[] = []
  const wanted = new Map(targets.map((target) => [target.path, target]))
  for (const each of moves) {
    const folders = moveFolders(each.moves, each.tag, parts)
    done.push(folders)
    // A file that came along to where none is to be.
    for (const path of Array.from(wanted.keys())) {
      const image = imageOf(path, folders.moved)
      const at = image === null || wanted.has(image) ? null : resolvePlace(image, parts.root, parts.guard)
      if (image !== null && at?.ok === true) wanted.set(image, { path: image, at, target: null, linked: [] })
    }
  }
  const left: RestoreStep[] = []
  let failure: Fault | null = null
  for (const target of wanted.values()) {
    const now = readEntry(target.at, parts.opener)
    if (now !== null && 'ok' in now) failure ??= now
    else if (!isState(now, target.target, parts.blobs) || !hasItsNames(target, parts.root))
      left.push({ ...target, now })
  }
  failure ??= performRestore(left, made, parts)
  if (failure === null) return null
  for (const folders of done.toReversed()) folders.takeBack()
  for (const { at, now } of inTheWay) putEntry(at, now, how)
  return failure
}

/** On a failure what was done is taken back. `made` are folders that go as well when they are empty. */
export function performRestore(
  steps: readonly RestoreStep[],
  made: readonly string[],
  parts: RestoreParts,
): Fault | null {
  const freshlyMade: string[] = []
  const how: PutOptions = { opener: parts.opener, durable: parts.durable, made: freshlyMade }
  const takenBack: (() => void)[] = []
  for (const [step, phase] of inOrder(steps)) {
    const failure = doStep(step, phase, how, parts)
    if (failure === null) {
      takenBack.push(() => putBack(step, phase, how))
      continue
    }
    for (const back of takenBack.toReversed()) back()
    removeEmptyFolders(freshlyMade)
    return failure
  }
  const wanted = new Set(steps.flatMap(({ at, target }) => (isFolder(target) ? at.real : [])))
  removeEmptyFolders(made.filter((folder) => !wanted.has(folder)))
  return null
}

type Phase = 'open' | 'remove' | 'remove-folder' | 'make-folder' | 'write' | 'close'

function inOrder(steps: readonly RestoreStep[]): [RestoreStep, Phase][] {
  const outerFirst = steps.toSorted((a, b) => depth(a) - depth(b))
  const innerFirst = outerFirst.toReversed()
  const pick = (phase: Phase, from: readonly RestoreStep[], when: (step: RestoreStep) => boolean) =>
    from.filter(when).map((step): [RestoreStep, Phase] => [step, phase])
  const stays = ({ now, target }: RestoreStep): boolean => isFolder(now) && isFolder(target)
  const goes = ({ now, target }: RestoreStep): boolean => now !== null && (target === null || isFolder(target))
  return [
    ...pick('open', outerFirst, (step) => isFolder(step.now) && (step.now!.mode & OPEN_BITS) !== OPEN_BITS),
    ...pick('remove', innerFirst, (step) => goes(step) && !isFolder(step.now)),
    ...pick('remove-folder', innerFirst, (step) => isFolder(step.now) && !isFolder(step.target)),
    ...pick('make-folder', outerFirst, (step) => isFolder(step.target) && !isFolder(step.now)),
    ...pick('write', outerFirst, (step) => step.target !== null && !isFolder(step.target)),
    ...pick('close', innerFirst, (step) => isFolder(step.target) && (stays(step) || !isOpen(step))),
  ]
}

function isOpen({ target }: RestoreStep): boolean {
  return (target!.mode & OPEN_BITS) === OPEN_BITS
}

function depth({ path }: RestoreStep): number {
  return path.split('/').length
}

function doStep(step: RestoreStep, phase: Phase, how: PutOptions, parts: RestoreParts): Fault | null {
  const { at, now, target } = step
  switch (phase) {
    case 'open':
      return putFolder(at, now!.mode | OPEN_BITS, how)
    case 'remove':
      return putEntry(at, null, how)
    case 'remove-folder': {
      const gone = removeFolder(at, how)
      if (typeof gone !== 'boolean') return gone.code === 'NOT_FOUND' ? null : gone
      // Something that is not the journal's is in it: the folder stays for that.
      if (gone || target === null) return null
      return fault('EXISTS', `${at.relative} is a folder with something in it. Nothing was changed.`)
    }
    case 'make-folder':
      return putFolder(at, target!.mode | OPEN_BITS, how)
    case 'write':
      return write(step, how, parts)
    case 'close':
      return putFolder(at, target!.mode, how)
    default:
      return phase satisfies never
  }
}

function write({ path, at, target, linked }: RestoreStep, how: PutOptions, parts: RestoreParts): Fault | null {
  const { hash, mode, names = [] } = target!
  for (const name of names) {
    const of = resolvePlace(name, parts.root, parts.guard)
    const other = of.ok ? readEntry(of, parts.opener) : null
    if (!of.ok || other === null || 'ok' in other || isFolder(other) || !isState(other, target, parts.blobs)) continue
    return isSameFile(at.real, of.real) ? null : putName(at, of, how)
  }
  const bytes = parts.blobs.get(hash)
  if (bytes === null) return fault('IO_ERROR', `The kept content of ${path} is damaged. Nothing was changed.`)
  const strangers = linked.filter((name) => !names.includes(name))
  const apart = mode !== LINK_MODE && strangers.some((name) => isSameFile(at.real, placeOf(parts.root, name)))
  return putEntry(at, { bytes, mode }, { ...how, apart })
}

function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => stampPath(path))
  return one?.kind === 'file' && one.inode !== undefined && one.inode === other?.inode
}

function putBack({ at, now, target }: RestoreStep, phase: Phase, how: PutOptions): void {
  const before = now as EntryState
  if (phase === 'make-folder') removeFolder(at, how)
  else if (phase === 'open' || phase === 'remove-folder') putFolder(at, before.mode, how)
  else if (phase === 'close') putFolder(at, isFolder(now) ? before.mode : target!.mode | OPEN_BITS, how)
  else putEntry(at, now, how)
}
