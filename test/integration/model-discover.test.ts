import { afterEach, expect, it } from 'vitest'
import { discoverKeys, discoverServers, ollamaFromEnvironment } from '../../src/model/discover.ts'
import type { LocalServer } from '../../src/model/discover.ts'
import { deadUrl, startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

const open: ModelServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

it('finds the servers that answer, with their models, and leaves out the others', async () => {
  const server = await startModelServer([], { models: ['b', 'a'] })
  open.push(server)
  const place = (name: string, type: LocalServer['type'], url: string): LocalServer => ({
    name,
    title: name,
    type,
    url,
  })
  const servers = [
    place('dead', 'ollama', await deadUrl()),
    place('ollama', 'ollama', server.url),
    place('vllm', 'openai-compatible', `${server.url}/v1`),
  ]
  expect(await discoverServers(servers)).toEqual([
    { ...servers[1], models: ['a', 'b'] },
    { ...servers[2], models: ['a', 'b'] },
  ])
  // Only questions, no prompt.
  expect(server.questions.toSorted()).toEqual(['GET /api/tags', 'GET /v1/models'])
})

it.each([
  ['127.0.0.1:11500', 'http://127.0.0.1:11500'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['https://gpu.example.com', 'https://gpu.example.com'],
  ['http://gpu:80', 'http://gpu'],
  ['gpu', 'http://gpu:11434'],
])('reads OLLAMA_HOST=%s as %s', (value, url) => {
  expect(ollamaFromEnvironment({ OLLAMA_HOST: value })?.url).toBe(url)
})

it('reads no OLLAMA_HOST as nothing', () => {
  expect([ollamaFromEnvironment({}), ollamaFromEnvironment({ OLLAMA_HOST: ' ' })]).toEqual([undefined, undefined])
})

it('names keys without reading them', () => {
  const found = discoverKeys({ MISTRAL_API_KEY: 'secret', ANTHROPIC_API_KEY: 'secret', OPENAI_API_KEY: '' })
  expect(found.map(({ name }) => name)).toEqual(['anthropic', 'mistral'])
  expect(JSON.stringify(found)).not.toContain('secret')
})
