import { z } from 'zod'
import { answer, firstLines, noFile, withIndex } from '../index-answer.ts'
import { defineTool } from '../tool.ts'

/** The worst are what is looked for. */
const SHOWN_FILES = 20
const SHOWN_FUNCTIONS = 20

export const getComplexity = defineTool({
  name: 'get_complexity',
  description: 'LOC, nesting, imports and score (0-100), worst first.',
  input: z.object({ path: z.string().optional() }),
  effect: 'read',
  repeatable: true,
  synonyms: { file: 'path', file_path: 'path', directory: 'path' },
  paths: ({ path = '.' }) => [path],
  title: ({ path = '.' }) => `measure the complexity of ${path}`,
  run: ({ path }, context) =>
    withIndex(context, async (index) => {
      const { files, functions } = await index.complexity(path === '.' ? undefined : path)
      if (files.length === 0)
        return path === undefined ? answer(index, 'There is no code.', { files: 0 }) : noFile(index, path)
      const fileLines = files.map(
        ({ path, loc, nesting, imports, score }) =>
          `${score}  ${path}  ${loc} LOC, nesting ${nesting}, ${imports} imports`,
      )
      const functionLines = functions.map(
        ({ path, line, name, loc, nesting, score }) =>
          `${score}  ${path}:${line} ${name}  ${loc} LOC, nesting ${nesting}`,
      )
      const text = `Files:\n${firstLines(fileLines, SHOWN_FILES, 'files')}\nFunctions:\n${firstLines(functionLines, SHOWN_FUNCTIONS, 'functions')}`
      return answer(index, text, { files: files.length, functions: functions.length })
    }),
})
