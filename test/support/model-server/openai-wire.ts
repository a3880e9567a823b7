import { list, number, object, pieces, string, textOf, tokensOf } from './read.ts'
import type { Answer, Frame, SeenMessage, ServerCall, Wire } from './types.ts'

/** Chat Completions (https://platform.openai.com/docs/api-reference/chat). */
export const openaiWire: Wire = {
  streamType: 'text/event-stream',
  read(body) {
    const messages = list(body['messages']).map((message): SeenMessage => ({
      role: string(message['role']),
      text: textOf(message['content']),
      calls: list(message['tool_calls']).map((call) => ({
        id: typeof call['id'] === 'string' ? call['id'] : undefined,
        name: string(object(call['function'])['name']),
        arguments: string(object(call['function'])['arguments']),
      })),
      callId: string(message['tool_call_id']) || undefined,
    }))
    const tools = list(body['tools'])
    const toolText = tools.length === 0 ? '' : JSON.stringify(tools)
    return {
      wire: 'openai',
      model: string(body['model']),
      stream: body['stream'] === true,
      messages,
      tools: toolText,
      toolNames: tools.map((tool) => string(object(tool['function'])['name'])),
      maxTokens: number(body['max_tokens']) ?? number(body['max_completion_tokens']),
      numCtx: undefined,
      tokens: tokensOf(messages, toolText),
    }
  },
  frames(answer) {
    const { step, deltaChars } = answer
    const frames: Frame[] = [chunk(answer, { role: 'assistant', content: '' })]
    for (const text of pieces(step.reasoning ?? '', deltaChars))
      frames.push({ ...chunk(answer, { reasoning_content: text }), token: true })
    for (const text of pieces(step.text ?? '', deltaChars))
      frames.push({ ...chunk(answer, { content: text }), token: true })
    for (const tool_calls of callDeltas(answer)) frames.push({ ...chunk(answer, { tool_calls }), token: true })
    if (!answer.has('no-finish-reason')) frames.push(chunk(answer, {}, finishOf(answer)))
    if (!answer.has('no-usage') && object(answer.request.body['stream_options'])['include_usage'] === true)
      frames.push({ text: event({ ...base(answer, 'chat.completion.chunk'), choices: [], usage: usageOf(answer) }) })
    if (!answer.has('no-end-mark')) frames.push({ text: 'data: [DONE]\n\n' })
    return frames
  },
  whole(answer) {
    const { step } = answer
    const calls = (step.calls ?? []).map((call, i) => wireCall(answer, call, i, argumentText(call)))
    const message = {
      role: 'assistant',
      content: step.text ?? null,
      ...(step.reasoning === undefined ? {} : { reasoning_content: step.reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    }
    const finish_reason = answer.has('no-finish-reason') ? undefined : finishOf(answer)
    return JSON.stringify({
      ...base(answer, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason }],
      ...(answer.has('no-usage') ? {} : { usage: usageOf(answer) }),
    })
  },
  error: (status, message, code) => ({
    error: { message, type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', code: code ?? null },
  }),
}

export function argumentText(call: ServerCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
}

export function callId(answer: Answer, call: ServerCall, place: number): string {
  return call.id ?? `call_${answer.n + 1}_${place + 1}`
}

/** The `tool_calls` lists of the deltas, one list per frame. */
function callDeltas(answer: Answer): unknown[][] {
  const calls = answer.step.calls ?? []
  if (answer.has('calls-in-one-delta') || answer.has('object-arguments')) {
    const whole = calls.map((call, i) =>
      wireCall(answer, call, i, answer.has('object-arguments') ? call.arguments : argumentText(call)),
    )
    return whole.length === 0 ? [] : answer.has('calls-in-one-delta') ? [whole] : whole.map((call) => [call])
  }
  const deltas: unknown[][] = []
  for (const [i, call] of calls.entries()) {
    deltas.push([wireCall(answer, call, i, '')])
    for (const text of pieces(argumentText(call), answer.has('split-arguments') ? 1 : answer.deltaChars)) {
      const name = answer.has('name-in-every-delta') ? { name: call.name } : {}
      deltas.push([{ ...indexOf(answer, i), function: { ...name, arguments: text } }])
    }
  }
  return deltas
}

function wireCall(answer: Answer, call: ServerCall, place: number, args: unknown): Record<string, unknown> {
  const id = answer.has('no-call-ids') ? {} : { id: callId(answer, call, place) }
  return { ...indexOf(answer, place), ...id, type: 'function', function: { name: call.name, arguments: args } }
}

function indexOf(answer: Answer, place: number): { index?: number } {
  if (answer.has('no-call-indices')) return {}
  return { index: answer.has('same-call-index') ? 0 : place }
}

function finishOf(answer: Answer): string {
  return answer.step.finishReason ?? ((answer.step.calls ?? []).length > 0 ? 'tool_calls' : 'stop')
}

function usageOf(answer: Answer): Record<string, unknown> {
  const { inputTokens, outputTokens, step } = answer
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(step.usage?.cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: step.usage.cached } }),
  }
}

function base(answer: Answer, kind: string): Record<string, unknown> {
  return { id: `chatcmpl-${answer.n}`, object: kind, created: 1_700_000_000, model: answer.request.model }
}

function chunk(answer: Answer, delta: Record<string, unknown>, finish_reason: string | null = null): Frame {
  return { text: event({ ...base(answer, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason }] }) }
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
