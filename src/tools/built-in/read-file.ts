import { z } from 'zod'
import { faultResult } from '../fault-result.ts'
import { defineTool, fail, ok } from '../tool.ts'

/** Characters of a hash that are shown: enough to see that a file is another. */
const HASH_CHARACTERS = 12

export const readFile = defineTool({
  name: 'read_file',
  description: 'Read a text file, or a range of its lines, with line numbers.',
  input: z.object({
    path: z.string(),
    start_line: z.int().optional(),
    end_line: z.int().optional(),
  }),
  effect: 'read',
  repeatable: true,
  rest: 'Read that range with start_line and end_line',
  aliases: [
    { name: 'get_lines', map: { start: 'start_line', end: 'end_line' } },
    { name: 'view' },
    { name: 'cat' },
    { name: 'read' },
    { name: 'Read' },
    { name: 'open_file' },
    { name: 'view_file' },
    { name: 'get_file_contents' },
  ],
  synonyms: {
    file: 'path',
    file_path: 'path',
    filepath: 'path',
    filename: 'path',
    absolute_path: 'path',
    target_file: 'path',
    start: 'start_line',
    end: 'end_line',
    from: 'start_line',
    to: 'end_line',
    line_start: 'start_line',
    line_end: 'end_line',
    start_line_one_indexed: 'start_line',
    end_line_one_indexed_inclusive: 'end_line',
    offset: 'start_line',
  },
  paths: ({ path }) => [path],
  title: ({ path, start_line: start, end_line: end }) =>
    start === undefined && end === undefined ? `read ${path}` : `read ${path}:${start ?? 1}-${end ?? ''}`,
  async run({ path, start_line: start = 1, end_line: end }, { workspace, seen }) {
    const file = await workspace.readText(path)
    if (!file.ok) return faultResult(file)
    const starts = lineStarts(file.text)
    const total = starts.length
    const first = Math.max(1, start)
    // 0 and -1 are other tools' words for the end.
    const last = end === undefined || end <= 0 ? total : Math.min(total, end)
    if (total > 0 && (first > total || last < first)) {
      return fail(
        'NOT_FOUND',
        `${file.path} has ${total} lines; there are none from ${start} to ${end ?? 'the end'}. Ask for lines 1 to ${total}.`,
      )
    }
    seen.show(file.path, file.hash, first, last)
    const data = {
      path: file.path,
      totalLines: total,
      startLine: first,
      endLine: last,
      hash: file.hash,
      size: file.size,
    }
    if (total === 0) return ok(`${file.path} is empty.`, data)
    const range = first === 1 && last === total ? `${total} lines` : `lines ${first}-${last} of ${total}`
    const body = numbered(file.text, starts, first, last)
    return ok(`${file.path} (${range}, hash ${file.hash.slice(0, HASH_CHARACTERS)})\n${body}`, data)
  },
})

/** Offsets only: a log of 60 MB has a million lines. */
function lineStarts(text: string): number[] {
  const starts: number[] = []
  for (let at = 0; at < text.length;) {
    starts.push(at)
    const end = text.indexOf('\n', at)
    if (end < 0) break
    at = end + 1
  }
  return starts
}

function numbered(text: string, starts: readonly number[], first: number, last: number): string {
  const lines: string[] = []
  for (let line = first; line <= last; line++) {
    const content = text.slice(starts[line - 1], starts[line] ?? text.length).replace(/\r?\n$/, '')
    lines.push(`${line}| ${content}`)
  }
  return lines.join('\n')
}
