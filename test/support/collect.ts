import type { ModelRequest, StreamPart } from '../../src/model/language-model.ts'

/** A small request with one tool. */
export function modelRequest(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'mock',
    messages: [
      { role: 'system', content: 'You are a test.' },
      { role: 'user', content: 'Read a.ts.' },
    ],
    tools: [
      {
        name: 'read_file',
        description: 'Reads a file.',
        parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
    ],
    stream: true,
    maxTokens: 256,
    temperature: 0.1,
    window: 8192,
    ...change,
  }
}

/** What an answer amounts to, however it was cut into parts. */
export interface Collected {
  text: string
  reasoning: string
  reasoningData: unknown[]
  calls: { id: string | undefined; name: string; arguments: string }[]
  usage: unknown
  finish: string
}

/** Reads an answer to its end and checks the order the port promises. */
export async function collect(parts: AsyncIterable<StreamPart>): Promise<Collected> {
  const calls = new Map<number, Collected['calls'][number]>()
  const ended = new Set<number>()
  const got: Collected = { text: '', reasoning: '', reasoningData: [], calls: [], usage: undefined, finish: '' }
  for await (const part of parts) {
    if (got.finish !== '') throw new Error(`a part after finish: ${part.type}`)
    switch (part.type) {
      case 'text':
        got.text += part.text
        break
      case 'reasoning':
        got.reasoning += part.text
        break
      case 'reasoning-data':
        got.reasoningData.push(part.data)
        break
      case 'tool-call-start':
        if (calls.has(part.index)) throw new Error(`call ${part.index} started twice`)
        calls.set(part.index, { id: part.id, name: part.name, arguments: '' })
        break
      case 'tool-call-delta': {
        const call = calls.get(part.index)
        if (call === undefined || ended.has(part.index))
          throw new Error(`delta of call ${part.index}, which is not open`)
        call.arguments += part.arguments
        break
      }
      case 'tool-call-end':
        if (!calls.has(part.index)) throw new Error(`end of call ${part.index}, which was not started`)
        ended.add(part.index)
        break
      case 'usage':
        got.usage = part.usage
        break
      case 'finish':
        got.finish = part.reason
    }
  }
  if (got.finish === '') throw new Error('no finish part')
  if (ended.size !== calls.size) throw new Error('a call was not ended')
  got.calls = [...calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call)
  return got
}
