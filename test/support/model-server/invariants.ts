import type { SeenMessage, SeenRequest } from './types.ts'

/** What no server should ever have to accept; empty when the request is sound. */
export function requestFaults(request: SeenRequest): string[] {
  const { messages, wire } = request
  const faults: string[] = []
  if (request.model === '') faults.push('no model')
  if (messages.length === 0) return [...faults, 'no messages']
  if (messages[0]!.role !== 'system') faults.push(`first message is ${messages[0]!.role}, not system`)
  if (messages.at(-1)!.role === 'assistant') faults.push('last message is the assistant’s')
  const ids = new Set<string>()
  let open: string[] = []
  for (const [i, message] of messages.entries()) {
    const where = `message ${i} (${message.role})`
    if (!['system', 'user', 'assistant', 'tool'].includes(message.role)) faults.push(`${where}: unknown role`)
    if (message.role === 'system' && i > 0 && wire !== 'ollama') faults.push(`${where}: system not at the start`)
    if (message.role === 'tool') {
      open = answerCall(open, message, where, faults)
      continue
    }
    for (const id of open) faults.push(`${where}: call ${id} has no result before it`)
    open = []
    if (message.role === 'user' && message.text === '') faults.push(`${where}: empty`)
    if (message.role === 'assistant' && message.text === '' && message.calls.length === 0)
      faults.push(`${where}: empty`)
    if (message.role !== 'assistant' && message.calls.length > 0) faults.push(`${where}: has calls`)
    for (const call of message.calls) {
      const id = call.id ?? `(none:${call.name})`
      if (call.id === undefined && wire !== 'ollama') faults.push(`${where}: call of ${call.name} has no id`)
      if (call.id !== undefined && ids.has(call.id)) faults.push(`${where}: id ${call.id} is used twice`)
      if (call.name === '') faults.push(`${where}: call ${id} has no name`)
      if (!isJsonObject(call.arguments)) faults.push(`${where}: arguments of ${id} are no JSON object`)
      ids.add(id)
      open.push(id)
    }
  }
  for (const id of open) faults.push(`call ${id} has no result`)
  if (new Set(request.toolNames).size !== request.toolNames.length) faults.push('two tools have the same name')
  return faults
}

function answerCall(open: string[], message: SeenMessage, where: string, faults: string[]): string[] {
  // Ollama's results name no call: they answer in order.
  const place = message.callId === undefined ? 0 : open.indexOf(message.callId)
  if (place < 0 || open.length === 0) {
    faults.push(`${where}: answers ${message.callId ?? 'nothing'}, which is no open call of the message before`)
    return open
  }
  if (message.callId !== undefined && place > 0) faults.push(`${where}: results are not in the order of the calls`)
  return open.toSpliced(place, 1)
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** Follows conversations over their requests: tools must not change, and how much of a request is new is counted. */
export class Conversations {
  #last = new Map<string, { tools: string; text: string }>()

  /** Faults of a request against the one before it in the same conversation; sets `notInPrefix`. */
  follow(request: SeenRequest): string[] {
    const first = request.messages.find((message) => message.role === 'user')?.text ?? ''
    // Side questions (titles, summaries) have no tools and are conversations of their own.
    if (request.tools === '') return []
    const key = `${request.model}\n${first}`
    const text = JSON.stringify(request.body['messages'] ?? [])
    const before = this.#last.get(key)
    this.#last.set(key, { tools: request.tools, text })
    request.notInPrefix = text.length - commonPrefix(before?.text ?? '', text)
    return before !== undefined && before.tools !== request.tools ? ['the tools differ from the request before'] : []
  }
}

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let i = 0
  while (i < most && a.charCodeAt(i) === b.charCodeAt(i)) i++
  return i
}
