// The command line of the index: index, outline, def, refs, deps, dependents, search, complexity, todos, graph, map. They
// need no model. The handlers are imported when they are called.
import { Option } from 'commander'
import type { Command } from 'commander'
import type { IndexDeps, IndexRequest } from './index-commands.ts'
import { atLeastOne } from './whole-number.ts'

const YES = 'read a large folder whole, without a question or a warning'

/** Adds the commands of the index; `done` takes the exit code: 0 found, 1 nothing, 6 index fault. */
export function addIndexCommands(program: Command, deps: IndexDeps, done: (exitCode: number) => void): void {
  const act = async (request: IndexRequest): Promise<void> => {
    const { run } = await import('./index-commands.ts')
    done(await run(request, deps))
  }
  const command = (name: string, description: string): Command =>
    program.command(name).description(description).option('--json', 'as JSON').option('-y, --yes', YES)

  command('index', 'read the workspace and say what is known of it')
    .option('--watch', 'stay, and say what changes')
    .option('--ask', 'forget how much of a large folder is to be read, and ask anew')
    .action((options: { json?: boolean; yes?: boolean; watch?: boolean; ask?: boolean }) =>
      act({ action: 'index', ...options }),
    )
  command('map', 'the repository in a few thousand tokens: the files and symbols that matter most')
    .option('-t, --tokens <n>', 'size in tokens', atLeastOne, 3000)
    .option('--since <revision>', 'changed files since then first, by churn and complexity')
    .argument('[words...]', 'files or names the map is for')
    .action((words: string[], options: { json?: boolean; yes?: boolean; tokens: number; since?: string }) =>
      act({ action: 'map', words, ...options }),
    )
  command('outline', 'symbols of a file')
    .argument('<file>')
    .action((path: string, options: { json?: boolean; yes?: boolean }) => act({ action: 'outline', path, ...options }))
  command('def', 'where a symbol is defined')
    .argument('<symbol>', 'name, or Class.member')
    .option('-p, --path <path>', 'only in this file or folder')
    .action((name: string, options: { json?: boolean; yes?: boolean; path?: string }) =>
      act({ action: 'def', name, ...options }),
    )
  command('refs', 'where a symbol is used')
    .argument('<symbol>', 'name, or Class.member')
    .option('-p, --path <path>', 'defined in this file or folder')
    .action((name: string, options: { json?: boolean; yes?: boolean; path?: string }) =>
      act({ action: 'refs', name, ...options }),
    )
  command('deps', 'what a file imports')
    .argument('<file>')
    .action((path: string, options: { json?: boolean; yes?: boolean }) => act({ action: 'deps', path, ...options }))
  command('dependents', 'which files import a file')
    .argument('<file>')
    .action((path: string, options: { json?: boolean; yes?: boolean }) =>
      act({ action: 'dependents', path, ...options }),
    )
  command('search', 'find text, or with --semantic what the words mean')
    .argument('<query...>')
    .option('-p, --path <path>', 'only in this file or folder')
    .option('-g, --glob <pattern>', 'only files like *.ts')
    .option('-e, --regex', 'the query is a regular expression')
    .option('-c, --case', 'upper and lower case differ')
    .option('-C, --context <n>', 'lines around each match', atLeastOne)
    .option('-s, --semantic', 'rank functions and sections by meaning')
    .option('-n, --limit <n>', 'how many at most', atLeastOne, 100)
    .action(
      (
        words: string[],
        options: {
          json?: boolean
          yes?: boolean
          path?: string
          glob?: string
          regex?: boolean
          case?: boolean
          context?: number
          semantic?: boolean
          limit: number
        },
      ) => act({ action: 'search', query: words.join(' '), ...options }),
    )
  command('complexity', 'the files and functions that are hardest to follow')
    .argument('[path]', 'file or folder')
    .option('-n, --limit <n>', 'how many at most', atLeastOne, 20)
    .action((path: string | undefined, options: { json?: boolean; yes?: boolean; limit: number }) =>
      act({ action: 'complexity', ...options, ...(path === undefined ? {} : { path }) }),
    )
  command('todos', 'TODO, FIXME, HACK and XXX, with their authors where git knows')
    .argument('[path]', 'file or folder')
    .action((path: string | undefined, options: { json?: boolean; yes?: boolean }) =>
      act({ action: 'todos', ...options, ...(path === undefined ? {} : { path }) }),
    )
  command('graph', 'which file imports which')
    .argument('[path]', 'only around this file or folder')
    .addOption(new Option('-f, --format <form>', 'form').choices(['mermaid', 'dot', 'json']).default('mermaid'))
    .option('--open', 'as a page in the browser')
    .action(
      (
        path: string | undefined,
        options: { json?: boolean; yes?: boolean; format: 'mermaid' | 'dot' | 'json'; open?: boolean },
      ) => act({ action: 'graph', ...options, ...(path === undefined ? {} : { path }) }),
    )
}
