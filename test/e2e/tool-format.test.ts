// A model whose server takes no tools, or that writes its calls as text, works all the same, and the next session knows.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, SeenRequest, ServerStep } from '../support/model-server.ts'

const RUN = ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl', 'make a two']
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

const written = (name: string, args: Record<string, unknown>): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`

const edit = { path: 'a.ts', old_text: 'a = 1', new_text: 'a = 2' }

/** Reads, edits and ends, with calls as text; the place in the script is the count of its own answers. */
function textCalls(request: SeenRequest): ServerStep {
  const answers = request.messages.filter((message) => message.role === 'assistant').length
  if (answers === 0) return { text: written('read_file', { path: 'a.ts' }) }
  return answers === 1 ? { text: written('edit_file', edit) } : { text: 'a is two.' }
}

const filesOf = (stdout: string): string[] => reportOf(stdout).filesChanged.map((file) => file.path)
const withTools = (): boolean[] => server!.requests.map((request) => request.tools !== '')

test.each([
  ['ollama', { error: 'some-model does not support tools' }],
  ['openai-compatible', { error: { message: '"auto" tool choice requires --enable-auto-tool-choice' } }],
] as const)(
  'a server that refuses tools is asked without them, and the next session begins so (%s)',
  async (type, body) => {
    const refusal: ServerStep = { faults: [{ type: 'status', status: 400, body, times: 99 }] }
    server = await startModelServer((request) => (request.tools === '' ? textCalls(request) : refusal))
    configure(place, server.url, { type })
    const first = await runCli(place, RUN)
    expect({ code: first.code, files: filesOf(first.stdout), tools: withTools() }).toEqual({
      code: 0,
      files: ['a.ts'],
      tools: [true, false, false, false],
    })
    server.requests.length = 0
    await runCli(place, RUN)
    expect(withTools().every((tools) => !tools)).toBe(true)
    server.assertSound()
  },
)

test('a model that writes its calls as text is told how from then on', async () => {
  server = await startModelServer(textCalls)
  configure(place, server.url)
  const { code, stdout } = await runCli(place, RUN)
  expect({ code, files: filesOf(stdout), tools: withTools() }).toEqual({
    code: 0,
    files: ['a.ts'],
    tools: [true, false, false],
  })
  server.assertSound()
})

test('toolFormat: native keeps the server’s own form', async () => {
  server = await startModelServer(textCalls)
  configure(place, server.url)
  const { code, stdout } = await runCli(place, RUN, { env: { CODEHOUND_BACKENDS__MOCK__TOOL_FORMAT: 'native' } })
  expect({ code, files: filesOf(stdout), tools: withTools() }).toEqual({
    code: 0,
    files: ['a.ts'],
    tools: [true, true, true],
  })
})
