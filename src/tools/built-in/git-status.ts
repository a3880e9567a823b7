import { z } from 'zod'
import { gitFailure, runGit } from '../git-command.ts'
import { defineTool, ok } from '../tool.ts'

export const gitStatus = defineTool({
  name: 'git_status',
  description: 'Branch and changed files.',
  input: z.object({}),
  effect: 'read',
  rest: 'Look at one folder with list_files',
  title: () => 'git status',
  async run(_input, context) {
    const output = await runGit(['status', '--short', '--branch', '--untracked-files=all'], context)
    if ('status' in output) return output
    if (output.exitCode !== 0) return gitFailure('git status', output)
    const [branch = '', ...changed] = output.stdout.trimEnd().split('\n')
    const name = branch.replace(/^## /, '')
    const body = changed.length === 0 ? 'Nothing is changed.' : changed.join('\n')
    return ok(`On ${name}\n${body}`, { branch: name, changed: changed.length })
  },
})
