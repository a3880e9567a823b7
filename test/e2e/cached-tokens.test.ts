// What the server had cached is in the report and in the sums of the session.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

let place: Place
let server: ModelServer
beforeEach(async () => {
  place = makePlace({ 'a.ts': 'export const a = 1\n' })
  server = await startModelServer([
    { calls: [{ name: 'read_file', arguments: { path: 'a.ts' } }], usage: { input: 1000, output: 10, cached: 400 } },
    { text: 'Read.', usage: { input: 1200, output: 5, cached: 1000 } },
  ])
  configure(place, server.url)
})
afterEach(async () => {
  await server.close()
  place.remove()
})

test('tokens that were cached are counted, per run and per session', async () => {
  const { stdout } = await runCli(place, ['run', '--output', 'jsonl', 'read a.ts'])
  expect(reportOf(stdout)).toMatchObject({ inputTokens: 2200, outputTokens: 15, cachedTokens: 1400 })
  const shown = await runCli(place, ['sessions', 'show', reportOf(stdout).sessionId])
  expect(shown.stdout).toContain('2200 in (1400 cached), 15 out')
})
