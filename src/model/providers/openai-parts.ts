// Reads the chunks of one Chat Completions answer into parts, whatever liberties the server takes: calls without ids or
// indices, names repeated in each delta, several calls in one delta, objects for arguments, usage anywhere or nowhere.
import type { FinishReason, Usage } from '../../protocol/index.ts'
import { JsonExtent } from '../json-extent.ts'
import { asArray, asCount, asObject, asString } from '../json.ts'
import type { Json } from '../json.ts'
import type { StreamPart } from '../language-model.ts'

interface OpenCall {
  /** Ours, in order of appearance. */
  index: number
  /** The server's, when it sends one. */
  serverIndex: number | undefined
  id: string | undefined
  name: string
  arguments: JsonExtent
  started: boolean
}

const finishReasons: Record<string, FinishReason> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
}

export class ChatParts {
  #calls: OpenCall[] = []
  #usage: Usage | undefined
  #reason: string | undefined
  #thoughtField: string | undefined

  /** True once the server has said how the answer ended. */
  get finished(): boolean {
    return this.#reason !== undefined
  }

  /** True when the server's counts came, which it sends last. */
  get counted(): boolean {
    return this.#usage !== undefined
  }

  /** Parts of one chunk (`delta`) or of a whole answer (`message`). */
  *read(chunk: Json): Generator<StreamPart> {
    const usage = asObject(chunk['usage']) ?? asObject(asObject(chunk['x_groq'])?.['usage'])
    if (usage !== undefined) this.#usage = toUsage(usage) ?? this.#usage
    const choice = asObject(asArray(chunk['choices'])[0])
    if (choice === undefined) return
    const delta = asObject(choice['delta']) ?? asObject(choice['message'])
    if (delta !== undefined) yield* this.#readDelta(delta)
    const text = asString(choice['text'])
    if (delta === undefined && text !== undefined && text !== '') yield { type: 'text', text }
    this.#reason = asString(choice['finish_reason']) ?? this.#reason
  }

  /** What ends every answer: open calls, usage, finish. */
  *end(): Generator<StreamPart> {
    for (const call of this.#calls) {
      if (!call.started) yield this.#start(call)
      yield { type: 'tool-call-end', index: call.index }
    }
    if (this.#thoughtField !== undefined) yield { type: 'reasoning-data', data: { field: this.#thoughtField } }
    if (this.#usage !== undefined) yield { type: 'usage', usage: this.#usage }
    yield { type: 'finish', reason: this.#finishReason() }
  }

  #finishReason(): FinishReason {
    const reason = finishReasons[this.#reason ?? 'stop'] ?? 'unknown'
    // Many local servers say "stop" after calls.
    return this.#calls.length > 0 && (reason === 'stop' || reason === 'unknown') ? 'tool_calls' : reason
  }

  *#readDelta(delta: Json): Generator<StreamPart> {
    for (const field of ['reasoning_content', 'reasoning']) {
      const text = asString(delta[field])
      if (text === undefined || text === '') continue
      this.#thoughtField = field
      yield { type: 'reasoning', text }
      break
    }
    const content = delta['content']
    if (typeof content === 'string') {
      if (content !== '') yield { type: 'text', text: content }
    } else for (const block of asArray(content)) yield* readBlock(asObject(block))
    for (const [place, entry] of asArray(delta['tool_calls']).entries())
      yield* this.#readCall(asObject(entry) ?? {}, place)
    const legacy = asObject(delta['function_call'])
    if (legacy !== undefined) yield* this.#readCall({ index: 0, function: legacy }, 0)
  }

  *#readCall(entry: Json, place: number): Generator<StreamPart> {
    const fn = asObject(entry['function']) ?? entry
    const id = asString(entry['id']) || undefined
    const name = asString(fn['name']) ?? ''
    const given = fn['arguments'] ?? fn['parameters']
    const text = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given)
    const serverIndex = asCount(entry['index'])
    const before =
      serverIndex === undefined
        ? place === 0
          ? this.#calls.at(-1)
          : undefined
        : this.#calls.findLast((call) => call.serverIndex === serverIndex)
    const known = this.#calls.find((call) => id !== undefined && call.id === id && call.serverIndex === serverIndex)
    const call =
      known ??
      (before !== undefined && goesOn(before, id, name, text)
        ? before
        : this.#open(serverIndex, id, name === '' ? (before?.name ?? '') : name))
    call.id ??= id
    if (!call.started && name !== '') call.name = joinName(call.name, name)
    if (text === '') return
    if (!call.started) yield this.#start(call)
    call.arguments.feed(text)
    yield { type: 'tool-call-delta', index: call.index, arguments: text }
  }

  #open(serverIndex: number | undefined, id: string | undefined, name: string): OpenCall {
    const call = { index: this.#calls.length, serverIndex, id, name, arguments: new JsonExtent(), started: false }
    this.#calls.push(call)
    return call
  }

  #start(call: OpenCall): StreamPart {
    call.started = true
    return { type: 'tool-call-start', index: call.index, id: call.id, name: call.name }
  }
}

/** Names come whole, repeated, growing or in pieces. */
function joinName(known: string, name: string): string {
  if (known === name) return known
  return name.startsWith(known) ? name : known + name
}

/**
 * Whether a delta belongs to the call seen before it. Servers that give every call the index 0, or none, are told apart
 * by a new name or new text after whole arguments; an id that merely changes from delta to delta begins nothing.
 */
function goesOn(call: OpenCall, id: string | undefined, name: string, text: string): boolean {
  const otherId = id !== undefined && call.id !== undefined && id !== call.id
  if (call.arguments.empty) return !(otherId && name !== '')
  if (!call.arguments.whole) return true
  return text.trim() === '' && (name === '' || (name === call.name && !otherId))
}

// Mistral's content blocks: text, and thoughts that hold text blocks themselves.
function* readBlock(block: Json | undefined): Generator<StreamPart> {
  if (block === undefined) return
  const text = asString(block['text'])
  if (text !== undefined && text !== '') yield { type: 'text', text }
  const thinking = block['thinking']
  if (typeof thinking === 'string') yield { type: 'reasoning', text: thinking }
  for (const inner of asArray(thinking)) {
    const thought = asString(asObject(inner)?.['text'])
    if (thought !== undefined && thought !== '') yield { type: 'reasoning', text: thought }
  }
}

function toUsage(usage: Json): Usage | undefined {
  const inputTokens = asCount(usage['prompt_tokens'])
  const outputTokens = asCount(usage['completion_tokens'])
  if (inputTokens === undefined) return undefined
  const cached =
    asCount(asObject(usage['prompt_tokens_details'])?.['cached_tokens']) ?? asCount(usage['prompt_cache_hit_tokens'])
  return { inputTokens, outputTokens: outputTokens ?? 0, ...(cached === undefined ? {} : { cachedTokens: cached }) }
}
