// Ollama cuts the prompt to its window without a word: the first instruction must be in what the model really sees, always,
// and a server that gives less than was asked must be found out at once.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, eventsOf, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, SeenRequest, ServerStep } from '../support/model-server.ts'

const TURNS = 200
const FIRST = 'Read all files in order. The password of this task is heron-4711; you need it at the end.'
const WINDOW = 8192

let place: Place
let server: ModelServer | undefined
beforeEach(() => {
  const line = 'export const value = "The quick brown fox jumps over the lazy dog."\n'
  // About 700 tokens each: eight of them fill most of the window.
  place = makePlace(
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`src/file${i}.ts`, `// file ${i}\n${line.repeat(40)}`])),
  )
})
afterEach(async () => {
  await server?.close()
  server = undefined
  place.remove()
})

const asksSummary = (request: SeenRequest): boolean =>
  request.messages.at(-1)!.text.startsWith('[codehound] The window is full.')

/** Reads one file after the other and then answers; sums up when it is asked to. */
function reading(turns: number): (request: SeenRequest) => ServerStep {
  let turn = 0
  return (request) => {
    if (asksSummary(request)) return { text: 'The user wants all files read in order. So far the files were read.' }
    if (turn >= turns) return { text: 'All read.' }
    const start = 1 + Math.floor(turn / 20)
    return { calls: [{ name: 'read_file', arguments: { path: `src/file${turn++ % 20}.ts`, start_line: start } }] }
  }
}

test('the first instruction is seen by the model through 200 turns in a window of 8k', async () => {
  server = await startModelServer(reading(TURNS))
  configure(place, server.url, { type: 'ollama', window: WINDOW })
  const { code } = await runCli(place, ['run', '--mode', 'auto', '--no-sandbox', '--max-turns', '0', FIRST])
  const asked = server.requests.filter((request) => !asksSummary(request))
  expect({ code, turns: asked.length }).toEqual({ code: 0, turns: TURNS + 1 })
  const blind = asked.filter((request) => !request.seen.some((message) => message.text.includes('heron-4711')))
  const cut = server.requests.filter((request) => request.seen.length < request.messages.length)
  expect({ blind: blind.length, cut: cut.length }).toEqual({ blind: 0, cut: 0 })
  expect(new Set(server.requests.map((request) => request.numCtx))).toEqual(new Set([WINDOW]))
  server.assertSound()
})

test('a server that gives less than was asked is told to the user within one turn', async () => {
  server = await startModelServer(reading(12), { maxNumCtx: 4096 })
  configure(place, server.url, { type: 'ollama', window: WINDOW })
  const { stdout } = await runCli(place, ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl', FIRST])
  const firstCut = server.requests.findIndex((request) => request.seen.length < request.messages.length)
  expect(firstCut).toBeGreaterThan(0)
  const events = eventsOf(stdout)
  const warned = events.findIndex((event) => event.type === 'notice' && event.text.includes('saw only'))
  const turnsBefore = events.slice(0, warned).filter((event) => event.type === 'turn-start').length
  expect(warned).toBeGreaterThan(0)
  // Requests count from 0, turns from 1: the turn that was cut, or the one after it.
  expect(turnsBefore).toBeLessThanOrEqual(firstCut + 2)
})

test('a window the user has not set begins at 32k and is raised when the conversation needs it', async () => {
  server = await startModelServer(reading(60), { window: 65_536 })
  configure(place, server.url, { type: 'ollama', window: 0 })
  const { code, stdout } = await runCli(place, ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl', FIRST])
  const windows = server.requests.map((request) => request.numCtx)
  expect({ code, first: windows[0], last: windows.at(-1) }).toEqual({ code: 0, first: 32_768, last: 65_536 })
  // Once up, never back: each change loads the model anew.
  expect(windows).toEqual(windows.toSorted((a, b) => a! - b!))
  expect(server.requests.every((request) => request.seen.length === request.messages.length)).toBe(true)
  const notices = eventsOf(stdout).filter((event) => event.type === 'notice' && event.text.includes('raised to 65536'))
  expect(notices).toHaveLength(1)
})

test('that a server does not tell its window is said at the first start only', async () => {
  server = await startModelServer(() => ({ text: 'Done.' }), { tellsWindow: false, models: [] })
  configure(place, server.url, { window: 0 })
  const notices = async (): Promise<string[]> => {
    const { stdout } = await runCli(place, ['run', '--output', 'jsonl', 'hello'])
    return eventsOf(stdout).flatMap((event) => (event.type === 'notice' ? [event.text] : []))
  }
  const unknown = expect.stringContaining('does not say how large its window is') as string
  expect(await notices()).toContainEqual(unknown)
  expect(await notices()).not.toContainEqual(unknown)
  configure(place, server.url, { window: 0, more: 'temperature: 0.5\n' })
  expect(await notices()).not.toContainEqual(unknown)
})
