import { describe, expect, it } from 'vitest'
import { ModelError } from './language-model.ts'
import type { LanguageModel, ModelRequest, StreamPart } from './language-model.ts'
import { retryProfiles, streamWithRetry } from './retry.ts'
import type { RetryProfile } from './retry.ts'

const request: ModelRequest = { model: 'm', messages: [], tools: [], stream: true, maxTokens: 1 }

/** A model that fails in the given ways and then answers; each failure takes `takesMs`. */
function failing(failures: ModelError[], clock: { now: number }, takesMs = 0): LanguageModel & { asked: number } {
  const model = {
    backend: 'b',
    provider: 'p',
    url: 'http://10.0.0.1',
    local: true,
    asked: 0,
    async *stream(): AsyncGenerator<StreamPart> {
      const failure = failures[model.asked++]
      clock.now += takesMs
      if (failure !== undefined) throw failure
      yield { type: 'finish', reason: 'stop' }
    },
    info: () => Promise.resolve({ id: 'm' }),
    list: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  } satisfies LanguageModel & { asked: number }
  return model
}

const network = new ModelError('network', 'refused', { retryable: true })
const busy = new ModelError('server_error', 'busy', { retryable: true, status: 503 })

async function run(
  profile: RetryProfile,
  failures: ModelError[],
  options: { takesMs?: number; random?: number; signal?: AbortSignal; onSleep?: () => void } = {},
): Promise<{ end: string; delays: number[]; elapsed: number; asked: number }> {
  const clock = { now: 0 }
  const delays: number[] = []
  const model = failing(failures, clock, options.takesMs)
  let end = 'done'
  try {
    for await (const _ of streamWithRetry(model, request, {
      signal: options.signal ?? new AbortController().signal,
      profile,
      now: () => clock.now,
      random: () => options.random ?? 0,
      sleep: async (ms) => {
        delays.push(ms)
        clock.now += ms
        options.onSleep?.()
      },
    }));
  } catch (error) {
    end = error instanceof ModelError ? error.code : String(error)
  }
  return { end, delays, elapsed: clock.now, asked: model.asked }
}

describe('retry', () => {
  it('waits 2, 4 and 8 s, shortened by a quarter at the most', async () => {
    const most = await run(retryProfiles.interactive, [busy, busy, busy])
    const least = await run(retryProfiles.interactive, [busy, busy, busy], { random: 1 })
    expect([most.delays, least.delays]).toEqual([
      [2000, 4000, 8000],
      [1500, 3000, 6000],
    ])
    expect([most.end, least.end]).toEqual(['done', 'done'])
  })

  it('waits 5, 15 and 30 s in an automation', async () => {
    const got = await run(retryProfiles.automation, [busy, busy, busy, busy])
    expect(got).toEqual({ end: 'server_error', delays: [5000, 15_000, 30_000], elapsed: 50_000, asked: 4 })
  })

  it.each([0, 100, 2000, 5000])(
    'a headless run gives a dead server up within 15 s (a try takes %i ms)',
    async (takesMs) => {
      const got = await run(
        retryProfiles.headless,
        Array.from({ length: 9 }, () => network),
        { takesMs },
      )
      expect(got.end).toBe('network')
      expect(got.elapsed).toBeLessThanOrEqual(15_000)
      expect(got.asked).toBeGreaterThan(1)
    },
  )

  it('waits as long as the server asks, up to a minute', async () => {
    const wait = (retryAfterMs: number): ModelError =>
      new ModelError('rate_limit', 'slow down', { retryable: true, status: 429, retryAfterMs })
    expect((await run(retryProfiles.interactive, [wait(60_000), wait(0)])).delays).toEqual([60_000, 0])
    expect(await run(retryProfiles.interactive, [wait(60_001)])).toMatchObject({ end: 'rate_limit', delays: [] })
  })

  it('never asks again after something was given', async () => {
    let asked = 0
    const model: LanguageModel = {
      ...failing([], { now: 0 }),
      async *stream() {
        asked++
        yield { type: 'text', text: 'half' }
        throw busy
      },
    }
    const parts = streamWithRetry(model, request, {
      signal: new AbortController().signal,
      profile: retryProfiles.interactive,
      sleep: () => Promise.resolve(),
    })
    expect(await parts.next()).toEqual({ done: false, value: { type: 'text', text: 'half' } })
    await expect(parts.next()).rejects.toBe(busy)
    expect(asked).toBe(1)
  })

  it('ends at once when cancelled while waiting', async () => {
    const controller = new AbortController()
    const got = await run(retryProfiles.interactive, [busy, busy], {
      signal: controller.signal,
      onSleep: () => controller.abort(),
    })
    expect(got).toMatchObject({ end: 'cancelled', asked: 1 })
  })

  it('wakes from a real wait when cancelled', async () => {
    const controller = new AbortController()
    const parts = streamWithRetry(failing([busy], { now: 0 }), request, {
      signal: controller.signal,
      profile: retryProfiles.interactive,
      onRetry: () => setImmediate(() => controller.abort()),
    })
    await expect(parts.next()).rejects.toMatchObject({ code: 'cancelled' })
  })
})
