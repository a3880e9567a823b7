import fc from 'fast-check'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { allow, openToolBench, type BenchOptions, type ToolBench } from '../../test/support/tool-bench.ts'
import type { Effect, ToolResult } from '../protocol/index.ts'
import { defineTool, fail, ok, type Tool } from './tool.ts'

let bench: ToolBench | undefined
function open(options: BenchOptions = {}): ToolBench {
  bench = openToolBench(options)
  return bench
}
afterEach(() => bench?.close())

/** A tool that tells when it runs; `wait` in milliseconds. */
function probe(name: string, effect: Effect, log: string[], more: Partial<Tool> = {}): Tool {
  return {
    ...defineTool({
      name,
      description: name,
      input: z.object({ text: z.string().default(''), wait: z.number().default(0) }),
      effect,
      title: ({ text }) => `${name} ${text}`,
      async run({ text, wait }, { signal }) {
        log.push(`+${text}`)
        await sleep(wait, undefined, { signal })
        log.push(`-${text}`)
        return ok(`${name} ${text} #${log.length}`)
      },
    }),
    ...more,
  }
}

async function withProbes(options: BenchOptions = {}): Promise<{ log: string[]; bench: ToolBench }> {
  const log: string[] = []
  const opened = open(options)
  await opened.registry.register(probe('look', 'read', log, { repeatable: true }))
  await opened.registry.register(probe('status', 'read', log))
  await opened.registry.register(probe('change', 'write', log))
  await opened.registry.register(probe('order', 'execute', log))
  return { log, bench: opened }
}

test('neighbouring reads run side by side, at most four, and a write stands between those before and after it', async () => {
  const { log, bench } = await withProbes()
  await bench.batch([
    { name: 'look', args: { text: 'a', wait: 40 } },
    { name: 'look', args: { text: 'b', wait: 10 } },
    { name: 'change', args: { text: 'W', wait: 5 } },
    { name: 'look', args: { text: 'c', wait: 5 } },
    { name: 'look', args: { text: 'd', wait: 5 } },
  ])
  expect(log).toEqual(['+a', '+b', '-b', '-a', '+W', '-W', '+c', '+d', '-c', '-d'])
  log.length = 0
  await bench.batch([1, 2, 3, 4, 5].map((at) => ({ name: 'status', args: { text: `${at}`, wait: 10 } })))
  expect(log.slice(0, 5)).toEqual(['+1', '+2', '+3', '+4', '-1'])
})

test('each call gets its result, in order, stored before it is shown', async () => {
  const order: string[] = []
  const { bench } = await withProbes({
    emit: (event) => event.type === 'tool-result' && order.push(`shown ${event.callId}`),
    hooks: { onResult: (call) => void order.push(`stored ${call.id}`) },
  })
  const results = await bench.batch([
    { id: 'x', name: 'look', args: { text: 'slow', wait: 30 } },
    { id: 'y', name: 'look', args: { text: 'fast' } },
  ])
  expect(results.map(({ text }) => text.split(' ')[1])).toEqual(['slow', 'fast'])
  expect(order).toEqual(['stored x', 'shown x', 'stored y', 'shown y'])
})

test('only ten calls of a response run', async () => {
  const { log, bench } = await withProbes()
  const results = await bench.batch(
    Array.from({ length: 12 }, (_, at) => ({ name: 'change', args: { text: `${at}` } })),
  )
  expect(results.map(({ status }) => status)).toEqual([...Array(10).fill('success'), 'not_run', 'not_run'])
  expect(results[11]).toMatchObject({ code: 'TOO_MANY_CALLS', text: expect.stringContaining('Only 10 calls') })
  expect(log).toHaveLength(20)
})

test('calls before a faulty one run, writes and commands after it do not, reads after it do', async () => {
  const { log, bench } = await withProbes()
  const results = await bench.batch([
    { name: 'change', args: { text: 'before' } },
    { name: 'look', args: { text: 5 } },
    { name: 'change', args: { text: 'after' } },
    { name: 'order', args: { text: 'after' } },
    { name: 'look', args: { text: 'read' } },
    { name: 'nonsense', args: {} },
  ])
  expect(results.map(({ code }) => code)).toEqual([
    undefined,
    'FORMAT_ERROR',
    'NOT_RUN',
    'NOT_RUN',
    undefined,
    'FORMAT_ERROR',
  ])
  expect(results[1]!.text).toBe(
    'The arguments of look are not right, so it was not run.\n- text: Invalid input: expected string, received number; found 5\nA right call: look {"text":"<string>"}',
  )
  expect(results[5]!.text).toContain('There is no tool "nonsense". The tools are: list_files')
  expect(log).toEqual(['+before', '-before', '+read', '-read'])
})

test('a near name is offered, a fault that was found earlier is given as it is, a call cut off does not write', async () => {
  const { bench } = await withProbes()
  const results = await bench.batch([
    { name: 'read_fil', args: {} },
    { name: 'look', fault: 'The arguments are no JSON.' },
  ])
  expect(results[0]!.text).toContain('Did you mean read_file?')
  expect(results[1]).toEqual({ status: 'failed', code: 'FORMAT_ERROR', text: 'The arguments are no JSON.' })
  const cut = await bench.batch([
    { name: 'change', cutOff: true },
    { name: 'look', cutOff: true },
  ])
  expect(cut.map(({ status, code }) => [status, code])).toEqual([
    ['not_run', 'CALL_CUT_OFF'],
    ['success', undefined],
  ])
})

test('a call id that comes again within five minutes is refused', async () => {
  const { bench } = await withProbes()
  await bench.batch([{ id: 'same', name: 'order' }])
  expect((await bench.batch([{ id: 'same', name: 'order' }]))[0]).toMatchObject({ code: 'ANTI_LOOP_ID' })
  expect((await bench.batch([{ id: 'new', name: 'order', repeatedId: true }]))[0]).toMatchObject({
    code: 'ANTI_LOOP_ID',
  })
  bench.clock.now += 5 * 60_000
  expect((await bench.batch([{ id: 'same', name: 'order' }]))[0]).toMatchObject({ status: 'success' })
})

test('a read repeated in the same state is answered from the record for 30 s; after an edit it is read again', async () => {
  const bench = open({ files: { 'a.ts': 'one\n' } })
  const read = () => bench.call('read_file', { path: 'a.ts' })
  const first = await read()
  const second = await read()
  expect(second).toMatchObject({
    status: 'cached',
    text: `Note: nothing changed since you made this same call; this is its result again.\n${first.text}`,
  })
  await bench.call('edit_file', { path: 'a.ts', old_text: 'one', new_text: 'two' })
  expect(await read()).toMatchObject({ status: 'success', text: expect.stringContaining('1| two') })
  bench.write('a.ts', 'three\n')
  expect(await read()).toMatchObject({ status: 'success', text: expect.stringContaining('1| three') })
  expect((await read()).status).toBe('cached')
  bench.clock.now += 30_000
  expect((await read()).status).toBe('success')
})

test('a search of a folder is not answered from the record when nobody watches for changes', async () => {
  const bench = open({ files: { 'src/deep/a.ts': 'one\n' } })
  await bench.call('search_text', { query: 'one' })
  bench.write('src/deep/a.ts', 'none one\n')
  expect(await bench.call('search_text', { query: 'one' })).toMatchObject({
    status: 'success',
    text: expect.stringContaining('none one'),
  })
})

test('a write repeated in the same state is refused; commands and unrepeatable reads run again', async () => {
  const { log, bench } = await withProbes({ files: { 'a.ts': 'one\n' } })
  const miss = { path: 'a.ts', old_text: 'absent', new_text: 'x' }
  expect(await bench.call('edit_file', miss)).toMatchObject({ code: 'NO_MATCH' })
  expect(await bench.call('edit_file', miss)).toMatchObject({ code: 'ANTI_LOOP_SIGNATURE' })
  await bench.call('write_file', { path: 'b.ts', content: 'x' })
  expect(await bench.call('edit_file', miss)).toMatchObject({ code: 'NO_MATCH' })
  for (const name of ['order', 'order', 'status', 'status']) await bench.call(name)
  expect(log).toHaveLength(8)
})

test('the same call twice in one response runs once and both ids get the result, but not across a write', async () => {
  const { log, bench } = await withProbes()
  const results = await bench.batch([
    { name: 'order', args: { text: 'test' } },
    { name: 'order', args: { text: 'test' } },
    { name: 'change', args: { text: 'W' } },
    { name: 'order', args: { text: 'test' } },
  ])
  expect(results[1]!.text).toBe(results[0]!.text)
  expect(log).toEqual(['+test', '-test', '+W', '-W', '+test', '-test'])
})

test('the third same call with the same result is nudged and the fifth stops the run; an edit between starts anew', async () => {
  const bench = open({ files: { 'a.ts': 'one\n' } })
  const outcomes: string[] = []
  const step = async (id: string) => {
    const { results, stop } = await bench.runner.run(
      [{ id, name: 'shell_exec', args: { command: 'echo same' } }],
      id,
      new AbortController().signal,
    )
    outcomes.push(stop ? 'stop' : results[0]!.text.includes('Note: this is call') ? 'nudge' : 'ok')
  }
  for (const id of ['1', '2', '3', '4']) await step(id)
  await bench.call('edit_file', { path: 'a.ts', old_text: 'one', new_text: 'two' })
  for (const id of ['5', '6', '7', '8', '9']) await step(id)
  expect(outcomes).toEqual(['ok', 'ok', 'nudge', 'nudge', 'ok', 'ok', 'nudge', 'nudge', 'stop'])
  expect(bench.runner.stats()).toMatchObject({ nudges: 4 })
  bench.runner.startRun()
  await step('10')
  expect(outcomes.at(-1)).toBe('ok')
})

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
  expect(log).toEqual(['+x', '-x'])
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
