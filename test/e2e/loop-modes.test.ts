// `loop.answerFormat: structured` and `loop.mode: single-batch`, by the built program on every wire they touch.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerStep } from '../support/model-server.ts'

const RUN = ['run', '--mode', 'auto', '--no-sandbox', 'make a two']
const edit = { tool: 'edit_file', args: { path: 'a.ts', old_text: 'a = 1', new_text: 'a = 2' } }
const say = (answer: Record<string, unknown>): ServerStep => ({ text: JSON.stringify(answer) })
const structured = 'loop: { answerFormat: structured }\n'

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
const fileText = (): string => readFileSync(join(place.folder, 'a.ts'), 'utf8')

test('queries, then actions: what was to be said after success is the answer, and the run is over', async () => {
  server = await startModelServer([
    say({ preText: 'I look.', queries: [{ tool: 'read_file', args: { path: 'a.ts' } }] }),
    say({ preText: 'I change it.', actions: [edit], postText: 'a is two now.' }),
  ])
  configure(place, server.url, { more: structured })
  const { code, stdout } = await runCli(place, RUN)
  expect({ code, stdout, text: fileText() }).toEqual({
    code: 0,
    stdout: 'a is two now.\n',
    text: 'export const a = 2\n',
  })
  expect(server.requests.map((request) => request.tools)).toEqual(['', ''])
  const [, second] = server.requests
  expect(second!.messages.at(-2)!.text).toContain('"preText":"I look."')
  expect(second!.messages.at(-1)!.text).toMatch(/<tool_result name="read_file">[\s\S]*a = 1/)
  server.assertSound()
})

test('an action that failed is told to the model, without the words for its success', async () => {
  server = await startModelServer([
    say({
      preText: 'I change it.',
      actions: [{ ...edit, args: { ...edit.args, old_text: 'b = 1' } }],
      postText: 'Done!',
    }),
    say({ preText: 'Again.', actions: [edit], postText: 'Now it is two.' }),
  ])
  configure(place, server.url, { more: structured })
  const { code, stdout } = await runCli(place, RUN)
  expect({ code, stdout, requests: server.requests.length }).toEqual({
    code: 0,
    stdout: 'Now it is two.\n',
    requests: 2,
  })
})

test('keepControl goes on after a success', async () => {
  server = await startModelServer([
    say({ preText: 'I change it.', actions: [edit], keepControl: true }),
    say({ preText: 'All is done.' }),
  ])
  configure(place, server.url, { more: structured })
  const { stdout } = await runCli(place, RUN)
  expect({ stdout, requests: server.requests.length }).toEqual({ stdout: 'All is done.\n', requests: 2 })
})

test('what does not parse is asked for again, and three in a row end the run at a limit', async () => {
  server = await startModelServer([{ text: 'a is one.' }, { text: 'a is one.' }, { text: 'a is one.' }])
  configure(place, server.url, { more: structured })
  const { code, stderr } = await runCli(place, RUN)
  expect({ code, requests: server.requests.length }).toEqual({ code: 4, requests: 3 })
  expect(server.requests[1]!.messages.at(-1)!.text).toContain('A right answer: {"preText"')
  expect(stderr).toContain('3 answers in a row could not be understood')
})

test('the model’s wish for a confirmation is asked for where somebody is asked at all', async () => {
  server = await startModelServer([
    say({ preText: 'I change it.', actions: [edit], validationRequest: 'It changes the API.' }),
    say({ preText: 'Nobody confirmed it.' }),
  ])
  configure(place, server.url, { more: structured })
  const { code, stdout } = await runCli(place, ['run', '--mode', 'auto-edit', '--output', 'jsonl', 'make a two'])
  expect({ code, text: fileText() }).toEqual({ code: 5, text: 'export const a = 1\n' })
  expect(reportOf(stdout).refused[0]!.reason).toContain('It changes the API.')
})

test.each([
  ['openai-compatible', (body: Record<string, unknown>) => body['tool_choice']],
  ['anthropic', (body: Record<string, unknown>) => (body['tool_choice'] as { type: string } | undefined)?.type],
] as const)(
  'single-batch: one batch, then an answer with the same tools and none to be called (%s)',
  async (type, choice) => {
    const call = { name: 'read_file', arguments: { path: 'a.ts' } }
    server = await startModelServer([{ calls: [call] }, { text: 'a is one.' }])
    configure(place, server.url, { type, more: 'loop: { mode: single-batch }\n' })
    const { code, stdout } = await runCli(place, RUN)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'a is one.\n' })
    const [first, second] = server.requests
    expect(second!.tools).toBe(first!.tools)
    expect([choice(first!.body), choice(second!.body)]).toEqual([undefined, 'none'])
    expect([first!.body['temperature'], second!.body['temperature']]).toEqual([0.1, 0.2])
  },
)
