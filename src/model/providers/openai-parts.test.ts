import { describe, expect, it } from 'vitest'
import { collect } from '../../../test/support/collect.ts'
import { JsonExtent } from '../json-extent.ts'
import type { Json } from '../json.ts'
import type { StreamPart } from '../language-model.ts'
import { ChatParts } from './openai-parts.ts'
import fc from '../../../test/support/property.ts'

async function* partsOf(chunks: Json[]): AsyncGenerator<StreamPart> {
  const parts = new ChatParts()
  for (const chunk of chunks) yield* parts.read(chunk)
  yield* parts.end()
}
const deltas = (list: Json[]): Json[] => list.map((delta) => ({ choices: [{ delta }] }))

/** A text cut at the given places. */
function cut(text: string, at: number[]): string[] {
  const places = [...new Set(at.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length)).filter((piece) => piece !== '')
}

describe('chunks of Chat Completions', () => {
  it('give the same calls however arguments are cut and whatever the server leaves out', async () => {
    const call = fc.record({
      name: fc.constantFrom('read_file', 'edit_file', 'shell_exec'),
      arguments: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
      cuts: fc.array(fc.nat(200), { maxLength: 8 }),
    })
    const liberties = fc.record({
      ids: fc.boolean(),
      indices: fc.constantFrom('right', 'zero', 'none'),
      nameAgain: fc.boolean(),
      nameAlone: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 4 }), liberties, async (calls, how) => {
        const chunks: Json[] = []
        for (const [i, { name, arguments: args, cuts }] of calls.entries()) {
          const index = how.indices === 'none' ? {} : { index: how.indices === 'zero' ? 0 : i }
          const id = how.ids ? { id: `c${i}` } : {}
          const pieces = cut(JSON.stringify(args), cuts)
          const first = how.nameAlone ? '' : pieces.shift()!
          chunks.push({ tool_calls: [{ ...index, ...id, function: { name, arguments: first } }] })
          for (const piece of pieces) {
            const again = how.nameAgain ? { name } : {}
            chunks.push({ tool_calls: [{ ...index, function: { ...again, arguments: piece } }] })
          }
        }
        const got = await collect(partsOf(deltas(chunks)))
        expect(got.calls).toEqual(
          calls.map(({ name, arguments: args }, i) => ({
            id: how.ids ? `c${i}` : undefined,
            name,
            arguments: JSON.stringify(args),
          })),
        )
      }),
    )
  })

  it('keep calls of different indices apart when their deltas come mixed', async () => {
    const piece = (index: number, text: string, name?: string): Json => ({
      tool_calls: [
        {
          index,
          ...(name === undefined ? {} : { id: name, function: undefined }),
          function: { name, arguments: text },
        },
      ],
    })
    const got = await collect(
      partsOf(deltas([piece(0, '', 'a'), piece(1, '', 'b'), piece(0, '{"x":'), piece(1, '{}'), piece(0, '1}')])),
    )
    expect(got.calls.map((call) => [call.name, call.arguments])).toEqual([
      ['a', '{"x":1}'],
      ['b', '{}'],
    ])
  })

  it('read a call without arguments, thoughts in both fields, blocks of Mistral, and usage wherever it stands', async () => {
    const got = await collect(
      partsOf([
        ...deltas([
          { reasoning_content: 'th' },
          {
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: 'ink' }] },
              { type: 'text', text: 'Hi' },
            ],
          },
          { tool_calls: [{ index: 0, id: 'a', function: { name: 'git_status', arguments: '' } }] },
        ]),
        { choices: [], x_groq: { usage: { prompt_tokens: 5, completion_tokens: 2 } } },
      ]),
    )
    expect(got).toEqual({
      text: 'Hi',
      reasoning: 'think',
      reasoningData: [{ field: 'reasoning_content' }],
      calls: [{ id: 'a', name: 'git_status', arguments: '' }],
      usage: { inputTokens: 5, outputTokens: 2 },
      finish: 'tool_calls',
    })
  })

  it('count cached tokens under both names', async () => {
    const usage = (more: Json): Json[] => [
      { choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 9, completion_tokens: 1, ...more } },
    ]
    const openai = await collect(partsOf(usage({ prompt_tokens_details: { cached_tokens: 8 } })))
    const deepseek = await collect(partsOf(usage({ prompt_cache_hit_tokens: 7 })))
    expect([openai.usage, deepseek.usage]).toEqual([
      { inputTokens: 9, outputTokens: 1, cachedTokens: 8 },
      { inputTokens: 9, outputTokens: 1, cachedTokens: 7 },
    ])
  })
})

describe('the extent of JSON', () => {
  it('is whole exactly at the end of an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value)
        const extent = new JsonExtent()
        const whole: number[] = []
        for (let i = 0; i < text.length; i++) {
          extent.feed(text[i]!)
          if (extent.whole) whole.push(i)
        }
        expect(whole).toEqual([text.length - 1])
      }),
    )
  })
})
