import { z } from 'zod'
import type { Todo } from '../../index/answers.ts'
import { lineAuthors } from '../../workspace/git/authors.ts'
import { answer, firstLines, withIndex } from '../index-answer.ts'
import { defineTool } from '../tool.ts'

/** Todos shown; the author of each is looked up. */
const SHOWN = 100
/** The todos are worth more than who wrote them, and a call has 15 s. Milliseconds. */
const AUTHORS_MS = 5_000

export const getTodos = defineTool({
  name: 'get_todos',
  description: 'TODO, FIXME, HACK and XXX comments, with author.',
  input: z.object({ path: z.string().optional() }),
  effect: 'read',
  repeatable: true,
  rest: 'Ask for one folder',
  synonyms: { file: 'path', file_path: 'path', directory: 'path' },
  paths: ({ path = '.' }) => [path],
  title: ({ path = '.' }) => `find todos in ${path}`,
  run: ({ path }, context) =>
    withIndex(context, async (index) => {
      const found = await index.todos(path === '.' ? undefined : path)
      const authors = await lineAuthors(context.workspace.root, found.slice(0, SHOWN), { timeMs: AUTHORS_MS })
      const lines = found.map((each, at) => todoLine(each, authors[at]))
      const text = lines.length === 0 ? `No TODO in ${path ?? 'the workspace'}.` : firstLines(lines, SHOWN, 'todos')
      return answer(index, text, { total: found.length })
    }),
})

function todoLine({ path, line, tag, text }: Todo, author: string | undefined): string {
  const said = text.startsWith(tag) ? text : `${tag} ${text}`
  return `${path}:${line}: ${said}${author === undefined ? '' : ` (${author})`}`
}
