import { remembered } from '../../lib/remember.ts'
import type { ModelRequest, RequestImage, RequestMessage } from '../language-model.ts'
import { joinSystem } from './join-system.ts'

/** Fields some servers refuse; what a server refused once is not sent to it again. */
export type OptionalField =
  | 'stream_options'
  | 'temperature'
  | 'top_p'
  | 'max_tokens'
  | 'parallel_tool_calls'
  | 'reasoning_effort'
  | 'tool_choice'

type WirePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

export interface WireMessage {
  role: string
  content: string | WirePart[]
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tool_call_id?: string
  [field: string]: unknown
}

/** Body of POST /chat/completions (https://platform.openai.com/docs/api-reference/chat/create). */
export function toChatRequest(
  request: ModelRequest,
  options: { refused: ReadonlySet<OptionalField>; oneCallAtATime: boolean },
): Record<string, unknown> {
  const hasTools = request.tools.length > 0
  const optional: Partial<Record<OptionalField, unknown>> = {
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    reasoning_effort: request.reasoning === 'off' ? undefined : request.reasoning,
    stream_options: request.stream ? { include_usage: true } : undefined,
    tool_choice: hasTools && request.toolChoice !== 'auto' ? request.toolChoice : undefined,
    parallel_tool_calls: hasTools && options.oneCallAtATime ? false : undefined,
  }
  const body: Record<string, unknown> = { model: request.model, stream: request.stream }
  for (const [field, value] of Object.entries(optional))
    if (value !== undefined && !options.refused.has(field as OptionalField)) body[field] = value
  // OpenAI's own reasoning models refuse max_tokens and take this name.
  if (options.refused.has('max_tokens')) body['max_completion_tokens'] = request.maxTokens
  if (request.stop !== undefined && request.stop.length > 0) body['stop'] = request.stop
  if (hasTools)
    body['tools'] = request.tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }))
  body['messages'] = toChatMessages(request.messages)
  return body
}

/** One system message, at the start: chat templates of many local models fail on a second one, so later ones are the user's. */
export function toChatMessages(messages: RequestMessage[]): WireMessage[] {
  return joinSystem(messages).map((message, place) =>
    place === 0 && message.role === 'system' ? { role: 'system', content: message.content } : toWire(message),
  )
}

/** A long conversation sends the same messages again and again. */
const toWire = remembered((message: RequestMessage): WireMessage => {
  switch (message.role) {
    case 'system':
      return { role: 'user', content: message.content }
    case 'user':
      return { role: 'user', content: userContent(message.content, message.images) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content }
    case 'assistant':
      break
  }
  const wire: WireMessage = { role: 'assistant', content: message.content }
  if (message.toolCalls === undefined || message.toolCalls.length === 0) return wire
  // Servers that think between calls want their thoughts back, in the field they sent them in.
  const field = reasoningField(message.reasoningData)
  if (field !== undefined && message.reasoning !== undefined) wire[field] = message.reasoning
  wire.tool_calls = message.toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    // Templates parse this text: empty is not JSON.
    function: { name: call.name, arguments: call.arguments.trim() === '' ? '{}' : call.arguments },
  }))
  return wire
})

/** A list of parts only where it must be: many servers take nothing but a text. */
function userContent(text: string, images: readonly RequestImage[] = []): string | WirePart[] {
  if (images.length === 0) return text
  return [
    { type: 'text', text },
    ...images.map(({ mediaType, base64 }): WirePart => {
      return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } }
    }),
  ]
}

function reasoningField(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('field' in data)) return undefined
  return typeof data.field === 'string' ? data.field : undefined
}
