import { z } from 'zod'
import { editLines as replaceLines } from '../../workspace/edit/edit-lines.ts'
import { splitLines } from '../../workspace/edit/lines.ts'
import type { TextFile } from '../../workspace/files/read-file.ts'
import { applyChange, proposeChange, refitChange, reviseChange } from '../change-file.ts'
import { cleanContent } from '../clean-content.ts'
import { faultResult } from '../fault-result.ts'
import { reveal } from '../reveal.ts'
import { defineTool, fail } from '../tool.ts'

/** Lines around a stale range that are shown with their new numbers. */
const AROUND = 3
const SHOWN_LINES = 40

export const editLines = defineTool({
  name: 'edit_lines',
  description:
    'Replace lines start..end, by the numbers of your last read (they hold after your own edits too); end = start-1 inserts.',
  input: z.object({ path: z.string(), start: z.int().min(1), end: z.int().min(0), content: z.string() }),
  effect: 'write',
  unmasks: true,
  aliases: [{ name: 'replace_lines' }],
  synonyms: {
    file: 'path',
    file_path: 'path',
    filepath: 'path',
    start_line: 'start',
    end_line: 'end',
    new_content: 'content',
    new_text: 'content',
    text: 'content',
  },
  paths: ({ path }) => [path],
  title: ({ path, start, end }) =>
    end < start ? `insert at ${path}:${start}` : `edit ${path}:${start}${end === start ? '' : `-${end}`}`,
  async propose({ path, start, end, content }, context) {
    const file = await context.workspace.readText(path)
    if (!file.ok) return faultResult(file)
    const place = context.seen.mapLines(file.path, start, end, file.hash)
    if (!place.ok) return fail('STALE_LINES', place.message + linesNow(file, place.start, place.end))
    const revealed = reveal([content], file.text, context)
    if ('status' in revealed) return revealed
    const cleaned = cleanContent(file.path, revealed[0]!, file.text)
    if ('status' in cleaned) return cleaned
    const edited = replaceLines(file.text, place.start, place.end, cleaned.text)
    if (!edited.ok) return fail('STALE_LINES', `${file.path}: ${edited.message}`)
    const moved = place.start === start ? [] : [`your line ${start} is line ${place.start} now`]
    const notes = [...moved, ...cleaned.notes]
    return await proposeChange({ path: file.path, before: file, after: edited.text, notes }, context)
  },
  revise: async (_input, proposal, answer) => reviseChange(proposal, answer),
  refit: refitChange,
  run: (_input, context, proposal) => applyChange(proposal!, 'edit_lines', context),
})

/** The lines as they stand now, with the numbers they have now. */
function linesNow(file: TextFile, start: number | undefined, end: number | undefined): string {
  if (start === undefined || end === undefined) return ''
  const lines = splitLines(file.text)
  const from = Math.max(0, start - 1 - AROUND)
  const shown = lines
    .slice(from, Math.min(lines.length, end + AROUND, from + SHOWN_LINES))
    .map((line, at) => `${from + 1 + at}| ${line.text}`)
    .join('\n')
  return `\n${shown}`
}
