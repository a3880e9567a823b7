// Golden requests: what each kind of server is sent at each tier, whole, after one call. A diff in `test/fixtures/golden/` is a change of
// what every model reads and costs every user's prompt cache once: look at it, then renew it with `npx vitest run -u` on this
// file alone.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

let place: Place
let server: ModelServer | undefined
beforeEach(() => {
  place = makePlace({ 'AGENTS.md': 'Write short answers.\n', 'src/a.ts': 'export const a = 1\n' })
})
afterEach(async () => {
  await server?.close()
  server = undefined
  place.remove()
})

const tiers = [
  ['small', 8192],
  ['medium', 16_384],
  ['large', 128_000],
] as const
const wires = ['openai-compatible', 'ollama', 'anthropic'] as const
const forms = [
  ...wires.map((type) => ({ type, form: type as string, env: {} })),
  { type: 'openai-compatible' as const, form: 'text', env: { CODEHOUND_BACKENDS__MOCK__TOOL_FORMAT: 'xml' } },
]
const cases = tiers.flatMap(([tier, window]) =>
  forms.map(({ type, form, env }) => ({ name: `${form} ${tier}`, type, window, env })),
)

test.each(cases)('$name', async ({ name, type, window, env }) => {
  const call = { name: 'read_file', arguments: { path: 'src/a.ts' } }
  const written = `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`
  server = await startModelServer([
    name.startsWith('text') ? { text: written } : { calls: [call] },
    { text: 'a is 1.' },
  ])
  configure(place, server.url, { type, window, more: 'context: { mapTokens: 0 }\n' })
  const { code } = await runCli(place, ['run', 'What is a?'], { env })
  expect(code).toBe(0)
  const text = JSON.stringify(server.requests[1]!.body, null, 1)
  const plain = text
    .replaceAll(place.folder, '/workspace')
    .replaceAll(/call_[0-9a-f]{8}/g, 'call_id')
    .replaceAll(` · ${process.platform} · `, ' · PLATFORM · ')
  await expect(`${plain}\n`).toMatchFileSnapshot(`../fixtures/golden/${name.replace(' ', '-')}.json`)
})
