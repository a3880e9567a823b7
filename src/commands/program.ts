// The command line: names, options and help of every command. Handlers are imported when their command is called.
import { forTerminal } from '../lib/visible.ts'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { nearestName } from '../lib/edit-distance.ts'
import type { ErrorInfo } from '../protocol/index.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { ConfigDeps } from './config.ts'
import { addConfigCommand } from './config-program.ts'
import type { AppOptions, CommandDeps } from './deps.ts'
import type { DoctorDeps } from './doctor.ts'
import { addDoctorCommand } from './doctor-program.ts'
import { parseDuration } from './duration.ts'
import type { HistoryDeps } from './history.ts'
import type { IndexDeps } from './index-commands.ts'
import { addIndexCommands } from './index-program.ts'
import { showPaged } from './pager.ts'
import type { PolicyCommandDeps } from './policy.ts'
import { addPolicyCommand } from './policy-program.ts'
import { addHistoryCommands } from './history-program.ts'
import { handDown } from './leading-options.ts'
import type { SessionsDeps } from './sessions.ts'
import { addSessionsCommand } from './sessions-program.ts'
import { unknownCommand } from './unknown-command.ts'
import { noLimitAtZero } from './whole-number.ts'

/** Upper bound of a headless run when `--timeout` does not say. */
const DEFAULT_TIMEOUT = '60m'

interface ProgramOptions {
  version: string
  openApp: CommandDeps['openApp']
  /** The terminal front; gives the exit code. */
  openTui: (options: AppOptions, start: { plain: boolean; request?: string }) => Promise<number>
  /** Configuration and stores for commands that need no session; `file` is `--config`. */
  openCommandDeps: (file: string | undefined) => Promise<StoredDeps>
}

type StoredDeps = Omit<ConfigDeps, 'stdout' | 'stderr'> &
  Pick<SessionsDeps, 'openStores'> &
  Pick<HistoryDeps, 'openHistory'> &
  Pick<IndexDeps, 'openIndex' | 'searchSaved'> &
  Pick<PolicyCommandDeps, 'openPolicy' | 'forgetApprovals'> & {
    openDoctor(): Promise<Omit<DoctorDeps, 'stdout' | 'stderr'>>
  }

const duration = (text: string): number => {
  const ms = parseDuration(text)
  if (ms === undefined) throw new InvalidArgumentError('Give a time such as 90, 90s, 10m or 2h; 0 means no limit.')
  return ms
}

function withAppOptions(command: Command): Command {
  return command
    .option('--config <file>', "configuration file instead of the user's own")
    .option('-m, --model <backend/model>', 'model to use')
    .addOption(new Option('--mode <mode>', 'what may be done unasked').choices(['plan', 'ask', 'auto-edit', 'auto']))
    .option('--no-sandbox', 'run commands without the sandbox (mode auto needs one or the other)')
    .option('--max-turns <n>', 'turns of the run; 0 = no limit', noLimitAtZero)
    .option('-c, --continue', 'go on with the last session of this workspace')
    .option('-r, --resume <id>', 'go on with this session (a unique start of its id is enough)')
    .option('--ephemeral', 'store nothing')
    .option('--offline', 'contact no host but this machine; commands keep to it in the sandbox')
    .option('-y, --yes', 'read a large folder into the index whole, without a question or a warning; approves nothing')
}

interface CommonFlags {
  config?: string
  model?: string
  mode?: AppOptions['mode']
  sandbox: boolean
  maxTurns?: number
  timeout?: number
  continue?: boolean
  resume?: string
  ephemeral?: boolean
  offline?: boolean
  yes?: boolean
}

function appOptions({ sandbox, timeout, ...flags }: CommonFlags): AppOptions {
  return {
    cwd: currentFolder(),
    ...flags,
    ...(sandbox ? {} : { sandbox }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  }
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new UserError('workspace', 'The folder this was started in does not exist any more.', {
      exitCode: EXIT.usage,
      suggestion: 'Change to another folder and start again.',
      cause,
    })
  }
}

/** Builds the program; `done` takes the exit code of the command that ran. */
export function buildProgram(
  { version, openApp, openTui, openCommandDeps }: ProgramOptions,
  done: (exitCode: number) => void,
): Command {
  const deps: CommandDeps = { stdout: process.stdout, stderr: process.stderr, openApp }
  const program = new Command('codehound')
    .description('A local-first coding agent for the terminal that knows the codebase it works in')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
    .enablePositionalOptions()
  // Commander gives what stands before a command to the program alone.
  program.hook('preAction', (_, command) => handDown(program, command))
  const openStored = (): Promise<StoredDeps> => openCommandDeps(program.opts<CommonFlags>().config)
  const runOnce = async (
    words: string[],
    flags: CommonFlags & { output: 'text' | 'json' | 'jsonl' },
  ): Promise<void> => {
    const { output, ...common } = flags
    const [{ run }, { readPrompt }] = await Promise.all([import('./run.ts'), import('./stdin.ts')])
    done(await run(await readPrompt(words, deps), { ...appOptions(common), output }, deps))
  }
  withAppOptions(program)
    .option('--plain', 'line after line instead of a screen: for screen readers, logs and dumb terminals')
    .option('-p, --print', 'do the request and end, as codehound run does')
    .argument('[request...]', 'what to do first; nothing opens the screen and waits')
    .usage('[options] [command | request]')
    .action(async (words: string[], { plain, print, ...flags }: CommonFlags & { plain?: boolean; print?: boolean }) => {
      const request = words.join(' ')
      if (isCommandWord(words, program) && !print)
        throw unknownCommand(words[0]!, program, 'a request of one word is run with: codehound run "…"')
      if (print === true) await runOnce(words, { timeout: parseDuration(DEFAULT_TIMEOUT)!, ...flags, output: 'text' })
      else done(await openTui(appOptions(flags), { plain: plain === true, ...(request === '' ? {} : { request }) }))
    })

  withAppOptions(
    program
      .command('run')
      .description('do one request and end: text to stdout, progress to stderr')
      .argument('[prompt...]', 'what to do; - reads standard input'),
  )
    .addOption(new Option('-o, --output <form>', 'what stdout gets').choices(['text', 'json', 'jsonl']).default('text'))
    .addOption(
      new Option('--timeout <time>', 'upper bound of the run, such as 90s or 10m')
        .argParser(duration)
        .default(parseDuration(DEFAULT_TIMEOUT), DEFAULT_TIMEOUT),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 usage, 3 model unreachable, 4 limit reached, 5 something was refused, 130 interrupted',
    )
    .action(runOnce)

  addSessionsCommand(
    program,
    { stdout: process.stdout, now: Date.now, openStores: async () => (await openStored()).openStores() },
    done,
  )
  let stored: Promise<StoredDeps> | undefined
  const storedDeps = (): Promise<StoredDeps> => (stored ??= openStored())
  addIndexCommands(
    program,
    {
      stdout: process.stdout,
      stderr: process.stderr,
      cwd: currentFolder(),
      page: showPaged,
      openPage: async (html) => (await import('./open-page.ts')).openPage(html),
      terminal: process.stdin.isTTY && process.stderr.isTTY ? process.stdin : undefined,
      openIndex: async (front) => (await storedDeps()).openIndex(front),
      searchSaved: async (front, query) => (await storedDeps()).searchSaved?.(front, query),
    },
    done,
  )
  addHistoryCommands(
    program,
    {
      stdout: process.stdout,
      stderr: process.stderr,
      openHistory: async () => (await openStored()).openHistory(),
    },
    done,
  )
  addConfigCommand(
    program,
    async (file) => ({ stdout: process.stdout, stderr: process.stderr, ...(await openCommandDeps(file)) }),
    done,
  )
  addDoctorCommand(
    program,
    async (file) => ({
      stdout: process.stdout,
      stderr: process.stderr,
      ...(await (await openCommandDeps(file)).openDoctor()),
    }),
    done,
  )
  addPolicyCommand(program, async (file) => ({ stdout: process.stdout, ...(await openCommandDeps(file)) }), done)
  program
    .command('demo')
    .description('show a whole run on a bundled project; the model is a script and says so')
    .option('--keep', 'leave the project for a look')
    .action(async ({ keep }: { keep?: boolean }) => {
      const { demo } = await import('./demo.ts')
      done(await demo({ keep: keep === true }, deps))
    })

  program
    .command('help')
    .description('help for a command')
    .argument('[command...]')
    .action((words: string[]) => {
      let found = program
      for (const word of words) {
        const next = found.commands.find((each) => each.name() === word || each.aliases().includes(word))
        if (!next) throw unknownCommand(word, found)
        found = next
      }
      found.outputHelp()
    })
  return program
}

/** Whether words that name no command were meant as one: a single word, or one that is nearly a command's name. */
function isCommandWord(words: readonly string[], program: Command): boolean {
  const [first, ...more] = words
  if (first === undefined || /\s/.test(first)) return false
  return (
    more.length === 0 ||
    nearestName(
      first,
      program.commands.map((each) => each.name()),
    ) !== undefined
  )
}

/** Runs the command that `argv` names and returns the exit code. The one place that prints an error. */
export async function runProgram(argv: string[], options: ProgramOptions): Promise<number> {
  let exitCode: number = EXIT.done
  try {
    const program = buildProgram(options, (code) => {
      exitCode = code
    })
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (thrown) {
    // Commander has printed its own message already.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage
    return printError(thrown, argv.includes('json') || argv.includes('jsonl'))
  }
}

function printError(thrown: unknown, asJson: boolean): number {
  const carries =
    typeof thrown === 'object' && thrown !== null && 'toInfo' in thrown && typeof thrown.toInfo === 'function'
  const info: ErrorInfo = carries
    ? (thrown.toInfo as () => ErrorInfo)()
    : {
        code: 'internal',
        message: thrown instanceof Error ? thrown.message : String(thrown),
        recoverable: false,
        suggestion: 'This is a fault of codehound itself; CODEHOUND_DEBUG=1 shows where it happened.',
      }
  if (asJson) process.stderr.write(`${JSON.stringify({ error: info })}\n`)
  else
    process.stderr.write(
      forTerminal(`error: ${info.message}${info.suggestion === undefined ? '' : `\n${info.suggestion}`}\n`),
    )
  if (process.env['CODEHOUND_DEBUG'] && thrown instanceof Error) process.stderr.write(`${thrown.stack}\n`)
  const exitCode =
    typeof thrown === 'object' && thrown !== null && 'exitCode' in thrown ? Number(thrown.exitCode) : EXIT.failed
  return exitCode
}
