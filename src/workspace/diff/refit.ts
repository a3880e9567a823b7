import { align } from './align.ts'
import { changedRuns, rawLines } from './file-diff.ts'

export type Refit = { fits: true; text: string } | { fits: false }

/**
 * Puts a change made to `base` on top of a newer version of it: fits when every changed run, with one line around it,
 * still stands in `now` as it stood in `base`.
 */
export function refit(base: string, wanted: string, now: string): Refit {
  const [baseLines, wantedLines, nowLines] = [rawLines(base), rawLines(wanted), rawLines(now)]
  const inNow = new Int32Array(baseLines.length).fill(-1)
  for (const [at, from] of align(baseLines, nowLines).entries()) if (from >= 0) inNow[from] = at
  let text = ''
  let at = 0
  for (const run of changedRuns(baseLines, wantedLines)) {
    const start = placeOf(run.oldStart, run.oldEnd, baseLines.length, inNow, nowLines.length)
    if (start === null || start < at) return { fits: false }
    text += nowLines.slice(at, start).join('') + wantedLines.slice(run.newStart, run.newEnd).join('')
    at = start + run.oldEnd - run.oldStart
  }
  return { fits: true, text: text + nowLines.slice(at).join('') }
}

/** Where base lines [from, to) stand in the newer version, when they and their neighbours stand there side by side. */
function placeOf(from: number, to: number, baseLength: number, inNow: Int32Array, nowLength: number): number | null {
  const first = Math.max(0, from - 1)
  const last = Math.min(baseLength - 1, to)
  // The top of the file is the neighbour of the first line, its end that of the last.
  const start = first > last ? 0 : inNow[first]!
  if (start < 0 || (from === 0 && start !== 0)) return null
  for (let at = first; at <= last; at++) if (inNow[at] !== start + at - first) return null
  const place = start + from - first
  return to === baseLength && place + to - from !== nowLength ? null : place
}
