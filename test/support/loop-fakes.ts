// Fakes at the ports of the loop: a model that plays answers, a log in memory, a runner that answers from a table.
import { ModelError } from '../../src/model/language-model.ts'
import type { ModelRequest, StreamPart } from '../../src/model/language-model.ts'
import type { AnswerPiece, BatchResult, CallResolver, LoopInput } from '../../src/agent/ports.ts'
import type { BatchCall } from '../../src/tools/batch-call.ts'
import type { EventBody, Message, NewMessage, ToolResult } from '../../src/protocol/index.ts'
import { toRequestMessages } from '../../src/agent/to-request.ts'

/** One scripted answer: text, calls, how it ends, or an error instead of (or after) them. */
export interface FakeAnswer {
  text?: string
  reasoning?: string
  calls?: { id?: string; name: string; args: string }[]
  finish?: 'stop' | 'length' | 'tool_calls'
  error?: ModelError
  /** Aborts the run after the text was given. */
  abort?: boolean
}

export function memoryLog(emit: (event: EventBody) => void = () => {}) {
  const messages: Message[] = []
  const stored = (message: NewMessage, seq: number): Message => ({
    ...message,
    id: `m${seq}`,
    sessionId: 's',
    seq,
    time: seq,
  })
  const pieces: AnswerPiece[] = []
  const append = (message: NewMessage): Message => {
    const full = stored(message, messages.length + 1)
    messages.push(full)
    emit({ type: 'message', message: full })
    return full
  }
  return {
    append,
    begin: append,
    /** What was kept of growing answers, in order. */
    pieces,
    grow: (_: Message, piece: AnswerPiece): void => void pieces.push(piece),
    replace(id: string, message: NewMessage): Message {
      const at = messages.findIndex((each) => each.id === id)
      const full = stored(message, at + 1)
      messages[at] = full
      return full
    },
    all: (): readonly Message[] => messages,
    image: () => undefined,
  }
}

async function* play(answer: FakeAnswer, abort: AbortController): AsyncIterable<StreamPart> {
  if (answer.reasoning !== undefined) yield { type: 'reasoning', text: answer.reasoning }
  if (answer.text !== undefined) yield { type: 'text', text: answer.text }
  if (answer.abort === true) {
    abort.abort()
    throw new ModelError('cancelled', 'cancelled', { retryable: false, afterFirstPart: true })
  }
  if (answer.error) throw answer.error
  for (const [index, call] of (answer.calls ?? []).entries()) {
    yield { type: 'tool-call-start', index, id: 'id' in call ? call.id : `c${index}`, name: call.name }
    yield { type: 'tool-call-delta', index, arguments: call.args }
    yield { type: 'tool-call-end', index }
  }
  yield { type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } }
  yield { type: 'finish', reason: answer.finish ?? (answer.calls ? 'tool_calls' : 'stop') }
}

const effects: Record<string, ReturnType<CallResolver['effect']>> = {
  read: 'read',
  edit: 'write',
  shell: 'execute',
  ask: 'ask',
}

const resolver: CallResolver = {
  resolve: ({ id, name, argumentsText }) => {
    if (!(name in effects)) return { id, name, args: {}, rawArgs: argumentsText, fault: `no tool ${name}` }
    try {
      return { id, name, args: JSON.parse(argumentsText) as Record<string, unknown>, rawArgs: argumentsText }
    } catch {
      return { id, name, args: {}, rawArgs: argumentsText, fault: 'arguments are not JSON' }
    }
  },
  scanner: () => undefined,
  observe: () => {},
  effect: (name) => effects[name],
}

export interface FakeRun {
  input: LoopInput
  events: EventBody[]
  requests: ReturnType<typeof toRequestMessages>[]
  /** `toolChoice` of each request. */
  choices: ModelRequest['toolChoice'][]
  ran: BatchCall[][]
  abort: AbortController
}

/** Everything runLoop needs, around a list of answers; the last one is repeated. */
export function fakeRun(
  answers: FakeAnswer[],
  options: {
    result?: (call: BatchCall) => ToolResult
    limits?: Partial<LoopInput['limits']>
    onModelError?: LoopInput['onModelError']
    queued?: string[]
    stop?: string
  } = {},
): FakeRun {
  const events: EventBody[] = []
  const requests: FakeRun['requests'] = []
  const choices: FakeRun['choices'] = []
  const ran: BatchCall[][] = []
  const abort = new AbortController()
  const log = memoryLog((event) => events.push(event))
  let step = 0
  let ids = 0
  let clock = 0
  const queued = [...(options.queued ?? [])]
  const result = options.result ?? (() => ({ status: 'success', text: 'fine' }))
  const input: LoopInput = {
    model: {
      name: 'fake/model',
      stream: (request) => {
        requests.push(structuredClone(request.messages))
        choices.push(request.toolChoice)
        const answer = answers[Math.min(step, answers.length - 1)]!
        step += 1
        return play(answer, abort)
      },
    },
    prompt: {
      build: async (messages) => ({ messages: toRequestMessages(messages), tools: [], tokens: 1 }),
      observe: () => {},
      shrink: async () => true,
      aside: async () => undefined,
      edit: () => ({ ok: true, text: '' }),
      describe: () => ({ type: 'context', blocks: [], window: 0 }),
    },
    calls: resolver,
    runner: {
      startRun: () => {},
      noteText: () => undefined,
      run: async (calls, batchId): Promise<BatchResult> => {
        ran.push(calls)
        const results = calls.map((call): ToolResult =>
          call.fault === undefined ? result(call) : { status: 'failed', code: 'FORMAT_ERROR', text: call.fault },
        )
        for (const [i, call] of calls.entries()) {
          log.append({
            sender: 'SYSTEM',
            text: '',
            system: { type: 'DATA_ADDED', batchId, callId: call.id, toolName: call.name, result: results[i]! },
          })
        }
        return options.stop === undefined ? { results } : { results, stop: options.stop }
      },
    },
    log,
    limits: {
      consecutiveReads: 0,
      consecutiveActionRetries: 0,
      consecutiveFormatErrors: 0,
      totalTurns: 50,
      tokens: 0,
      wallMs: 0,
      ...options.limits,
    },
    request: { model: 'model', stream: true, maxTokens: 100, window: 1000 },
    emit: (event) => void events.push(event),
    now: () => (clock += 1),
    newId: () => `n${(ids += 1)}`,
    signal: abort.signal,
    takeQueued: () => queued.splice(0).map((text) => ({ text })),
    toolsRefused: () => false,
    imagesRefused: () => false,
    onModelError: options.onModelError ?? (async () => 'abort'),
  }
  log.append({ sender: 'USER', text: 'do it' })
  return { input, events, requests, choices, ran, abort }
}
