import { afterEach, expect, it } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'
import { secretWord } from '../../src/model/probe-set.ts'
import { probeModel } from '../../src/model/probe.ts'
import type { ModelProbe } from '../../src/model/probe.ts'
import { deadUrl, startModelServer } from '../support/model-server.ts'
import type { SeenRequest, ServerOptions, ServerStep } from '../support/model-server.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const rightCalls: Record<string, { name: string; arguments: Record<string, unknown> }> = {
  read_file: { name: 'read_file', arguments: { path: 'src/main.ts', start: 10 } },
  edit_file: {
    name: 'edit_file',
    arguments: { path: 'app.py', old_text: 'print("hello")', new_text: 'name = "world"\nprint(f"hello {name}")' },
  },
  plan_update: {
    name: 'plan_update',
    arguments: {
      items: [
        { text: 'read the code', state: 'done' },
        { text: 'write the test', state: 'doing' },
      ],
    },
  },
}

/** Answers like a model that saw only what the server kept. */
function answer(request: SeenRequest, write: (call: (typeof rightCalls)[string]) => ServerStep): ServerStep {
  const asked = request.messages.at(-1)!.text
  if (asked.startsWith('Which word'))
    return { text: request.seen.some(({ text }) => text.includes(secretWord)) ? secretWord : 'I do not know.' }
  const name = Object.keys(rightCalls).find((tool) => asked.startsWith(`Call ${tool}`))
  return write(rightCalls[name!]!)
}

async function probe(
  script: (request: SeenRequest) => ServerStep,
  options: ServerOptions = {},
  window = 16_384,
): Promise<ModelProbe> {
  const server = await startModelServer(script, { models: ['m'], ...options })
  closing.push(() => server.close())
  const model = await createModel('test', { type: 'ollama', url: server.url })
  closing.push(() => model.close())
  const result = await probeModel(model, {
    model: 'm',
    window,
    textInstructions: () => 'Write calls as <tool_call>JSON</tool_call>.',
    signal: new AbortController().signal,
    now: () => 0,
  })
  server.assertSound()
  return result
}

it('a model that calls tools natively and has its window passes, without a second round', async () => {
  const got = await probe((request) => answer(request, (call) => ({ calls: [call] })))
  expect(got).toMatchObject({
    reachable: { ok: true, models: ['m'] },
    info: { tools: true },
    window: { tokens: 5000, remembered: true },
    tools: { best: 'native', native: { usable: 3 } },
  })
  expect([got.window?.warning, got.tools?.xml]).toEqual([undefined, undefined])
})

it('a model whose calls stand in the text is better told to write them', async () => {
  const got = await probe((request) =>
    answer(request, (call) => ({ text: `<tool_call>${JSON.stringify(call)}</tool_call>` })),
  )
  expect(got.tools).toMatchObject({ best: 'xml', dialect: 'tagged-json', native: { usable: 3 }, xml: { usable: 3 } })
  expect(got.tools?.native.results.every((result) => result.asText)).toBe(true)
})

it('a model the server refuses tools for is tried with text', async () => {
  const refusal = { type: 'status', status: 400, body: { error: 'm does not support tools' } } as const
  const got = await probe((request) =>
    request.tools === ''
      ? answer(request, (call) => ({ text: JSON.stringify(call) }))
      : { faults: [{ ...refusal, times: 9 }] },
  )
  expect(got.tools).toMatchObject({
    best: 'xml',
    native: { usable: 0, error: { code: 'unknown' } },
    xml: { usable: 3 },
  })
})

it('calls that needed mending and calls that are wrong are told apart', async () => {
  const got = await probe((request) =>
    answer(request, (call) =>
      call.name === 'read_file'
        ? { calls: [{ name: 'read_file', arguments: { path: 'src/main.ts', start: '10' } }] }
        : call.name === 'edit_file'
          ? { text: 'I would edit the file.' }
          : { calls: [{ name: 'plan_update', arguments: { items: [] } }] },
    ),
  )
  expect(got.tools?.native.results.map(({ outcome }) => outcome)).toEqual(['repaired', 'none', 'wrong'])
})

it('a window that is smaller than it is said to be is found out', async () => {
  const got = await probe((request) => answer(request, (call) => ({ calls: [call] })), { maxNumCtx: 2048 })
  expect(got.window).toMatchObject({ remembered: false, warning: expect.stringContaining('saw only') as unknown })
})

it('a server that is not there is the whole result', async () => {
  const model = await createModel('test', { type: 'ollama', url: await deadUrl() })
  const signal = new AbortController().signal
  const got = await probeModel(model, { model: 'm', window: 8192, textInstructions: () => '', signal })
  expect(got).toMatchObject({
    reachable: { ok: false, error: { code: 'network', suggestion: expect.anything() as unknown } },
  })
})

it('a model that is not there is told with those that are', async () => {
  const server = await startModelServer([], { models: ['qwen2.5-coder:7b'] })
  closing.push(() => server.close())
  const model = await createModel('test', { type: 'ollama', url: server.url })
  closing.push(() => model.close())
  const signal = new AbortController().signal
  const got = await probeModel(model, { model: 'qwen2.5-coder', window: 8192, textInstructions: () => '', signal })
  expect(got.window?.error).toMatchObject({
    code: 'model_not_found',
    suggestion: expect.stringContaining('ollama pull') as unknown,
  })
})
