// Replays a script: for the demo, for tests and for reproducing a session. It reaches nothing and is never chosen silently.
import type { FinishReason, Usage } from '../../protocol/index.ts'
import { ModelError } from '../language-model.ts'
import type { LanguageModel, ModelInfo, ModelRequest, StreamPart } from '../language-model.ts'

export interface ScriptedCall {
  name: string
  arguments: Record<string, unknown> | string
  /** One is made when absent; null sends none, as some servers do. */
  id?: string | null
}

/** One answer. */
export interface ScriptedStep {
  text?: string
  reasoning?: string
  calls?: ScriptedCall[]
  usage?: Usage
  finishReason?: FinishReason
}

export interface ModelScript {
  steps: ScriptedStep[]
  /** Tokens; 32,768 when absent. */
  window?: number
  /** Milliseconds between words, so that a demo can be followed; 0 when absent. */
  pauseMs?: number
}

const SCRIPT_WINDOW = 32_768

export class ScriptedModel implements LanguageModel {
  readonly backend: string
  readonly provider = 'scripted'
  readonly url = undefined
  readonly local = true
  readonly #script: ModelScript
  /** Requests answered so far, as they came. */
  readonly requests: ModelRequest[] = []

  constructor(backend: string, script: ModelScript) {
    this.backend = backend
    this.#script = script
  }

  /** The step is the number of answers already in the request, so that a resumed session goes on where it was. */
  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
    this.requests.push(request)
    const place = request.messages.filter((message) => message.role === 'assistant').length
    const step = this.#script.steps[place]
    if (step === undefined)
      throw new ModelError(
        'bad_response',
        `The script has ${this.#script.steps.length} steps; this is request ${place + 1}`,
        {
          retryable: false,
          provider: this.provider,
          model: request.model,
          suggestion: 'Add a step to the script, or choose a real model with --model.',
        },
      )
    for (const [type, text] of [
      ['reasoning', step.reasoning],
      ['text', step.text],
    ] as const)
      for (const piece of text === undefined ? [] : pieces(text)) {
        await this.#pause(signal)
        yield { type, text: piece }
      }
    const calls = step.calls ?? []
    for (const [index, call] of calls.entries()) {
      await this.#pause(signal)
      const id = call.id === undefined ? `call_${place + 1}_${index + 1}` : (call.id ?? undefined)
      const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
      yield { type: 'tool-call-start', index, id, name: call.name }
      yield { type: 'tool-call-delta', index, arguments: text }
      yield { type: 'tool-call-end', index }
    }
    if (step.usage !== undefined) yield { type: 'usage', usage: step.usage }
    yield { type: 'finish', reason: step.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop') }
  }

  info(model: string): Promise<ModelInfo> {
    return Promise.resolve({ id: model, window: this.#script.window ?? SCRIPT_WINDOW, tools: true })
  }

  list(): Promise<string[]> {
    return Promise.resolve(['script'])
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const ms = this.#script.pauseMs ?? 0
    if (ms > 0 && !signal.aborted) {
      const { setTimeout } = await import('node:timers/promises')
      await setTimeout(ms, undefined, { signal }).catch(() => undefined)
    }
    if (signal.aborted)
      throw new ModelError('cancelled', 'The request was cancelled', { retryable: false, provider: this.provider })
  }
}

/** A text as it would stream: word by word. */
function pieces(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text])
}
