import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, eventsOf, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

let place: Place
let server: ModelServer
beforeEach(async () => {
  place = makePlace({ 'a.ts': 'export const a = 1\n', 'b.ts': 'export const b = 1\n' })
  server = await startModelServer((request) =>
    request.messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ name: 'find_definition', arguments: { symbol: 'a' } }] },
  )
  configure(place, server.url, { more: 'limits: { maxFilesWarning: 1 }\n' })
})
afterEach(async () => {
  await server.close()
  place.remove()
})

test('a warning of the index is said in the session, what holds at each start at the first', async () => {
  const notices = async (): Promise<string[]> => {
    const { stdout } = await runCli(place, ['run', '--output', 'jsonl', 'where is a?'])
    return eventsOf(stdout).flatMap((event) => (event.type === 'notice' ? [event.text] : []))
  }
  // So that the index is there before the run is over, however busy the machine.
  await runCli(place, ['index'])
  const large = expect.stringContaining('project.scope narrows the index to one folder.')
  expect((await notices()).filter((text) => text.startsWith('More than 1 files are here'))).toEqual([large])
  expect(await notices()).not.toContainEqual(large)
})
