import { remembered } from '../../lib/remember.ts'
import { asObject, parseJson } from '../json.ts'
import type { ModelRequest, RequestMessage } from '../language-model.ts'
import { joinSystem } from './join-system.ts'

/** Body of POST /api/chat. `num_ctx` is there whenever the window is known: the server's own default is 4,096. */
export function toOllamaRequest(
  request: ModelRequest,
  options: { keepAlive: string | undefined; think: boolean },
): Record<string, unknown> {
  const settings: Record<string, unknown> = { num_predict: request.maxTokens }
  if (request.window !== undefined) settings['num_ctx'] = request.window
  if (request.temperature !== undefined) settings['temperature'] = request.temperature
  if (request.topP !== undefined) settings['top_p'] = request.topP
  if (request.stop !== undefined && request.stop.length > 0) settings['stop'] = request.stop
  const body: Record<string, unknown> = { model: request.model, stream: request.stream, options: settings }
  if (options.keepAlive !== undefined) body['keep_alive'] = options.keepAlive
  if (request.reasoning !== undefined && options.think) body['think'] = thinkOf(request.model, request.reasoning)
  // The API has no tool_choice. "none" is said in words by whoever asks: the tools stand at the beginning of the prompt, and
  // without them the server would read all of it again.
  if (request.tools.length > 0)
    body['tools'] = request.tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }))
  body['messages'] = joinSystem(request.messages).map(toWire)
  return body
}

// Only gpt-oss takes a level, and it cannot be told not to think.
function thinkOf(model: string, reasoning: 'off' | 'low' | 'medium' | 'high'): boolean | string {
  if (/gpt-oss/i.test(model)) return reasoning === 'off' ? 'low' : reasoning
  return reasoning !== 'off'
}

/** A long conversation sends the same messages again and again. */
const toWire = remembered((message: RequestMessage): Record<string, unknown> => {
  switch (message.role) {
    case 'system':
      return { role: message.role, content: message.content }
    case 'user': {
      const images = message.images?.map(({ base64 }) => base64)
      return { role: message.role, content: message.content, ...(images ? { images } : {}) }
    }
    case 'tool':
      return { role: 'tool', tool_name: message.name, tool_call_id: message.callId, content: message.content }
    case 'assistant':
      break
  }
  const wire: Record<string, unknown> = { role: 'assistant', content: message.content }
  if (message.toolCalls === undefined || message.toolCalls.length === 0) return wire
  // Templates of thinking models put the thoughts of the turn back before its calls.
  if (message.reasoning !== undefined && message.reasoning !== '') wire['thinking'] = message.reasoning
  wire['tool_calls'] = message.toolCalls.map((call) => ({
    id: call.id,
    function: { name: call.name, arguments: argumentsObject(call.arguments) },
  }))
  return wire
})

/** The API takes an object only; text that is none is shown to the model as it wrote it. */
function argumentsObject(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  return asObject(parseJson(text)) ?? { arguments: text }
}
