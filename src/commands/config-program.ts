// The command line of `codehound config`: names, options, help. The handler is imported when it is called.
import type { Command } from 'commander'
import type { ConfigDeps, ConfigRequest } from './config.ts'
import { unknownCommand } from './unknown-command.ts'

/** Adds `config` to the program; `deps` gets the value of `--config`, `done` the exit code. */
export function addConfigCommand(
  program: Command,
  deps: (file: string | undefined) => Promise<ConfigDeps>,
  done: (exitCode: number) => void,
): void {
  const config = program
    .command('config')
    .description('what is configured, where it comes from, and changing it')
    .option('--config <file>', "configuration file instead of the user's own")
    .option('--explain <key>', 'what a key means, its value, and every place that sets it')
    .option('--json', 'as JSON')
  const act = async (request: ConfigRequest): Promise<void> => {
    const { run } = await import('./config.ts')
    done(await run(request, await deps(config.opts<{ config?: string }>().config)))
  }

  config.allowExcessArguments(true)
  config.action(({ explain, json = false }: { explain?: string; json?: boolean }, { args: [unknown] }: Command) => {
    if (unknown !== undefined) throw unknownCommand(unknown, config)
    return act(explain === undefined ? { action: 'show', json } : { action: 'explain', key: explain, json })
  })
  config
    .command('show')
    .description('everything that holds; keys and passwords are hidden')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) => act({ action: 'show', ...options }))
  config
    .command('get')
    .description('one value')
    .argument('<key>', 'such as context.mapTokens')
    .option('--json', 'as JSON')
    .action((key: string, options: { json?: boolean }) => act({ action: 'get', key, ...options }))
  config
    .command('set')
    .description('set a value; comments in the file are kept')
    .argument('<key>')
    .argument('<value>', 'as in YAML: 5, true, word, [a, b]')
    .option('--workspace', "in the workspace's file instead of the user's")
    .action((key: string, value: string, options: { workspace?: boolean }) =>
      act({ action: 'set', key, value, ...options }),
    )
  config
    .command('unset')
    .description('take a value out of the file')
    .argument('<key>')
    .option('--workspace', "from the workspace's file instead of the user's")
    .action((key: string, options: { workspace?: boolean }) => act({ action: 'unset', key, ...options }))
  config
    .command('keys')
    .description('every key and what it means')
    .action(() => act({ action: 'keys' }))
  config
    .command('schema')
    .description('the JSON Schema, for editors')
    .action(() => act({ action: 'schema' }))
  config
    .command('path')
    .description('the files that are read')
    .action(() => act({ action: 'path' }))
  config
    .command('trust')
    .description("let this workspace's configuration name commands, models and permissions")
    .action(() => act({ action: 'trust', trusted: true }))
  config
    .command('untrust')
    .description('take that back')
    .action(() => act({ action: 'trust', trusted: false }))
}
