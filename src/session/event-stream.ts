// The one way out of a session: numbered events, kept for replay. Any reader can start from a sequence number; deltas are
// dropped from what is kept once their text is complete, everything else stays for the life of the session object.
import { droppableEvents } from '../protocol/event-kinds.ts'
import type { Event, EventBody } from '../protocol/index.ts'

export type EventListener = (event: Event) => void

export class EventStream {
  private seq = 0
  private kept: Event[] = []
  private readonly listeners = new Set<EventListener>()
  private readonly sessionId: string
  private readonly now: () => number
  private readonly hide: (body: EventBody) => EventBody
  runId: string | undefined

  /** `hide` takes known secrets out of an event. */
  constructor(sessionId: string, now: () => number, hide: (body: EventBody) => EventBody = (body) => body) {
    this.hide = hide
    this.sessionId = sessionId
    this.now = now
  }

  /** Numbers an event, keeps it unless told otherwise, and gives it to every listener in turn. */
  emit(body: EventBody, { keep = true }: { keep?: boolean } = {}): void {
    this.seq += 1
    const envelope = {
      seq: this.seq,
      time: this.now(),
      sessionId: this.sessionId,
      ...(this.runId === undefined ? {} : { runId: this.runId }),
    }
    const event: Event = { ...this.hide(body), ...envelope }
    if (body.type === 'text-end' || body.type === 'reasoning-end' || body.type === 'tool-result') this.dropDeltas()
    if (keep) this.kept.push(event)
    for (const listener of this.listeners) listener(event)
  }

  /** Calls back for every kept event after `after`, then for new ones. Returns the function that stops it. */
  subscribe(listener: EventListener, after = Number.POSITIVE_INFINITY): () => void {
    for (const event of this.kept) if (event.seq > after) listener(event)
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** The complete text stands in the message that follows, so a late reader loses nothing. */
  private dropDeltas(): void {
    let end = this.kept.length
    while (end > 0 && droppableEvents.has(this.kept[end - 1]!.type)) end -= 1
    this.kept.length = end
  }
}
