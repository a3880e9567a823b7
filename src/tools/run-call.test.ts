import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { allow, openToolBench, type BenchOptions, type ToolBench } from '../../test/support/tool-bench.ts'
import { openProbes, probe } from '../../test/support/tool-probes.ts'
import type { ToolResult } from '../protocol/index.ts'
import { fail, ok } from './tool.ts'
import fc from '../../test/support/property.ts'

let bench: ToolBench | undefined
function open(options: BenchOptions = {}): ToolBench {
  bench = openToolBench(options)
  return bench
}
async function withProbes(options: BenchOptions = {}): Promise<{ log: string[]; bench: ToolBench }> {
  const opened = await openProbes(options)
  ;({ bench } = opened)
  return opened
}
afterEach(() => bench?.close())

test('a handler has its time, without the time it waits for a person', async () => {
  const log: string[] = []
  const bench = open({
    judge: ({ kind }) => (kind === 'tool' ? { ...allow, verdict: 'ask' } : allow),
    approve: async () => {
      await sleep(60)
      return { answer: 'yes' }
    },
  })
  await bench.registry.register(probe('quick', 'write', log, { timeoutMs: 50 }))
  expect((await bench.call('quick', { text: 'a', wait: 1 })).status).toBe('success')
  await bench.registry.register(probe('slow', 'read', log, { timeoutMs: 30 }))
  expect(await bench.call('slow', { text: 'b', wait: 5_000 })).toMatchObject({
    status: 'failed',
    code: 'TIMEOUT',
    text: 'slow was ended after 0.03 s. Ask for less at once, or another way.',
  })
})

test('a handler that throws is a result', async () => {
  const bench = open()
  const throwing = () => Promise.reject(new Error('out of luck'))
  await bench.registry.register(probe('broken', 'read', [], { run: throwing }))
  await bench.registry.register(
    probe('untitled', 'read', [], {
      title: () => {
        throw new Error('no title')
      },
    }),
  )
  expect(await bench.call('broken')).toMatchObject({
    status: 'failed',
    code: 'TOOL_ERROR',
    text: expect.stringContaining('out of luck'),
  })
  expect(await bench.call('untitled')).toMatchObject({
    status: 'failed',
    code: 'TOOL_ERROR',
    text: expect.stringContaining('no title'),
  })
})

test('an interrupt answers every call within its time, the running one and those behind it', async () => {
  const { bench } = await withProbes()
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 30)
  const results = await bench.batch(
    [
      { name: 'change', args: { text: 'done' } },
      { name: 'order', args: { text: 'running', wait: 60_000 } },
      { name: 'look', args: { text: 'behind' } },
    ],
    stop.signal,
  )
  expect(results.map(({ status, code }) => code ?? status)).toEqual(['success', 'INTERRUPTED', 'INTERRUPTED'])
  expect(results[1]!.text).toContain('Whether it took effect is not known')
  expect(results[2]!.text).toBe('Interrupted by the user before it ran.')
})

test('what the policy denies names the rule, what nobody can allow says so, what the user refuses carries their words', async () => {
  const judgement = {
    ...allow,
    level: 'workspace',
    rule: 'deny tool: change',
    reason: 'Not here.',
    silence: 'the user',
  } as const
  const denying = await withProbes({ judge: () => ({ ...judgement, verdict: 'deny' }) })
  expect(await denying.bench.call('change', { text: 'x' })).toMatchObject({
    status: 'failed',
    code: 'DENIED',
    text: expect.stringContaining('Refused by the rule "deny tool: change": change x. Not here.'),
    data: { refused: 'change x', rule: 'deny tool: change', level: 'workspace', reason: 'Not here.' },
  })
  await denying.bench.close()
  let answer: { answer: 'unavailable' } | { answer: 'no'; reason?: string } = { answer: 'unavailable' }
  const waits: string[] = []
  const { log, bench } = await withProbes({
    judge: () => ({ ...judgement, verdict: 'ask' }),
    approve: () => Promise.resolve(answer),
    hooks: { onWaiting: (call, kind) => void waits.push(`${kind} ${call.name}`) },
  })
  expect(await bench.call('change', { text: 'x' })).toMatchObject({
    status: 'cancelled',
    code: 'DENIED',
    data: { unavailable: true },
  })
  answer = { answer: 'no', reason: 'use the other file' }
  expect(await bench.call('change', { text: 'y' })).toMatchObject({
    status: 'cancelled',
    code: 'USER_REJECTED',
    text: 'The user refused: change y. Their words: use the other file',
  })
  answer = { answer: 'no' }
  expect((await bench.call('change', { text: 'z' })).text).toContain('ask why')
  expect(waits).toEqual(['approval change', 'approval change', 'approval change'])
  expect(log).toEqual([])
})

test('hooks may block a call and add to a result', async () => {
  const { log, bench } = await withProbes({
    hooks: {
      beforeTool: (call) => Promise.resolve(call.name === 'change' ? 'frozen today' : undefined),
      afterTool: () => Promise.resolve('lint: 1 warning'),
    },
  })
  expect(await bench.call('change')).toMatchObject({
    code: 'HOOK_BLOCKED',
    text: expect.stringContaining('frozen today'),
  })
  expect((await bench.call('order', { text: 'x' })).text).toBe('order x #2\nlint: 1 warning')
  await bench.call('look')
  expect((await bench.call('look')).text).not.toContain('lint')
  expect(log).toEqual(['+x', '-x', '+', '-'])
})

test('the history keeps the last 200 executions and their percentiles', async () => {
  const { bench } = await withProbes()
  for (let at = 0; at < 25; at++) {
    await bench.batch(
      Array.from({ length: 10 }, (_, each) => ({
        name: each === 9 ? 'read_file' : 'order',
        args: { text: `${at} ${each}`, path: 'absent' },
      })),
    )
  }
  expect(bench.runner.history()).toHaveLength(200)
  const { tools } = bench.runner.stats()
  expect(tools.find(({ name }) => name === 'order')).toMatchObject({ runs: 180, successRate: 1 })
  expect(tools.every(({ p50, p95 }) => p50 <= p95)).toBe(true)
})

test('the results of one response together stay within a quarter of the window', async () => {
  const bench = open({ window: () => 16_384 })
  await bench.registry.register(probe('flood', 'read', [], { run: () => Promise.resolve(ok('x'.repeat(50_000))) }))
  const results = await bench.batch(Array.from({ length: 10 }, (_, at) => ({ name: 'flood', args: { text: `${at}` } })))
  const lengths = results.map(({ text }) => text.length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(8_000)
  expect(lengths.reduce((a, b) => a + b)).toBeLessThanOrEqual(16_384)
  expect(results.every(({ truncated }) => truncated)).toBe(true)
})

test('any batch gives exactly one result for each call, in order, with one event each, whatever happens in it', async () => {
  const kinds = [
    'look',
    'change',
    'order',
    'status',
    'throws',
    'fails',
    'unknown tool',
    'bad arguments',
    'fault',
    'denied',
  ]
  const call = fc.record({
    kind: fc.constantFrom(...kinds),
    text: fc.constantFrom('a', 'b', 'c'),
    id: fc.option(fc.constantFrom('i1', 'i2', 'i3'), { nil: undefined }),
    cutOff: fc.boolean(),
  })
  const opened = await withProbes({
    judge: (request) => ({
      ...allow,
      verdict: request.kind === 'tool' && request.tool === 'denied' ? 'deny' : 'allow',
    }),
  })
  const { registry, events, runner } = opened.bench
  await registry.register(probe('throws', 'write', [], { run: () => Promise.reject(new Error('thrown')) }))
  await registry.register(
    probe('fails', 'read', [], { run: () => Promise.resolve(fail('NOT_FOUND', 'nothing there')) }),
  )
  await registry.register(probe('denied', 'execute', []))
  let made = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { maxLength: 14 }),
      fc.option(fc.nat(3), { nil: undefined }),
      async (calls, abortAfter) => {
        events.length = 0
        const stop = new AbortController()
        if (abortAfter !== undefined) setTimeout(() => stop.abort(), abortAfter)
        const batch = calls.map(({ kind, text, id, cutOff }) => ({
          id: id ?? `p${++made}`,
          name: kind === 'bad arguments' || kind === 'fault' ? 'change' : kind,
          args: kind === 'bad arguments' ? { text: 1 } : { text, wait: 1 },
          cutOff,
          ...(kind === 'fault' ? { fault: 'not readable' } : {}),
        }))
        const { results } = await runner.run(batch, 'b', stop.signal)
        const statuses: ToolResult['status'][] = ['success', 'failed', 'cancelled', 'cached', 'not_run']
        expect(results).toHaveLength(batch.length)
        for (const result of results) {
          expect(statuses).toContain(result.status)
          expect(result.text).not.toBe('')
          if (result.status !== 'success' && result.status !== 'cached') expect(result.code).toBeDefined()
        }
        const of = (type: 'tool-call' | 'tool-result') => events.filter((event) => event.type === type)
        const called = of('tool-call').map((event) => (event.type === 'tool-call' ? event.call.id : ''))
        expect(called.toSorted()).toEqual(batch.map(({ id }) => id).toSorted())
        expect(of('tool-result').map((event) => event.type === 'tool-result' && event.callId)).toEqual(
          batch.map(({ id }) => id),
        )
      },
    ),
    { numRuns: 60 },
  )
})
