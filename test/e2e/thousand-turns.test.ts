// A thousand turns of mixed work in one run: it completes, never sends more than the window, and the first fact is still known.
import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, eventsOf, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, SeenRequest, ServerStep } from '../support/model-server.ts'

const TURNS = 1000
const WINDOW = 32_768
const FIRST = 'Work through all modules. The name of the release is quiet-heron-4711.'
const FILES = 50

let place: Place
let server: ModelServer | undefined
beforeEach(() => {
  const text = (i: number): string =>
    Array.from({ length: 60 }, (_, line) => `export const value${i}_${line} = ${line} // the quick brown fox\n`).join(
      '',
    )
  place = makePlace(Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`src/module${i}.ts`, text(i)])))
  execFileSync('git', ['add', '.'], { cwd: place.folder, env: place.env })
})
afterEach(async () => {
  await server?.close()
  server = undefined
  place.remove()
})

/** Reads, searches, edits, commands and looks at git, in turn; each edit changes what the one before left. */
function work(turn: number): ServerStep {
  const file = turn % FILES
  const path = `src/module${file}.ts`
  const round = Math.floor(turn / FILES)
  const line = `export const value${file}_7 = `
  switch (turn % 5) {
    case 0:
      return { text: `Now ${path}.`, calls: [{ name: 'read_file', arguments: { path } }] }
    case 1:
      return { calls: [{ name: 'search_text', arguments: { query: `value${file}_${round}`, path: 'src' } }] }
    case 2: {
      const before = round === 0 ? '7' : String(1000 + round - 1)
      const edit = { path, old_text: `${line}${before} `, new_text: `${line}${1000 + round} ` }
      return { calls: [{ name: 'edit_file', arguments: edit }] }
    }
    case 3:
      return { calls: [{ name: 'shell_exec', arguments: { command: `wc -l ${path}; echo turn ${turn}` } }] }
    default:
      return { reasoning: `after ${turn}`, calls: [{ name: 'git_diff', arguments: { path } }] }
  }
}

const asksSummary = (request: SeenRequest): boolean =>
  request.messages.at(-1)!.text.startsWith('[codehound] The window is full.')

test('a thousand turns complete, and the first message is in the last prompt', { timeout: 300_000 }, async () => {
  let turn = 0
  server = await startModelServer(
    (request) => {
      if (asksSummary(request)) return { text: '## Goal\nWork through all modules, one after the other.' }
      return turn < TURNS ? work(turn++) : { text: 'All modules are done.' }
    },
    { window: WINDOW },
  )
  configure(place, server.url, { window: WINDOW })
  const args = ['run', '--mode', 'auto', '--no-sandbox', '--max-turns', '0', '--output', 'jsonl', FIRST]
  const { code, stdout } = await runCli(place, args, { timeoutMs: 280_000 })
  const asked = server.requests.filter((request) => !asksSummary(request))
  const results = eventsOf(stdout).filter((event) => event.type === 'tool-result')
  expect({
    code,
    requests: asked.length,
    failed: results.filter((event) => event.result.status === 'failed').map((event) => event.result.text),
    blind: asked.filter((request) => !request.messages.some(({ text }) => text.includes('quiet-heron-4711'))).length,
    over: server.requests.filter((request) => request.tokens > WINDOW).length,
  }).toEqual({ code: 0, requests: TURNS + 1, failed: [], blind: 0, over: 0 })
  server.assertSound()
})
