// A first start on the screen: what could be used is found and offered, and what works without a model works.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deadUrl } from '../support/model-server.ts'
import { keys } from '../support/pty.ts'
import { useScreens } from '../support/screens.ts'

const screens = useScreens()
const configFile = (): string => join(screens.place.home, '.config/codehound/config.yaml')

/** A start of somebody who has configured nothing; Ollama is where the variable says. */
async function firstStart(ollama: string, more: Record<string, string> = {}) {
  rmSync(configFile())
  const screen = screens.start([], { env: { OLLAMA_HOST: ollama.replace('http://', ''), ...more } })
  await screen.waitFor(/· ready/)
  return screen
}

test('without any model the prompt is there, says how to get one, and the index answers', async () => {
  const screen = await firstStart(await deadUrl())
  await screen.waitFor('No model was found')
  await screen.waitFor('https://ollama.com')
  expect(screen.prompt()).toBe('>')
  await screen.send('/map')
  await screen.waitFor('function add(a: number, b: number)')
  await screen.send('!echo still here')
  await screen.waitFor('  still here')
  await screen.send('/reindex')
  await screen.waitFor(/The index knows \d+ files/)
})

test('a model that is found is used with /use, and kept for the next start', async () => {
  screens.server.play([{ text: 'Found and used.' }], { models: ['tiny:1b'] })
  const screen = await firstStart(screens.server.url, { OPENAI_API_KEY: 'not-a-key' })
  await screen.waitFor('/use ollama/tiny:1b')
  await screen.waitFor('/use openai/NAME')
  await screen.send('/use ollama/tiny:1b')
  await screen.waitFor('Kept for the next start')
  await screen.send('hello')
  await screen.waitFor('Found and used.')
  expect(readFileSync(configFile(), 'utf8')).toContain('model: ollama/tiny:1b')
})

test('the default model is used at once where it is', async () => {
  screens.server.play([{ text: 'At once.' }], { models: ['qwen2.5-coder:7b-instruct'] })
  const screen = await firstStart(screens.server.url)
  await screen.waitFor('found on this machine')
  await screen.send('hello')
  await screen.waitFor('At once.')
})

test('a model is pulled with a bar that moves, and used then', async () => {
  // Ollama's pull, a step at a time.
  const steps = Promise.withResolvers<void>()
  const pulled = createServer((request, response) => {
    if (request.url === '/api/tags') return void response.end('{"models":[]}')
    if (request.url === '/api/show')
      return void response.end(
        '{"model_info":{"general.architecture":"m","m.context_length":32768},"capabilities":["completion"]}',
      )
    if (request.url !== '/api/pull') return void response.writeHead(404).end('{}')
    response.write('{"status":"pulling 1","digest":"sha256:1","total":4000000000,"completed":1000000000}\n')
    void steps.promise.then(() => response.end('{"status":"success"}\n'))
  })
  await new Promise<void>((resolve) => void pulled.listen(0, '127.0.0.1', resolve))
  try {
    const screen = await firstStart(`http://127.0.0.1:${(pulled.address() as AddressInfo).port}`)
    await screen.waitFor('/pull downloads ollama/qwen2.5-coder:7b-instruct')
    await screen.send('/pull')
    await screen.waitFor('[#####---------------] 25 % of 4.0 GB')
    steps.resolve()
    await screen.waitFor('ollama/qwen2.5-coder:7b-instruct is here.')
    await screen.waitFor('model: ollama/qwen2.5-coder:7b-instruct')
  } finally {
    pulled.closeAllConnections()
    pulled.close()
  }
})

test('a pull that fails says what mends it, and the prompt works on', async () => {
  const screen = await firstStart(await deadUrl())
  await screen.send('/pull')
  await screen.waitFor(/ollama serve|ollama pull/)
  expect(screen.prompt()).toBe('>')
})

test('a configuration that cannot be read is told with its place, and nothing says ready', async () => {
  writeFileSync(configFile(), 'backends: { mock: { type: ollama }\nmodel: mock/m\n')
  const screen = screens.start()
  await screen.send('hello')
  await screen.waitFor(/config\.yaml:\d+/)
  await screen.waitFor('Not sent, because no session is open')
  expect(screen.rows().some((row) => /· error ·/.test(row))).toBe(true)
  await screen.send('/quit')
  expect(await screen.ended).toBe(0)
})

test('a server that is down when a message is sent is tried again with R', async () => {
  const url = await deadUrl()
  mkdirSync(join(screens.place.home, '.config/codehound'), { recursive: true })
  writeFileSync(configFile(), `backends:\n  mock: { type: ollama, url: "${url}" }\nmodel: mock/m\n`)
  const screen = screens.start()
  await screen.ready()
  await screen.send('hello')
  await screen.waitFor('[R] retry  [S] skip  [A] abort')
  expect(screen.text().match(/Nothing answers/g)).toHaveLength(1)
  screen.type('r')
  await screen.waitFor((text) => (text.match(/Nothing answers/g) ?? []).length === 2)
  await screen.waitFor('[R] retry  [S] skip  [A] abort')
  // Left alone, the message is no failure, and one that was queued behind it is next.
  await screen.send('and then')
  screen.type('s')
  await screen.waitFor(/Skipped: the message stays[\s\S]*you {4}and then[\s\S]*\[S\] skip/)
  screen.type('s')
  await screen.waitFor(/(?:Skipped[\s\S]*){2}/)
  await screen.waitFor(() => screen.rows().some((row) => /· ready/.test(row)))
  expect(screen.text()).not.toContain('failed')
  await screen.send('once more')
  await screen.waitFor(() => screen.rows().some((row) => row.includes('[R] retry')))
  screen.type('a')
  await screen.waitFor(() => screen.rows().some((row) => /· error/.test(row)))
  expect(screen.text().match(/Nothing answers/g)).toHaveLength(4)
})

test('the last session is offered, and /resume goes on with it', async () => {
  const first = await screens.open([{ text: 'The answer is 42.' }])
  await first.send('remember this')
  await first.waitFor('42')
  await first.ready()
  first.type(keys.ctrlD)
  await first.ended
  const second = await screens.open([{ text: 'Gone on.' }])
  await second.waitFor('Last session: remember this')
  await second.send('/resume')
  await second.waitFor('The answer is 42.')
  await second.send('more')
  await second.waitFor('Gone on.')
  const sent = screens.server.requests.at(-1)!.messages.map((message) => message.text)
  expect(sent.join(' ')).toContain('42')
})

test('a request on the command line is the first message of the screen and of the line mode', async () => {
  for (const more of [[], ['--plain']]) {
    screens.server.play([{ text: 'It greets back.' }], { by: 'requests' })
    const screen = screens.start([...more, 'greet', 'me'])
    await screen.waitFor('It greets back.')
    expect(screen.text()).toContain('greet me')
    screen.type(keys.ctrlD)
    expect(await screen.ended).toBe(0)
  }
})
