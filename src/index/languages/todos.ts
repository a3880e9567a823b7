import { TODO_TAGS } from '../facts.ts'
import type { FactsWriter } from '../facts-writer.ts'

const TODO = new RegExp(`\\b(?:${TODO_TAGS.join('|')})\\b`, 'gu')

/** Writes the marks (TODO, FIXME …) that stand in comments, each with the rest of its line. */
export function writeTodos(comments: readonly { start: number; end: number }[], text: string, out: FactsWriter): void {
  for (const { start, end } of comments) {
    const comment = text.slice(start, end)
    for (const hit of comment.matchAll(TODO)) {
      const from = start + hit.index
      const newline = text.indexOf('\n', from)
      const to = newline < 0 || newline > end ? end : newline
      out.todo(TODO_TAGS.indexOf(hit[0] as (typeof TODO_TAGS)[number]), from, to)
    }
  }
}
