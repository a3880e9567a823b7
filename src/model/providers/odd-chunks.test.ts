// Whatever JSON a server sends, reading it gives parts in the order the port promises, or nothing: never another failure.
import { describe, expect, it } from 'vitest'
import { collect } from '../../../test/support/collect.ts'
import type { Json } from '../json.ts'
import type { StreamPart } from '../language-model.ts'
import { MessageParts } from './anthropic-parts.ts'
import { OllamaParts } from './ollama-parts.ts'
import { ChatParts } from './openai-parts.ts'
import fc from '../../../test/support/property.ts'

/** JSON made of the words of a wire with values of any kind in any place. */
function wire(words: string[]): fc.Arbitrary<Json> {
  const { value } = fc.letrec<{ value: unknown; object: Json }>((tie) => ({
    object: fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 6 }),
    value: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.constantFrom(null, true, '', 'text', '{"a":1}', '{', '}', -1, 0, 1, 1.5, 'tool_use', 'stop', 'thinking'),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  }))
  return value.map((made) =>
    typeof made === 'object' && made !== null && !Array.isArray(made) ? (made as Json) : { made },
  )
}

async function* asStream(parts: Iterable<StreamPart>): AsyncGenerator<StreamPart> {
  yield* parts
}

describe('odd JSON from a server', () => {
  const words =
    'choices delta message content tool_calls function name arguments index id finish_reason usage prompt_tokens text thinking type'
  const chat = wire([...words.split(' '), 'reasoning_content', 'function_call'])
  // Depth is hard to come by at random: half of the chunks get the right frame around odd contents.
  const framed = fc.oneof(
    chat,
    chat.map((delta): Json => ({ choices: [{ delta }] })),
    fc.array(chat, { maxLength: 3 }).map((calls): Json => ({ choices: [{ delta: { tool_calls: calls } }] })),
  )
  it('of Chat Completions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(framed, { maxLength: 8 }), async (chunks) => {
        const parts = new ChatParts()
        const got = await collect(
          asStream([...chunks.flatMap((chunk) => Array.from(parts.read(chunk))), ...parts.end()]),
        )
        expect(got.finish).not.toBe('')
      }),
      { numRuns: 500 },
    )
  })

  it('of Ollama', async () => {
    const line = wire([
      'message',
      'content',
      'thinking',
      'tool_calls',
      'function',
      'name',
      'arguments',
      'id',
      'done_reason',
      'eval_count',
    ])
    const framedLine = fc.oneof(
      line,
      line.map((message): Json => ({ message })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(framedLine, { maxLength: 8 }), async (lines) => {
        const parts = new OllamaParts()
        const got = await collect(asStream([...lines, { done: true }].flatMap((each) => Array.from(parts.read(each)))))
        expect(parts.done && got.finish !== '').toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('of Anthropic', async () => {
    const words = [
      'index',
      'content_block',
      'delta',
      'message',
      'usage',
      'type',
      'id',
      'name',
      'text',
      'thinking',
      'signature',
      'partial_json',
      'stop_reason',
    ]
    const type = fc.constantFrom('message_start', 'content_block_start', 'content_block_delta', 'message_delta', 'ping')
    const event = fc.tuple(wire(words), type).map(([body, kind]): Json => Object.assign(body, { type: kind }))
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 10 }), async (events) => {
        const parts = new MessageParts()
        const read = events.flatMap((each) => Array.from(parts.readEvent(each)))
        const got = await collect(asStream([...read, ...parts.end()]))
        expect(got.finish).not.toBe('')
      }),
      { numRuns: 500 },
    )
  })
})
