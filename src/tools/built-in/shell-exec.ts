import { z } from 'zod'
import type { ToolResult } from '../../protocol/index.ts'
import { runProcess, type ProcessResult } from '../../workspace/process/run-process.ts'
import { faultResult } from '../fault-result.ts'
import { durationText, outputText } from '../command-text.ts'
import type { CommandPlace } from '../../workspace/process/confinement.ts'
import { runInPlace } from '../sandbox-stop.ts'
import { protectedData, protectedText } from '../protected-text.ts'
import { defineTool, fail, ok, type ToolContext } from '../tool.ts'

const DEFAULT_TIMEOUT_S = 30
const LONGEST_TIMEOUT_S = 3_600
/** The process is ended at its limit by run-process; the call manager's own limit stands behind that. */
const MANAGER_SLACK_MS = 5_000
/** Pipes whose exit codes are told. */
const MOST_PIPES = 3

interface ShellInput {
  command: string
  cwd?: string | undefined
  timeout?: number | undefined
  background?: boolean | undefined
}

export const shellExec = defineTool<ShellInput>({
  name: 'shell_exec',
  description: 'Run a shell command; gives exit code and output.',
  input: z.object({
    command: z.string().min(1),
    cwd: z.string().optional(),
    timeout: z.number().positive().optional().describe('seconds, default 30'),
    background: z.boolean().optional().describe('for servers; gives an id'),
  }),
  effect: 'execute',
  rest: 'Read the whole output with shell_output and the id given, or filter it with grep, head or tail',
  // The command may come with a limit of its own; commands.timeout is applied in run.
  timeoutMs: ({ timeout }) => (timeout === undefined ? 0 : secondsOf(timeout) * 1_000 + MANAGER_SLACK_MS),
  aliases: [
    { name: 'run_command' },
    { name: 'bash' },
    { name: 'Bash' },
    { name: 'sh' },
    { name: 'shell' },
    { name: 'execute_command' },
    { name: 'run_terminal_cmd' },
    { name: 'run_shell_command' },
    { name: 'run_in_terminal' },
  ],
  synonyms: {
    cmd: 'command',
    script: 'command',
    code: 'command',
    workdir: 'cwd',
    working_directory: 'cwd',
    directory: 'cwd',
    dir: 'cwd',
    run_in_background: 'background',
    is_background: 'background',
    timeout_seconds: 'timeout',
    timeout_ms: 'timeout',
  },
  title: ({ command, background }) => `run ${command}${background === true ? ' (in the background)' : ''}`,
  async propose({ command, cwd = '.' }, { workspace }) {
    const at = workspace.resolve(cwd, 'read')
    if (!at.ok) return faultResult(at)
    return { title: `run ${command}`, command, cwd: at.relative, prepared: at.real }
  },
  async run(input, context, proposal) {
    const cwd = proposal!.prepared as string
    return input.background === true ? startInBackground(input, cwd, context) : await runToEnd(input, cwd, context)
  },
})

/** Some models give milliseconds; nobody means 120,000 seconds. */
function secondsOf(timeout: number): number {
  return Math.min(LONGEST_TIMEOUT_S, timeout > LONGEST_TIMEOUT_S ? timeout / 1_000 : timeout)
}

function startInBackground(
  { command }: ShellInput,
  cwd: string,
  { commands, secrets, sessionId, place }: ToolContext,
): ToolResult {
  const at = place()
  const { id } = commands.background.start({
    command,
    cwd,
    env: commands.environment(at),
    owner: sessionId,
    ...(secrets ? { hide: secrets.stream } : {}),
    ...commands.confine?.(at),
  })
  return ok(`Started in the background as ${id}. Look at its output with shell_output, end it with shell_stop.`, {
    command,
    id,
  })
}

async function runToEnd({ command, timeout }: ShellInput, cwd: string, context: ToolContext): Promise<ToolResult> {
  const { commands, signal, sessionId, callId, maxCharacters, keptOutput } = context
  const timeoutMs =
    timeout === undefined ? (commands.timeoutMs ?? DEFAULT_TIMEOUT_S * 1_000) : secondsOf(timeout) * 1_000
  const runAt = (place: CommandPlace): Promise<ProcessResult> =>
    runProcess({
      command,
      cwd,
      env: commands.environment(place),
      timeoutMs,
      signal,
      owner: sessionId,
      onOutput: (stream, text) => context.output(stream, text),
      // Each stream may fill half of the result; more goes to a file that can be read on.
      memoryBytes: Math.floor(maxCharacters / 2),
      overflowFile: keptOutput.fileFor(callId),
      tellPipes: true,
      ...(context.secrets ? { hide: context.secrets.stream } : {}),
      ...commands.confine?.(place),
    })
  const { result, note } = await runInPlace(context, cwd, runAt)
  const id = result.file ? keptOutput.keep(result.file.path) : undefined
  return commandResult(command, result, { timeoutMs, outputId: id, root: context.workspace.root, note })
}

/** A command that ran is a success whatever its exit code. */
function commandResult(
  command: string,
  result: ProcessResult,
  { timeoutMs, outputId, root, note }: { timeoutMs: number; outputId: string | undefined; root: string; note: string },
): ToolResult {
  const { outcome, exitCode, durationMs, stdout, stderr, pipes } = result
  const truncated = stdout.truncated || stderr.truncated
  const data = {
    command,
    exitCode,
    durationMs: Math.round(durationMs),
    stdout: stdout.text,
    stderr: stderr.text,
    stdoutTruncated: stdout.truncated,
    stderrTruncated: stderr.truncated,
    ...(pipes === undefined ? {} : { pipes }),
    ...(outputId === undefined ? {} : { outputId }),
    ...protectedData(result, root),
  }
  const touched = `${protectedText(result, root)}${note}`
  const kept = outputId === undefined ? '' : `\nThe whole output is kept: read it with shell_output, id ${outputId}.`
  const took = durationText(durationMs)
  if (outcome === 'failed') {
    return fail('COMMAND_FAILED_TO_START', result.error ?? 'The command could not be started.', data)
  }
  if (outcome === 'timed-out') {
    const head = `Ended after ${timeoutMs / 1_000} s without coming to its end. Give a longer timeout, or run it in the background.`
    return { ...fail('TIMEOUT', `${head}\n${outputText(result)}${touched}${kept}`, data), truncated }
  }
  if (outcome === 'over-limit') {
    return { ...fail('COMMAND_STOPPED', `${result.error}\n${outputText(result)}${touched}${kept}`, data), truncated }
  }
  if (outcome === 'cancelled') {
    const text = `Interrupted by the user after ${took}.\n${outputText(result)}${touched}`
    return { status: 'cancelled', code: 'INTERRUPTED', text, data }
  }
  const ending = exitCode === null ? `ended by ${result.signal}` : `exit code ${exitCode}`
  const left = result.leftRunning ? '\nProcesses it started are still running; use background: true for those.' : ''
  const text = `${ending}, ${took}${pipesText(pipes)}\n${outputText(result)}${touched}${left}${kept}`
  return { ...ok(text, data), ...(truncated ? { truncated } : {}) }
}

/** A pipe has the exit code of its last part, so a failure before it is said. */
function pipesText(pipes: number[][] = []): string {
  if (pipes.length === 0) return ''
  const shown = pipes.slice(0, MOST_PIPES).map((codes) => codes.join(' | '))
  return `\nIn a pipe, a command before the last one failed (exit codes along it: ${shown.join('; ')}).`
}
