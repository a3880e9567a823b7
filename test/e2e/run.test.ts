import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configure, eventsOf, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerStep } from '../support/model-server.ts'

const AUTO = ['run', '--mode', 'auto', '--no-sandbox']
const files = {
  'src/a.ts': 'export const a = 1\n',
  'src/b.ts': 'export const b = 2\n',
  'src/c.ts': 'export const c = 3\n',
}
const read = (path: string): ServerStep => ({ calls: [{ name: 'read_file', arguments: { path } }] })
const edit = (path: string, old_text: string, new_text: string): ServerStep => ({
  calls: [{ name: 'edit_file', arguments: { path, old_text, new_text } }],
})
const shell = (command: string): ServerStep => ({ calls: [{ name: 'shell_exec', arguments: { command } }] })

/** The ten steps of the benchmark: reads, edits, commands, an answer. */
const tenSteps: ServerStep[] = [
  read('src/a.ts'),
  read('src/b.ts'),
  edit('src/a.ts', 'a = 1', 'a = 1001'),
  shell('true'),
  read('src/c.ts'),
  edit('src/b.ts', 'b = 2', 'b = 1002'),
  { text: 'One more.', ...read('src/b.ts') },
  edit('src/c.ts', 'c = 3', 'c = 1003'),
  shell('echo ok'),
  { text: 'All three values are changed.' },
]

let place: Place
let server: ModelServer

beforeEach(async () => {
  place = makePlace(files)
  server = await startModelServer(tenSteps)
})
afterEach(async () => {
  await server.close()
  place.remove()
})

describe.each(['openai-compatible', 'ollama'] as const)('ten steps over the %s wire', (type) => {
  test('end with the right files, the answer on stdout, the report on stderr and exit code 0', async () => {
    configure(place, server.url, { type })
    const { code, stdout, stderr } = await runCli(place, [...AUTO, 'change the values'])
    expect(stderr).toContain('modified src/a.ts +1 -1')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'All three values are changed.\n' })
    expect(Object.keys(files).map((path) => readFileSync(join(place.folder, path), 'utf8'))).toEqual([
      'export const a = 1001\n',
      'export const b = 1002\n',
      'export const c = 1003\n',
    ])
    expect(server.requests).toHaveLength(10)
    server.assertSound()
  })
})

test('every request continues the one before byte for byte', async () => {
  configure(place, server.url)
  await runCli(place, [...AUTO, 'change the values'])
  const grown = server.requests
    .slice(1)
    .map((request, i) => request.messages.slice(0, server.requests[i]!.messages.length))
  expect(grown).toEqual(server.requests.slice(0, -1).map((request) => request.messages))
})

test('the first request with all tools stays within 2,500 tokens', async () => {
  configure(place, server.url)
  await runCli(place, [...AUTO, 'change the values'])
  expect(server.requests[0]!.tokens).toBeLessThanOrEqual(2500)
})

test('jsonl gives every event with its place, and the report last', async () => {
  configure(place, server.url)
  const { stdout } = await runCli(place, [...AUTO, '--output', 'jsonl', 'change the values'])
  const events = eventsOf(stdout)
  expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1))
  expect(events.at(-1)).toMatchObject({
    type: 'run-end',
    report: { outcome: 'done', exitCode: 0, turns: 10, toolCalls: 9 },
  })
  const types = new Set(events.map((event) => event.type))
  for (const type of [
    'session-start',
    'run-start',
    'turn-start',
    'tool-call',
    'tool-result',
    'file-change',
    'text-delta',
    'message',
    'turn-end',
  ]) {
    expect(types).toContain(type)
  }
})

test('json gives the answer and the report as one object', async () => {
  configure(place, server.url)
  const { stdout } = await runCli(place, [...AUTO, '--output', 'json', 'change the values'])
  expect(JSON.parse(stdout)).toMatchObject({
    answer: 'All three values are changed.',
    report: {
      outcome: 'done',
      filesChanged: [{ path: 'src/a.ts', added: 1, removed: 1 }, { path: 'src/b.ts' }, { path: 'src/c.ts' }],
    },
  })
})

describe('what nobody can approve', () => {
  test('is refused, the model is told, and the exit code is 5', async () => {
    configure(place, server.url)
    const { code, stderr, stdout } = await runCli(place, ['run', '--output', 'jsonl', 'change the values'])
    expect(code).toBe(5)
    expect(stderr).toBe('')
    expect(reportOf(stdout).refused.map((each) => each.tool)).toContain('edit_file')
    expect(readFileSync(join(place.folder, 'src/a.ts'), 'utf8')).toBe(files['src/a.ts'])
    server.assertSound()
  })

  test('the blocklist holds in mode auto', async () => {
    server.play([shell('rm -fr src'), { text: 'It was refused.' }])
    configure(place, server.url)
    const { code } = await runCli(place, [...AUTO, 'clean up'])
    expect(code).toBe(5)
    expect(readFileSync(join(place.folder, 'src/a.ts'), 'utf8')).toBe(files['src/a.ts'])
  })

  test('plan mode reads and changes nothing', async () => {
    server.play([read('src/a.ts'), edit('src/a.ts', 'a = 1', 'a = 2'), shell('git status'), { text: 'A plan.' }])
    configure(place, server.url)
    const { code, stdout } = await runCli(place, ['run', '--mode', 'plan', '--output', 'jsonl', 'look'])
    expect(code).toBe(5)
    const results = eventsOf(stdout).flatMap((event) =>
      event.type === 'tool-result' ? [[event.tool, event.result.status]] : [],
    )
    expect(results).toEqual([
      ['read_file', 'success'],
      ['edit_file', 'failed'],
      ['shell_exec', 'success'],
    ])
  })
})

describe('sessions', () => {
  test('--continue sends the whole conversation and adds to it', async () => {
    configure(place, server.url)
    await runCli(place, [...AUTO, 'change the values'])
    server.play([{ text: 'again' }], { by: 'requests' })
    const { code, stdout } = await runCli(place, [...AUTO, '--continue', 'and now?'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'again\n' })
    const last = server.requests.at(-1)!
    expect(
      last.messages.filter((message) => message.role === 'user').map((message) => message.text.split('\n')[0]),
    ).toEqual(['change the values', 'and now?'])
    server.assertSound()
  })

  test('--resume takes a session by the start of its id; an unknown one is a clear error', async () => {
    configure(place, server.url)
    const { stdout } = await runCli(place, [...AUTO, '--output', 'jsonl', 'change the values'])
    const { sessionId } = reportOf(stdout)
    server.play([{ text: 'again' }], { by: 'requests' })
    const again = await runCli(place, [...AUTO, '--resume', sessionId, '--output', 'json', 'more'])
    expect(JSON.parse(again.stdout)).toMatchObject({ report: { sessionId } })
    const unknown = await runCli(place, [...AUTO, '--resume', 'nosuchsession', 'more'])
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('codehound sessions list')
  })
})

test('keys of the agent never reach a command or a request body', async () => {
  server.play([shell('env'), { text: 'done' }])
  configure(place, server.url)
  await runCli(place, [...AUTO, 'show the environment'], {
    env: { OPENAI_API_KEY: 'sk-from-the-environment', MY_KEY: 'mock-key' },
  })
  const bodies = JSON.stringify(server.requests.map((request) => request.body))
  expect(bodies).not.toContain('sk-from-the-environment')
  expect(bodies).not.toContain('mock-key')
})

test('a correction of an edit shows a whole right call, whichever form it was written in', async () => {
  server.play([
    { calls: [{ name: 'edit_file', arguments: { path: 'src/a.ts' } }] },
    { calls: [{ name: 'edit_file', arguments: { edits: [{ old_text: 'a = 1', new_text: 'a = 2' }] } }] },
    { text: 'I give up.' },
  ])
  configure(place, server.url)
  await runCli(place, [...AUTO, 'change a'])
  const results = server.requests
    .at(-1)!
    .messages.filter(({ role }) => role === 'tool')
    .map(({ text }) => text)
  expect(results[0]).toMatch(/A right call: .*"path":"src\/a.ts","old_text":"<\w+>","new_text":"<\w+>"\}/)
  expect(results[1]).toMatch(/A right call: .*"path":"<\w+>"/)
  expect(results[1]).not.toMatch(/"old_text":"<\w+>"/)
})

test('a pass over a full window is one line of the progress, and none where the output is for programs', async () => {
  for (let at = 0; at < 8; at++) place.write(`src/long${at}.txt`, 'a line of some length\n'.repeat(200))
  const script = [...Array.from({ length: 8 }, (_, at) => read(`src/long${at}.txt`)), { text: 'All read.' }]
  server.play(script)
  configure(place, server.url, { window: 8192, more: 'context: { compressionMethod: trim }\n' })
  const text = await runCli(place, [...AUTO, 'read them'])
  expect(text.code).toBe(0)
  expect(text.stderr).toMatch(/^context \d+ % → \d+ %: old results shortened$/m)
  server.play(script)
  const json = await runCli(place, [...AUTO, '--output', 'json', 'read them'])
  expect([json.code, json.stderr]).toEqual([0, ''])
})

test('--continue goes on with the last session in which something was said, not with one that was only opened', async () => {
  configure(place, server.url)
  server.play([{ text: 'noted' }, { text: 'again' }], { by: 'requests' })
  await runCli(place, ['run', 'remember the word heron'])
  await runCli(place, ['--plain'], { input: '' })
  expect((await runCli(place, ['run', '--continue', 'which word?'])).code).toBe(0)
  expect(JSON.stringify(server.requests.at(-1)!.messages)).toContain('heron')
  const { stdout } = await runCli(place, ['sessions', 'list', '--json'])
  expect(JSON.parse(stdout)).toHaveLength(1)
})
