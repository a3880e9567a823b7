// Keys of the configuration that shape a session: who writes its title, and what the index covers.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

let place: Place
let server: ModelServer | undefined
beforeEach(() => {
  place = makePlace({ 'near/a.ts': 'export const nearOne = 1\n', 'far/b.ts': 'export const farOne = 1\n' })
})
afterEach(async () => {
  await server?.close()
  server = undefined
  place.remove()
})

const titles = async (): Promise<string[]> => {
  const { stdout } = await runCli(place, ['sessions', 'list', '--json'])
  return (JSON.parse(stdout) as { title: string }[]).map(({ title }) => title)
}

test.each([
  ['first-line', 'mend the cart', 1],
  ['model', 'Mending the cart', 2],
] as const)('session.titles: %s', async (setting, title, requests) => {
  server = await startModelServer((request) =>
    request.messages.at(-1)!.text.includes('title of at most') ? { text: '"Mending the cart."' } : { text: 'Done.' },
  )
  configure(place, server.url, { more: `session: { titles: ${setting} }\n` })
  const { stdout } = await runCli(place, ['run', 'mend the cart'])
  expect({ stdout, titles: await titles(), requests: server.requests.length }).toEqual({
    stdout: 'Done.\n',
    titles: [title],
    requests,
  })
  // The title is asked for on the same prefix: a local server does not read the conversation again.
  const [first, second] = server.requests
  expect(second?.tools ?? first!.tools).toBe(first!.tools)
})

test.each([
  ['repository', ['far/b.ts', 'near/a.ts']],
  ['folder', ['near/a.ts']],
] as const)('project.scope: %s says what the index covers', async (scope, paths) => {
  server = await startModelServer([])
  configure(place, server.url, { more: `project: { scope: ${scope} }\n` })
  const { stdout } = await runCli(place, ['map'], { cwd: `${place.folder}/near` })
  expect(
    stdout
      .split('\n')
      .filter((line) => /^\S.*\.ts/.test(line))
      .sort(),
  ).toEqual(paths)
})

test('cache.agent: an answer that was kept is given again by the next process, and says so', async () => {
  server = await startModelServer([{ text: 'It is 42.' }])
  configure(place, server.url, { more: 'cache: { agent: always }\ncontext: { mapTokens: 0 }\n' })
  const first = await runCli(place, ['run', 'what is it?'])
  const second = await runCli(place, ['run', 'what is it?'])
  expect([first.stdout, second.stdout, server.requests.length]).toEqual(['It is 42.\n', 'It is 42.\n', 1])
  expect(second.stderr).toContain('This answer comes from the cache.')
})

test.each([
  [1, 1],
  [4, 3],
])('maxParallelTools: %i, so %i of three reads wait at the same time', async (most, together) => {
  const hook = 'hooks:\n  before-tool:\n    - hooks: [{ command: "echo + >> log; sleep 0.4; echo - >> log" }]\n'
  const calls = ['near/a.ts', 'far/b.ts', '.'].map((path) =>
    path === '.' ? { name: 'list_files', arguments: { path } } : { name: 'read_file', arguments: { path } },
  )
  server = await startModelServer([{ calls }, { text: 'Done.' }])
  configure(place, server.url, { more: hook })
  await runCli(place, ['config', 'trust'])
  await runCli(place, ['run', 'read'], { env: { CODEHOUND_BACKENDS__MOCK__MAX_PARALLEL_TOOLS: String(most) } })
  let open = 0
  let top = 0
  for (const mark of readFileSync(join(place.folder, 'log'), 'utf8').trim().split('\n')) {
    open += mark === '+' ? 1 : -1
    top = Math.max(top, open)
  }
  expect(top).toBe(together)
})
