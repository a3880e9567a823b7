// The command line of `codehound policy`. The handler is imported when it is called.
import { Option, type Command } from 'commander'
import type { Mode } from '../protocol/index.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { PolicyCommandDeps } from './policy.ts'

interface ExplainFlags {
  config?: string
  cwd?: string
  mode?: Mode
  sandbox: boolean
  json?: boolean
}

/** Adds `policy explain`, `policy list` and `policy forget`; `deps` gets the value of `--config`, `done` the exit code. */
export function addPolicyCommand(
  program: Command,
  deps: (file: string | undefined) => Promise<PolicyCommandDeps>,
  done: (exitCode: number) => void,
): void {
  const policy = program.command('policy').description('what may run here, and by which rule')
  policy
    .command('list')
    .description('the rules that hold here: blocked, configured and allowed commands, and approvals with their scope')
    .option('--config <file>', "configuration file instead of the user's own")
    .option('--json', 'as JSON')
    .action(async ({ config, json }: { config?: string; json?: boolean }) => {
      const { run } = await import('./policy.ts')
      done(await run({ action: 'list', ...(json ? { json } : {}) }, await deps(config)))
    })
  policy
    .command('forget')
    .description('take back an approval that holds always in this workspace')
    .argument('[rule]', 'the approval as policy list shows it, in quotes')
    .option('--all', 'every approval of this workspace')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nA session that is open takes it over with /permissions forget.')
    .action(async (rule: string | undefined, { all, json }: { all?: boolean; json?: boolean }) => {
      const { run } = await import('./policy.ts')
      if ((rule === undefined) === (all !== true)) {
        throw new UserError('usage', 'Say which approval, or --all.', {
          exitCode: EXIT.usage,
          suggestion: 'For example: codehound policy forget "command: cargo build"',
        })
      }
      done(await run({ action: 'forget', rule, ...(json ? { json } : {}) }, await deps(undefined)))
    })
  policy
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
