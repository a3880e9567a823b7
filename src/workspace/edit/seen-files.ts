// Remembers what the model was last shown of each file: the content hash, and which line numbers still hold. Promises: a
// range of lines is mapped only when every change since it was shown is codehound's own and none touches it. One
// record per session; paths are relative as `ResolvedPath.relative`.

import { changedRuns, rawLines } from '../diff/file-diff.ts'

export type Seen = 'never' | 'same' | 'changed'

export type MappedLines =
  | { ok: true; start: number; end: number }
  | { ok: false; code: 'STALE_LINES'; message: string; start?: number; end?: number }

export interface SeenFiles {
  /** The model was shown lines `start` to `end` (1-based, inclusive) of the version with this hash. */
  show(path: string, hash: string, start: number, end: number): void
  /** codehound itself changed the file by a tool call, so the model knows; a file never shown stays so, unless it is new. */
  wrote(path: string, change: OwnWrite): void
  /** The hash as last seen by the model; null after a deletion, undefined when it was never shown. */
  hashOf(path: string): string | null | undefined
  compare(path: string, hash: string): Seen
  /** Where lines given by number stand now; `end = start - 1` is the place before `start`. */
  mapLines(path: string, start: number, end: number, hash: string): MappedLines
  forget(path: string): void
  /** Grows with each change of what the model knows of any file: an edit that was refused may go through then. */
  revision(): number
}

export interface OwnWrite {
  /** The text before and after; null where there was or is no file. */
  before: string | null
  after: string | null
  beforeHash: string | null
  afterHash: string | null
}

interface LineChange {
  /** 1-based, in the numbering before this change. */
  start: number
  removed: number
  added: number
}

interface Range {
  start: number
  end: number
}

interface SeenFile {
  hash: string | null
  /** Own changes since the numbers were given, oldest first, each in the numbering the ones before it left. */
  changes: LineChange[]
  /** Lines whose numbers are not in doubt; empty stands for all. */
  sure: Range[]
}

export function createSeenFiles(): SeenFiles {
  const files = new Map<string, SeenFile>()
  let revision = 0
  const know = (path: string, file: SeenFile): void => {
    revision += 1
    files.set(path, file)
  }

  function show(path: string, hash: string, start: number, end: number): void {
    const known = files.get(path)
    const shown = { start, end }
    if (known === undefined) {
      know(path, { hash, changes: [], sure: [] })
    } else if (known.hash !== hash) {
      // Of another version the model may still have numbers in mind: only what it sees now is sure.
      know(path, { hash, changes: [], sure: [shown] })
    } else if (known.changes.length > 0 || known.sure.length > 0) {
      // As above, with numbers from before our edits: those above the first of them are the same.
      const firstChange = Math.min(...known.changes.map((change) => change.start))
      const kept = known.sure.length > 0 ? known.sure : [{ start: 1, end: Number.MAX_SAFE_INTEGER }]
      const above = kept.map((each) => ({ start: each.start, end: Math.min(each.end, firstChange - 1) }))
      const sure = joined([...above.filter((each) => each.start <= each.end), shown])
      know(path, { hash, changes: [], sure })
    }
  }

  function wrote(path: string, { before, after, beforeHash, afterHash }: OwnWrite): void {
    if (before === null || after === null) {
      know(path, { hash: afterHash, changes: [], sure: [] })
      return
    }
    const known = files.get(path)
    if (known === undefined) return
    // On top of somebody else's version no number is sure.
    const sure = known.hash === beforeHash ? known.sure : [{ start: 0, end: 0 }]
    // From the bottom, so that each is in the numbering before the call.
    const changes = changedRuns(rawLines(before), rawLines(after))
      .map(({ oldStart, oldEnd, newStart, newEnd }) => ({
        start: oldStart + 1,
        removed: oldEnd - oldStart,
        added: newEnd - newStart,
      }))
      .reverse()
    know(path, { hash: afterHash, sure, changes: [...known.changes, ...changes] })
  }

  function mapLines(path: string, start: number, end: number, hash: string): MappedLines {
    const known = files.get(path)
    const readAgain = `Read lines ${start} to ${Math.max(start, end)} of ${path} again.`
    if (known === undefined) return stale(`${path} was never shown, so its line numbers are not known. ${readAgain}`)
    if (known.hash !== hash) return stale(`${path} was changed by someone else since it was shown. ${readAgain}`)
    if (known.sure.length > 0 && !known.sure.some((each) => each.start <= start && end <= each.end)) {
      return stale(`Lines ${start} to ${end} of ${path} were not shown since it was edited. ${readAgain}`)
    }
    let moved: Range = { start, end }
    let touched = false
    for (const change of known.changes) {
      const step = moveRange(moved, change)
      moved = step.range
      touched ||= step.touched
    }
    if (!touched) return { ok: true, ...moved }
    const message = `Lines ${start} to ${end} of ${path} overlap an earlier edit; they are lines ${moved.start} to ${moved.end} now. Read them again.`
    return { ok: false, code: 'STALE_LINES', message, ...moved }
  }

  return {
    show,
    wrote,
    mapLines,
    hashOf: (path) => files.get(path)?.hash,
    compare: (path, hash) => {
      const known = files.get(path)
      return known === undefined ? 'never' : known.hash === hash ? 'same' : 'changed'
    },
    forget: (path) => files.delete(path),
    revision: () => revision,
  }
}

/** Ranges that touch become one. */
function joined(ranges: Range[]): Range[] {
  const result: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last !== undefined && range.start <= last.end + 1) last.end = Math.max(last.end, range.end)
    else result.push({ ...range })
  }
  return result
}

function stale(message: string): MappedLines {
  return { ok: false, code: 'STALE_LINES', message }
}

function moveRange({ start, end }: Range, change: LineChange): { range: Range; touched: boolean } {
  const shift = change.added - change.removed
  const changeEnd = change.start + change.removed - 1
  if (changeEnd < start && change.start <= start) {
    // A pure insertion right before the range moves it; for the empty range it is unclear on which side.
    const unclear = end < start && change.start === start
    return { range: { start: start + shift, end: end + shift }, touched: unclear }
  }
  if (change.start > end) return { range: { start, end }, touched: false }
  const grown = { start: Math.min(start, change.start), end: Math.max(end, changeEnd) + shift }
  return { range: grown, touched: true }
}
