import { z } from 'zod'
import { answer, firstLines, withIndex } from '../index-answer.ts'
import { defineTool } from '../tool.ts'

const SHOWN = 200

export const getTodos = defineTool({
  name: 'get_todos',
  description: 'TODO, FIXME, HACK and XXX comments.',
  input: z.object({ path: z.string().optional() }),
  effect: 'read',
  repeatable: true,
  rest: 'Ask for one folder',
  synonyms: { file: 'path', file_path: 'path', directory: 'path' },
  paths: ({ path = '.' }) => [path],
  title: ({ path = '.' }) => `todos in ${path}`,
  run: ({ path }, context) =>
    withIndex(context, async (index) => {
      const found = await index.todos(path === '.' ? undefined : path)
      const lines = found.map((each) => `${each.path}:${each.line}: ${each.tag} ${each.text}`)
      const text = lines.length === 0 ? `No TODO in ${path ?? 'the workspace'}.` : firstLines(lines, SHOWN, 'todos')
      return answer(index, text, { total: found.length })
    }),
})
