import { visible } from '../lib/visible.ts'
import type { FileDiff } from '../protocol/index.ts'

const SIGN = { same: ' ', add: '+', remove: '-' } as const
const COLOUR = { same: '', add: '\u001B[32m', remove: '\u001B[31m' } as const
const RESET = '\u001B[39m'

/** A diff as indented text, one line per line, control characters shown; coloured when asked. */
export function diffText(diff: FileDiff, colour: boolean): string {
  const lines = [`  ${visible(diff.path)} (${diff.change}, +${diff.added} -${diff.removed})`]
  for (const hunk of diff.hunks) {
    lines.push(`  @@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`)
    for (const { kind, text } of hunk.lines) {
      const line = `  ${SIGN[kind]} ${visible(text)}`
      lines.push(colour && kind !== 'same' ? `${COLOUR[kind]}${line}${RESET}` : line)
    }
  }
  return lines.join('\n')
}
