// The server that judges requests is judged itself: each broken invariant is found, and sound requests are not blamed.
import { afterEach, describe, expect, it } from 'vitest'
import { startModelServer } from './model-server.ts'
import type { ModelServer, ServerOptions } from './model-server.ts'

let server: ModelServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const system = { role: 'system', content: 'S' }
const user = { role: 'user', content: 'U' }
const calls = (...ids: string[]): unknown => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 't', arguments: '{}' } })),
})
const result = (id: string): unknown => ({ role: 'tool', tool_call_id: id, content: 'r' })

async function failuresOf(messages: unknown[], more: Record<string, unknown> = {}): Promise<string[]> {
  server ??= await startModelServer(() => ({ text: 'ok' }))
  server.failures.length = 0
  await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages, ...more }),
  }).then((response) => response.text())
  return server.failures.map((failure) => failure.replace(/^request \d+: /, ''))
}

describe('the invariants of requests', () => {
  it('hold for a sound history', async () => {
    expect(await failuresOf([system, user, calls('a', 'b'), result('a'), result('b'), user])).toEqual([])
  })

  const broken: [string, unknown[], string][] = [
    ['no system message', [user], 'first message is user, not system'],
    ['a call without result', [system, user, calls('a'), user], 'message 3 (user): call a has no result before it'],
    ['a call without result at the end', [system, user, calls('a', 'b'), result('a')], 'call b has no result'],
    [
      'a result without call',
      [system, user, result('x')],
      'message 2 (tool): answers x, which is no open call of the message before',
    ],
    [
      'two results for a call',
      [system, user, calls('a'), result('a'), result('a')],
      'message 4 (tool): answers a, which is no open call of the message before',
    ],
    [
      'results out of order',
      [system, user, calls('a', 'b'), result('b'), result('a')],
      'message 3 (tool): results are not in the order of the calls',
    ],
    [
      'an id used twice',
      [system, user, calls('a'), result('a'), calls('a'), result('a')],
      'message 4 (assistant): id a is used twice',
    ],
    ['an unknown role', [system, { role: 'developer', content: 'x' }, user], 'message 1 (developer): unknown role'],
    ['a late system message', [system, user, system, user], 'message 2 (system): system not at the start'],
    ['an empty user message', [system, { role: 'user', content: '' }], 'message 1 (user): empty'],
    ['an answer at the end', [system, user, { role: 'assistant', content: 'x' }], 'last message is the assistant’s'],
    [
      'arguments that are no JSON',
      [
        system,
        user,
        { role: 'assistant', content: '', tool_calls: [{ id: 'a', function: { name: 't', arguments: '{' } }] },
        result('a'),
      ],
      'message 2 (assistant): arguments of a are no JSON object',
    ],
  ]
  it.each(broken)('find %s', async (_, messages, failure) => {
    expect(await failuresOf(messages)).toEqual([failure])
  })

  it('find tools that change inside a conversation, and measure what is new', async () => {
    const tools = (name: string): Record<string, unknown> => ({ tools: [{ type: 'function', function: { name } }] })
    expect(await failuresOf([system, user], tools('a'))).toEqual([])
    expect(await failuresOf([system, user, calls('a'), result('a')], tools('a'))).toEqual([])
    const sizes = server!.requests.map((request) => request.notInPrefix)
    expect(sizes[1]).toBeLessThan(JSON.stringify([calls('a'), result('a')]).length + 2)
    expect(await failuresOf([system, user], tools('b'))).toEqual(['the tools differ from the request before'])
  })
})

describe('Ollama’s silent truncation', () => {
  async function seen(options: ServerOptions, num_ctx?: number): Promise<{ count: number; texts: string[] }> {
    server = await startModelServer(() => ({ text: 'ok' }), options)
    const messages = [
      { role: 'system', content: 'S'.repeat(400) },
      ...['a', 'b', 'c'].map((letter) => ({ role: 'user', content: letter.repeat(4000) })),
    ]
    const response = await fetch(`${server.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages, stream: false, options: { num_ctx } }),
    })
    const body = (await response.json()) as { prompt_eval_count: number }
    return { count: body.prompt_eval_count, texts: server.requests[0]!.seen.map((message) => message.text[0]!) }
  }

  it('keeps all that fits', async () => {
    expect(await seen({}, 8192)).toEqual({ count: 3100, texts: ['S', 'a', 'b', 'c'] })
  })

  it('drops the oldest and keeps the system message', async () => {
    expect(await seen({}, 2200)).toEqual({ count: 2100, texts: ['S', 'b', 'c'] })
  })

  it('gives no more than the server has', async () => {
    expect(await seen({ maxNumCtx: 1200 }, 8192)).toEqual({ count: 1100, texts: ['S', 'c'] })
  })
})
