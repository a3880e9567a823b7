// Gives every call of a session an id of its own, whatever ids the server sends, and tells a call that is sent twice from
// one of a server that uses an id again and again. Ids are the model's only in what it is answered.
import type { Message } from '../protocol/index.ts'

/** Server ids that count calls within a response (`call_0`, `functions.read:1`) repeat by design; longer ones do not. */
const COUNTING = /^(?:[A-Za-z_.]*[-_:.]?)?\d{0,3}$/

export interface GivenCall {
  id: string | undefined
  name: string
  argumentsText: string
}

export class CallIds {
  readonly #used: Set<string>
  /** What was called under a server's id in earlier responses, and in this one. */
  #before = new Map<string, string>()
  #now = new Map<string, string>()
  /** The server gave one id to two different calls: its ids say nothing. */
  #careless = false
  readonly #newId: () => string

  constructor(messages: readonly Message[], newId: () => string) {
    this.#used = new Set(messages.flatMap((message) => message.output?.toolCalls.map((call) => call.id) ?? []))
    this.#newId = newId
  }

  /** Ids of the calls of one response, in their order; `repeated`: the very call of an earlier response came again. */
  forResponse(calls: readonly GivenCall[]): { id: string; repeated: boolean }[] {
    for (const [id, what] of this.#now) this.#before.set(id, what)
    this.#now = new Map()
    return calls.map((call) => this.#take(call))
  }

  /** An id for a call that has none. */
  fresh(): string {
    let id = `call_${this.#newId()}`
    while (this.#used.has(id)) id = `call_${this.#newId()}`
    this.#used.add(id)
    return id
  }

  #take({ id, name, argumentsText }: GivenCall): { id: string; repeated: boolean } {
    if (id === undefined || id === '') return { id: this.fresh(), repeated: false }
    const what = `${name}\n${argumentsText}`
    const earlier = this.#before.get(id)
    const beside = this.#now.get(id)
    if ((earlier ?? what) !== what || (beside ?? what) !== what) this.#careless = true
    this.#now.set(id, what)
    if (!this.#used.has(id)) {
      this.#used.add(id)
      return { id, repeated: false }
    }
    // Without a record (an earlier process) nothing is known but the id.
    return { id: this.fresh(), repeated: earlier !== undefined && !this.#careless && !COUNTING.test(id) }
  }
}
