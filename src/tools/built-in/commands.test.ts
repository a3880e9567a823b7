import { afterEach, expect, test } from 'vitest'
import { openToolBench, type BenchOptions, type ToolBench } from '../../../test/support/tool-bench.ts'

let bench: ToolBench
const open = (options: BenchOptions = {}): ToolBench => (bench = openToolBench(options))
afterEach(() => bench.close())

test('a command that ran is a success whatever its exit code', async () => {
  const { call, judged, events } = open({ files: { 'sub/x': '' } })
  const result = await call('shell_exec', {
    command: 'pwd | sed "s/.*sub$/in sub/"; echo oops >&2; exit 3',
    cwd: 'sub',
  })
  expect(result).toMatchObject({
    status: 'success',
    text: expect.stringMatching(/^exit code 3, \d\.\d s\nin sub\nstderr:\noops$/),
    data: { exitCode: 3, stdout: 'in sub\n', stderr: 'oops\n', stdoutTruncated: false },
  })
  expect(judged).toEqual([{ kind: 'command', tool: 'shell_exec', command: expect.any(String), cwd: 'sub' }])
  const streamed = events.flatMap((event) =>
    event.type === 'tool-output-delta' ? [`${event.stream}: ${event.text}`] : [],
  )
  expect(streamed.sort()).toEqual(['stderr: oops\n', 'stdout: in sub\n'])
})

test.each([
  ['false | cat', '1 | 0', 0],
  ['(echo bad; exit 3) 2>&1 | tail -1; echo $? "${PIPESTATUS[@]}"', '3 | 0', 0],
  ['(exit 2) | cat && false', '2 | 0', 1],
  ['for i in 1 2; do (exit $i) | cat; done', '2 | 0', 0],
])(
  '%s: what failed before the last part of a pipe is said, and the exit code stays',
  async (command, codes, exitCode) => {
    // Symptom: `npm test | tail` of failing tests was told as exit code 0, and the model took them for passed.
    const { call } = open()
    const result = await call('shell_exec', { command })
    const said = `\nIn a pipe, a command before the last one failed (exit codes along it: ${codes}).\n`
    expect(result).toMatchObject({
      status: 'success',
      data: { exitCode },
      text: expect.stringContaining(said) as string,
    })
    expect(result.text).not.toContain('PIPESTATUS')
  },
)

test.each(['yes | head -1', 'true | false', 'true | true', 'false || echo no', 'echo "a | b"', 'false; echo x | cat'])(
  '%s: a reader that had enough, or a pipe that went well, is nothing to say',
  async (command) => {
    const { call } = open()
    const { text, data } = await call('shell_exec', { command })
    expect(text).not.toContain('In a pipe')
    expect(data).not.toHaveProperty('pipes')
  },
)

test('a command that uses the descriptor itself, or shows what the shell does, is left alone', async () => {
  const { call } = open()
  const own = await call('shell_exec', { command: 'exec 3>own.txt; false | cat; echo mine >&3; cat own.txt' })
  expect(own.text).toMatch(/^exit code 0, \d\.\d s\nmine$/)
  const shown = await call('shell_exec', { command: 'set -x; false | cat' })
  expect(shown.text).not.toContain('_pipe')
})

test('what is told of a pipe does not keep a command waiting for what it left behind', async () => {
  const { call } = open()
  const result = await call('shell_exec', { command: 'sleep 20 & false | cat; echo "$$"' })
  expect(result.text).toMatch(/exit codes along it: 1 \| 0\)\.\n\d+\nProcesses it started are still running/)
})

test('a command that does not end in time is a failure with what it had printed', async () => {
  const { call } = open()
  const result = await call('bash', { command: 'echo begun; sleep 30', timeout: 0.2 })
  expect(result).toMatchObject({ status: 'failed', code: 'TIMEOUT', text: expect.stringContaining('begun') })
  expect(await call('shell_exec', { command: 'true', cwd: '../..' })).toMatchObject({ code: 'PATH_OUTSIDE' })
})

test('terminal colours and redrawn lines do not reach the model', async () => {
  const { call } = open()
  const result = await call('run_command', { cmd: String.raw`printf '\033[31mred\033[0m\n10%%\r100%%\n'` })
  expect(result.text).toMatch(/\nred\n100%$/)
})

test('output over the limit is kept and read on part by part, to the last line', async () => {
  const { call } = open({ limits: { maxResultChars: 2_000 } })
  const result = await call('shell_exec', { command: 'seq 1 2000' })
  expect(result.truncated).toBe(true)
  expect(result.text.length).toBeLessThanOrEqual(2_000)
  expect(result.text).toContain('The whole output is kept: read it with shell_output, id out1.')
  let all = ''
  for (let part = 0; part < 20 && !all.includes('(end of the output)'); part++) {
    const { text, status, truncated } = await call('shell_output', { id: 'out1' })
    expect({ status, truncated }).toEqual({ status: 'success', truncated: undefined })
    all += text.replace(/\n\(\d+ bytes to go.*\)$/, '')
  }
  const numbers = all.replace('\n(end of the output)', '').trim().split('\n')
  expect(numbers).toEqual(Array.from({ length: 2000 }, (_, at) => `${at + 1}`))
})

test('a background command gives an id, its new output, and is ended', async () => {
  const { call } = open()
  const started = await call('shell_exec', { command: 'echo up; sleep 60', background: true })
  expect(started).toMatchObject({ status: 'success', data: { id: 'bg1' } })
  let seen = ''
  for (let poll = 0; poll < 10 && !seen.endsWith('\nup'); poll++)
    seen = (await call('shell_output', { id: 'bg1' })).text
  expect(seen).toBe('bg1 is running: echo up; sleep 60\nup')
  expect((await call('shell_output', { bash_id: 'bg1' })).text).toContain('(no new output)')
  expect((await call('shell_stop', { id: 'bg1' })).text).toContain('bg1 has ended')
  expect(await call('shell_output', { id: 'bg7' })).toMatchObject({
    code: 'UNKNOWN_ID',
    text: 'No command has the id "bg7". Known ids: bg1.',
  })
})

test('polling a background command is never a loop', async () => {
  const { call, runner } = open()
  await call('shell_exec', { command: 'true', background: true })
  let text = ''
  for (let poll = 0; poll < 10 && !text.includes('has ended'); poll++)
    text = (await call('shell_output', { id: 'bg1' })).text
  for (let poll = 0; poll < 6; poll++) {
    expect((await call('shell_output', { id: 'bg1' })).text).toBe('bg1 has ended (exit code 0): true\n(no new output)')
  }
  expect(runner.stats().nudges).toBe(0)
})

test('the plan is shown and a question answered, or said to have nobody to answer it', async () => {
  const { call, events } = open({
    ask: ({ kind, options }) => Promise.resolve(kind === 'choice' ? options![1] : undefined),
  })
  const items = [
    { text: 'look', state: 'done' },
    { text: 'mend', state: 'doing' },
  ]
  expect((await call('TodoWrite', { todos: items })).text).toBe('[x] look\n[>] mend')
  expect(events).toContainEqual({ type: 'plan-update', items })
  expect((await call('ask_user', { question: 'Which?', options: ['a', 'b'] })).text).toBe('The user answered: b')
  expect(await call('ask_user', { question: 'Why?' })).toMatchObject({
    status: 'cancelled',
    code: 'COMMUNICATION_CANCELLED',
  })
  expect(await call('ask_user', { question: 'Which?', kind: 'choice', options: ['a'] })).toMatchObject({
    code: 'FORMAT_ERROR',
  })
})
