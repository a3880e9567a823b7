import { expect, it } from 'vitest'
import { createModel, withPreset } from './create-model.ts'

it('a preset fills what the configuration leaves open, and nothing else', () => {
  expect(withPreset({ type: 'albert', apiKey: 'k', timeout: 60, maxTokens: undefined })).toEqual({
    type: 'openai-compatible',
    url: 'https://albert.api.etalab.gouv.fr',
    model: 'meta-llama/Llama-3.1-70B-Instruct',
    apiKey: 'k',
    timeout: 60,
    maxTokens: 4096,
    contextMaxTokens: 120_000,
    maxParallelTools: 1,
  })
  const plain = { type: 'ollama', url: 'http://x' }
  expect(withPreset(plain)).toEqual(plain)
})

it('each type gives its provider, at its own address when none is set', async () => {
  const made = await Promise.all(
    ['ollama', 'anthropic', 'albert', 'scripted'].map(async (type) => {
      const { provider, url, local, backend } = await createModel('b', { type })
      return { provider, url, local, backend }
    }),
  )
  expect(made).toEqual([
    { provider: 'ollama', url: 'http://127.0.0.1:11434', local: true, backend: 'b' },
    { provider: 'anthropic', url: 'https://api.anthropic.com', local: false, backend: 'b' },
    { provider: 'openai-compatible', url: 'https://albert.api.etalab.gouv.fr/v1', local: false, backend: 'b' },
    { provider: 'scripted', url: undefined, local: true, backend: 'b' },
  ])
})
