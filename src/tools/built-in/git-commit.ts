import { z } from 'zod'
import type { Fault } from '../../workspace/fault.ts'
import { faultResult } from '../fault-result.ts'
import { defineTool, fail, ok, type ToolContext } from '../tool.ts'
import { plural } from '../../lib/plural.ts'

/** Hooks of the repository may run its checks. */
const TIMEOUT_MS = 125_000

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
    const wanted = await wouldBeCommitted(paths, context)
    if ('ok' in wanted) return faultResult(wanted)
    if (wanted.length === 0) {
      const how =
        paths.length > 0 ? `${paths.join(', ')} has no changes` : 'nothing is staged; name the files to commit'
      return fail('NO_CHANGE', `There is nothing to commit: ${how}. See git_status.`)
    }
    const count = plural(wanted.length, 'file')
    return { title: `commit ${count}: ${message.split('\n')[0]}`, paths: wanted, prepared: paths }
  },
  async run({ message }, { workspace, trusted }, proposal) {
    const paths = proposal!.prepared as string[]
    const files = paths.length > 0 ? { files: paths } : {}
    const committed = await workspace.git.commit({ message, trusted, ...files })
    if (!committed.ok) return faultResult(committed)
    const { id, files: made } = committed
    return ok(`Committed ${id.slice(0, 12)}: ${made.join(', ')}`, { commit: id, files: made })
  },
})

async function wouldBeCommitted(paths: string[], { workspace, signal }: ToolContext): Promise<string[] | Fault> {
  const status = await workspace.git.status({ signal })
  if (!status.ok) return status
  const entries =
    paths.length > 0
      ? status.entries.filter(({ path }) =>
          paths.some((each) => each === '.' || path === each || path.startsWith(`${each}/`)),
        )
      : status.entries.filter(({ index }) => index !== '.' && index !== '?')
  return entries.map(({ path }) => path)
}
