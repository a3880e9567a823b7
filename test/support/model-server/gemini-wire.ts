import { list, number, object, pieces, string, tokensOf } from './read.ts'
import type { Body } from './read.ts'
import type { Answer, Frame, SeenMessage, ServerCall, Wire } from './types.ts'

/** Gemini's generateContent (https://ai.google.dev/api/generate-content): peers that speak nothing else are driven over it. */
export const geminiWire: Wire = {
  streamType: 'text/event-stream',
  read(body) {
    const messages = messagesOf(body)
    const declared = list(body['tools']).flatMap((tool) => list(tool['functionDeclarations']))
    const toolText = declared.length === 0 ? '' : JSON.stringify(declared)
    return {
      wire: 'gemini',
      // It stands in the address.
      model: 'gemini',
      stream: true,
      messages,
      tools: toolText,
      toolNames: declared.map((tool) => string(tool['name'])),
      maxTokens: number(object(body['generationConfig'])['maxOutputTokens']),
      numCtx: undefined,
      tokens: tokensOf(messages, toolText),
    }
  },
  frames(answer) {
    const { step, deltaChars } = answer
    const frames: Frame[] = []
    for (const text of pieces(step.reasoning ?? '', deltaChars)) frames.push(frame(answer, [{ text, thought: true }]))
    for (const text of pieces(step.text ?? '', deltaChars)) frames.push(frame(answer, [{ text }]))
    const calls = callParts(answer)
    if (calls && calls.length > 0) frames.push(frame(answer, calls))
    return [...frames, { text: event(chunk(answer, [], finishOf(answer))) }]
  },
  whole(answer) {
    const text = answer.step.text === undefined ? [] : [{ text: answer.step.text }]
    return JSON.stringify(chunk(answer, [...text, ...(callParts(answer) ?? [])], finishOf(answer)))
  },
  error: (code, message) => ({
    error: { code, message, status: code === 429 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT' },
  }),
}

/** The same where one whole answer is asked for. */
export const geminiWholeWire: Wire = {
  ...geminiWire,
  read: (body) => ({ ...geminiWire.read(body), stream: false }),
}

/** The wire has no roles for results and may leave ids out: calls without one are numbered, and answered in their order. */
function messagesOf(body: Body): SeenMessage[] {
  const system = partsText(list(object(body['systemInstruction'])['parts']))
  const messages: SeenMessage[] = system === '' ? [] : [{ role: 'system', text: system, calls: [], callId: undefined }]
  let made = 0
  let open: string[] = []
  for (const content of list(body['contents'])) {
    const parts = list(content['parts'])
    const results = parts.filter((part) => part['functionResponse'] !== undefined)
    if (content['role'] === 'model') {
      const calls = parts
        .filter((part) => part['functionCall'] !== undefined)
        .map((part) => object(part['functionCall']))
        .map((call) => ({
          id: string(call['id']) || `numbered_${(made += 1)}`,
          name: string(call['name']),
          arguments: JSON.stringify(call['args'] ?? {}),
        }))
      open = calls.map(({ id }) => id)
      messages.push({ role: 'assistant', text: partsText(parts), calls, callId: undefined })
    }
    for (const part of results) {
      const { id, response } = object(part['functionResponse'])
      const said = object(response)
      const text = string(said['output']) || string(said['error']) || JSON.stringify(said)
      messages.push({ role: 'tool', text, calls: [], callId: string(id) || open.shift() })
    }
    const text = partsText(parts)
    if (content['role'] !== 'model' && text !== '') messages.push({ role: 'user', text, calls: [], callId: undefined })
  }
  return messages
}

const partsText = (parts: Body[]): string =>
  parts
    .filter((part) => part['thought'] !== true)
    .map((part) => string(part['text']))
    .join('')

/** The calls as objects; undefined when the arguments are no JSON, which this wire cannot carry. */
function callParts(answer: Answer): Body[] | undefined {
  const parts: Body[] = []
  for (const [place, call] of (answer.step.calls ?? []).entries()) {
    const args = argumentsOf(call)
    if (args === undefined) return undefined
    const id = answer.has('no-call-ids') ? {} : { id: call.id ?? `call_${answer.n + 1}_${place + 1}` }
    parts.push({ functionCall: { ...id, name: call.name, args } })
  }
  return parts
}

function argumentsOf({ arguments: args }: ServerCall): unknown {
  if (typeof args !== 'string') return args
  try {
    const value: unknown = JSON.parse(args)
    return typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

function finishOf(answer: Answer): string {
  if (callParts(answer) === undefined) return 'MALFORMED_FUNCTION_CALL'
  return answer.step.finishReason === 'length' ? 'MAX_TOKENS' : 'STOP'
}

function chunk({ inputTokens, outputTokens }: Answer, parts: Body[], finishReason?: string): Body {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(finishReason === undefined ? {} : { finishReason }) },
    ],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
    modelVersion: 'mock',
  }
}

const frame = (answer: Answer, parts: Body[]): Frame => ({ text: event(chunk(answer, parts)), token: true })
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
