import { z } from 'zod'
import type { Dependency } from '../../index/answers.ts'
import { answer, noFile, withIndex } from '../index-answer.ts'
import { defineTool } from '../tool.ts'

export const getDependencies = defineTool({
  name: 'get_dependencies',
  description: 'Files and packages a file imports.',
  input: z.object({ path: z.string() }),
  effect: 'read',
  repeatable: true,
  aliases: [{ name: 'get_imports' }],
  synonyms: { file: 'path', file_path: 'path' },
  paths: ({ path }) => [path],
  title: ({ path }) => `find what ${path} imports`,
  run: ({ path }, context) =>
    withIndex(context, async (index) => {
      const found = await index.dependencies(path)
      if (!found) return noFile(index, path)
      const text = found.length === 0 ? `${path} imports nothing.` : found.map(dependencyLine).join('\n')
      return answer(index, text, { total: found.length })
    }),
})

function dependencyLine({ spec, kind, target, line, names, typeOnly }: Dependency): string {
  const to = kind === 'internal' ? target : kind === 'missing' ? `${spec} (not found)` : `${target} (${kind})`
  const what = names.length === 0 ? '' : `: ${names.join(', ')}`
  return `${line}: ${to}${what}${typeOnly ? ' (types only)' : ''}`
}
