import { z } from 'zod'
import type { ToolResult } from '../../protocol/index.ts'
import { durationText, plainText } from '../command-text.ts'
import { faultResult } from '../fault-result.ts'
import { protectedData, protectedText } from '../protected-text.ts'
import { failuresFirst, passingShort, readCounts } from '../test-output.ts'
import { projectFiles } from '../project-files.ts'
import { detectRunner, managerOf, testCommand, type TestRunner } from '../test-runners.ts'
import { npxHas } from '../../workspace/command-facts.ts'
import type { CommandPlace } from '../../workspace/process/confinement.ts'
import { runInPlace } from '../sandbox-stop.ts'
import { runProcess, type ProcessResult } from '../../workspace/process/run-process.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { defineTool, fail, ok } from '../tool.ts'

/** tools.md, "The call manager". */
const TIMEOUT_MS = 10 * 60_000
const MANAGER_SLACK_MS = 5_000

interface Prepared {
  runner: TestRunner
  command: string
}

export const runTests = defineTool({
  name: 'run_tests',
  description: "Run the project's tests; failures come first.",
  input: z.object({
    path: z.string().optional().describe('test file'),
    filter: z.string().optional().describe('test name'),
  }),
  effect: 'execute',
  timeoutMs: TIMEOUT_MS + MANAGER_SLACK_MS,
  rest: 'Run one file (path) or one test (filter) to see less',
  aliases: [{ name: 'run_test' }],
  synonyms: {
    file: 'path',
    file_path: 'path',
    test_file: 'path',
    test_path: 'path',
    name: 'filter',
    pattern: 'filter',
    test_name: 'filter',
  },
  title: ({ path, filter }) =>
    ['run the tests', path && `in ${path}`, filter && `named ${filter}`].filter(Boolean).join(' '),
  async propose({ path, filter }, { workspace }) {
    const files = await projectFiles(workspace)
    const runner = detectRunner(files)
    if (!runner) {
      return fail(
        'NO_RUNNER',
        'No test runner was found in the workspace root (package.json, pytest, go.mod, Cargo.toml, Makefile …). Run the tests with shell_exec.',
      )
    }
    const missing = path === undefined ? undefined : await missingFile(workspace, path)
    if (missing !== undefined) return missing
    const made = testCommand(runner, { path, filter })
    if (typeof made === 'string') return fail('FORMAT_ERROR', made)
    const program = /^npx ([\w-]+)/.exec(made.command)?.[1]
    // npx would look for it in the registry, for minutes where there is no network, and run what it finds.
    if (program !== undefined && !npxHas(workspace.root, program))
      return fail(
        'NO_RUNNER',
        `${program} is not installed: no node_modules/.bin here has it. Install the dependencies of the project first (${managerOf(files.names)} install), or tell the user that the tests could not be run.`,
      )
    const prepared: Prepared = { runner, command: made.command }
    return { title: `run ${made.command}`, command: made.command, prepared }
  },
  async run(_input, context, proposal) {
    const { runner, command } = proposal!.prepared as Prepared
    const { commands, workspace, signal, sessionId, callId, keptOutput } = context
    const runAt = (place: CommandPlace): Promise<ProcessResult> =>
      runProcess({
        command,
        cwd: workspace.root,
        // CI makes watchers run once.
        env: { ...commands.environment(place), CI: 'true' },
        timeoutMs: TIMEOUT_MS,
        signal,
        owner: sessionId,
        onOutput: (stream, text) => context.output(stream, text),
        overflowFile: keptOutput.fileFor(callId),
        ...(context.secrets ? { hide: context.secrets.stream } : {}),
        ...commands.confine?.(place),
      })
    const { result, note } = await runInPlace(context, workspace.root, runAt)
    const output = plainText(`${result.stdout.text}\n${result.stderr.text}`).trim()
    const counts = readCounts(runner.name, output)
    const { exitCode } = result
    const data = {
      command,
      runner: runner.name,
      exitCode,
      durationMs: Math.round(result.durationMs),
      ...counts,
      ...protectedData(result, workspace.root),
    }
    const kept = result.file
      ? `\nThe whole output is kept: read it with shell_output, id ${keptOutput.keep(result.file.path)}.`
      : ''
    const failed = exitCode !== 0 || (counts?.failed ?? 0) > 0
    const body = `${failed ? failuresFirst(runner.name, output) : passingShort(output)}${kept}`
    if (result.outcome === 'failed')
      return fail('COMMAND_FAILED_TO_START', result.error ?? `${command} could not be started.`, data)
    if (result.outcome === 'timed-out') {
      return fail(
        'TIMEOUT',
        `${command} was ended after ${TIMEOUT_MS / 60_000} min. Run one file or one test.\n${body}`,
        data,
      )
    }
    if (result.outcome === 'over-limit') return fail('COMMAND_STOPPED', `${result.error ?? ''}\n${body}`, data)
    if (result.outcome === 'cancelled') {
      return { status: 'cancelled', code: 'INTERRUPTED', text: `Interrupted by the user.\n${body}`, data }
    }
    const said = counts
      ? `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
      : failed
        ? 'failed, and no counts could be read from the output'
        : 'no counts could be read from the output'
    const code = exitCode === null ? `ended by ${result.signal}` : `exit code ${exitCode}`
    return ok(
      `${said} (${command}, ${code}, ${durationText(result.durationMs)})${protectedText(result, workspace.root)}${note}\n${body}`,
      data,
    )
  },
})

/** A source file in a folder. Runners take a part of a name, a class, a package or `file::test` as well. */
const SOURCE_FILE = /^[\w@./-]+\/[\w@.-]+\.(?:[cm]?[jt]sx?|py|rb|php|rs|exs?)$/

/** The fault when `path` is surely meant as a file and there is none. */
async function missingFile(workspace: Workspace, path: string): Promise<ToolResult | undefined> {
  if (!SOURCE_FILE.test(path)) return undefined
  const file = await workspace.readText(path)
  return file.ok || file.code !== 'NOT_FOUND' ? undefined : faultResult(file)
}
