import { describe, expect, it } from 'vitest'
import { PromptCheck } from './prompt-check.ts'
import { TokenCounter, promptSize } from './tokens.ts'

const facts = { backend: 'local', provider: 'ollama', window: 32_768 }
/** A prompt of a server that takes four characters for a token. */
const sized = (tokens: number): { chars: number; messages: number } => ({ chars: tokens * 4, messages: 10 })

describe('token counts', () => {
  it('take in contents, calls and tools', () => {
    const size = promptSize(
      [
        { role: 'system', content: '12345' },
        { role: 'assistant', content: '1', toolCalls: [{ id: 'x', name: 'ab', arguments: '{}' }] },
        { role: 'tool', callId: 'x', name: 'ab', content: '123' },
      ],
      [{ name: 'a', description: 'b', parameters: {} }],
    )
    expect(size).toEqual({
      chars: 5 + 1 + 4 + 3 + '[{"name":"a","description":"b","parameters":{}}]'.length,
      messages: 3,
    })
  })

  it('start at three characters for a token and learn from the server', () => {
    const counter = new TokenCounter()
    expect(counter.estimate({ chars: 3000, messages: 2 })).toBe(1008)
    counter.observe({ chars: 4000, messages: 2 }, 1008)
    expect(counter.estimate({ chars: 4000, messages: 2 })).toBe(1008)
  })

  it('do not learn from what cannot be right', () => {
    const counter = new TokenCounter()
    counter.observe({ chars: 4000, messages: 2 }, 100)
    counter.observe({ chars: 100, messages: 2 }, 60)
    counter.observe({ chars: 4000, messages: 2 }, 0)
    expect(counter.measured).toBe(false)
  })
})

describe('the prompt check', () => {
  it('is silent while the server sees everything', () => {
    const check = new PromptCheck(facts)
    expect([2000, 5000, 9000, 30_000].map((tokens) => check.observe(sized(tokens), tokens))).toEqual(
      Array.from({ length: 4 }, () => undefined),
    )
  })

  it('tells at the first turn when a large part is gone', () => {
    const warning = new PromptCheck(facts).observe(sized(20_000), 4096)
    expect(warning).toContain('saw only 4096')
    expect(warning).toContain('num_ctx: 4096')
  })

  it('tells one turn after the prompt has outgrown what the server gives, and once', () => {
    const check = new PromptCheck(facts)
    const cap = 4096
    const warnings = [3000, 4000, 6000, 8000, 12_000].map((tokens) =>
      check.observe(sized(tokens), Math.min(tokens, cap)),
    )
    expect(warnings.map((warning) => warning !== undefined)).toEqual([false, false, true, false, false])
  })

  it('tells when the prompt grows and its count does not, however little is missing', () => {
    const check = new PromptCheck(facts)
    const counts = [3000, 3700, 3650, 3600]
    const warnings = [3000, 3700, 4400, 5100].map((tokens, i) => check.observe(sized(tokens), counts[i]!))
    expect(warnings.map((warning) => warning !== undefined)).toEqual([false, false, true, false])
  })

  it('is silent when the prompt was made shorter', () => {
    const check = new PromptCheck(facts)
    expect([30_000, 8000, 9000].map((tokens) => check.observe(sized(tokens), tokens))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('is silent about servers that leave out of the count what was cached', () => {
    const check = new PromptCheck(facts)
    const counts = [5000, 510, 720]
    expect([5000, 5500, 6200].map((tokens, i) => check.observe(sized(tokens), counts[i]!))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('names the settings of other servers', () => {
    const warning = new PromptCheck({ ...facts, provider: 'openai-compatible' }).observe(sized(20_000), 4096)
    expect(warning).toContain('context_max_tokens: 4096')
  })
})
