// The two ways out of a session, its store and its events, without known secrets. What tools, attachments and hooks give is masked where
// it comes from; this stands behind them for what comes otherwise: arguments a model wrote, titles, errors of providers, input history.
import type { EventBody } from '../protocol/index.ts'
import type { SecretMask } from '../workspace/secrets/mask.ts'
import type { SessionStore } from './session-store.ts'

type Hide = Pick<SecretMask, 'maskKnown'>

/** An event without known secrets. The diff of an approval stays whole: a person must see what they allow, and may edit it. */
export function hiddenEvent(body: EventBody, { maskKnown }: Hide): EventBody {
  return body.type === 'approval-request' ? body : maskKnown(body)
}

/** The store with known secrets taken out of all that is written to it. */
export function hidingStore(store: SessionStore, { maskKnown }: Hide): SessionStore {
  const hiding: Partial<SessionStore> = {
    create: (session) => store.create(maskKnown(session)),
    rename: (id, title) => store.rename(id, maskKnown(title)),
    setMetadata: (id, metadata) => store.setMetadata(id, maskKnown(metadata)),
    append: (id, message) => store.append(id, maskKnown(message)),
    replace: (id, messageId, message) => store.replace(id, messageId, maskKnown(message)),
    addInput: (id, text) => store.addInput(id, maskKnown(text)),
    addCommand: (id, command, exitCode) => store.addCommand(id, maskKnown(command), exitCode),
    addQueued: (id, text) => store.addQueued(id, maskKnown(text)),
    addQuestion: (row) => store.addQuestion(maskKnown(row)),
    answerQuestion: (id, answer, by) => store.answerQuestion(id, maskKnown(answer), by),
  }
  return new Proxy(store, {
    get: (target, name) => {
      const own = hiding[name as keyof SessionStore]
      if (own) return own
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value
    },
  })
}
