// `codehound doctor` says what works and what does not, and what it learns of a model's tool calls holds for the next session.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { secretWord } from '../../src/model/probe-set.ts'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { deadUrl, startModelServer } from '../support/model-server.ts'
import type { ModelServer, SeenRequest, ServerCall, ServerStep } from '../support/model-server.ts'

let place: Place
let server: ModelServer | undefined
beforeEach(() => {
  place = makePlace({ 'a.ts': 'export const a = 1\n' })
})
afterEach(async () => {
  await server?.close()
  server = undefined
  place.remove()
})

/** What a model that does all right answers to each probe. */
function rightCall(asked: string): ServerCall | undefined {
  if (asked.includes('read_file')) return { name: 'read_file', arguments: { path: 'src/main.ts', start: 10 } }
  if (asked.includes('edit_file')) {
    const new_text = 'name = "world"\nprint(f"hello {name}")'
    return { name: 'edit_file', arguments: { path: 'app.py', old_text: 'print("hello")', new_text } }
  }
  if (!asked.includes('plan_update')) return undefined
  const items = [
    { text: 'read the code', state: 'done' },
    { text: 'write the test', state: 'doing' },
  ]
  return { name: 'plan_update', arguments: { items } }
}

const asText = ({ name, arguments: args }: ServerCall): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`

function answer(form: 'native' | 'text'): (request: SeenRequest) => ServerStep {
  return (request) => {
    const call = rightCall(request.messages.at(-1)!.text)
    if (!call) return { text: request.seen.some(({ text }) => text.includes(secretWord)) ? secretWord : 'No idea.' }
    return form === 'native' ? { calls: [call] } : { text: asText(call) }
  }
}

const states = (stdout: string): Record<string, string> => {
  const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string }[] }
  return Object.fromEntries(findings.map(({ check, state }) => [check, state]))
}

test('everything works: exit 0 and a line for each thing', async () => {
  server = await startModelServer(answer('native'), { models: ['some-model'] })
  configure(place, server.url, { window: 32_768, more: 'sandbox: off\n' })
  const { code, stdout } = await runCli(place, ['doctor'])
  expect(stdout.split('\n').map((line) => line.replaceAll(/\d+ ms/g, 'N ms').replaceAll(/ {2,}/g, '  '))).toEqual([
    'ok  config  model mock/some-model',
    'ok  backend mock  answers in N ms, 1 model',
    'ok  model  some-model',
    expect.stringMatching(
      /^ok {2}window {2}32,768 tokens \(configured\); a prompt of about 5,000 tokens arrived whole/,
    ),
    "ok  tool calls  native 3 of 3 right; sessions begin with the server's own form",
    'ok  store  nothing stored for this workspace yet',
    'ok  index  1 files, 1 symbols',
    'ok  sandbox  off',
    'Everything works.',
    '',
  ])
  expect(code).toBe(0)
})

test('a model that writes its calls as text is remembered as such, and the next session begins so', async () => {
  server = await startModelServer(answer('text'), { models: ['some-model'] })
  configure(place, server.url, { more: 'sandbox: off\n' })
  const { code, stdout } = await runCli(place, ['doctor', '--json'])
  expect({ code, calls: states(stdout)['tool calls'] }).toEqual({ code: 0, calls: 'ok' })
  server.requests.length = 0
  server.play([{ text: 'Hello.' }])
  await runCli(place, ['run', 'say hello'])
  expect(server.requests.map((request) => request.tools)).toEqual([''])
})

test('a model that calls nothing is a fault, exit 1', async () => {
  server = await startModelServer(() => ({ text: `I cannot. ${secretWord}` }))
  configure(place, server.url)
  const { code, stdout } = await runCli(place, ['doctor', '--json'])
  expect({ code, calls: states(stdout)['tool calls'] }).toEqual({ code: 1, calls: 'fault' })
})

test('a server that cuts the prompt is a fault of the window', async () => {
  server = await startModelServer(answer('native'), { maxNumCtx: 2048 })
  configure(place, server.url, { type: 'ollama', window: 32_768 })
  const { code, stdout } = await runCli(place, ['doctor', '--json'])
  expect({ code, window: states(stdout)['window'] }).toEqual({ code: 1, window: 'fault' })
})

test.each([[[]], [['--no-probe']]])('a server that is not there is a fault, exit 3 (%s)', async (flags) => {
  configure(place, await deadUrl(), { more: 'sandbox: off\n' })
  const { code, stdout } = await runCli(place, ['doctor', '--json', ...flags])
  expect({ code, states: states(stdout) }).toEqual({
    code: 3,
    states: { config: 'ok', 'backend mock': 'fault', store: 'ok', index: 'ok', sandbox: 'ok' },
  })
  expect(stdout).toContain('127.0.0.1')
})

test('a model that the server does not have is a fault that names what it has', async () => {
  server = await startModelServer(answer('native'), { models: ['other-model'] })
  configure(place, server.url, { type: 'ollama', window: 8192 })
  const { code, stdout } = await runCli(place, ['doctor'])
  expect(code).toBe(1)
  expect(stdout).toContain('the server does not list some-model')
  expect(stdout).toContain('other-model')
})

test('a backend nobody uses that does not answer is a warning; the temporary folder is left clean', async () => {
  server = await startModelServer(answer('native'), { models: ['some-model'] })
  configure(place, server.url, { window: 32_768 })
  const file = join(place.home, '.config/codehound/config.yaml')
  const dead = await deadUrl()
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('backends:\n', `backends:\n  spare: { type: ollama, url: "${dead}" }\n`),
  )
  const { code, stdout } = await runCli(place, ['doctor', '--json'])
  expect({ code, spare: states(stdout)['backend spare'] }).toEqual({ code: 0, spare: 'warning' })
  expect(readdirSync(place.env['TMPDIR']!).filter((name) => name.startsWith('codehound-doctor'))).toEqual([])
})
