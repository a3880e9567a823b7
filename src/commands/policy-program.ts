// The command line of `codehound policy`. The handler is imported when it is called.
import { Option, type Command } from 'commander'
import type { Mode } from '../protocol/index.ts'
import type { PolicyCommandDeps } from './policy.ts'

interface ExplainFlags {
  config?: string
  cwd?: string
  mode?: Mode
  sandbox: boolean
  json?: boolean
}

/** Adds `policy explain`; `deps` gets the value of `--config`, `done` the exit code. */
export function addPolicyCommand(
  program: Command,
  deps: (file: string | undefined) => Promise<PolicyCommandDeps>,
  done: (exitCode: number) => void,
): void {
  program
    .command('policy')
    .description('what may run here, and by which rule')
    .command('explain')
    .description('how a command would be judged, part by part; runs nothing')
    .argument('<command>', 'the command as one text, in quotes')
    .option('--config <file>', "configuration file instead of the user's own")
    .option('--cwd <folder>', 'folder it would start in, from the root')
    .addOption(new Option('--mode <mode>', 'as in this mode').choices(['plan', 'ask', 'auto-edit', 'auto']))
    .option('--no-sandbox', 'as without the sandbox')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExit codes: 0 it would just run, 5 it would be asked about or refused, 2 usage')
    .showHelpAfterError('Put the command in quotes: codehound policy explain "ls -la"')
    .action(async (command: string, { config, sandbox, ...flags }: ExplainFlags) => {
      const { run } = await import('./policy.ts')
      const request = { action: 'explain' as const, command, ...flags, ...(sandbox ? {} : { sandbox }) }
      done(await run(request, await deps(config)))
    })
}
