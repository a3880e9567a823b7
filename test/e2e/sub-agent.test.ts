// A sub-agent has a conversation, a turn limit and read-only tools of its own; only its answer comes back, and what it cost.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, eventsOf, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, SeenRequest, ServerStep } from '../support/model-server.ts'

const QUESTION = 'Where is the answer to everything kept?'
const RUN = ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl', 'Find the answer.']
let place: Place
let server: ModelServer | undefined
beforeEach(() => {
  place = makePlace({
    'src/answer.ts': 'export const answer = 42\n',
    'src/AGENTS.md': 'Say heron when you see this.\n',
  })
})
afterEach(async () => {
  await server?.close()
  server = undefined
  place.remove()
})

const isChild = (request: SeenRequest): boolean =>
  request.messages.some(({ role, text }) => role === 'user' && text === QUESTION)
const turnOf = (request: SeenRequest): number => request.messages.filter(({ role }) => role === 'assistant').length
const delegate: ServerStep = { calls: [{ name: 'task', arguments: { prompt: QUESTION } }] }

/** The parent asks once and then answers; the child plays its steps. */
function play(child: ServerStep[]): (request: SeenRequest) => ServerStep {
  return (request) => {
    if (isChild(request)) return child[Math.min(turnOf(request), child.length - 1)]!
    return turnOf(request) === 0 ? delegate : { text: 'It is in src/answer.ts.' }
  }
}

test('only its answer comes back, and its cost counts as the run’s', async () => {
  server = await startModelServer(
    play([
      { calls: [{ name: 'read_file', arguments: { path: 'src/answer.ts' } }] },
      { text: 'src/answer.ts:1 keeps it.' },
    ]),
  )
  configure(place, server.url)
  const { code, stdout } = await runCli(place, RUN)
  const parents = server.requests.filter((request) => !isChild(request))
  const result = parents.at(-1)!.messages.at(-1)!.text
  expect({ code, requests: server.requests.length, result }).toEqual({
    code: 0,
    requests: 4,
    result: 'src/answer.ts:1 keeps it.',
  })
  expect(parents.at(-1)!.messages.some(({ text }) => text.includes('answer = 42'))).toBe(false)
  // What lies in a folder it read was told to it, and stays to be told to the parent.
  expect(server.requests.findLast(isChild)!.messages.at(-1)!.text).toContain('Say heron')
  const usage = eventsOf(stdout).filter((event) => event.type === 'usage')
  const own = usage.reduce((sum, event) => sum + event.inputTokens, 0)
  const { inputTokens, turns } = reportOf(stdout)
  expect(turns).toBe(2)
  expect(inputTokens).toBeGreaterThan(own)
  server.assertSound()
})

test('its tools only read, and it has no sub-agents of its own', async () => {
  server = await startModelServer(
    play([
      {
        calls: [
          { name: 'write_file', arguments: { path: 'made.txt', content: 'x' } },
          { name: 'shell_exec', arguments: { command: 'touch made.txt' } },
          { name: 'task', arguments: { prompt: 'go deeper' } },
        ],
      },
      { text: 'I could not.' },
    ]),
  )
  configure(place, server.url)
  const { stdout } = await runCli(place, RUN)
  const [first, second] = server.requests.filter(isChild)
  const forbidden = new Set(['task', 'write_file', 'edit_file', 'shell_exec', 'web_fetch', 'ask_user', 'run_tests'])
  expect(first!.toolNames.filter((name) => forbidden.has(name))).toEqual([])
  expect(first!.toolNames).toContain('read_file')
  expect(second!.messages.slice(-3).map(({ text }) => text.includes('FORMAT_ERROR'))).toEqual([true, true, true])
  expect(reportOf(stdout).filesChanged).toEqual([])
  expect(existsSync(join(place.folder, 'made.txt'))).toBe(false)
})

test('one that does not end answers at its last turn with what it has', async () => {
  let n = 0
  server = await startModelServer((request) => {
    if (!isChild(request)) return turnOf(request) === 0 ? delegate : { text: 'Found.' }
    if (request.messages.at(-1)!.text.includes('No turns are left')) return { text: 'As far as I saw: src/answer.ts.' }
    return { calls: [{ name: 'search_text', arguments: { query: `word${(n += 1)}` } }] }
  })
  // On a busy machine the map is late, and comes with the result.
  configure(place, server.url, { more: 'context: { mapTokens: 0 }\n' })
  const { code } = await runCli(place, RUN)
  const parents = server.requests.filter((request) => !isChild(request))
  expect(code).toBe(0)
  expect(parents.at(-1)!.messages.at(-1)!.text).toBe('As far as I saw: src/answer.ts.')
  expect(server.requests.filter(isChild)).toHaveLength(30)
  server.assertSound()
})

test('on Ollama it has the window of its parent, so that the model is not loaded anew', async () => {
  server = await startModelServer(play([{ text: 'src/answer.ts' }]), { window: 65_536 })
  configure(place, server.url, { type: 'ollama', window: 0 })
  const { code } = await runCli(place, RUN)
  expect(code).toBe(0)
  expect(new Set(server.requests.map((request) => request.numCtx)).size).toBe(1)
})
