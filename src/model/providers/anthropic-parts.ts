import type { FinishReason, Usage } from '../../protocol/index.ts'
import { asArray, asCount, asObject, asString } from '../json.ts'
import type { Json } from '../json.ts'
import type { StreamPart } from '../language-model.ts'

const finishReasons: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

/** Reads the events of one Messages answer, or a whole one, into parts. Thoughts are kept with their signatures. */
export class MessageParts {
  #usage: Json = {}
  #stop: string | undefined
  #calls = 0
  /** By block: calls that have begun and not ended. */
  #open = new Map<number, { index: number; withText: boolean }>()
  #thoughts = new Map<number, Json>()
  /** True after `message_stop`. */
  ended = false

  /** True once the reason of the end is known. */
  get finished(): boolean {
    return this.#stop !== undefined
  }

  *readEvent(event: Json): Generator<StreamPart> {
    const index = asCount(event['index']) ?? 0
    switch (event['type']) {
      case 'message_start':
        Object.assign(this.#usage, asObject(asObject(event['message'])?.['usage']))
        break
      case 'content_block_start':
        yield* this.#startBlock(index, asObject(event['content_block']) ?? {})
        break
      case 'content_block_delta':
        yield* this.#readDelta(index, asObject(event['delta']) ?? {})
        break
      case 'content_block_stop':
        yield* this.#endBlock(index)
        break
      case 'message_delta':
        Object.assign(this.#usage, asObject(event['usage']))
        this.#stop = asString(asObject(event['delta'])?.['stop_reason']) ?? this.#stop
        break
      case 'message_stop':
        this.ended = true
        break
      default:
        break
    }
  }

  *readWhole(message: Json): Generator<StreamPart> {
    for (const [index, entry] of asArray(message['content']).entries()) {
      const block = asObject(entry) ?? {}
      yield* this.#startBlock(index, block)
      if (block['type'] === 'tool_use')
        yield* this.#readDelta(index, { type: 'input_json_delta', partial_json: JSON.stringify(block['input'] ?? {}) })
      yield* this.#endBlock(index)
    }
    this.#usage = asObject(message['usage']) ?? {}
    this.#stop = asString(message['stop_reason'])
    this.ended = true
  }

  *end(): Generator<StreamPart> {
    for (const block of this.#open.keys()) yield* this.#endBlock(block)
    const blocks = [...this.#thoughts.values()]
    if (blocks.length > 0) yield { type: 'reasoning-data', data: { provider: 'anthropic', blocks } }
    const usage = toUsage(this.#usage)
    if (usage !== undefined) yield { type: 'usage', usage }
    const reason = finishReasons[this.#stop ?? 'end_turn'] ?? 'unknown'
    yield { type: 'finish', reason: reason === 'stop' && this.#calls > 0 ? 'tool_calls' : reason }
  }

  *#startBlock(index: number, block: Json): Generator<StreamPart> {
    const type = block['type']
    if (type === 'tool_use') {
      yield* this.#endBlock(index)
      const call = { index: this.#calls++, withText: false }
      this.#open.set(index, call)
      const id = asString(block['id']) || undefined
      yield { type: 'tool-call-start', index: call.index, id, name: asString(block['name']) ?? '' }
    }
    if (type === 'thinking' || type === 'redacted_thinking') this.#thoughts.set(index, { ...block })
    const text = asString(block['text']) ?? ''
    if (text !== '') yield { type: 'text', text }
    const thinking = asString(block['thinking']) ?? ''
    if (thinking !== '') yield { type: 'reasoning', text: thinking }
  }

  *#readDelta(index: number, delta: Json): Generator<StreamPart> {
    const text = asString(delta['text'])
    if (text !== undefined && text !== '') yield { type: 'text', text }
    const json = asString(delta['partial_json'])
    const call = this.#open.get(index)
    if (json !== undefined && json !== '' && call !== undefined) {
      call.withText = true
      yield { type: 'tool-call-delta', index: call.index, arguments: json }
    }
    const thought = this.#thoughts.get(index)
    if (thought === undefined) return
    const thinking = asString(delta['thinking'])
    if (thinking !== undefined) {
      thought['thinking'] = (asString(thought['thinking']) ?? '') + thinking
      yield { type: 'reasoning', text: thinking }
    }
    const signature = asString(delta['signature'])
    if (signature !== undefined) thought['signature'] = (asString(thought['signature']) ?? '') + signature
  }

  *#endBlock(index: number): Generator<StreamPart> {
    const call = this.#open.get(index)
    if (call === undefined) return
    this.#open.delete(index)
    // A call without arguments streams none.
    if (!call.withText) yield { type: 'tool-call-delta', index: call.index, arguments: '{}' }
    yield { type: 'tool-call-end', index: call.index }
  }
}

function toUsage(usage: Json): Usage | undefined {
  const fresh = asCount(usage['input_tokens'])
  if (fresh === undefined) return undefined
  const cached = asCount(usage['cache_read_input_tokens']) ?? 0
  const written = asCount(usage['cache_creation_input_tokens']) ?? 0
  return {
    inputTokens: fresh + cached + written,
    outputTokens: asCount(usage['output_tokens']) ?? 0,
    cachedTokens: cached,
    cacheWriteTokens: written,
  }
}
