// What the first request costs and holds: tiers by window, with a repository of 3,000 files; instruction files and skills.
// Token figures are characters / 4, of everything that is sent: messages and tools.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, SeenRequest } from '../support/model-server.ts'

const FILES = 3000
let large: Place
let server: ModelServer | undefined

/** Modules that import one another, each with a few functions and a class. */
function sources(): Record<string, string> {
  const names = Array.from({ length: FILES }, (_, i) => `src/area${i % 40}/module${i}`)
  return Object.fromEntries(
    names.map((name, i) => {
      const used = names[Math.floor(i / 7)]!
      const up = `import { work${Math.floor(i / 7)} } from '../../${used}.ts'\n`
      const body = `export function work${i}(input: string, count: number): string {\n  return input.repeat(count)\n}\n`
      const more = `export class Store${i} {\n  get(key: string): string {\n    return work${Math.floor(i / 7)}(key, ${i})\n  }\n}\n`
      return [`${name}.ts`, `${i === 0 ? '' : up}${body}${more}`]
    }),
  )
}

beforeAll(async () => {
  large = makePlace(sources())
  // The index of a repository that was worked in before.
  await runCli(large, ['index'])
}, 120_000)
afterAll(() => large.remove())
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function firstRequest(
  place: Place,
  window: number,
  more = '',
  type: 'ollama' | 'openai-compatible' = 'ollama',
): Promise<SeenRequest> {
  server = await startModelServer([{ text: 'Hello.' }])
  configure(place, server.url, { type, window, more })
  const { code, stderr } = await runCli(place, ['run', 'What does work17 do?'])
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return server.requests[0]!
}

const MAP = '# Repository map'
const waits = 'context: { mapWait: 20000 }\n'
const textOf = (request: SeenRequest): string => request.messages.map(({ text }) => text).join('\n')

test.each(['ollama', 'openai-compatible'] as const)(
  '8k window: at most 2,500 tokens all in, with the map and five tools (%s)',
  async (type) => {
    const request = await firstRequest(large, 8192, waits, type)
    expect(textOf(request)).toContain(MAP)
    expect(request.toolNames).toEqual(['read_file', 'search_text', 'edit_file', 'write_file', 'shell_exec'])
    expect(request.tokens).toBeLessThanOrEqual(2500)
  },
)

test('16k window: more tools, their schemas without descriptions', async () => {
  const request = await firstRequest(large, 16_384, waits)
  expect(textOf(request)).toContain(MAP)
  const { tools } = request.body as { tools: { function: { parameters: unknown } }[] }
  expect(JSON.stringify(tools.map((tool) => tool.function.parameters))).not.toContain('"description"')
  expect(request.toolNames).toContain('task')
  expect(request.tokens).toBeLessThanOrEqual(4000)
})

test('128k window: at most 6,000 tokens with the map, and 3,000 besides it', async () => {
  const request = await firstRequest(large, 128_000, waits, 'openai-compatible')
  const map = request.messages.find(({ text }) => text.includes(MAP))!.text
  const mapTokens = Math.ceil(map.slice(map.indexOf(MAP)).length / 4)
  expect(mapTokens).toBeGreaterThan(1500)
  expect(request.tokens).toBeLessThanOrEqual(6000)
  expect(request.tokens - mapTokens).toBeLessThanOrEqual(3000)
})

test('without the map a request of a 128k window is at most 3,000 tokens', async () => {
  const request = await firstRequest(large, 128_000, 'context: { mapTokens: 0 }\n', 'openai-compatible')
  expect(textOf(request)).not.toContain(MAP)
  expect(request.tokens).toBeLessThanOrEqual(3000)
})

test('instruction files from the root down, the nearest last, rules, and skills by name', async () => {
  const place = makePlace({
    'AGENTS.md': 'Root says tabs.\n',
    'CLAUDE.md': 'Root says semicolons.\n',
    '.codehound/rules/style.md': 'Rules say short names.\n',
    '.claude/skills/release/SKILL.md':
      '---\nname: release\ndescription: How a version is published.\n---\nSecret steps.\n',
    'packages/web/AGENTS.md': 'Web says spaces.\n',
    'packages/web/a.ts': 'export const a = 1\n',
    'packages/api/AGENTS.md': 'Api says nothing.\n',
  })
  try {
    server = await startModelServer([{ text: 'Hello.' }])
    configure(place, server.url)
    await runCli(place, ['run', 'hello'], { cwd: `${place.folder}/packages/web` })
    const text = textOf(server.requests[0]!)
    const places = ['Root says tabs', 'Root says semicolons', 'Rules say short names', 'Web says spaces'].map((words) =>
      text.indexOf(words),
    )
    expect(places.every((at) => at > 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(text).toContain('- release (.claude/skills/release/SKILL.md): How a version is published.')
    expect(text).not.toContain('Secret steps')
    expect(text).not.toContain('Api says')
  } finally {
    place.remove()
  }
})
