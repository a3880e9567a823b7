// The terminal front. It promises a prompt before anything heavy is loaded and before the network is asked; keys typed
// meanwhile are kept; the terminal is restored however it ends. It reaches the program through client and protocol alone.
import { basename } from 'node:path'
import type { SessionChoice, Workbench } from '../client/workbench.ts'

export interface StartOptions {
  cwd: string
  /** Opens the application. */
  openWorkbench: () => Promise<Workbench>
  choice: SessionChoice
  plain: boolean
  /** What to do first, as if it were typed. */
  request?: string
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
}

/** Runs the front until the user leaves; gives the exit code. */
export async function startTui(options: StartOptions): Promise<number> {
  const { stdin, stdout, plain } = options
  if (plain || process.env['TERM'] === 'dumb' || !stdout.isTTY || !stdin.isTTY) {
    const { runPlain } = await import('./plain.ts')
    return runPlain(options)
  }
  // First of all: from now on the terminal keeps what is typed instead of echoing it.
  stdin.setRawMode(true)
  const { runScreen } = await import('./run-screen.ts')
  return runScreen(options, basename(options.cwd))
}
