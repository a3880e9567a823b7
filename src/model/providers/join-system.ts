import type { RequestMessage } from '../language-model.ts'

/** The messages with the system messages at their start as one: parts of the prompt matter only to servers that cache by part. */
export function joinSystem(messages: readonly RequestMessage[]): RequestMessage[] {
  const place = messages.findIndex((message) => message.role !== 'system')
  const leading = messages.slice(0, place < 0 ? undefined : place)
  if (leading.length < 2) return [...messages]
  return [
    { role: 'system', content: leading.map((message) => message.content).join('\n\n') },
    ...messages.slice(leading.length),
  ]
}
