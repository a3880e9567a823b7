// The command line of `codehound doctor`. The handler is imported when it is called.
import type { Command } from 'commander'
import type { DoctorDeps, DoctorRequest } from './doctor.ts'

/** Adds `doctor` to the program; `deps` gets the value of `--config`, `done` the exit code: 0, 1 a fault, 3 no model. */
export function addDoctorCommand(
  program: Command,
  deps: (file: string | undefined) => Promise<DoctorDeps>,
  done: (exitCode: number) => void,
): void {
  program
    .command('doctor')
    .description('check models, window, tool calls, store, index and sandbox; remembers how the model calls tools')
    .option('--config <file>', "configuration file instead of the user's own")
    .option('-m, --model <backend/model>', 'model to try instead of the configured one')
    .option('--no-probe', 'only look whether servers are there; ask no model anything')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExit codes: 0 all works, 1 something is broken, 3 model unreachable')
    .action(async ({ config, ...request }: DoctorRequest & { config?: string }) => {
      const { run } = await import('./doctor.ts')
      done(await run(request, await deps(config)))
    })
}
