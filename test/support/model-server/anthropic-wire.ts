import { callId } from './openai-wire.ts'
import { list, number, object, pieces, string, textOf, tokensOf } from './read.ts'
import type { Body } from './read.ts'
import type { Answer, Frame, SeenMessage, Wire } from './types.ts'

/** Anthropic Messages (https://docs.anthropic.com/en/api/messages). */
export const anthropicWire: Wire = {
  streamType: 'text/event-stream',
  read(body) {
    const system: SeenMessage = { role: 'system', text: textOf(body['system']), calls: [] }
    const messages = [system, ...list(body['messages']).flatMap(readMessage)]
    const tools = list(body['tools'])
    const toolText = tools.length === 0 ? '' : JSON.stringify(tools)
    return {
      wire: 'anthropic',
      model: string(body['model']),
      stream: body['stream'] === true,
      messages,
      tools: toolText,
      toolNames: tools.map((tool) => string(tool['name'])),
      maxTokens: number(body['max_tokens']),
      numCtx: undefined,
      tokens: tokensOf(messages, toolText),
    }
  },
  frames(answer) {
    const usage = usageOf(answer)
    const message = { id: `msg_${answer.n}`, type: 'message', role: 'assistant', model: answer.request.model }
    const frames = [
      event('message_start', { message: { ...message, content: [], usage: { ...usage, output_tokens: 1 } } }),
    ]
    for (const [index, block] of blocksOf(answer).entries()) frames.push(...blockFrames(answer, block, index))
    const delta = { stop_reason: answer.has('no-finish-reason') ? null : stopOf(answer), stop_sequence: null }
    frames.push(event('message_delta', { delta, usage: { output_tokens: usage['output_tokens'] } }))
    if (!answer.has('no-end-mark')) frames.push(event('message_stop', {}))
    return frames
  },
  whole(answer) {
    return JSON.stringify({
      id: `msg_${answer.n}`,
      type: 'message',
      role: 'assistant',
      model: answer.request.model,
      content: blocksOf(answer),
      stop_reason: stopOf(answer),
      usage: usageOf(answer),
    })
  },
  error: (status, message, code) => ({ type: 'error', error: { type: errorType(status, code), message } }),
}

function errorType(status: number, code: string | undefined): string {
  if (code === 'model_not_found') return 'not_found_error'
  const types: Record<number, string> = {
    401: 'authentication_error',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  }
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}

/** A user message with results stands for as many messages: its results, then its text. */
function readMessage(message: Body): SeenMessage[] {
  const role = string(message['role'])
  if (typeof message['content'] === 'string') return [{ role, text: message['content'], calls: [] }]
  const blocks = list(message['content'])
  const results = blocks
    .filter((block) => block['type'] === 'tool_result')
    .map((block) => ({ role: 'tool', text: textOf(block['content']), calls: [], callId: string(block['tool_use_id']) }))
  const calls = blocks
    .filter((block) => block['type'] === 'tool_use')
    .map((block) => ({
      id: string(block['id']),
      name: string(block['name']),
      arguments: JSON.stringify(block['input']),
    }))
  const text = textOf(blocks.filter((block) => block['type'] === 'text'))
  const rest = results.length > 0 && text === '' && calls.length === 0 ? [] : [{ role, text, calls }]
  return [...results, ...rest]
}

function blocksOf(answer: Answer): Body[] {
  const { reasoning, text, calls = [] } = answer.step
  return [
    ...(reasoning === undefined
      ? []
      : [{ type: 'thinking', thinking: reasoning, signature: `signed:${reasoning.length}` }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map((call, place) => ({
      type: 'tool_use',
      id: callId(answer, call, place),
      name: call.name,
      input: call.arguments,
    })),
  ]
}

function blockFrames(answer: Answer, block: Body, index: number): Frame[] {
  const empty: Record<string, Body> = {
    thinking: { type: 'thinking', thinking: '', signature: '' },
    text: { type: 'text', text: '' },
    tool_use: { ...block, input: {} },
  }
  const type = string(block['type'])
  const frames = [event('content_block_start', { index, content_block: empty[type] })]
  const delta = (fields: Body): void => {
    frames.push({ ...event('content_block_delta', { index, delta: fields }), token: true })
  }
  if (type === 'thinking') {
    for (const thinking of pieces(string(block['thinking']), answer.deltaChars))
      delta({ type: 'thinking_delta', thinking })
    delta({ type: 'signature_delta', signature: block['signature'] })
  } else if (type === 'text')
    for (const text of pieces(string(block['text']), answer.deltaChars)) delta({ type: 'text_delta', text })
  else {
    const input = block['input']
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    for (const partial_json of pieces(text, answer.has('split-arguments') ? 1 : answer.deltaChars))
      delta({ type: 'input_json_delta', partial_json })
  }
  frames.push(event('content_block_stop', { index }))
  return frames
}

function stopOf(answer: Answer): string {
  return answer.step.finishReason ?? ((answer.step.calls ?? []).length > 0 ? 'tool_use' : 'end_turn')
}

function usageOf(answer: Answer): Record<string, unknown> {
  if (answer.has('no-usage')) return {}
  const cached = answer.step.usage?.cached ?? 0
  return {
    input_tokens: answer.inputTokens - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: answer.outputTokens,
  }
}

function event(type: string, fields: Body): Frame {
  return { text: `event: ${type}\ndata: ${JSON.stringify({ type, ...object(fields) })}\n\n` }
}
