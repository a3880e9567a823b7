import { z } from 'zod'
import type { ToolResult } from '../../protocol/index.ts'
import { faultResult } from '../fault-result.ts'
import { gitFailure, runGit } from '../git-command.ts'
import { defineTool, fail, ok, type ToolContext } from '../tool.ts'

/** Hooks of the repository may run its checks. */
const TIMEOUT_MS = 5 * 60_000

export const gitCommit = defineTool({
  name: 'git_commit',
  description: 'Commit the named files, or what is staged.',
  input: z.object({ message: z.string().min(1), files: z.array(z.string()).optional() }),
  effect: 'write',
  repeatable: false,
  timeoutMs: TIMEOUT_MS,
  synonyms: { msg: 'message', commit_message: 'message', paths: 'files', file: 'files' },
  title: ({ message }) => `commit: ${message.split('\n')[0]}`,
  async propose({ message, files = [] }, context) {
    const paths: string[] = []
    for (const file of files) {
      const at = context.workspace.resolve(file, 'read')
      if (!at.ok) return faultResult(at)
      paths.push(at.relative)
    }
    const wanted = await whatWouldBeCommitted(paths, context)
    if ('status' in wanted) return wanted
    if (wanted.files.length === 0) {
      const how =
        paths.length > 0 ? `${paths.join(', ')} has no changes` : 'nothing is staged; name the files to commit'
      return fail('NO_CHANGE', `There is nothing to commit: ${how}. See git_status.`)
    }
    const title = `commit ${wanted.files.length} file${wanted.files.length === 1 ? '' : 's'}: ${message.split('\n')[0]}`
    return { title, paths: wanted.files, prepared: paths }
  },
  async run({ message }, context, proposal) {
    const paths = (proposal!.prepared as string[]).map((path) => `:(top,literal)${path}`)
    if (paths.length > 0) {
      const added = await runGit(['add', '--', ...paths], context)
      if ('status' in added) return added
      if (added.exitCode !== 0) return gitFailure('git add', added)
    }
    const committed = await runGit(
      ['commit', '--message', message, ...(paths.length > 0 ? ['--', ...paths] : [])],
      context,
    )
    if ('status' in committed) return committed
    if (committed.exitCode !== 0) return gitFailure('git commit', committed)
    const head = await runGit(['rev-parse', 'HEAD'], context)
    const id = 'status' in head ? '' : head.stdout.trim()
    return ok(`Committed ${id.slice(0, 12)}\n${committed.stdout.trim()}`, { commit: id, files: proposal!.paths ?? [] })
  },
})

async function whatWouldBeCommitted(paths: string[], context: ToolContext): Promise<{ files: string[] } | ToolResult> {
  const args =
    paths.length > 0
      ? [
          'status',
          '--porcelain',
          '-z',
          '--no-renames',
          '--untracked-files=all',
          '--',
          ...paths.map((path) => `:(top,literal)${path}`),
        ]
      : ['diff', '--staged', '--name-only', '-z', '--no-renames', '--no-ext-diff']
  const output = await runGit(args, context)
  if ('status' in output) return output
  if (output.exitCode !== 0) return gitFailure(`git ${args[0]}`, output)
  const entries = output.stdout.split('\0').filter(Boolean)
  return { files: paths.length > 0 ? entries.map((entry) => entry.slice(3)) : entries }
}
