import { z } from 'zod'
import type { SymbolKind } from '../../index/kinds.ts'
import { withIndex } from '../index-answer.ts'
import { symbolSource } from '../symbol-source.ts'
import { defineTool } from '../tool.ts'

const KINDS: ReadonlySet<SymbolKind> = new Set<SymbolKind>([
  'function',
  'method',
  'constructor',
  'getter',
  'setter',
  'macro',
  // A function may be held by one: `const f = wrap(() => …)`.
  'variable',
  'constant',
  'property',
])

export const getFunction = defineTool({
  name: 'get_function',
  description: 'Source of a function or Class.method.',
  input: z.object({ path: z.string(), name: z.string() }),
  effect: 'read',
  repeatable: true,
  rest: 'Read a range of it with read_file',
  aliases: [{ name: 'get_method' }],
  synonyms: { file: 'path', file_path: 'path', function_name: 'name', function: 'name', symbol: 'name' },
  paths: ({ path }) => [path],
  title: ({ path, name }) => `read ${name} in ${path}`,
  run: ({ path, name }, context) =>
    withIndex(context, (index) => symbolSource(index, { path, name, kinds: KINDS }, context)),
})
