import { callId } from './openai-wire.ts'
import { list, number, object, pieces, string, textOf, tokensOf } from './read.ts'
import type { Answer, Frame, SeenMessage, Wire } from './types.ts'

/** Ollama's own window when none is asked for. */
export const OLLAMA_DEFAULT_CTX = 4096

/** Ollama's native API (https://github.com/ollama/ollama/blob/main/docs/api.md). */
export const ollamaWire: Wire = {
  streamType: 'application/x-ndjson',
  read(body) {
    const messages = list(body['messages']).map((message): SeenMessage => ({
      role: string(message['role']),
      text: textOf(message['content']),
      calls: list(message['tool_calls']).map((call) => ({
        id: typeof call['id'] === 'string' ? call['id'] : undefined,
        name: string(object(call['function'])['name']),
        arguments: JSON.stringify(object(call['function'])['arguments']),
      })),
      callId: string(message['tool_call_id']) || undefined,
    }))
    const tools = list(body['tools'])
    const toolText = tools.length === 0 ? '' : JSON.stringify(tools)
    const options = object(body['options'])
    return {
      wire: 'ollama',
      model: string(body['model']),
      stream: body['stream'] !== false,
      messages,
      tools: toolText,
      toolNames: tools.map((tool) => string(object(tool['function'])['name'])),
      maxTokens: number(options['num_predict']),
      numCtx: number(options['num_ctx']),
      tokens: tokensOf(messages, toolText),
    }
  },
  frames(answer) {
    const { step, deltaChars } = answer
    const frames: Frame[] = []
    for (const thinking of pieces(step.reasoning ?? '', deltaChars))
      frames.push({ ...line(answer, { content: '', thinking }), token: true })
    for (const content of pieces(step.text ?? '', deltaChars))
      frames.push({ ...line(answer, { content }), token: true })
    const calls = wireCalls(answer)
    if (calls.length > 0 && answer.has('calls-in-one-delta'))
      frames.push({ ...line(answer, { content: '', tool_calls: calls }), token: true })
    else for (const call of calls) frames.push({ ...line(answer, { content: '', tool_calls: [call] }), token: true })
    if (!answer.has('no-end-mark')) frames.push(line(answer, { content: '' }, end(answer)))
    return frames
  },
  whole(answer) {
    const { step } = answer
    const calls = wireCalls(answer)
    const message = {
      content: step.text ?? '',
      ...(step.reasoning === undefined ? {} : { thinking: step.reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    }
    return line(answer, message, end(answer)).text
  },
  error: (_status, message) => ({ error: message }),
}

/** What the model is given: Ollama keeps system messages and the last one, and drops the oldest others until they fit. */
export function truncate(messages: SeenMessage[], tools: string, window: number): SeenMessage[] {
  let kept = messages
  while (tokensOf(kept, tools) > window) {
    const place = kept.findIndex((message, i) => message.role !== 'system' && i < kept.length - 1)
    if (place < 0) return kept
    kept = kept.toSpliced(place, 1)
  }
  return kept
}

function wireCalls(answer: Answer): unknown[] {
  return (answer.step.calls ?? []).map((call, place) => {
    // The real server parses what the model wrote and sends an object; a text stays as it is. JSON leaves undefined out.
    const index = answer.has('no-call-indices') ? undefined : answer.has('same-call-index') ? 0 : place
    return {
      id: answer.has('no-call-ids') ? undefined : callId(answer, call, place),
      function: { index, name: call.name, arguments: call.arguments },
    }
  })
}

function end(answer: Answer): Record<string, unknown> {
  const counts = { prompt_eval_count: answer.inputTokens, eval_count: answer.outputTokens }
  const reason = answer.has('no-finish-reason') ? {} : { done_reason: answer.step.finishReason ?? 'stop' }
  return { done: true, ...reason, total_duration: 1, load_duration: 1, ...(answer.has('no-usage') ? {} : counts) }
}

function line(
  answer: Answer,
  message: Record<string, unknown>,
  more: Record<string, unknown> = { done: false },
): Frame {
  const head = { model: answer.request.model, created_at: '2026-01-01T00:00:00Z' }
  return { text: `${JSON.stringify({ ...head, message: { role: 'assistant', ...message }, ...more })}\n` }
}
