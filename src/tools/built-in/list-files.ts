import { z } from 'zod'
import type { ListEntry } from '../../workspace/files/list-folder.ts'
import { faultResult } from '../fault-result.ts'
import { defineTool, ok } from '../tool.ts'

/** Entries of one result; more do not help a model to choose. */
const SHOWN_ENTRIES = 1_000

export const listFiles = defineTool({
  name: 'list_files',
  description: 'List a folder with sizes; .gitignore is honoured.',
  input: z.object({
    path: z.string().default('.'),
    recursive: z.boolean().optional(),
    pattern: z.string().optional().describe('glob'),
  }),
  effect: 'read',
  repeatable: true,
  rest: 'List a deeper folder or give a pattern',
  aliases: [
    { name: 'ls' },
    { name: 'LS' },
    { name: 'list_dir' },
    { name: 'list_directory' },
    { name: 'glob', set: { recursive: true } },
    { name: 'Glob', set: { recursive: true } },
    { name: 'find_files', set: { recursive: true } },
  ],
  synonyms: {
    dir: 'path',
    directory: 'path',
    folder: 'path',
    dir_path: 'path',
    directory_path: 'path',
    target_directory: 'path',
    relative_workspace_path: 'path',
    glob: 'pattern',
    glob_pattern: 'pattern',
  },
  paths: ({ path }) => [path],
  title: ({ path, pattern }) => `list ${path}${pattern === undefined ? '' : ` (${pattern})`}`,
  async run({ path, recursive, pattern }, { workspace }) {
    // A pattern with a folder in it says by itself that it looks below.
    const deep = recursive === true || pattern?.includes('/') === true || pattern?.includes('**') === true
    const options = { recursive: deep, limit: SHOWN_ENTRIES, ...(pattern === undefined ? {} : { pattern }) }
    const listing = await workspace.list(path, options)
    if (!listing.ok) return faultResult(listing)
    const { entries, truncated } = listing
    if (entries.length === 0) {
      const what = pattern === undefined ? `${path} is empty` : `Nothing in ${path} matches ${pattern}`
      return ok(`${what}${deep || pattern === undefined ? '' : ' (add recursive: true to look below)'}.`, {
        entries: 0,
      })
    }
    const more = truncated ? `\n(only the first ${SHOWN_ENTRIES}; list a deeper folder or give a pattern)` : ''
    return ok(`${entries.map(entryLine).join('\n')}${more}`, { entries: entries.length, truncated })
  },
})

function entryLine({ path, kind, size, target }: ListEntry): string {
  if (kind === 'folder') return `${path}/`
  if (kind === 'link') return `${path} -> ${target ?? '?'}`
  return kind === 'file' ? `${path}  ${sizeText(size)}` : `${path}  (device, pipe or socket)`
}

function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  if (bytes < 1_024 * 1_024) return `${(bytes / 1_024).toFixed(1)} KB`
  return `${(bytes / 1_024 / 1_024).toFixed(1)} MB`
}
