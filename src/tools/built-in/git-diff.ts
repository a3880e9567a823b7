import { z } from 'zod'
import { faultResult } from '../fault-result.ts'
import { gitFailure, runGit } from '../git-command.ts'
import { defineTool, ok } from '../tool.ts'

export const gitDiff = defineTool({
  name: 'git_diff',
  description: 'Unified diff of uncommitted (or staged) changes.',
  input: z.object({ path: z.string().optional(), staged: z.boolean().optional() }),
  effect: 'read',
  rest: 'Ask for the diff of one path',
  synonyms: { file: 'path', file_path: 'path', filename: 'path', cached: 'staged' },
  title: ({ path, staged }) => ['git diff', staged === true && '--staged', path].filter(Boolean).join(' '),
  async run({ path, staged }, context) {
    const at = path === undefined ? undefined : context.workspace.resolve(path, 'read')
    if (at && !at.ok) return faultResult(at)
    // Drivers and filters named in a repository's configuration are programs.
    const args = ['diff', '--no-ext-diff', '--no-textconv', ...(staged === true ? ['--staged'] : [])]
    const output = await runGit([...args, '--', ...(at ? [`:(top,literal)${at.relative}`] : [])], context)
    if ('status' in output) return output
    if (output.exitCode !== 0) return gitFailure('git diff', output)
    const diff = output.stdout.trimEnd()
    if (diff !== '') return ok(diff, { files: diff.match(/^diff --git /gm)?.length ?? 0 })
    const where = path === undefined ? '' : ` in ${path}`
    const other = staged === true ? 'Nothing is staged' : 'Nothing is changed that is not staged'
    return ok(`${other}${where}. Files that git does not know yet are in git_status only.`, { files: 0 })
  },
})
