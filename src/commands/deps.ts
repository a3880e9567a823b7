// What every command is given: where to write, and how to open the application. Commands never touch process.exit.
import type { Client } from '../client/client.ts'
import type { SessionChoice, Workbench } from '../client/workbench.ts'
import type { ModelScript } from '../model/providers/scripted.ts'
import type { Mode } from '../protocol/index.ts'

/** Options of the command line that reach the application. */
export interface AppOptions {
  cwd: string
  config?: string
  model?: string
  mode?: Mode
  /** False with `--no-sandbox`. */
  sandbox?: boolean
  maxTurns?: number
  /** Milliseconds. */
  timeoutMs?: number
  continue?: boolean
  resume?: string
  ephemeral?: boolean
  offline?: boolean
  /** A large folder is read into the index whole, without a question or a warning. */
  yes?: boolean
  /** Plays a script instead of asking a model; the demo alone sets it, and says so. */
  script?: ModelScript
}

export interface App {
  /** Opens a new session, or the one the options name; `which` says otherwise. */
  openSession(options: { interactive: boolean; which?: SessionChoice }): Promise<Client>
  /** What a front sees of the application. Closing it closes the application. */
  workbench(): Promise<Workbench>
  close(): Promise<void>
}

export interface Output {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

export interface CommandDeps {
  stdout: Output
  stderr: Output
  openApp(options: AppOptions): Promise<App>
}
