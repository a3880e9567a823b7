// Golden requests: a difference here changes what is paid for, since the cache finds only equal prefixes.
import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import type { ModelRequest, RequestMessage } from '../language-model.ts'
import { toMessagesRequest } from './anthropic-request.ts'

const system: RequestMessage[] = [
  { role: 'system', content: 'Rules.', cache: 'static' },
  { role: 'system', content: 'Map.', cache: 'user-data' },
]
const base: ModelRequest = {
  model: 'claude',
  messages: [...system, { role: 'user', content: 'Read a.ts.' }],
  tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }],
  stream: true,
  maxTokens: 4096,
  temperature: 0.1,
}
const call = (id: string): { id: string; name: string; arguments: string } => ({
  id,
  name: 'read_file',
  arguments: '{"path":"a.ts"}',
})
const make = (change: Partial<ModelRequest> = {}): Json => toMessagesRequest({ ...base, ...change }, new Set())
const mark = { cache_control: { type: 'ephemeral' } }

/** Where breakpoints stand: `system 0`, `1.2` for message 1 block 2. */
function breakpoints(body: Json): string[] {
  const blocks = (list: unknown, name: (i: number) => string): string[] =>
    (list as Json[]).flatMap((block, i) => ('cache_control' in block ? [name(i)] : []))
  const messages = body['messages'] as { content: Json[] }[]
  return [
    ...blocks(body['system'], (i) => `system ${i}`),
    ...messages.flatMap((message, m) => blocks(message.content, (i) => `${m}.${i}`)),
  ]
}

describe('requests to Anthropic', () => {
  it('look like this', () => {
    expect(make()).toEqual({
      model: 'claude',
      stream: true,
      max_tokens: 4096,
      temperature: 0.1,
      tools: [{ name: 'read_file', description: 'Reads.', input_schema: { type: 'object' } }],
      system: [
        { type: 'text', text: 'Rules.', ...mark },
        { type: 'text', text: 'Map.', ...mark },
      ],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Read a.ts.', ...mark }] }],
    })
  })

  it('merge neighbours, put results first in the user’s message and replay signed thoughts', () => {
    const blocks = [{ type: 'thinking', thinking: 'hm', signature: 's' }]
    const body = make({
      messages: [
        ...system,
        { role: 'user', content: 'Read.' },
        { role: 'user', content: 'Both.' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [call('1'), call('call:2')],
          reasoning: 'hm',
          reasoningData: { provider: 'anthropic', blocks },
        },
        { role: 'tool', callId: '1', name: 'read_file', content: 'one' },
        { role: 'tool', callId: 'call:2', name: 'read_file', content: 'two' },
        { role: 'system', content: 'The plan changed.' },
      ],
    })
    const input = { path: 'a.ts' }
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read.' },
          { type: 'text', text: 'Both.' },
        ],
      },
      {
        role: 'assistant',
        content: [
          ...blocks,
          { type: 'tool_use', id: '1', name: 'read_file', input },
          { type: 'tool_use', id: 'call_2', name: 'read_file', input },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1', content: 'one' },
          { type: 'tool_result', tool_use_id: 'call_2', content: 'two' },
          { type: 'text', text: 'The plan changed.', ...mark },
        ],
      },
    ])
  })

  it('mark three places, and a fourth when more blocks are new than the server looks back over', () => {
    const turn = (calls: number): RequestMessage[] => {
      const toolCalls = Array.from({ length: calls }, (_, i) => call(String(i)))
      const results = toolCalls.map(({ id, name }): RequestMessage => ({
        role: 'tool',
        callId: id,
        name,
        content: 'x',
      }))
      return [{ role: 'user', content: 'Go.' }, { role: 'assistant', content: '', toolCalls }, ...results]
    }
    expect(breakpoints(make({ messages: [...system, ...turn(9)] }))).toEqual(['system 0', 'system 1', '2.8'])
    expect(breakpoints(make({ messages: [...system, ...turn(10)] }))).toEqual(['system 0', 'system 1', '0.0', '2.9'])
    const bare: RequestMessage[] = [{ role: 'system', content: 'Rules.' }, ...turn(12)]
    expect(breakpoints(make({ messages: bare }))).toEqual(['system 0', '0.0', '2.11'])
  })

  it('are a prefix of the next one but for the marks', () => {
    const bare = (body: Json): string =>
      JSON.stringify(body['messages']).replaceAll(',"cache_control":{"type":"ephemeral"}', '')
    const first: RequestMessage[] = [...system, { role: 'user', content: 'Go.' }]
    const second: RequestMessage[] = [
      ...first,
      { role: 'assistant', content: 'Yes.', toolCalls: [call('1')] },
      { role: 'tool', callId: '1', name: 'read_file', content: 'one' },
    ]
    const [a, b] = [bare(make({ messages: first })), bare(make({ messages: second }))]
    expect(b.startsWith(a.slice(0, -1))).toBe(true)
  })

  it('ask for thoughts on top of the answer, without what does not go beside them', () => {
    const thinking = make({ reasoning: 'low', toolChoice: 'required', topP: 0.9 })
    expect(thinking).toMatchObject({ max_tokens: 4096 + 2048, thinking: { type: 'enabled', budget_tokens: 2048 } })
    expect(['temperature', 'top_p', 'tool_choice'].filter((field) => field in thinking)).toEqual([])
    const newer = toMessagesRequest({ ...base, reasoning: 'high' }, new Set(['thinking-budget']))
    expect(newer).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' }, max_tokens: 4096 })
  })

  it('leave out empty texts and answers', () => {
    const body = make({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'b' },
      ],
    })
    expect(body).not.toHaveProperty('system')
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b', ...mark },
        ],
      },
    ])
  })
})
