import { afterEach, expect, test } from 'vitest'
import { openToolBench, type BenchOptions, type ToolBench } from '../../test/support/tool-bench.ts'
import { openProbes } from '../../test/support/tool-probes.ts'

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

test('an edit that was refused for lines that were not read goes through after a read, with the same call', async () => {
  const bench = open({ files: { 'a.ts': 'one\ntwo\nthree\n' } })
  const overwrite = { path: 'a.ts', content: 'new\n', mode: 'overwrite' }
  expect(await bench.call('write_file', overwrite)).toMatchObject({ code: 'READ_FIRST' })
  await bench.call('read_file', { path: 'a.ts' })
  expect((await bench.call('write_file', overwrite)).status).toBe('success')

  bench.write('b.ts', 'one\ntwo\nthree\n')
  await bench.call('read_file', { path: 'b.ts' })
  await bench.call('edit_lines', { path: 'b.ts', start: 2, end: 2, content: 'TWO' })
  const over = { path: 'b.ts', start: 1, end: 3, content: 'all' }
  expect(await bench.call('edit_lines', over)).toMatchObject({ code: 'STALE_LINES' })
  await bench.call('read_file', { path: 'b.ts' })
  expect((await bench.call('edit_lines', over)).status).toBe('success')
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
