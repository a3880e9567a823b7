// The message log of one open session: the store behind, a copy in memory for the loop, a `message` event for every front.
import type { AnswerPiece, MessageLog } from '../agent/ports.ts'
import type { RequestImage } from '../model/language-model.ts'
import type { AttachedImage, EventBody, Message, NewMessage } from '../protocol/index.ts'
import type { SessionStore } from './session-store.ts'

export class StoredLog implements MessageLog {
  private messages: Message[] | undefined
  /** Every request sends them all again. */
  private readonly images = new Map<string, RequestImage>()
  private readonly store: SessionStore
  private readonly sessionId: string
  private readonly emit: (event: EventBody) => void

  constructor(store: SessionStore, sessionId: string, emit: (event: EventBody) => void) {
    this.store = store
    this.sessionId = sessionId
    this.emit = emit
  }

  append(message: NewMessage): Message {
    const all = this.load()
    const stored = this.store.append(this.sessionId, message)
    all.push(stored)
    this.emit({ type: 'message', message: stored })
    return stored
  }

  begin(message: NewMessage): Message {
    const all = this.load()
    const stored = this.store.append(this.sessionId, message)
    all.push(stored)
    return stored
  }

  grow(begun: Message, piece: AnswerPiece): void {
    this.store.grow(this.sessionId, begun, piece)
  }

  replace(id: string, message: NewMessage): Message {
    const all = this.load()
    const stored = this.store.replace(this.sessionId, id, message)
    const at = all.findLastIndex((each) => each.id === id)
    if (at >= 0) all[at] = stored
    this.store.grown(id)
    this.emit({ type: 'message', message: stored })
    return stored
  }

  all(): readonly Message[] {
    return this.load()
  }

  image({ hash, mediaType, width, height }: AttachedImage): RequestImage | undefined {
    const known = this.images.get(hash)
    if (known) return known
    const bytes = this.store.image(this.sessionId, hash)
    if (!bytes) return undefined
    const size = width === undefined || height === undefined ? {} : { width, height }
    const image = { hash, mediaType, ...size, base64: Buffer.from(bytes).toString('base64') }
    this.images.set(hash, image)
    return image
  }

  /** Forgets the copy after the store was changed behind it (rewind). */
  reload(): void {
    this.messages = undefined
  }

  private load(): Message[] {
    this.messages ??= this.store.messages(this.sessionId)
    return this.messages
  }
}

/**
 * Makes a history true after a crash: every call without a result gets one that says so, and a message that stands for
 * something that was waited for keeps its placeholder. Returns how many calls were answered.
 */
export function answerOpenCalls(log: MessageLog): number {
  const messages = log.all()
  const answered = new Set(
    messages.flatMap(({ system }) => (system?.callId !== undefined && system.result ? [system.callId] : [])),
  )
  let count = 0
  for (const message of messages) {
    for (const call of message.output?.toolCalls ?? []) {
      // Damage can have taken the id; what is sent to a model does without it.
      if (typeof call.id !== 'string' || call.id === '' || answered.has(call.id)) continue
      count += 1
      log.append({
        sender: 'SYSTEM',
        text: '',
        system: {
          type: 'INTERRUPTED',
          callId: call.id,
          toolName: call.name,
          result: {
            status: 'cancelled',
            code: 'INTERRUPTED',
            text: 'codehound ended before this call had a result. Whether it took effect is not known: look before you repeat it.',
          },
        },
      })
    }
  }
  return count
}
