import { cleanArguments } from '../workspace/edit/clean-argument.ts'
import { newPlaceholders } from '../workspace/edit/placeholder.ts'
import { toLf } from '../workspace/edit/lines.ts'
import { fail } from './tool.ts'
import type { ToolResult } from '../protocol/index.ts'

/** There a fence or an ellipsis may be meant. */
const PROSE = /\.(?:md|mdx|markdown|mdc|qmd|rst|adoc|txt|ipynb)$/i
/** A line as read_file shows it. */
const SHOWN_LINE = /^ *(\d{1,7})\| ?(.*)$/

export interface CleanContent {
  ok: true
  text: string
  notes: string[]
}

/**
 * New content of a file or of some lines, without what a model copies along: one code fence around it all, and the numbers
 * of a read on every line. Refuses words that stand in for code. `before` is the text it replaces or stands in.
 */
export function cleanContent(path: string, content: string, before: string): CleanContent | ToolResult {
  const prose = PROSE.test(path)
  const notes: string[] = []
  const given = toLf(content)
  // An empty old text carries nothing itself: only a fence can be taken off here.
  const unfenced = prose ? given : (cleanArguments('', given, prose)?.newText ?? given)
  if (unfenced !== given) notes.push('a code fence around the text was taken off')
  const plain = withoutNumbers(unfenced)
  if (plain !== undefined) notes.push('copied line numbers were taken off')
  const text = plain ?? unfenced
  const [placeholder] = newPlaceholders(toLf(before), text, prose)
  if (placeholder) {
    return fail(
      'PLACEHOLDER',
      `The content stands in for code with "${placeholder.text}" (line ${placeholder.line}). Write out all of it, or change only the lines that change with edit_file.`,
    )
  }
  // Untouched content keeps its own line ends.
  return { ok: true, text: notes.length === 0 ? content : text, notes }
}

/** The text without numbers when every line carries one and they count up by one. */
function withoutNumbers(text: string): string | undefined {
  const ended = text.endsWith('\n')
  const found = (ended ? text.slice(0, -1) : text).split('\n').map((line) => SHOWN_LINE.exec(line))
  const first = Number(found[0]?.[1])
  if (!found.every((match, at) => match && Number(match[1]) === first + at)) return undefined
  return found.map((match) => match![2]).join('\n') + (ended ? '\n' : '')
}
