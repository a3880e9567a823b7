// What every wire owes a session: each request continues the one before, so that a server's cache finds it again.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerStep } from '../support/model-server.ts'

const RUN = ['run', '--mode', 'auto', '--no-sandbox', 'change the values']
let place: Place
let server: ModelServer
const files = Array.from({ length: 6 }, (_, i) => `src/file${i}.ts`)
const steps: ServerStep[] = [
  { text: 'First all of them.', calls: files.map((path) => ({ name: 'read_file', arguments: { path } })) },
  ...files.map((path, i): ServerStep => ({
    reasoning: `on to ${path}`,
    calls: [{ name: 'edit_file', arguments: { path, old_text: `value = ${i}`, new_text: `value = ${i + 100}` } }],
  })),
  { text: 'All are changed.' },
]

beforeEach(async () => {
  place = makePlace({
    'AGENTS.md': 'Write short answers.\n',
    ...Object.fromEntries(files.map((path, i) => [path, `export const value = ${i}\n`])),
  })
  server = await startModelServer(steps)
})
afterEach(async () => {
  await server.close()
  place.remove()
})

test.each(['openai-compatible', 'ollama', 'anthropic'] as const)(
  'requests grow at their end only (%s)',
  async (type) => {
    configure(place, server.url, { type })
    const { code } = await runCli(place, RUN)
    expect(code).toBe(0)
    expect(server.requests).toHaveLength(steps.length)
    const texts = server.requests.map(({ body }) => {
      const { system, tools, messages } = body
      // Marks of the prompt cache move with the end and are no part of what is cached.
      return JSON.stringify([tools, system, messages]).replaceAll(',"cache_control":{"type":"ephemeral"}', '')
    })
    const broken = texts.slice(1).filter((text, i) => !text.startsWith(texts[i]!.slice(0, -2)))
    expect(broken).toEqual([])
    server.assertSound()
  },
)

test('Anthropic’s cache is marked after the rules, after the project and at the end', async () => {
  configure(place, server.url, { type: 'anthropic' })
  await runCli(place, RUN)
  const last = server.requests.at(-1)!.body as {
    system: { text: string; cache_control?: unknown }[]
    messages: { content: { cache_control?: unknown }[] }[]
  }
  expect(
    last.system.map((block) => [block.text.includes('Write short answers.'), block.cache_control !== undefined]),
  ).toEqual([
    [false, true],
    [true, true],
  ])
  const marked = last.messages.map(({ content }) => content.filter((block) => block.cache_control !== undefined).length)
  expect(marked).toEqual([...Array.from({ length: marked.length - 1 }, () => 0), 1])
})

test('a preset brings its window, its limits and one call at a time', async () => {
  configure(place, server.url, { type: 'albert', window: 0 })
  const { code } = await runCli(place, RUN)
  expect(code).toBe(0)
  const { max_tokens, parallel_tool_calls } = server.requests[0]!.body
  expect({ max_tokens, parallel_tool_calls, asked: server.questions }).toEqual({
    max_tokens: 4096,
    parallel_tool_calls: false,
    asked: [],
  })
})
