import { afterEach, expect, it } from 'vitest'
import { cachedModel } from '../../src/model/cached-model.ts'
import { createModel } from '../../src/model/create-model.ts'
import type { LanguageModel, StreamNote } from '../../src/model/language-model.ts'
import { ResponseCache } from '../../src/model/response-cache.ts'
import { openResponseCache } from '../../src/store/sqlite/response-cache.ts'
import { collect, modelRequest } from '../support/collect.ts'
import type { Collected } from '../support/collect.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerStep } from '../support/model-server.ts'

const signal = new AbortController().signal
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function serve(step: ServerStep): Promise<ModelServer> {
  const server = await startModelServer(() => step)
  closing.push(() => server.close())
  return server
}

async function connect(
  server: ModelServer,
  store = openResponseCache(':memory:'),
  backend = 'a',
): Promise<LanguageModel> {
  const live = await createModel(backend, { type: 'ollama', url: server.url })
  const model = cachedModel(live, new ResponseCache({ policy: 'temperature-0', ttlMs: 60_000, store }))
  closing.push(() => model.close())
  return model
}

async function ask(model: LanguageModel): Promise<{ got: Collected; notes: StreamNote[] }> {
  const notes: StreamNote[] = []
  const got = await collect(model.stream(modelRequest({ temperature: 0 }), signal, (note) => notes.push(note)))
  return { got, notes }
}

it('an answer is asked for once, whoever asks again, and is marked', async () => {
  const server = await serve({ text: 'I look.', calls: [{ name: 'read_file', arguments: { path: 'a' }, id: 'c' }] })
  const store = openResponseCache(':memory:')
  const model = await connect(server, store)
  const [live, near] = [await ask(model), await ask(model)]
  const far = await ask(await connect(server, store))
  expect([live.notes, near.notes, far.notes]).toEqual([
    [],
    [{ type: 'cache-hit', tier: 1 }],
    [{ type: 'cache-hit', tier: 2 }],
  ])
  expect([near.got, far.got]).toEqual([live.got, live.got])
  expect(server.requests).toHaveLength(1)
})

it('a model of the same name at another backend is another model', async () => {
  const server = await serve({ text: 'ok' })
  const store = openResponseCache(':memory:')
  await ask(await connect(server, store, 'a'))
  await ask(await connect(server, store, 'b'))
  expect(server.requests).toHaveLength(2)
})

it('an answer that was cut is asked for again', async () => {
  const server = await serve({ text: 'half', finishReason: 'length' })
  const model = await connect(server)
  await ask(model)
  await ask(model)
  expect(server.requests).toHaveLength(2)
})
