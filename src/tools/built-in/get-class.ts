import { z } from 'zod'
import type { SymbolKind } from '../../index/kinds.ts'
import { withIndex } from '../index-answer.ts'
import { symbolSource } from '../symbol-source.ts'
import { defineTool } from '../tool.ts'

const KINDS: ReadonlySet<SymbolKind> = new Set<SymbolKind>([
  'class',
  'interface',
  'type',
  'enum',
  'namespace',
  'struct',
  'trait',
  'module',
])

export const getClass = defineTool({
  name: 'get_class',
  description: 'Source of a class, interface, type or enum.',
  input: z.object({ path: z.string(), name: z.string() }),
  effect: 'read',
  repeatable: true,
  rest: 'Ask for one method with get_function',
  synonyms: { file: 'path', file_path: 'path', class_name: 'name', class: 'name', symbol: 'name' },
  paths: ({ path }) => [path],
  title: ({ path, name }) => `read ${name} in ${path}`,
  run: ({ path, name }, context) =>
    withIndex(context, (index) => symbolSource(index, { path, name, kinds: KINDS }, context)),
})
