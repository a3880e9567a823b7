// The command line of `codehound sessions`: names, options, help. The handler is imported when it is called.
import { type Command, Option } from 'commander'
import type { SessionsDeps, SessionsRequest } from './sessions.ts'
import { unknownCommand } from './unknown-command.ts'
import { atLeastOne } from './whole-number.ts'

/** Adds `sessions` to the program; `done` takes the exit code. */
export function addSessionsCommand(program: Command, deps: SessionsDeps, done: (exitCode: number) => void): void {
  const act = async (request: SessionsRequest): Promise<void> => {
    const { run } = await import('./sessions.ts')
    done(await run(request, deps))
  }
  const sessions = program.command('sessions').description('list, read and tidy up what was said')

  sessions
    .command('list', { isDefault: true })
    .alias('ls')
    .description('newest first')
    .argument('[query]', 'part of a title')
    .option('-a, --all', 'every workspace, not this one alone')
    .option('-n, --limit <n>', 'how many at most', atLeastOne)
    .option('--json', 'as JSON')
    .action((query: string | undefined, options: { all?: boolean; limit?: number; json?: boolean }) => {
      // As the default command it would take a misspelt command for a query.
      if (query !== undefined && sessions.args[0] === query) throw unknownCommand(query, sessions)
      return act({ action: 'list', ...options, ...(query === undefined ? {} : { query }) })
    })
  sessions
    .command('show')
    .description('read a session')
    .argument('<id>', 'its id, or 4 characters of its start or end')
    .option('--last <n>', 'only the newest messages', atLeastOne)
    .option('--json', 'as JSON, nothing left out')
    .action((id: string, options: { last?: number; json?: boolean }) => act({ action: 'show', id, ...options }))
  sessions
    .command('rename')
    .description('give a session another title')
    .argument('<id>')
    .argument('<title...>')
    .action((id: string, words: string[]) => act({ action: 'rename', id, title: words.join(' ') }))
  sessions
    .command('delete')
    .alias('rm')
    .description('delete sessions with all that belongs to them')
    .argument('<id...>')
    .action((ids: string[]) => act({ action: 'delete', ids }))
  sessions
    .command('export')
    .description('write a session to stdout')
    .argument('<id>')
    .addOption(new Option('-f, --format <form>', 'form').choices(['markdown', 'json']).default('markdown'))
    .action((id: string, { format }: { format: 'markdown' | 'json' }) => act({ action: 'export', id, format }))
  sessions
    .command('search')
    .description('find words in all messages')
    .argument('<words...>', 'each must be in the message; beginnings of words count')
    .option('-a, --all', 'every workspace, not this one alone')
    .option('-n, --limit <n>', 'how many at most', atLeastOne)
    .option('--json', 'as JSON')
    .action((words: string[], options: { all?: boolean; limit?: number; json?: boolean }) =>
      act({ action: 'search', query: words.join(' '), ...options }),
    )
  sessions
    .command('fork')
    .description('copy a session to go on from there')
    .argument('<id>')
    .option('--at <n>', 'up to this message; default: all', atLeastOne)
    .option('--json', 'the new session as JSON')
    .action((id: string, options: { at?: number; json?: boolean }) => act({ action: 'fork', id, ...options }))
  sessions
    .command('purge')
    .description('delete sessions nobody used for long')
    .requiredOption('--older <age>', 'without activity for so long, such as 90d')
    .option('-a, --all', 'every workspace, not this one alone')
    .option('--dry-run', 'only say how many')
    .action((options: { older: string; all?: boolean; dryRun?: boolean }) => act({ action: 'purge', ...options }))
}
