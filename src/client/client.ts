// What every front sees of a session: submit operations, read events. In-process here; the same shape fits a wire.
import type { Event, Message, Mode, Operation, Report, Session } from '../protocol/index.ts'
import type { ChatSession } from '../session/chat-session.ts'

export interface Client {
  readonly session: Session
  /** What may be done unasked now. */
  mode(): Mode
  /** Takes one operation; resolves when it took effect (a run it starts goes on behind). */
  submit(operation: Operation): Promise<void>
  /** Calls back for each event after `after` (default: only new ones). Returns the function that stops it. */
  events(listener: (event: Event) => void, after?: number): () => void
  /** Stored messages in order. */
  messages(): readonly Message[]
  /** The report of the run in progress; undefined when none is. */
  waitForRun(): Promise<Report> | undefined
  /** Ends the run in progress and closes the session. */
  close(): Promise<void>
}

/** A client of a session in this process. */
export function inProcessClient(session: ChatSession): Client {
  return {
    session: session.row,
    mode: () => session.mode,
    submit: (operation) => session.submit(operation),
    events: (listener, after) => session.events.subscribe(listener, after),
    messages: () => session.log.all(),
    waitForRun: () => session.waitForRun(),
    close: () => session.close(),
  }
}
