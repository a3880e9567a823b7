import type { SeenMessage } from './types.ts'

export type Body = Record<string, unknown>

export function object(value: unknown): Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {}
}

export function list(value: unknown): Body[] {
  return Array.isArray(value) ? value.map(object) : []
}

export function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((block) => string(block['text']))
    .join('')
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Characters / 4, the measure of all token figures here. */
export function tokensOf(messages: SeenMessage[], tools: string): number {
  let chars = tools.length
  for (const message of messages) {
    chars += message.text.length
    for (const call of message.calls) chars += call.name.length + call.arguments.length
  }
  return Math.ceil(chars / 4)
}

/** A text in deltas of a size. */
export function pieces(text: string, size: number): string[] {
  const out: string[] = []
  for (let i = 0; i < text.length; i += size) out.push(text.slice(i, i + size))
  return out
}
