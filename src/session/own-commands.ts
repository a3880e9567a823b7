// Commands the user types himself: their output is shown as it comes, and told to the model with the next message.
import type { EventBody } from '../protocol/index.ts'
import type { StoredLog } from './message-log.ts'
import type { SessionParts } from './parts.ts'
import type { SessionStore } from './session-store.ts'

/** What programs say that find no terminal; tmux, less, sudo, ssh, git, docker, Python. */
const NO_TERMINAL =
  /not (?:a|from a|to a) (?:tty|terminal)|(?:terminal|tty) is required|failed tty|no tty present|requires? a (?:tty|terminal)|\/dev\/tty|inappropriate ioctl|input device is not/i

interface OwnCommandDeps {
  store: SessionStore
  sessionId: string
  log: StoredLog
  emit: (event: EventBody, options?: { keep: boolean }) => void
  parts: SessionParts
}

export class OwnCommands {
  private readonly deps: OwnCommandDeps
  private readonly running = new Set<AbortController>()

  constructor(deps: OwnCommandDeps) {
    this.deps = deps
  }

  /** Runs one to its end. */
  async run(command: string): Promise<void> {
    const { parts, emit } = this.deps
    const callId = `user_${parts.newId()}`
    const abort = new AbortController()
    this.running.add(abort)
    const { exitCode, text } = await parts
      .runCommand(command, abort.signal, (stream, chunk) =>
        // No result follows at which it would be dropped; its bounded text stands in the message.
        emit({ type: 'tool-output-delta', callId, stream, text: chunk }, { keep: false }),
      )
      .finally(() => this.running.delete(abort))
    if (abort.signal.aborted) emit({ type: 'notice', level: 'info', text: 'stopped' })
    else if (exitCode !== 0) this.tellEnd(command, exitCode, NO_TERMINAL.test(text))
    this.record(command, exitCode, text)
  }

  /** Takes in one that ran in the user's terminal, where nobody else saw what it showed. */
  ran(command: string, exitCode: number | null): void {
    if (exitCode !== 0) this.tellEnd(command, exitCode, false)
    this.record(
      command,
      exitCode,
      '[It had the terminal of the user: what it showed is not known. Files may have changed.]',
    )
  }

  /** Ends all that run. */
  stop(): void {
    for (const command of this.running) command.abort()
  }

  private tellEnd(command: string, exitCode: number | null, missesTerminal: boolean): void {
    this.deps.emit({
      type: 'notice',
      level: 'info',
      text: exitCode === null ? 'ended by a signal' : `exit ${exitCode}`,
      ...(missesTerminal ? { suggestion: `!!${command} gives it the terminal.` } : {}),
    })
  }

  private record(command: string, exitCode: number | null, text: string): void {
    const { store, sessionId, log } = this.deps
    store.addCommand(sessionId, command, exitCode)
    log.append({
      sender: 'SYSTEM',
      text: '',
      system: {
        type: 'DATA_ADDED',
        data: `The user ran \`${command}\` (exit ${exitCode ?? 'none'}):\n${text}`,
        summary: `! ${command} (exit ${exitCode ?? 'none'})`,
      },
    })
  }
}
