import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerStep } from '../support/model-server.ts'

const shell = (command: string): ServerStep => ({ calls: [{ name: 'shell_exec', arguments: { command } }] })
const RUN = ['run', '--mode', 'auto', '--no-sandbox']

let place: Place
let server: ModelServer
beforeEach(async () => {
  place = makePlace({ 'a.txt': 'a\n' })
  server = await startModelServer([shell('touch made.txt'), { text: 'done' }, { text: 'really done' }])
})
afterEach(async () => {
  await server.close()
  place.remove()
})

const hooks = (lines: string[]): void => configure(place, server.url, { more: ['hooks:', ...lines, ''].join('\n') })
const trust = () => runCli(place, ['config', 'trust'])
const sent = (at: number): string => JSON.stringify(server.requests[at]!.messages)

test('a hook before a tool blocks the call, and the model is told why', async () => {
  hooks(['  PreToolUse: [{ matcher: Bash, hooks: [{ command: "echo no new files >&2; exit 2" }] }]'])
  await trust()
  const { stderr } = await runCli(place, [...RUN, 'make it'])
  expect(existsSync(join(place.folder, 'made.txt')), stderr).toBe(false)
  expect(sent(1)).toContain('no new files')
  server.assertSound()
})

test('hooks of a message and of a session add to the context; one after a tool sees its result', async () => {
  hooks([
    '  SessionStart: [{ hooks: [{ command: "echo the branch is main" }] }]',
    '  UserPromptSubmit: [{ hooks: [{ command: "echo the ticket is 42" }] }]',
    '  PostToolUse: [{ hooks: [{ command: "cat > after.json" }] }]',
  ])
  await trust()
  await runCli(place, [...RUN, 'make it'])
  expect(sent(0)).toContain('the branch is main')
  expect(sent(0)).toContain('the ticket is 42')
  const after = JSON.parse(readFileSync(join(place.folder, 'after.json'), 'utf8')) as Record<string, unknown>
  expect(after).toMatchObject({
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'touch made.txt' },
  })
})

test('what a hook says goes to the model without the secrets in it', async () => {
  place.write('.env', 'API_TOKEN=planted4eC39HqLyjWDarjtT1\n')
  hooks([
    '  SessionStart: [{ hooks: [{ command: "cat .env" }] }]',
    '  UserPromptSubmit: [{ hooks: [{ command: "cat .env" }] }]',
    '  PreToolUse: [{ hooks: [{ command: "cat .env >&2; exit 2" }] }]',
  ])
  await trust()
  await runCli(place, [...RUN, 'make it'])
  expect(sent(1)).toContain('⟦secret:')
  expect(JSON.stringify(server.requests)).not.toContain('planted4eC39HqLyjWDarjtT1')
})

test('a hook that blocks the message ends the run before anything is sent', async () => {
  hooks(['  UserPromptSubmit: [{ hooks: [{ command: "echo no names >&2; exit 2" }] }]'])
  await trust()
  const { code, stderr } = await runCli(place, [...RUN, 'make it'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('A hook blocked the message: no names')
  expect(server.requests).toEqual([])
})

test('a hook before the stop sends the run on once', async () => {
  hooks(['  Stop: [{ hooks: [{ command: "echo run the tests first >&2; exit 2" }] }]'])
  await trust()
  const { code, stdout } = await runCli(place, [...RUN, 'make it'])
  expect(code).toBe(0)
  expect(stdout).toContain('really done')
  expect(sent(2)).toContain('run the tests first')
  expect(server.requests).toHaveLength(3)
  server.assertSound()
})

test('no hook runs in a folder that is not trusted, and that is said', async () => {
  hooks(['  PreToolUse: [{ hooks: [{ command: "touch hooked" }] }]'])
  const { stderr } = await runCli(place, [...RUN, 'make it'])
  expect(existsSync(join(place.folder, 'made.txt'))).toBe(true)
  expect(existsSync(join(place.folder, 'hooked'))).toBe(false)
  expect(stderr).toContain('Hooks do not run until you trust this folder')
})
