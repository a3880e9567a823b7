// Messages typed during a run, until they join it. Each is stored before it is shown as queued and until it is in the
// history, so that none is lost with the process: what an earlier one left is the user's again when the session is opened.
import type { QueuedMessage } from '../agent/ports.ts'
import type { SessionStore } from './session-store.ts'

export class MessageQueue {
  private readonly store: SessionStore
  private readonly sessionId: string
  private readonly waiting: QueuedMessage[] = []
  private readonly keys = new Map<QueuedMessage, number>()
  /** Given back to whoever typed them: kept until he sends something, for the prompt is stored nowhere. */
  private readonly given = new Set<number>()

  constructor(store: SessionStore, sessionId: string) {
    this.store = store
    this.sessionId = sessionId
  }

  /** Takes over what an earlier process left; gives its texts. */
  left(): string[] {
    const rows = this.store.queued(this.sessionId)
    for (const { key } of rows) this.given.add(key)
    return rows.map(({ text }) => text)
  }

  /** Stores a message that is to wait. */
  keep(message: QueuedMessage): void {
    this.keys.set(message, this.store.addQueued(this.sessionId, message.text))
  }

  /** Lets a message wait; it was kept before. */
  push(message: QueuedMessage): void {
    this.waiting.push(message)
  }

  /** Gives each once; the one before is in the history when the next is asked for. */
  *take(): Generator<QueuedMessage, void, undefined> {
    for (let next; (next = this.waiting[0]);) {
      yield next
      this.waiting.shift()
      this.drop(next)
    }
  }

  /** The next, to begin a run of its own; `sent` tells when it is in the history. */
  shift(): QueuedMessage | undefined {
    return this.waiting.shift()
  }

  /** A message of the user that began a run is in the history. */
  sent(message: QueuedMessage): void {
    this.drop(message)
    for (const key of this.given) this.store.removeQueued(key)
    this.given.clear()
  }

  /** Forgets a message that will not be sent. */
  drop(message: QueuedMessage): void {
    const key = this.keys.get(message)
    if (key === undefined) return
    this.store.removeQueued(key)
    this.keys.delete(message)
  }

  /** Gives everything that waits back to whoever typed it. */
  giveBack(): string[] {
    return this.waiting.splice(0).map((message) => {
      const key = this.keys.get(message)
      if (key !== undefined) this.given.add(key)
      this.keys.delete(message)
      return message.text
    })
  }
}
