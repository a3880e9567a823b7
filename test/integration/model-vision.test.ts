// Whether a model sees: each server says it in its own place, and some nowhere.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'

const entry = { id: 'm', object: 'model' }

test.each([
  [
    'OpenRouter',
    { '/v1/models': { data: [{ ...entry, architecture: { input_modalities: ['text', 'image'] } }] } },
    true,
  ],
  ['Mistral', { '/v1/models': { data: [{ ...entry, capabilities: { vision: false } }] } }, false],
  ['llama.cpp', { '/v1/models': { data: [entry] }, '/props': { n_ctx: 4096, modalities: { vision: true } } }, true],
  ['LM Studio', { '/v1/models': { data: [entry] }, '/api/v0/models': { data: [{ id: 'm', type: 'vlm' }] } }, true],
  [
    'LM Studio, text',
    { '/v1/models': { data: [entry] }, '/api/v0/models': { data: [{ id: 'm', type: 'llm' }] } },
    false,
  ],
  ['vLLM', { '/v1/models': { data: [{ ...entry, max_model_len: 4096 }] } }, undefined],
])('%s', async (_, answers: Record<string, unknown>, vision) => {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const model = await createModel('test', { type: 'openai-compatible', url })
  try {
    expect((await model.info('m')).vision).toBe(vision)
  } finally {
    await model.close()
    server.close()
  }
})
