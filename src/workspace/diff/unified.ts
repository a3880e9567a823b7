import type { DiffHunk, FileDiff } from '../../protocol/index.ts'

const SIGN = { same: ' ', add: '+', remove: '-' } as const

/** The unified text of a change, with the usual two header lines; ends in a line end. */
export function unifiedText(diff: FileDiff): string {
  const from = diff.change === 'created' ? '/dev/null' : `a/${diff.path}`
  const to = diff.change === 'deleted' ? '/dev/null' : `b/${diff.path}`
  return `--- ${from}\n+++ ${to}\n${diff.hunks.map((hunk) => hunkText(hunk)).join('')}`
}

export function hunkText(hunk: DiffHunk): string {
  const head = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@\n`
  const lines = hunk.lines.map(
    ({ kind, text, noNewline }) =>
      `${SIGN[kind]}${text}\n${noNewline === true ? '\\ No newline at end of file\n' : ''}`,
  )
  return head + lines.join('')
}

function range(start: number, lines: number): string {
  return lines === 1 ? String(start) : `${start},${lines}`
}
