// What only Anthropic's wire has: signed thoughts that go back, counts of the prompt cache, models that refuse settings.
import { afterEach, expect, it } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'
import type { LanguageModel } from '../../src/model/language-model.ts'
import { collect, modelRequest } from '../support/collect.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerStep } from '../support/model-server.ts'

const signal = new AbortController().signal
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function given(steps: ServerStep[]): Promise<{ server: ModelServer; model: LanguageModel }> {
  const server = await startModelServer(steps, { by: 'requests' })
  closing.push(() => server.close())
  const model = await createModel('claude', { type: 'anthropic', url: `${server.url}/v1`, apiKey: 'k' })
  closing.push(() => model.close())
  return { server, model }
}

it('thoughts come with their signature and go back as they came', async () => {
  const calls = [{ name: 'read_file', arguments: { path: 'a.ts' }, id: 'toolu_1' }]
  const { server, model } = await given([{ reasoning: 'Let me see.', calls }, { text: 'Read.' }])
  const request = modelRequest({ reasoning: 'low' })
  const first = await collect(model.stream(request, signal))
  await collect(
    model.stream(
      {
        ...request,
        messages: [
          ...request.messages,
          {
            role: 'assistant',
            content: first.text,
            reasoning: first.reasoning,
            reasoningData: first.reasoningData[0],
            toolCalls: [{ id: 'toolu_1', name: 'read_file', arguments: first.calls[0]!.arguments }],
          },
          { role: 'tool', callId: 'toolu_1', name: 'read_file', content: 'text' },
        ],
      },
      signal,
    ),
  )
  const messages = server.requests[1]!.body['messages'] as { content: unknown[] }[]
  expect(messages[1]!.content).toEqual([
    { type: 'thinking', thinking: 'Let me see.', signature: 'signed:11' },
    { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a.ts' } },
  ])
  server.assertSound()
})

it('thoughts come in one part when the answer is not streamed', async () => {
  const { model } = await given([{ reasoning: 'Let me see.', text: 'Yes.' }])
  const got = await collect(model.stream(modelRequest({ stream: false }), signal))
  expect([got.reasoning, got.text, got.reasoningData]).toEqual([
    'Let me see.',
    'Yes.',
    [{ provider: 'anthropic', blocks: [{ type: 'thinking', thinking: 'Let me see.', signature: 'signed:11' }] }],
  ])
})

it('the prompt count holds what was read from the cache', async () => {
  const { model } = await given([{ text: 'ok', usage: { input: 1000, output: 3, cached: 900 } }])
  expect((await collect(model.stream(modelRequest(), signal))).usage).toEqual({
    inputTokens: 1000,
    outputTokens: 3,
    cachedTokens: 900,
    cacheWriteTokens: 0,
  })
})

it('a setting the model refuses is left out from then on', async () => {
  const refusal = (message: string): ServerStep => ({
    faults: [
      { type: 'status', status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } },
    ],
  })
  const { server, model } = await given([
    refusal('`temperature` is deprecated for this model.'),
    { text: 'ok' },
    refusal('thinking.type.enabled is not supported: use adaptive'),
    { text: 'ok' },
    { text: 'ok' },
  ])
  await collect(model.stream(modelRequest(), signal))
  await collect(model.stream(modelRequest({ reasoning: 'high' }), signal))
  await collect(model.stream(modelRequest({ reasoning: 'high' }), signal))
  const seen = server.requests.map(({ body }) => [
    body['temperature'],
    (body['thinking'] as { type: string } | undefined)?.type,
  ])
  expect(seen).toEqual([
    [0.1, undefined],
    [undefined, undefined],
    [undefined, 'enabled'],
    [undefined, 'adaptive'],
    [undefined, 'adaptive'],
  ])
})

it('a refusal that no setting caused is an error', async () => {
  const body = {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  }
  const { model } = await given([{ faults: [{ type: 'status', status: 400, body }] }])
  await expect(collect(model.stream(modelRequest(), signal))).rejects.toMatchObject({ code: 'context_too_long' })
})
