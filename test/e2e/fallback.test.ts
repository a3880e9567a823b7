// A server that is down does not end the work when another one is named.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsOf, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { deadUrl, startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

const RUN = ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl', 'say hello']
let place: Place
let server: ModelServer
beforeEach(async () => {
  place = makePlace()
  server = await startModelServer([{ text: 'Hello.' }], { models: ['second'] })
})
afterEach(async () => {
  await server.close()
  place.remove()
})

function configure(first: string, more: string): void {
  const file = join(place.home, '.config/codehound/config.yaml')
  mkdirSync(dirname(file), { recursive: true })
  const backends = `  down: { type: ollama, url: "${first}"${more} }\n  up: { type: ollama, url: "${server.url}" }\n`
  writeFileSync(file, `backends:\n${backends}model: down/first\nfallback: [up/second]\n`)
}

test.each([
  ['before its window is known', ''],
  ['when its window is configured', ', context_max_tokens: 32000'],
])('the fallback answers when the first server is down %s', async (_, more) => {
  configure(await deadUrl(), more)
  const { code, stdout } = await runCli(place, RUN)
  expect({ code, outcome: reportOf(stdout).outcome }).toEqual({ code: 0, outcome: 'done' })
  const notices = eventsOf(stdout).filter(
    (event) => event.type === 'notice' && event.text.includes('Going on with up/second'),
  )
  expect(notices).toHaveLength(1)
  expect(server.requests.map((request) => request.model)).toEqual(['second'])
})

test('a model that is missing on its server is replaced by the fallback', async () => {
  configure(server.url, '')
  const { code } = await runCli(place, RUN)
  expect({ code, models: server.requests.map((request) => request.model) }).toEqual({ code: 0, models: ['second'] })
})

test('without a fallback the exit code says that no server was reached, at once', async () => {
  configure(await deadUrl(), '')
  const { code, stderr } = await runCli(place, [...RUN.slice(0, 4), '--model', 'down/first', 'say hello'], {
    env: { CODEHOUND_FALLBACK: '[]' },
  })
  expect(code).toBe(3)
  expect(stderr).toContain('connection refused')
  expect(stderr).toContain('ollama serve')
})
