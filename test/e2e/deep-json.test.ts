// JSON that is nested a hundred thousand times, at every door of the program where text from outside comes in: the run
// goes on, or ends with words for whoever wrote it, and never with an overflow of the stack.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MOST_NESTED } from '../../src/lib/foreign-json.ts'
import { configure, eventsOf, makePlace, runCli } from '../support/cli.ts'
import type { CliResult, Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerStep } from '../support/model-server.ts'

const DEPTH = 100_000
const lists = '['.repeat(DEPTH) + ']'.repeat(DEPTH)
const objects = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`
const said = `nested more than ${MOST_NESTED} levels deep`
const RUN = ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl', 'do it']

let place: Place
let server: ModelServer

beforeEach(async () => {
  place = makePlace({ 'a.txt': 'a\n', 'deep.json': lists })
  // The history repeats what the model wrote, and none of these tests is about a full window.
  server = await startModelServer([], { by: 'requests', deltaChars: 4096 })
})
afterEach(async () => {
  await server.close()
  place.remove()
})

async function run(args: string[], options?: Parameters<typeof runCli>[2]): Promise<CliResult> {
  const done = await runCli(place, args, options)
  expect(`${done.stdout}${done.stderr}`).not.toMatch(/Maximum call stack|RangeError|fault of codehound/)
  return done
}

async function play(steps: ServerStep[], more = '', args = RUN, options?: Parameters<typeof runCli>[2]) {
  server.play([...steps, { text: 'Going on.' }])
  configure(place, server.url, { window: 2_000_000, more })
  return run(args, options)
}

describe('a call of the model with deep arguments', () => {
  const step: ServerStep = { calls: [{ name: 'read_file', arguments: `{"path":${lists}}` }] }

  test.each<[string, ServerStep]>([
    ['lists, streamed', step],
    ['objects, streamed', { calls: [{ name: 'read_file', arguments: `{"path":${objects}}` }] }],
    ['whole', { ...step, faults: [{ type: 'json-instead-of-stream' }] }],
    ['in the text', { text: `<tool_call>{"name":"read_file","arguments":{"path":${objects}}}</tool_call>` }],
  ])('is told to it: %s', async (_, first) => {
    const done = await play([first])
    expect(done.code, done.stderr).toBe(0)
    expect(server.requests.at(-1)!.messages.at(-1)!.text).toContain('FORMAT_ERROR')
    if (first.calls) expect(server.requests.at(-1)!.messages.at(-1)!.text).toContain(said)
    server.assertSound()
  })

  test('is told to it in a structured answer', async () => {
    server.play([
      { text: `{"preText": "x", "queries": [{"tool": "read_file", "args": {"path": ${lists}}}]}` },
      { text: '{"preText": "Going on."}' },
    ])
    configure(place, server.url, { window: 2_000_000, more: 'loop: { answerFormat: structured }\n' })
    expect(await run(RUN)).toMatchObject({ code: 0 })
    expect(server.requests[1]!.messages.at(-1)!.text).toContain(said)
  })

  test('ends the run with those words where the wire has arguments as values', async () => {
    const frame = `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"read_file","arguments":{"path":${lists}}}}]},"done":true}\n`
    const { createServer } = await import('node:http')
    const bare = createServer((_, response) => response.writeHead(200).end(frame))
    await new Promise<void>((ready) => bare.listen(0, '127.0.0.1', ready))
    const { port } = bare.address() as { port: number }
    configure(place, `http://127.0.0.1:${port}`, { type: 'ollama' })
    const done = await run(RUN)
    bare.closeAllConnections()
    bare.close()
    expect(done.code).toBe(1)
    expect(done.stderr).toContain(said)
  })
})

test('a deep file is read, and one is written in JSON and YAML', async () => {
  const done = await play([
    { calls: [{ name: 'read_file', arguments: { path: 'deep.json' } }] },
    { calls: [{ name: 'write_file', arguments: { path: 'new.json', content: objects } }] },
    { calls: [{ name: 'write_file', arguments: { path: 'new.yaml', content: objects } }] },
    { calls: [{ name: 'write_file', arguments: { path: 'package.json', content: objects } }] },
    { calls: [{ name: 'shell_exec', arguments: { command: 'cat deep.json' } }] },
  ])
  const results = eventsOf(done.stdout).flatMap((event) => (event.type === 'tool-result' ? [event.result] : []))
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'success'))
  expect(done.code, done.stderr).toBe(0)
})

test('a deep message on stdin and a deep answer are text, and the session goes on and is exported', async () => {
  const done = await play([{ text: objects }], '', ['run', '--mode', 'auto', '--no-sandbox'], { input: lists })
  expect(done.code, done.stderr).toBe(0)
  expect(done.stdout).toContain(objects.slice(0, 1000))
  expect((await run(['run', '--mode', 'auto', '--no-sandbox', '--continue', 'more'])).code).toBe(0)
  const { stdout } = await run(['sessions', 'list', '--json'])
  const [session] = JSON.parse(stdout) as [{ id: string }]
  const exported = await run(['sessions', 'export', session.id, '--format', 'json'])
  expect(JSON.stringify(JSON.parse(exported.stdout))).toContain(lists)
})

test('a hook that answers with it is named', async () => {
  place.write('h.json', `{"reason":${lists}}`)
  const hooks = `hooks:\n  PreToolUse: [{ hooks: [{ command: "cat h.json" }] }]\n`
  configure(place, server.url, { more: hooks })
  await run(['config', 'trust'])
  const done = await play([{ calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }], hooks)
  expect(done.code, done.stderr).toBe(0)
  expect(done.stdout).toContain(said)
})

describe('deep configuration is refused', () => {
  test.each([
    ['lists', `model: ${lists}\n`],
    ['objects', `{"tools": ${objects}}`],
    ['groups', Array.from({ length: MOST_NESTED + 1 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
  ])('in a file: %s', async (_, text) => {
    const file = join(place.home, '.config/codehound/config.yaml')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    for (const args of [
      ['run', 'x'],
      ['config', 'set', 'model', 'a/b'],
    ]) {
      const done = await run(args)
      expect(done.stderr).toContain(said)
      expect(done.code).toBe(2)
    }
  })

  // An argument of a command has at most 128 KB on Linux.
  const short = lists.slice(40_000, -40_000)

  test('as a value of `config set`', async () => {
    configure(place, server.url)
    const done = await run(['config', 'set', 'fallback', short])
    expect(done.stderr).toContain(said)
    expect(done.code).toBe(2)
  })

  test('in a variable', async () => {
    configure(place, server.url)
    const done = await run(['config', 'show'], { env: { CODEHOUND_FALLBACK: short } })
    expect(done.code).toBe(2)
  })
})
