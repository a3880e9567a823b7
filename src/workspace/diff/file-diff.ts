// Makes the plain data every front draws a change from. Promises: taking all hunks of the diff gives the new text
// byte for byte, taking none gives the old one (see drop-hunks.ts); the text of a line never holds its line end.

import type { DiffHunk, DiffLine, FileDiff } from '../../protocol/index.ts'
import { lineEndsOf } from '../files/text-format.ts'
import { align } from './align.ts'
import { wordMarks } from './word-marks.ts'

export interface DiffOptions {
  /** Unchanged lines around a change; default 3. */
  context?: number
  note?: string
}

const DEFAULT_CONTEXT = 3

/** A run of changed lines: [start, end) in the old and in the new lines, 0-based. */
export interface ChangedRun {
  oldStart: number
  oldEnd: number
  newStart: number
  newEnd: number
}

/** Splits a text into lines that keep their line ends. */
export function rawLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

export function changedRuns(before: readonly string[], after: readonly string[]): ChangedRun[] {
  const runs: ChangedRun[] = []
  const aligned = align(before, after)
  let old = 0
  for (let at = 0; at <= after.length;) {
    const newStart = at
    while (at < after.length && aligned[at]! < 0) at += 1
    const next = at < after.length ? aligned[at]! : before.length
    if (at > newStart || next > old) runs.push({ oldStart: old, oldEnd: next, newStart, newEnd: at })
    old = next + 1
    at += 1
  }
  return runs
}

/** The change of a file; null stands for a file that is not there. */
export function diffFile(
  path: string,
  before: string | null,
  after: string | null,
  options: DiffOptions = {},
): FileDiff {
  const [old, wanted] = [rawLines(before ?? ''), rawLines(after ?? '')]
  const hunks = groupRuns(changedRuns(old, wanted), options.context ?? DEFAULT_CONTEXT).map((runs) =>
    hunkOf(runs, old, wanted, options.context ?? DEFAULT_CONTEXT),
  )
  const count = (kind: DiffLine['kind']): number =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0)
  const note = options.note ?? lineEndNote(before, after)
  const change = before === null ? 'created' : after === null ? 'deleted' : 'modified'
  const diff: FileDiff = { path, change, added: count('add'), removed: count('remove'), hunks }
  return note === undefined ? diff : { ...diff, note }
}

/** Changes whose context would touch become one hunk. */
export function groupRuns(runs: ChangedRun[], context: number): ChangedRun[][] {
  const groups: ChangedRun[][] = []
  for (const run of runs) {
    const group = groups.at(-1)
    if (group !== undefined && run.oldStart - group.at(-1)!.oldEnd <= 2 * context) group.push(run)
    else groups.push([run])
  }
  return groups
}

function hunkOf(runs: ChangedRun[], old: string[], wanted: string[], context: number): DiffHunk {
  const [first, last] = [runs[0]!, runs.at(-1)!]
  const lead = Math.min(context, first.oldStart)
  const trail = Math.min(context, old.length - last.oldEnd)
  const lines: DiffLine[] = []
  const same = (from: number, to: number): void => {
    for (const line of old.slice(from, to)) lines.push(lineOf('same', line))
  }
  same(first.oldStart - lead, first.oldStart)
  for (const [at, run] of runs.entries()) {
    lines.push(...changedLines(old.slice(run.oldStart, run.oldEnd), wanted.slice(run.newStart, run.newEnd)))
    const next = runs[at + 1]
    same(run.oldEnd, next === undefined ? run.oldEnd + trail : next.oldStart)
  }
  const oldLines = last.oldEnd + trail - (first.oldStart - lead)
  const newLines = last.newEnd + trail - (first.newStart - lead)
  return {
    // As in a unified diff, an empty side is numbered by the line before it.
    oldStart: first.oldStart - lead + (oldLines === 0 ? 0 : 1),
    oldLines,
    newStart: first.newStart - lead + (newLines === 0 ? 0 : 1),
    newLines,
    lines,
  }
}

function changedLines(old: string[], wanted: string[]): DiffLine[] {
  const removed = old.map((line) => lineOf('remove', line))
  const added = wanted.map((line) => lineOf('add', line))
  for (let at = 0; at < Math.min(removed.length, added.length); at++) {
    const marks = wordMarks(removed[at]!.text, added[at]!.text)
    if (marks.before.length > 0) removed[at]!.marks = marks.before
    if (marks.after.length > 0) added[at]!.marks = marks.after
  }
  return [...removed, ...added]
}

function lineOf(kind: DiffLine['kind'], raw: string): DiffLine {
  const text = raw.replace(/\r?\n$/, '')
  return raw.endsWith('\n') ? { kind, text } : { kind, text, noNewline: true }
}

function lineEndNote(before: string | null, after: string | null): string | undefined {
  if (before === null || after === null) return undefined
  const [old, wanted] = [lineEndsOf(before), lineEndsOf(after)]
  if (old === wanted || old === 'none' || wanted === 'none') return undefined
  return `line ends change: ${old.toUpperCase()} to ${wanted.toUpperCase()}`
}
