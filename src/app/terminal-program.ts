// How a command of the user that wants a terminal is started in it.
import type { TerminalProgram } from '../client/workbench.ts'
import { parseCommand } from '../policy/commands/parse-command.ts'
import { wantsTerminal } from '../policy/commands/wants-terminal.ts'
import { commandEnvironment } from '../workspace/process/environment.ts'
import { commandArgv } from '../workspace/process/run-process.ts'
import { backendKeys } from './backend-keys.ts'
import type { Opened } from './opened.ts'

/** Undefined when it wants none and `asked` is false. */
export async function terminalProgram(
  { workspace, loaded }: Opened,
  typed: string,
  asked: boolean,
): Promise<TerminalProgram | undefined> {
  const name = wantsTerminal(parseCommand(typed)) ?? (asked ? `"${typed}"` : undefined)
  if (name === undefined) return undefined
  const [command = '', ...args] = commandArgv(typed)
  const env = commandEnvironment(process.env, {
    secrets: backendKeys(loaded.config),
    allow: ['*'],
    attended: true,
  })
  return { name, command, args, cwd: workspace.root, env }
}
