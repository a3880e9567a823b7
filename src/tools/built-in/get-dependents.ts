import { z } from 'zod'
import { answer, firstLines, noFile, withIndex } from '../index-answer.ts'
import { defineTool } from '../tool.ts'

const SHOWN = 200

export const getDependents = defineTool({
  name: 'get_dependents',
  description: 'Files that import a file.',
  input: z.object({ path: z.string() }),
  effect: 'read',
  repeatable: true,
  aliases: [{ name: 'get_importers' }],
  synonyms: { file: 'path', file_path: 'path' },
  // Any file may begin to import it.
  paths: () => ['.'],
  title: ({ path }) => `find what imports ${path}`,
  run: ({ path }, context) =>
    withIndex(context, async (index) => {
      const found = await index.dependents(path)
      if (!found) return noFile(index, path)
      const lines = found.map(
        (each) => `${each.path}:${each.line}${each.names.length === 0 ? '' : `: ${each.names.join(', ')}`}`,
      )
      const text = lines.length === 0 ? `No file imports ${path}.` : firstLines(lines, SHOWN, 'files')
      return answer(index, text, { total: found.length })
    }),
})
