// Every provider maps its wire to the same parts: one suite, run for each over real HTTP.
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'
import type { LanguageModel } from '../../src/model/language-model.ts'
import { collect, modelRequest } from '../support/collect.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerOptions, ServerScript } from '../support/model-server.ts'

const providers = [
  { type: 'openai-compatible', path: '/v1', whole: true },
  { type: 'ollama', path: '', whole: true },
  { type: 'anthropic', path: '', whole: true },
]

describe.each(providers)('provider $type', ({ type, path }) => {
  let server: ModelServer | undefined
  let model: LanguageModel | undefined

  async function given(script: ServerScript, options: ServerOptions = {}): Promise<LanguageModel> {
    server = await startModelServer(script, options)
    model = await createModel('test', { type, url: server.url + path, apiKey: 'secret' })
    return model
  }

  const signal = new AbortController().signal

  afterEach(async () => {
    const failures = server?.failures ?? []
    await model?.close()
    await server?.close()
    server = undefined
    model = undefined
    expect(failures).toEqual([])
  })
  afterAll(() => model?.close())

  it('gives text, reasoning, usage and the end', async () => {
    const it = await given([{ text: 'Hello, wörld ✓', reasoning: 'hm', usage: { input: 11, output: 7 } }])
    const got = await collect(it.stream(modelRequest(), signal))
    expect({ ...got, reasoningData: [] }).toEqual({
      text: 'Hello, wörld ✓',
      reasoning: 'hm',
      reasoningData: [],
      calls: [],
      usage: expect.objectContaining({ inputTokens: 11, outputTokens: 7 }),
      finish: 'stop',
    })
  })

  it('gives calls with their ids and arguments', async () => {
    const it = await given([
      {
        text: 'I look.',
        calls: [
          { name: 'read_file', arguments: { path: 'a.ts' }, id: 'c1' },
          { name: 'read_file', arguments: { path: 'b {"x"}.ts' }, id: 'c2' },
        ],
      },
    ])
    const got = await collect(it.stream(modelRequest(), signal))
    expect(got).toMatchObject({
      text: 'I look.',
      finish: 'tool_calls',
      calls: [
        { id: 'c1', name: 'read_file', arguments: '{"path":"a.ts"}' },
        { id: 'c2', name: 'read_file', arguments: '{"path":"b {\\"x\\"}.ts"}' },
      ],
    })
  })

  it('gives the same when the answer is not streamed', async () => {
    const it = await given([{ text: 'I look.', calls: [{ name: 'read_file', arguments: { path: 'a.ts' }, id: 'c1' }] }])
    const got = await collect(it.stream(modelRequest({ stream: false }), signal))
    expect(got).toMatchObject({
      text: 'I look.',
      finish: 'tool_calls',
      calls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"a.ts"}' }],
    })
  })

  it('does not depend on how bytes arrive', async () => {
    const it = await given(
      [{ text: 'ä€😀 done', calls: [{ name: 'read_file', arguments: { path: 'ü/é.ts' }, id: 'c1' }] }],
      {
        wireBytes: 1,
        deltaChars: 2,
      },
    )
    const got = await collect(it.stream(modelRequest(), signal))
    expect(got.text).toBe('ä€😀 done')
    expect(got.calls).toEqual([{ id: 'c1', name: 'read_file', arguments: '{"path":"ü/é.ts"}' }])
  })

  it('says when the answer was cut at the token limit', async () => {
    const finishReason = type === 'anthropic' ? 'max_tokens' : 'length'
    const it = await given([{ text: 'half an ans', finishReason }])
    const got = await collect(it.stream(modelRequest(), signal))
    expect(got.finish).toBe('length')
  })

  it('sends a history that the server accepts, with results after their calls', async () => {
    const it = await given([{ text: 'never' }, { text: 'never' }, { text: 'never' }, { text: 'all read' }])
    const call = (id: string) => ({ id, name: 'read_file', arguments: '{"path":"a.ts"}' })
    const request = modelRequest({
      messages: [
        { role: 'system', content: 'You are a test.', cache: 'static' },
        { role: 'system', content: 'The user has a map.', cache: 'user-data' },
        { role: 'user', content: 'Read.' },
        { role: 'assistant', content: 'Yes.', toolCalls: [call('1'), call('2')] },
        { role: 'tool', callId: '1', name: 'read_file', content: 'one' },
        { role: 'tool', callId: '2', name: 'read_file', content: 'two' },
        { role: 'assistant', content: '', toolCalls: [call('3')] },
        { role: 'tool', callId: '3', name: 'read_file', content: 'three' },
        { role: 'assistant', content: 'Read.' },
        { role: 'user', content: 'Again.' },
      ],
    })
    const got = await collect(it.stream(request, signal))
    expect(got.text).toBe('all read')
    expect(server!.requests[0]!.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
  })

  it('keeps one connection over many requests', async () => {
    const it = await given(() => ({ text: 'ok' }))
    for (let i = 0; i < 5; i++) await collect(it.stream(modelRequest(), signal))
    expect(server!.connections).toBe(1)
  })

  it('ends at once when cancelled in the middle', async () => {
    const it = await given([{ text: 'a long answer that never ends', faults: [{ type: 'stall', tokens: 1 }] }])
    const controller = new AbortController()
    const seen: string[] = []
    const run = async (): Promise<void> => {
      for await (const part of it.stream(modelRequest(), controller.signal)) {
        seen.push(part.type)
        controller.abort()
      }
    }
    await expect(run()).rejects.toMatchObject({ name: 'ModelError', code: 'cancelled', retryable: false })
    expect(seen).toEqual(['text'])
  })

  it('ends at once when cancelled before the first byte', async () => {
    const it = await given([{ text: 'x', faults: [{ type: 'silent' }] }])
    const controller = new AbortController()
    const run = collect(it.stream(modelRequest(), controller.signal))
    setTimeout(() => controller.abort(), 20)
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
    const late = collect(it.stream(modelRequest(), AbortSignal.abort()))
    await expect(late).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('names the nearest models when one is missing', async () => {
    const it = await given([], { models: ['qwen2.5-coder:7b', 'llama3.1:8b'] })
    const run = collect(it.stream(modelRequest({ model: 'qwen2.5-coder:7' }), signal))
    await expect(run).rejects.toMatchObject({ code: 'model_not_found', retryable: false })
    await expect(run).rejects.toThrow(/qwen2\.5-coder:7b/)
  })

  it('lists models and their windows', async () => {
    const it = await given([], { models: ['b', 'a'], window: 16_384 })
    expect(await it.list()).toEqual(['a', 'b'])
    expect(await it.info('a')).toMatchObject({ id: 'a', window: 16_384 })
  })

  it('can be closed twice and tells its address', async () => {
    const it = await given([{ text: 'ok' }])
    await collect(it.stream(modelRequest(), signal))
    await it.close()
    await it.close()
    expect({ local: it.local, backend: it.backend, url: it.url?.startsWith(server!.url) }).toEqual({
      local: true,
      backend: 'test',
      url: true,
    })
  })
})
