// A command that the sandbox stopped: the user is asked whether it may run again with more, and whoever is not there to be asked
// is told which setting would allow it.
import type { ToolResult } from '../protocol/index.ts'
import type { CommandPlace } from '../workspace/process/confinement.ts'
import { whatStopped, type SandboxStop } from '../workspace/sandbox/stopped.ts'
import type { ProcessResult } from '../workspace/process/run-process.ts'
import type { ToolContext } from './tool.ts'

/** What became of the question. */
export type Wider = { place: CommandPlace } | { refusal: ToolResult } | { setting: string }

export interface Attempt {
  result: ProcessResult
  /** For the end of the text; empty when the sandbox stopped nothing. */
  note: string
}

/** Runs a command at its place, and once more at a wider one when the sandbox stopped it and the user says so. */
export async function runInPlace(
  context: ToolContext,
  cwd: string,
  run: (place: CommandPlace) => Promise<ProcessResult>,
): Promise<Attempt> {
  const place = context.place()
  const result = await run(place)
  const stop = stopOf(context, { result, place, cwd })
  if (!stop || context.signal.aborted) return { result, note: '' }
  const wider = await context.askForPlace(stop)
  if ('place' in wider) {
    const again = await run(wider.place)
    const how = wider.place === 'network' ? 'with the network' : 'outside of the sandbox'
    return { result: again, note: `\n${stop.text} The user let it run again ${how}; this is the result of that.` }
  }
  const what =
    'setting' in wider
      ? `Nobody can be asked in this run; the user can allow it with the rule "${wider.setting}" in permissions.rules.`
      : `The user was asked and did not let it run ${stop.place === 'network' ? 'with the network' : 'outside of it'}.`
  return { result, note: `\n${stop.text} ${what} Do not repeat it; go on without it.` }
}

function stopOf(
  { commands }: ToolContext,
  { result, place, cwd }: { result: ProcessResult; place: CommandPlace; cwd: string },
): SandboxStop | undefined {
  const { access, network } = commands.sandbox?.(place) ?? {}
  if (!access || place === 'outside' || result.outcome === 'cancelled' || result.outcome === 'failed') return undefined
  // A pipe hides the failure of its first parts.
  const exitCode = result.pipes ? 1 : result.exitCode
  return whatStopped({
    exitCode,
    output: `${result.stdout.text}\n${result.stderr.text}`,
    cwd,
    network: network === true,
    access,
  })
}
