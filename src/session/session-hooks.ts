import { EXIT, UserError } from '../protocol/user-error.ts'
import type { QueuedMessage } from '../agent/ports.ts'

/** What the user's hooks said. */
export interface HookSaid {
  /** Why it must not be done. */
  block?: string
  /** Texts for the model's context. */
  context: string[]
  /** Hooks that failed, for the user. */
  problems: string[]
}

/** Commands the user hung on moments of a session; what none hangs on answers at once. */
export interface SessionHooks {
  /** Before a message is sent; the first one also starts the session. */
  userPrompt(text: string): Promise<HookSaid>
  /** Before a run ends; a block sends it on once with the reason. */
  beforeStop(): Promise<HookSaid>
}

/** Messages that hooks have heard: one queued at the very end of a run starts the next. */
const heard = new WeakSet<QueuedMessage>()

/** Adds what hooks have to say to a message, once. Throws UserError when one blocks it. */
export async function hearPrompt(
  hooks: SessionHooks | undefined,
  message: QueuedMessage,
  warn: (text: string) => void,
): Promise<void> {
  if (!hooks || heard.has(message)) return
  heard.add(message)
  const said = await hooks.userPrompt(message.text)
  said.problems.forEach(warn)
  if (said.block !== undefined) {
    throw new UserError('refused', `A hook blocked the message: ${said.block}`, { exitCode: EXIT.refused })
  }
  if (said.context.length > 0) message.data = [...(message.data ?? []), ...said.context]
}
