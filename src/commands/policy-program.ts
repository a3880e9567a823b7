// The command line of `codehound policy`. The handler is imported when it is called.
import type { Command } from 'commander'
import type { PolicyCommandDeps } from './policy.ts'

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
    .description('how a command would be judged, part by part; runs nothing (exit code 5 when it would not just run)')
    .argument('<command>', 'the command as one text, in quotes')
    .option('--config <file>', "configuration file instead of the user's own")
    .option('--cwd <folder>', 'folder it would start in, from the root')
    .option('--json', 'as JSON')
    .action(async (command: string, { config, cwd, json }: { config?: string; cwd?: string; json?: boolean }) => {
      const { run } = await import('./policy.ts')
      const request = { action: 'explain' as const, command, ...(cwd === undefined ? {} : { cwd }) }
      done(await run({ ...request, ...(json === undefined ? {} : { json }) }, await deps(config)))
    })
}
