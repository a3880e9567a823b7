import { createHash } from 'node:crypto'
import type { ModelRequest, RequestMessage } from './language-model.ts'

/**
 * SHA-256, hex, of the canonical JSON of what decides an answer: model, sampling, tools and messages. Contents are trimmed and
 * put in Unicode's composed form; case is kept, because case is meaning in code, unless `ignoreCase`. Ids of calls are
 * numbered in order, since they differ from run to run and mean nothing.
 */
export function cacheKey(request: ModelRequest, ignoreCase: boolean): string {
  const { model, temperature, topP, stop, maxTokens, reasoning, toolChoice, tools, messages } = request
  const ids = new Map<string, number>()
  const number = (id: string): number => {
    const known = ids.get(id) ?? ids.size
    ids.set(id, known)
    return known
  }
  const text = (content: string): string => {
    const normal = content.trim().normalize('NFC')
    return ignoreCase ? normal.toLowerCase() : normal
  }
  const key = {
    model,
    sampling: { temperature, topP, stop, maxTokens, reasoning, toolChoice },
    tools,
    messages: messages.map((message) => keyOf(message, text, number)),
  }
  return createHash('sha256').update(canonical(key)).digest('hex')
}

function keyOf(message: RequestMessage, text: (content: string) => string, number: (id: string) => number): unknown {
  const content = text(message.content)
  if (message.role === 'tool') return { role: 'tool', content, name: message.name, call: number(message.callId) }
  if (message.role === 'user') return { role: 'user', content, images: message.images?.map(({ hash }) => hash) }
  if (message.role !== 'assistant') return { role: message.role, content }
  const calls = (message.toolCalls ?? []).map((call) => [number(call.id), call.name, call.arguments])
  return { role: 'assistant', content, calls }
}

/** JSON with keys in order and without undefined values. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
}
