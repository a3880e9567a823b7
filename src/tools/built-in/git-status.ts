import { z } from 'zod'
import type { GitEntry } from '../../workspace/git/status.ts'
import { faultResult } from '../fault-result.ts'
import { defineTool, ok } from '../tool.ts'

export const gitStatus = defineTool({
  name: 'git_status',
  description: 'Branch and changed files.',
  input: z.object({}),
  effect: 'read',
  rest: 'Look at one folder with list_files',
  title: () => 'git status',
  async run(_input, { workspace, signal }) {
    const status = await workspace.git.status({ signal })
    if (!status.ok) return faultResult(status)
    const { branch, upstream, ahead, behind, entries } = status
    const beside = upstream === undefined ? '' : ` (${upstream}: ${ahead} ahead, ${behind} behind)`
    const body = entries.length === 0 ? 'Nothing is changed.' : entries.map(entryLine).join('\n')
    return ok(`On ${branch ?? 'no branch (detached HEAD)'}${beside}\n${body}`, { branch, changed: entries.length })
  },
})

/** As `git status --short`: state in the index, state in the work tree, path. */
function entryLine({ index, workTree, path, from }: GitEntry): string {
  const letter = (each: string): string => (each === '.' ? ' ' : each)
  return `${letter(index)}${letter(workTree)} ${from === undefined ? '' : `${from} -> `}${path}`
}
