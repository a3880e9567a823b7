import { expect, it } from 'vitest'
import { collect, modelRequest } from '../../../test/support/collect.ts'
import { ScriptedModel } from './scripted.ts'

const signal = new AbortController().signal
const script = new ScriptedModel('demo', {
  steps: [
    { reasoning: 'hm', text: 'I  look.\n', calls: [{ name: 'read_file', arguments: { path: 'a' } }] },
    { calls: [{ name: 'x', arguments: '{broken', id: null }], finishReason: 'length' },
    { text: 'Done.', usage: { inputTokens: 1, outputTokens: 2 } },
  ],
})

it('plays the step that follows the answers already in the request', async () => {
  const answer = { role: 'assistant', content: 'x' } as const
  const at = (answers: number): ReturnType<typeof collect> =>
    collect(script.stream(modelRequest({ messages: Array.from({ length: answers }, () => answer) }), signal))
  expect([await at(0), await at(1), await at(2)]).toEqual([
    {
      text: 'I  look.\n',
      reasoning: 'hm',
      reasoningData: [],
      calls: [{ id: 'call_1_1', name: 'read_file', arguments: '{"path":"a"}' }],
      usage: undefined,
      finish: 'tool_calls',
    },
    {
      text: '',
      reasoning: '',
      reasoningData: [],
      calls: [{ id: undefined, name: 'x', arguments: '{broken' }],
      usage: undefined,
      finish: 'length',
    },
    {
      text: 'Done.',
      reasoning: '',
      reasoningData: [],
      calls: [],
      usage: { inputTokens: 1, outputTokens: 2 },
      finish: 'stop',
    },
  ])
  await expect(at(3)).rejects.toMatchObject({ code: 'bad_response', retryable: false })
})

it('can be cancelled between words', async () => {
  const slow = new ScriptedModel('demo', { steps: [{ text: 'one two three' }], pauseMs: 10_000 })
  const controller = new AbortController()
  const run = collect(slow.stream(modelRequest({ messages: [] }), controller.signal))
  setImmediate(() => controller.abort())
  await expect(run).rejects.toMatchObject({ code: 'cancelled' })
})
