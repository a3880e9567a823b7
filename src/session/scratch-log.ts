// The message log of a conversation that is not kept: a sub-agent's. Same contract as the stored one, gone with the object.
import type { MessageLog } from '../agent/ports.ts'
import type { Message, NewMessage } from '../protocol/index.ts'

export class ScratchLog implements MessageLog {
  readonly #messages: Message[] = []
  readonly #sessionId: string
  readonly #now: () => number

  constructor(sessionId: string, now: () => number) {
    this.#sessionId = sessionId
    this.#now = now
  }

  append(message: NewMessage): Message {
    const seq = this.#messages.length + 1
    const stored = { ...message, id: `scratch-${seq}`, sessionId: this.#sessionId, seq, time: this.#now() }
    this.#messages.push(stored)
    return stored
  }

  begin(message: NewMessage): Message {
    return this.append(message)
  }

  /** Nothing of it is kept. */
  grow(): void {}

  replace(id: string, message: NewMessage): Message {
    const at = this.#messages.findLastIndex((each) => each.id === id)
    const stored = { ...this.#messages[at]!, ...message }
    this.#messages[at] = stored
    return stored
  }

  all(): readonly Message[] {
    return this.#messages
  }

  /** A sub-agent is given words only. */
  image(): undefined {
    return undefined
  }
}
