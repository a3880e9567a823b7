import type { FinishReason } from '../../protocol/index.ts'
import { asArray, asCount, asObject, asString } from '../json.ts'
import type { Json } from '../json.ts'
import type { StreamPart } from '../language-model.ts'

/** Reads the lines of one /api/chat answer into parts. Calls come whole, arguments as an object. */
export class OllamaParts {
  done = false
  #calls = 0

  #reason(reason: string | undefined): FinishReason {
    if (reason === 'length') return 'length'
    if (this.#calls > 0) return 'tool_calls'
    return reason === undefined || reason === 'stop' ? 'stop' : 'unknown'
  }

  *read(line: Json): Generator<StreamPart> {
    const message = asObject(line['message']) ?? {}
    const thinking = asString(message['thinking'])
    if (thinking !== undefined && thinking !== '') yield { type: 'reasoning', text: thinking }
    const content = asString(message['content'])
    if (content !== undefined && content !== '') yield { type: 'text', text: content }
    for (const entry of asArray(message['tool_calls'])) yield* this.#readCall(asObject(entry) ?? {})
    if (line['done'] !== true) return
    // Old servers leave the prompt's count out when all of it was cached.
    const inputTokens = asCount(line['prompt_eval_count'])
    if (inputTokens !== undefined)
      yield { type: 'usage', usage: { inputTokens, outputTokens: asCount(line['eval_count']) ?? 0 } }
    this.done = true
    yield { type: 'finish', reason: this.#reason(asString(line['done_reason'])) }
  }

  *#readCall(entry: Json): Generator<StreamPart> {
    const fn = asObject(entry['function']) ?? {}
    const given = fn['arguments'] ?? {}
    const index = this.#calls++
    yield { type: 'tool-call-start', index, id: asString(entry['id']) || undefined, name: asString(fn['name']) ?? '' }
    yield { type: 'tool-call-delta', index, arguments: typeof given === 'string' ? given : JSON.stringify(given) }
    yield { type: 'tool-call-end', index }
  }
}
