// The command line of `codehound changes | undo | redo | rewind`. The handler is imported when it is called.
import type { Command } from 'commander'
import type { HistoryDeps, HistoryRequest } from './history.ts'
import { atLeastOne } from './whole-number.ts'

/** Adds the four commands; `done` takes the exit code. */
export function addHistoryCommands(program: Command, deps: HistoryDeps, done: (exitCode: number) => void): void {
  const act = async (request: HistoryRequest): Promise<void> => {
    const { run } = await import('./history.ts')
    done(await run(request, deps))
  }
  program
    .command('changes')
    .description('changes that can be undone or redone, newest first')
    .option('-n, --limit <n>', 'how many at most', atLeastOne, 20)
    .option('-d, --diff', 'with their diffs')
    .option('--json', 'as JSON')
    .action((options: { limit: number; diff?: boolean; json?: boolean }) => act({ action: 'changes', ...options }))
  for (const action of ['undo', 'redo'] as const) {
    const command = program
      .command(action)
      .description(action === 'undo' ? 'take the last change back, byte for byte' : 'make an undone change again')
      .argument('[count]', 'how many changes', atLeastOne, 1)
      .option('-s, --session <id>', 'of this session; default: the one that changed something last')
    if (action === 'undo') command.option('-y, --yes', 'also more changes than undo.stackSize')
    command.action((count: number, options: { session?: string; yes?: boolean }) => act({ action, count, ...options }))
  }
  program
    .command('rewind')
    .description('take files and conversation back to before a message of yours')
    .argument('[message]', 'its number; default: the last', atLeastOne)
    .option('-s, --session <id>', 'of this session; default: the last')
    .action((message: number | undefined, options: { session?: string }) =>
      act({ action: 'rewind', ...options, ...(message === undefined ? {} : { message }) }),
    )
}
