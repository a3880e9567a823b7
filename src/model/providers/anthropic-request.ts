import { asArray, asObject, parseJson } from '../json.ts'
import type { Json } from '../json.ts'
import type { ModelRequest, RequestImage, RequestMessage } from '../language-model.ts'

/** A cached prefix is found at most 20 blocks before a breakpoint; with a margin for blocks the server adds. */
const BLOCKS_WITHOUT_BREAKPOINT = 18
/** Tokens of thought by level; the least the API takes is 1,024. They are asked for on top of the answer's own. */
const thinkingBudgets = { low: 2_048, medium: 8_192, high: 16_384 }

/** What a model refused once and is not sent again: sampling, or the older way of asking for thoughts. */
export type RefusedByClaude = 'temperature' | 'top_p' | 'thinking-budget'

interface WireMessage {
  role: 'user' | 'assistant'
  content: Json[]
}

/**
 * Body of POST /v1/messages (https://docs.anthropic.com/en/api/messages). Breakpoints of the prompt cache stand at the end of
 * the static system part (which the tools precede), of the user-data part, and of the last message; see `markCache` for a fourth.
 */
export function toMessagesRequest(request: ModelRequest, refused: ReadonlySet<RefusedByClaude>): Json {
  const leading = request.messages.findIndex((message) => message.role !== 'system')
  const system = request.messages.slice(0, leading < 0 ? undefined : leading)
  const messages = toMessages(leading < 0 ? [] : request.messages.slice(leading))
  markCache(messages)
  const body: Json = { model: request.model, stream: request.stream, max_tokens: request.maxTokens }
  const thinks = addThinking(body, request, refused)
  // The API takes one of them, and neither beside thoughts.
  if (!thinks && request.temperature !== undefined && !refused.has('temperature'))
    body['temperature'] = request.temperature
  else if (!thinks && request.topP !== undefined && !refused.has('top_p')) body['top_p'] = request.topP
  if (request.stop !== undefined && request.stop.length > 0) body['stop_sequences'] = request.stop
  if (request.tools.length > 0) {
    body['tools'] = request.tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    }))
    if (request.toolChoice === 'none') body['tool_choice'] = { type: 'none' }
    // Beside thoughts the API takes no forced call.
    if (request.toolChoice === 'required' && !thinks) body['tool_choice'] = { type: 'any' }
  }
  const blocks = toSystem(system)
  if (blocks.length > 0) body['system'] = blocks
  body['messages'] = messages
  return body
}

function addThinking(body: Json, request: ModelRequest, refused: ReadonlySet<RefusedByClaude>): boolean {
  const level = request.reasoning
  if (level === undefined || level === 'off') return false
  if (refused.has('thinking-budget')) {
    body['thinking'] = { type: 'adaptive' }
    body['output_config'] = { effort: level }
  } else {
    const budget = thinkingBudgets[level]
    body['thinking'] = { type: 'enabled', budget_tokens: budget }
    body['max_tokens'] = request.maxTokens + budget
  }
  return true
}

function toSystem(messages: RequestMessage[]): Json[] {
  const parts = messages.flatMap((message) => (message.role === 'system' && message.content !== '' ? [message] : []))
  const blocks: Json[] = parts.map((part) => ({ type: 'text', text: part.content }))
  const ends = (['static', 'user-data'] as const).map((name) => parts.findLastIndex((part) => part.cache === name))
  const marked = ends.filter((place) => place >= 0)
  // A system prompt without parts is one.
  if (marked.length === 0) marked.push(blocks.length - 1)
  for (const place of marked) if (blocks[place] !== undefined) blocks[place]['cache_control'] = ephemeral()
  return blocks
}

function toMessages(messages: RequestMessage[]): WireMessage[] {
  const wire: WireMessage[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = toBlocks(message)
    if (content.length === 0) continue
    const last = wire.at(-1)
    if (last?.role === role) last.content.push(...content)
    else wire.push({ role, content })
  }
  return wire
}

function toBlocks(message: RequestMessage): Json[] {
  switch (message.role) {
    case 'system':
      return textBlock(message.content)
    case 'user':
      return [...(message.images ?? []).map(imageBlock), ...textBlock(message.content)]
    case 'tool':
      return [{ type: 'tool_result', tool_use_id: wireId(message.callId), content: message.content }]
    case 'assistant':
      break
  }
  const blocks = signedThoughts(message.reasoningData)
  if (message.content.trim() !== '') blocks.push({ type: 'text', text: message.content })
  for (const call of message.toolCalls ?? [])
    blocks.push({ type: 'tool_use', id: wireId(call.id), name: call.name, input: inputOf(call.arguments) })
  return blocks
}

// Empty text blocks are refused.
const textBlock = (text: string): Json[] => (text === '' ? [] : [{ type: 'text', text }])

const imageBlock = ({ mediaType, base64 }: RequestImage): Json => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data: base64 },
})

/** Thinking blocks are replayed as they came: the server checks their signature. */
function signedThoughts(data: unknown): Json[] {
  const known = asObject(data)
  if (known?.['provider'] !== 'anthropic') return []
  return asArray(known['blocks']).flatMap((block) => {
    const read = asObject(block)
    return read === undefined ? [] : [read]
  })
}

function inputOf(text: string): Json {
  if (text.trim() === '') return {}
  return asObject(parseJson(text)) ?? { arguments: text }
}

/** Ids of other servers may hold characters this one refuses. */
function wireId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
}

/**
 * The end of the conversation is cached for the next request. When the last answer and its results are more blocks than the
 * server looks back over, the place where the request before ended is marked too, or nothing of it would be found.
 */
function markCache(messages: WireMessage[]): void {
  mark(messages.at(-1))
  const answer = messages.findLastIndex((message) => message.role === 'assistant')
  if (answer < 1) return
  const fresh = messages.slice(answer).reduce((sum, message) => sum + message.content.length, 0)
  if (fresh > BLOCKS_WITHOUT_BREAKPOINT) mark(messages[answer - 1])
}

function mark(message: WireMessage | undefined): void {
  const block = message?.content.at(-1)
  if (block !== undefined) block['cache_control'] = ephemeral()
}

function ephemeral(): Json {
  return { type: 'ephemeral' }
}
