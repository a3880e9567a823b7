import type { ToolResult } from '../protocol/index.ts'
import { runProcess } from '../workspace/process/run-process.ts'
import { outputText } from './command-text.ts'
import { fail, type ToolContext } from './tool.ts'

/** Output of one git command that is kept; a diff larger than that is not read anyway. */
const MEMORY_BYTES = 1024 * 1024

export interface GitOutput {
  ok: true
  exitCode: number
  stdout: string
  stderr: string
}

/** What a repository's own configuration could make a mere look run. */
const QUIET = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.pager=cat',
  '-c',
  'color.ui=false',
  '-c',
  'core.quotePath=false',
]

/** Runs git in the workspace root; a failure result when there is no git, no repository, or it was interrupted. */
export async function runGit(args: readonly string[], context: ToolContext): Promise<GitOutput | ToolResult> {
  const { workspace, commands, signal, sessionId } = context
  const result = await runProcess({
    command: ['git', ...QUIET, ...args],
    cwd: workspace.root,
    // A look must not take the lock that the user's own git wants.
    env: { ...commands.environment(), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    signal,
    owner: sessionId,
    memoryBytes: MEMORY_BYTES,
  })
  if (result.outcome === 'failed')
    return fail('NO_GIT', `git could not be started: ${result.error ?? 'it is not installed'}.`)
  if (result.outcome !== 'exited')
    return { status: 'cancelled', code: 'INTERRUPTED', text: `git was interrupted.\n${outputText(result)}` }
  const { stdout, stderr, exitCode } = result
  if (exitCode === 128 && stderr.text.includes('not a git repository')) {
    return fail('NO_GIT', 'The workspace is not a git repository. Go on without git.')
  }
  return { ok: true, exitCode: exitCode ?? 1, stdout: stdout.text, stderr: stderr.text }
}

/** What git said of its failure. */
export function gitFailure(what: string, { exitCode, stdout, stderr }: GitOutput): ToolResult {
  const said = [stderr.trim(), stdout.trim()].filter(Boolean).join('\n')
  return fail('TOOL_ERROR', `${what} failed (exit code ${exitCode}): ${said === '' ? 'git said nothing' : said}`, {
    exitCode,
  })
}
