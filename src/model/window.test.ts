import { describe, expect, it } from 'vitest'
import { SessionWindow, chooseWindow, tierOf } from './window.ts'
import type { WindowFacts } from './window.ts'

const GB = 1024 ** 3
const ollama = (change: Partial<WindowFacts>): WindowFacts => ({ backend: 'local', provider: 'ollama', ...change })

describe('the window', () => {
  it('is what the user set, whatever the server says', () => {
    expect(chooseWindow(ollama({ configured: 20_000, info: { id: 'm', window: 32_768 } }))).toEqual({
      window: 20_000,
      source: 'configured',
      most: 20_000,
    })
  })

  it('set larger than the server’s own is used with a warning that names the setting', () => {
    const choice = chooseWindow(ollama({ numCtx: 65_536, info: { id: 'm', window: 32_768 } }))
    expect(choice).toMatchObject({ window: 65_536, warning: expect.stringContaining('num_ctx: 32768') as unknown })
  })

  it('is what the server reports where the server has fixed it', () => {
    const facts: WindowFacts = { backend: 'vllm', provider: 'openai-compatible', info: { id: 'm', window: 40_960 } }
    expect(chooseWindow(facts)).toEqual({ window: 40_960, source: 'reported', most: 40_960 })
  })

  it('is 8,192 with a warning when nobody knows', () => {
    const choice = chooseWindow({ backend: 'x', provider: 'openai-compatible' })
    expect(choice).toMatchObject({
      window: 8_192,
      source: 'unknown',
      warning: expect.stringContaining('context_max_tokens') as unknown,
    })
  })

  it('of Ollama begins at 32k, goes up in steps and ends where the model does', () => {
    const choice = chooseWindow(ollama({ info: { id: 'm', window: 131_072 } }))
    expect(choice).toEqual({ window: 32_768, source: 'reported', most: 131_072 })
    const session = new SessionWindow(choice)
    const steps = Array.from({ length: 3 }, () => [session.raise(), session.tokens])
    expect(steps).toEqual([
      [true, 65_536],
      [true, 131_072],
      [false, 131_072],
    ])
  })

  it('of a small model is the model’s own', () => {
    expect(chooseWindow(ollama({ info: { id: 'm', window: 4_096 } }))).toMatchObject({ window: 4_096, most: 4_096 })
    expect(chooseWindow(ollama({ info: { id: 'm', window: 40_960 } }))).toMatchObject({ window: 32_768, most: 32_768 })
  })

  it('is held by memory, and that is said', () => {
    // 57,344 bytes a token is a 7B model with 4 cache heads in 28 layers: 16k of it take 0.94 GB.
    const info = { id: 'm', window: 131_072, bytesPerToken: 57_344 }
    expect(chooseWindow(ollama({ info, memory: 4 * GB }))).toMatchObject({
      window: 16_384,
      most: 16_384,
      warning: expect.stringContaining('num_ctx') as unknown,
    })
    expect(chooseWindow(ollama({ info, memory: 64 * GB }))).toEqual({
      window: 32_768,
      source: 'reported',
      most: 131_072,
    })
    expect(chooseWindow(ollama({ info, memory: GB / 8 }))).toMatchObject({ window: 8_192 })
  })

  it('decides the tier', () => {
    expect([4_096, 8_192, 8_193, 16_384, 16_385].map(tierOf)).toEqual(['small', 'small', 'medium', 'medium', 'large'])
  })
})
