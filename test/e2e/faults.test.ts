// For each fault of a model server: what the user sees, what is stored, and that the next request is valid.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configure, eventsOf, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { deadUrl, startModelServer } from '../support/model-server.ts'
import type { Fault, ModelServer, ServerStep } from '../support/model-server.ts'

const RUN = ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl', 'read it']
const call = { name: 'read_file', arguments: { path: 'a.txt' } }

let place: Place
let server: ModelServer

beforeEach(async () => {
  place = makePlace({ 'a.txt': 'the content\n', 'b.txt': 'other\n' })
  server = await startModelServer([])
})
afterEach(async () => {
  await server.close()
  place.remove()
})

/** Plays a read, with faults on the first answer, and then an answer in words. */
async function readWith(faults: Fault[], first: ServerStep = { calls: [call] }) {
  server.play([{ ...first, faults }, { text: 'It says: the content.' }])
  configure(place, server.url)
  const { code, stdout, stderr } = await runCli(place, RUN)
  return { code, stderr, events: eventsOf(stdout), report: reportOf(stdout) }
}

describe.concurrent('faults that a retry mends', () => {
  const retried: [string, Fault][] = [
    ['429 without Retry-After', { type: 'status', status: 429 }],
    ['429 with Retry-After', { type: 'status', status: 429, retryAfter: 1 }],
    ['500', { type: 'status', status: 500 }],
    ['503', { type: 'status', status: 503 }],
    ['a connection reset', { type: 'reset' }],
    ['a cut before the first token', { type: 'cut-before' }],
  ]
  test.each(retried)('%s: one visible retry, then the run goes on', async (_, fault) => {
    const own = makePlace({ 'a.txt': 'the content\n' })
    const flaky = await startModelServer([{ calls: [call], faults: [fault] }, { text: 'It says: the content.' }])
    try {
      configure(own, flaky.url)
      const { code, stdout } = await runCli(own, RUN)
      const retries = eventsOf(stdout).filter((event) => event.type === 'retry')
      expect(retries).toHaveLength(1)
      expect(retries[0]).toMatchObject({ attempt: 1, of: 3 })
      expect(code).toBe(0)
      flaky.assertSound()
    } finally {
      await flaky.close()
      own.remove()
    }
  })
})

describe('faults of form', () => {
  const tolerated: [string, Fault[]][] = [
    ['missing usage', [{ type: 'no-usage' }]],
    ['calls without ids', [{ type: 'no-call-ids' }]],
    ['arguments split at every byte', [{ type: 'split-arguments' }]],
    ['two calls in one delta', [{ type: 'calls-in-one-delta' }]],
    ['the name in every delta', [{ type: 'name-in-every-delta' }, { type: 'split-arguments' }]],
    ['JSON where a stream was asked for', [{ type: 'json-instead-of-stream' }]],
    ['a wrong content type', [{ type: 'wrong-content-type' }]],
    ['no finish reason', [{ type: 'no-finish-reason' }]],
    ['slow bytes', [{ type: 'slow', ms: 5 }]],
  ]
  test.each(tolerated)('%s changes nothing', async (_, faults) => {
    const two = { calls: [call, { name: 'read_file', arguments: { path: 'b.txt' } }] }
    const { code, events } = await readWith(faults, two)
    expect(events.flatMap((event) => (event.type === 'tool-result' ? [event.result.status] : []))).toEqual([
      'success',
      'success',
    ])
    expect(code).toBe(0)
    server.assertSound()
  })
})

test('a stream cut after text was shown keeps the text and asks to go on', async () => {
  const { code, events } = await readWith([{ type: 'cut-after', tokens: 2 }], {
    text: 'I will read the file and then tell you all of it.',
  })
  const stored = events.flatMap((event) =>
    event.type === 'message' && event.message.sender === 'AI' ? [event.message.text] : [],
  )
  expect(stored[0]).toMatch(/^I will/)
  expect(code).toBe(0)
  expect(server.requests.at(-1)!.messages.at(-1)!.text).toContain('Go on from exactly')
  server.assertSound()
})

test('half a JSON text is a bad response or a cut, never a crash', async () => {
  const { code, report } = await readWith([{ type: 'half-json', times: 9 }])
  expect([1, 3]).toContain(code)
  expect(report.error?.suggestion).toBeTruthy()
})

describe('faults that end the run', () => {
  test('a refused connection on loopback is reported at once, with URL and next step, exit code 3', async () => {
    const url = await deadUrl()
    configure(place, url)
    const started = Date.now()
    const { code, stderr, stdout } = await runCli(place, ['run', 'read it'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain(new URL(url).host)
    expect(Date.now() - started).toBeLessThan(15_000)
  })

  test('a server that keeps failing is given up after its retries, with the status', async () => {
    const { code, report, stderr } = await readWith([{ type: 'status', status: 500, times: 9 }])
    expect(code).toBe(3)
    expect(report).toMatchObject({ outcome: 'unreachable', error: { code: 'server_error', status: 500 } })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'server_error' } })
    expect(server.requests).toHaveLength(4)
  })

  test('a key that is refused is not tried again', async () => {
    const { code, report } = await readWith([{ type: 'status', status: 401, times: 9 }])
    expect({ code, error: report.error?.code }).toEqual({ code: 3, error: 'auth_error' })
    expect(server.requests).toHaveLength(1)
  })

  test('an unknown model names what the server has', async () => {
    await server.close()
    server = await startModelServer([{ text: 'x' }], { models: ['some-other-model', 'third'] })
    configure(place, server.url)
    const { code, stderr } = await runCli(place, ['run', 'read it'])
    expect(code).toBe(3)
    expect(stderr).toContain('some-other-model')
  })
})

test('what was stored before a failure is sent again when the session goes on', async () => {
  server.play([{ calls: [call] }, { text: 'never', faults: [{ type: 'status', status: 401, times: 1 }] }])
  configure(place, server.url)
  const first = await runCli(place, RUN)
  expect(first.code).toBe(3)
  server.play([{ text: 'It says: the content.' }], { by: 'requests' })
  const { code } = await runCli(place, ['run', '--continue', 'go on'])
  expect(code).toBe(0)
  expect(server.requests.at(-1)!.messages.map((message) => message.role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'user',
  ])
  server.assertSound()
})
