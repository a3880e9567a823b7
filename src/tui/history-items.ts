// Stored messages as items, for a session that is gone on with.
import type { Message } from '../protocol/index.ts'
import type { Item } from './item.ts'

/** Exchanges shown of a stored session; the rest is in the export. */
const SHOWN_EXCHANGES = 5

/** The last exchanges of a session. */
export function historyItems(messages: readonly Message[]): Item[] {
  const mine = messages.flatMap((message, at) => (message.sender === 'USER' ? [at] : []))
  const first = mine.at(-SHOWN_EXCHANGES) ?? 0
  const items: Item[] = []
  if (first > 0)
    items.push({
      kind: 'note',
      level: 'info',
      text: `… ${mine.length - SHOWN_EXCHANGES} earlier messages of yours`,
      suggestion: undefined,
    })
  const titles = new Map<string, string>()
  for (const message of messages.slice(first)) {
    const { sender, text, output, system } = message
    if (sender === 'USER') items.push({ kind: 'user', text, attachments: message.attachments ?? [] })
    if (sender === 'AI') {
      if (text !== '') items.push({ kind: 'text', text }, { kind: 'text-end' })
      for (const call of output?.toolCalls ?? []) titles.set(call.id, shortArgs(call.args))
      if (output?.finishReason === 'interrupted') items.push({ kind: 'interrupted' })
    }
    if (system?.result && system.callId !== undefined)
      items.push({
        kind: 'call',
        name: system.toolName ?? '',
        title: titles.get(system.callId) ?? '',
        result: system.result,
        durationMs: undefined,
        output: '',
      })
  }
  return items
}

/** The argument that says most. */
function shortArgs(args: Record<string, unknown>): string {
  const first = args['path'] ?? args['command'] ?? args['query'] ?? args['name'] ?? Object.values(args)[0]
  return typeof first === 'string' ? (first.split('\n')[0] ?? '') : ''
}
