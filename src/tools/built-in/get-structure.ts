import { z } from 'zod'
import type { TreeEntry } from '../../index/answers.ts'
import { answer, noFile, withIndex } from '../index-answer.ts'
import { defineTool } from '../tool.ts'
import { plural } from '../../lib/plural.ts'

const DEFAULT_DEPTH = 3

export const getStructure = defineTool({
  name: 'get_structure',
  description: 'Folder tree with a one-line outline per file.',
  input: z.object({ path: z.string().optional(), depth: z.int().min(1).optional() }),
  effect: 'read',
  repeatable: true,
  rest: 'Ask for a folder below, or a smaller depth',
  aliases: [{ name: 'tree' }, { name: 'repo_map' }],
  synonyms: { dir: 'path', directory: 'path', folder: 'path', max_depth: 'depth' },
  paths: ({ path = '.' }) => [path],
  title: ({ path = '.' }) => `outline ${path}`,
  run: ({ path, depth = DEFAULT_DEPTH }, context) =>
    withIndex(context, async (index) => {
      const tree = await index.structure(path === '.' ? undefined : path, depth)
      if (!tree) return noFile(index, path ?? '.')
      return answer(index, treeLines(tree, '').join('\n'), { path: tree.path })
    }),
})

function treeLines(entry: TreeEntry, indent: string): string[] {
  const { name, kind, outline, target, children = [], omitted } = entry
  const label = kind === 'folder' ? `${name || '.'}/` : kind === 'symlink' ? `${name} -> ${target ?? '?'}` : name
  const said = outline === undefined || outline === '' ? '' : `  ${outline}`
  const more = omitted === undefined || omitted === 0 ? '' : `  (${plural(omitted, 'file')})`
  return [`${indent}${label}${said}${more}`, ...children.flatMap((child) => treeLines(child, `${indent}  `))]
}
