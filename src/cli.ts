#!/usr/bin/env node
// argv -> command, and the one place that prints an error and sets the exit code. Kept so small that `--version` costs
// no more than Node itself: everything else is imported when it is needed, out of V8's compile cache.
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'

const NEEDED_NODE = 24
/** Width of the built help. */
const HELP_COLUMNS = 80
/** 128 + SIGPIPE. */
const READER_LEFT = 141

function version(): string {
  const { version } = nodeModule.createRequire(import.meta.url)('../package.json') as { version: string }
  return version
}

/** The help at 80 columns as the build wrote it; undefined when run from source. */
function builtHelp(): string | undefined {
  try {
    return readFileSync(new URL('help.txt', import.meta.url), 'utf8')
  } catch {
    return undefined
  }
}

async function main(argv: string[]): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V' || argv[0] === '-v')) {
    process.stdout.write(`${process.env['CODEHOUND_VERSION'] ?? version()}\n`)
    return 0
  }
  if (
    argv.length === 1 &&
    (argv[0] === '--help' || argv[0] === '-h') &&
    (process.stdout.columns ?? HELP_COLUMNS) >= HELP_COLUMNS
  ) {
    const help = builtHelp()
    if (help !== undefined) {
      process.stdout.write(help)
      return 0
    }
  }
  const { runProgram } = await import('./commands/program.ts')
  return runProgram(argv, {
    version: process.env['CODEHOUND_VERSION'] ?? version(),
    openApp: async (options) => (await import('./app.ts')).openApp(options),
    openTui: async (options, start) => {
      const { startTui } = await import('./tui/start.ts')
      return startTui({
        cwd: options.cwd,
        openWorkbench: async () => (await (await import('./app.ts')).openApp(options)).workbench(),
        choice: { kind: 'start' },
        ...start,
        stdin: process.stdin,
        stdout: process.stdout,
      })
    },
    openCommandDeps: async (file) => (await import('./app/command-deps.ts')).openCommandDeps(process.cwd(), file),
  })
}

const major = Number(process.versions.node.split('.')[0])
if (major < NEEDED_NODE) {
  process.stderr.write(
    `codehound needs Node ${NEEDED_NODE} or later; this is ${process.version}. Install it from your package manager or https://nodejs.org, or run it with: npx -p node@${NEEDED_NODE} -p codehound codehound\n`,
  )
  process.exitCode = 2
} else {
  nodeModule.enableCompileCache?.()
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    // Whoever read the output has seen enough (`| head`): the end a shell would give.
    if (error.code === 'EPIPE') process.exit(READER_LEFT)
    process.stderr.write(
      `error: ${error.message}\nThis is a fault of codehound itself${process.env['CODEHOUND_DEBUG'] ? `:\n${error.stack}` : '; CODEHOUND_DEBUG=1 shows where it happened.'}\n`,
    )
    process.exit(1)
  })
  process.exitCode = await main(process.argv.slice(2))
}
