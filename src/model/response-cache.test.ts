import { describe, expect, it } from 'vitest'
import { cacheKey } from './cache-key.ts'
import type { ModelRequest, StreamPart } from './language-model.ts'
import { ResponseCache } from './response-cache.ts'
import type { CacheEntry, CacheStore, ResponseCacheOptions } from './response-cache.ts'

const request: ModelRequest = {
  model: 'm',
  messages: [
    { role: 'system', content: 'S' },
    { role: 'user', content: 'Hello' },
  ],
  tools: [{ name: 't', description: 'd', parameters: { type: 'object' } }],
  stream: true,
  maxTokens: 10,
  temperature: 0,
}
const answer: StreamPart[] = [
  { type: 'text', text: 'Good ' },
  { type: 'text', text: 'day  to you\n' },
  { type: 'tool-call-start', index: 0, id: 'c', name: 't' },
  { type: 'tool-call-delta', index: 0, arguments: '{"a"' },
  { type: 'tool-call-delta', index: 0, arguments: ':1}' },
  { type: 'tool-call-end', index: 0 },
  { type: 'finish', reason: 'tool_calls' },
]

function store(): CacheStore & { entries: Map<string, CacheEntry> } {
  const entries = new Map<string, CacheEntry>()
  return {
    entries,
    get: (hash, now) => {
      const entry = entries.get(hash)
      return entry !== undefined && entry.expiresAt > now ? entry : undefined
    },
    put: (entry) => void entries.set(entry.hash, entry),
    sweep: () => 0,
  }
}

/** Asks once; tells the tier of a hit, 0 for a live answer, and the answer with deltas joined. */
async function ask(
  cache: ResponseCache,
  change: Partial<ModelRequest> = {},
  parts: StreamPart[] = answer,
): Promise<{ tier: number; text: string; call: string; kinds: Set<string> }> {
  const got = { tier: 0, text: '', call: '', kinds: new Set<string>() }
  async function* live(): AsyncGenerator<StreamPart> {
    yield* parts
  }
  for await (const part of cache.stream({ ...request, ...change }, live, ({ tier }) => (got.tier = tier))) {
    got.kinds.add(part.type)
    if (part.type === 'text') got.text += part.text
    if (part.type === 'tool-call-delta') got.call += part.arguments
  }
  return got
}

const make = (options: Partial<ResponseCacheOptions> = {}): ResponseCache =>
  new ResponseCache({ policy: 'temperature-0', ttlMs: 1000, now: () => 0, ...options })

describe('the response cache', () => {
  it.each(['', '{"type":', '[]', '"text"', '[{"type":"text","text":"ha"}]', 'null'])(
    'takes a damaged entry (%j) for none, and mends it',
    async (damaged) => {
      const shared = store()
      await ask(make({ store: shared }))
      for (const entry of shared.entries.values()) entry.response = damaged
      const next = make({ store: shared })
      expect(await ask(next)).toMatchObject({ tier: 0, text: 'Good day  to you\n' })
      expect(await ask(make({ store: shared }))).toMatchObject({ tier: 2, text: 'Good day  to you\n' })
    },
  )

  it('answers the same request with the same answer', async () => {
    const cache = make()
    const [first, second] = [await ask(cache), await ask(cache)]
    expect([first.tier, second.tier]).toEqual([0, 1])
    expect({ ...second, tier: 0 }).toEqual(first)
    expect(second.text).toBe('Good day  to you\n')
  })

  it('finds in the store what another process kept', async () => {
    const shared = store()
    await ask(make({ store: shared }))
    const cache = make({ store: shared })
    expect([(await ask(cache)).tier, (await ask(cache)).tier]).toEqual([2, 1])
  })

  it('forgets what is too old', async () => {
    let now = 0
    const cache = make({ now: () => now, store: store() })
    await ask(cache)
    now = 1000
    expect((await ask(cache)).tier).toBe(0)
  })

  it('keeps no answer that was cut, and none that failed', async () => {
    const cache = make()
    await ask(cache, {}, [
      { type: 'text', text: 'half' },
      { type: 'finish', reason: 'length' },
    ])
    expect((await ask(cache)).tier).toBe(0)
    const other = make()
    const failing = async function* (): AsyncGenerator<StreamPart> {
      yield { type: 'text', text: 'half' }
      throw new Error('cut')
    }
    const run = async (): Promise<void> => {
      for await (const _ of other.stream(request, failing, () => undefined));
    }
    await expect(run()).rejects.toThrow('cut')
    expect((await ask(other)).tier).toBe(0)
  })

  it('does without a store that fails', async () => {
    const broken = (): never => {
      throw new Error('disk full')
    }
    const cache = make({ store: { get: broken, put: broken, sweep: broken } })
    expect([(await ask(cache)).tier, (await ask(cache)).tier]).toEqual([0, 1])
  })

  it('serves only temperature 0, unless told otherwise', async () => {
    const careful = make()
    await ask(careful, { temperature: 0.1 })
    expect((await ask(careful, { temperature: 0.1 })).tier).toBe(0)
    const always = make({ policy: 'always' })
    await ask(always, { temperature: 0.1 })
    expect((await ask(always, { temperature: 0.1 })).tier).toBe(1)
    const off = make({ policy: 'off' })
    await ask(off)
    expect((await ask(off)).tier).toBe(0)
  })

  it('holds a thousand answers and drops the one used longest ago', async () => {
    const cache = make()
    for (let i = 0; i < 1000; i++) await ask(cache, { maxTokens: i })
    expect((await ask(cache, { maxTokens: 0 })).tier).toBe(1)
    await ask(cache, { maxTokens: 1000 })
    expect([(await ask(cache, { maxTokens: 0 })).tier, (await ask(cache, { maxTokens: 1 })).tier]).toEqual([1, 0])
  })
})

describe('the cache key', () => {
  const key = (change: Partial<ModelRequest>, ignoreCase = false): string =>
    cacheKey({ ...request, ...change }, ignoreCase)
  const user = (content: string): Partial<ModelRequest> => ({ messages: [{ role: 'user', content }] })

  it('does not see white space around contents, the order of keys or the way of streaming', () => {
    expect(key(user('a'))).toBe(key(user('  a\n')))
    expect(key(user('é'))).toBe(key(user('e\u0301')))
    expect(key({ stream: false })).toBe(key({}))
    expect(key({ tools: [{ name: 't', parameters: { type: 'object' }, description: 'd' }] })).toBe(key({}))
  })

  it('sees everything that can change an answer', () => {
    const keys = [
      key({}),
      key({ model: 'n' }),
      key({ temperature: 0.1 }),
      key({ topP: 1 }),
      key({ maxTokens: 11 }),
      key({ stop: ['x'] }),
      key({ reasoning: 'high' }),
      key({ toolChoice: 'none' }),
      key({ tools: [] }),
      key(user('Hello')),
      key(user('hello')),
      key({ messages: [{ role: 'system', content: 'Hello' }] }),
      key({ messages: [] }),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('folds case only when told to', () => {
    expect(key(user('Hello'), true)).toBe(key(user('hello'), true))
  })

  it('does not see the ids of calls, but which result belongs to which', () => {
    const history = (first: string, second: string, results: [string, string]): Partial<ModelRequest> => ({
      messages: [
        {
          role: 'assistant',
          content: '',
          toolCalls: [
            { id: first, name: 't', arguments: '{}' },
            { id: second, name: 't', arguments: '{}' },
          ],
        },
        ...results.map((callId) => ({ role: 'tool' as const, callId, name: 't', content: 'same' })),
      ],
    })
    expect(key(history('a', 'b', ['a', 'b']))).toBe(key(history('x', 'y', ['x', 'y'])))
    expect(key(history('a', 'b', ['a', 'b']))).not.toBe(key(history('a', 'b', ['b', 'a'])))
  })
})
