// The blocks of the conversation that a user can pin and drop: results of tools, attachments, images. Each has a handle, the
// place of its message in the session, which never changes. Pure.
import type { AttachedImage, Message, ToolCall } from '../../protocol/index.ts'
import { resultText } from '../result-text.ts'
import type { ContextView } from './view.ts'

export interface Block {
  /** `#12`, or `#12.1` for the first image of message 12. */
  handle: string
  /** What a marker calls it: the id of a call, else the handle. */
  key: string
  /** Of the message that brought it into the prompt; a result comes with its call. */
  seq: number
  /** Turn it came in, from 1; undefined for attachments. */
  turn: number | undefined
  title: string
  /** Characters when whole; 0 for an image. */
  text: string
  call?: ToolCall
  image?: AttachedImage
}

/** Blocks of the prompt in their order; those before a summary only when they are pinned. */
export function blocksOf(log: readonly Message[], view: ContextView): Block[] {
  const from = view.summary?.beforeSeq ?? 0
  return allBlocks(log).filter(({ seq, key }) => seq >= from || view.pinned.has(key))
}

function allBlocks(log: readonly Message[]): Block[] {
  const results = new Map<string, Message>()
  for (const message of log)
    if (message.system?.callId !== undefined && message.system.result) results.set(message.system.callId, message)
  let turn = 0
  return log.flatMap((message): Block[] => {
    const { sender, seq, output, attachments = [], system } = message
    if (message.excludeFromPrompt === true) return []
    if (sender === 'USER')
      return attachments.flatMap(({ ref, image }, at) => {
        const handle = `#${seq}.${at + 1}`
        return image ? [{ handle, key: handle, seq, turn: undefined, title: `image ${ref}`, text: '', image }] : []
      })
    if (sender === 'SYSTEM') {
      const isData = system?.type === 'DATA_ADDED' && system.callId === undefined && system.data !== undefined
      const handle = `#${seq}`
      return isData
        ? [{ handle, key: handle, seq, turn: undefined, title: dataTitle(system.data!), text: system.data! }]
        : []
    }
    turn += 1
    return (output?.toolCalls ?? []).flatMap((call): Block[] => {
      const answered = results.get(call.id)
      const result = answered?.system?.result
      if (!answered || !result) return []
      const title = titleOf(call)
      return [{ handle: `#${answered.seq}`, key: call.id, seq, turn, title, text: resultText(result), call }]
    })
  })
}

function titleOf({ name, args }: ToolCall): string {
  const subject = Object.values(args).find((value) => typeof value === 'string')
  return subject === undefined ? name : `${name} ${subject.split('\n')[0]!.slice(0, 60)}`
}

/** What was attached, or the first words of what was told. */
function dataTitle(data: string): string {
  const first = data.split('\n')[0]!
  return /^<attachment ref="(.*)">$/.exec(first)?.[1] ?? first.slice(0, 60)
}
