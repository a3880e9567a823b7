import { z } from 'zod'
import { faultResult } from '../fault-result.ts'
import { defineTool, ok } from '../tool.ts'

export const gitDiff = defineTool({
  name: 'git_diff',
  description: 'Unified diff of uncommitted (or staged) changes.',
  input: z.object({ path: z.string().optional(), staged: z.boolean().optional() }),
  effect: 'read',
  rest: 'Ask for the diff of one path',
  synonyms: { file: 'path', file_path: 'path', filename: 'path', cached: 'staged' },
  title: ({ path, staged }) => ['git diff', staged === true && '--staged', path].filter(Boolean).join(' '),
  async run({ path, staged = false }, { workspace }) {
    const at = path === undefined ? undefined : workspace.resolve(path, 'read')
    if (at && !at.ok) return faultResult(at)
    const below = at === undefined || at.relative === '.' ? {} : { path: at.relative }
    const diff = await workspace.git.diff({ staged, ...below })
    if (!diff.ok) return faultResult(diff)
    const text = diff.text.trimEnd()
    const hidden =
      diff.hidden.length === 0 ? '' : `\nNot shown, because they may hold secrets: ${diff.hidden.join(', ')}`
    const data = { files: text.match(/^diff --git /gm)?.length ?? 0 }
    if (text !== '') return ok(text + hidden, data)
    const where = path === undefined ? '' : ` in ${path}`
    const other = staged ? 'Nothing is staged' : 'Nothing is changed that is not staged'
    return ok(`${other}${where}. Files that git does not know yet are in git_status only.${hidden}`, data)
  },
})
