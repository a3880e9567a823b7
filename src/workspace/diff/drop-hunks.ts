import { changedRuns, groupRuns, rawLines } from './file-diff.ts'

const DEFAULT_CONTEXT = 3

/**
 * The new text without some hunks of `diffFile(path, before, after)`: where a hunk is dropped the old lines stay. Hunks are
 * numbered from 0 as in `FileDiff.hunks`; `context` must be the one the diff was made with.
 */
export function withoutHunks(
  before: string,
  after: string,
  dropped: readonly number[],
  context = DEFAULT_CONTEXT,
): string {
  const [old, wanted] = [rawLines(before), rawLines(after)]
  const groups = groupRuns(changedRuns(old, wanted), context)
  let text = ''
  let at = 0
  for (const [number, runs] of groups.entries()) {
    const [first, last] = [runs[0]!, runs.at(-1)!]
    text += old.slice(at, first.oldStart).join('')
    text += dropped.includes(number)
      ? old.slice(first.oldStart, last.oldEnd).join('')
      : wanted.slice(first.newStart, last.newEnd).join('')
    at = last.oldEnd
  }
  return text + old.slice(at).join('')
}
