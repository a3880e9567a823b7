// An image named with `@` reaches a model that sees, on every wire, and the same bytes again with each request; a model that
// does not see is told in words, and so is the user.
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { CliResult, Place } from '../support/cli.ts'
import { tinyPng } from '../support/images.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerOptions, ServerScript } from '../support/model-server.ts'

const png = tinyPng(640, 480)
const base64 = png.toString('base64')

let place: Place
let server: ModelServer
beforeEach(async () => {
  place = makePlace({ 'src/a.ts': 'export const a = 1\n' })
  place.write('shots/start page.png', png)
  server = await startModelServer([])
})
afterEach(async () => {
  await server.close()
  place.remove()
})

interface Set {
  type?: 'openai-compatible' | 'ollama' | 'anthropic'
  script?: ServerScript
  options?: ServerOptions
  env?: Record<string, string>
}

function ask(
  prompt: string,
  { type = 'openai-compatible', script, options = {}, env = {} }: Set = {},
  ...args: string[]
) {
  server.play(script ?? [{ text: 'A button.' }], options)
  configure(place, server.url, { type, window: 0, more: 'context: { mapTokens: 0 }\n' })
  return runCli(place, ['run', ...args, prompt], { env })
}

const bodyText = (at: number): string => JSON.stringify(server.requests[at]!.body)
const fine = ({ code, stderr }: CliResult): void =>
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })

/** The user's message as the wire has it. */
const userMessage = (at = 0): Record<string, unknown> =>
  (server.requests[at]!.body['messages'] as Record<string, unknown>[]).findLast(({ role }) => role === 'user')!

const PROMPT = 'What is on @"shots/start page.png"?'

const wires: [NonNullable<Set['type']>, ServerOptions, () => unknown, unknown][] = [
  [
    'openai-compatible',
    {},
    () => (userMessage()['content'] as unknown[])[1],
    { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
  ],
  [
    'anthropic',
    {},
    () => (userMessage()['content'] as unknown[])[0],
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } },
  ],
  ['ollama', { capabilities: ['completion', 'tools', 'vision'] }, () => userMessage()['images'], [base64]],
]

describe.each(wires)('%s', (type, options, imageOf, wanted) => {
  test('an image is sent as this wire has it, the same bytes with each request, and again after a resume', async () => {
    const script = [{ calls: [{ name: 'read_file', arguments: { path: 'src/a.ts' } }] }, { text: 'A button.' }]
    fine(await ask(PROMPT, { type, options, script }))
    expect(imageOf()).toEqual(wanted)
    expect(server.requests[0]!.messages.findLast(({ role }) => role === 'user')!.text).toContain(
      '<attachment ref="@_shots/start page.png_">\nPNG image, 640 × 480, 1 kB\n</attachment>',
    )
    const first = server.requests[0]!.body['messages'] as unknown[]
    const second = server.requests[1]!.body['messages'] as unknown[]
    // Marks of Anthropic's cache move.
    const plain = (messages: unknown[]): string =>
      JSON.stringify(messages).replaceAll(/,"cache_control":\{[^}]*\}/g, '')
    expect(plain(second).startsWith(plain(first).slice(0, -1))).toBe(true)

    rmSync(`${place.folder}/shots`, { recursive: true })
    server.play([{ text: 'Blue.' }], { ...options, by: 'requests' })
    fine(await runCli(place, ['run', '--continue', 'Which colour?']))
    expect(bodyText(2).split(base64)).toHaveLength(2)
    expect(plain(server.requests[2]!.body['messages'] as unknown[]).startsWith(plain(second).slice(0, -1))).toBe(true)
  })
})

const blind: [string, NonNullable<Set['type']>, ServerOptions, Record<string, string>][] = [
  ['Ollama that does not list vision', 'ollama', { capabilities: ['completion', 'tools'] }, {}],
  [
    'a list of modalities without images',
    'openai-compatible',
    { models: ['some-model'], modelFields: { architecture: { input_modalities: ['text'] } } },
    {},
  ],
  [
    'a capability that is off',
    'openai-compatible',
    { models: ['some-model'], modelFields: { capabilities: { vision: false } } },
    {},
  ],
  ['the configuration', 'anthropic', {}, { CODEHOUND_BACKENDS__MOCK__VISION: 'false' }],
]

test.each(blind)('%s says that the model does not see: words stand for the image', async (_, type, options, env) => {
  const result = await ask(PROMPT, { type, options, env })
  fine(result)
  expect(bodyText(0)).not.toContain(base64.slice(0, 20))
  expect(server.requests[0]!.messages.findLast(({ role }) => role === 'user')!.text).toContain(
    '[codehound] @"shots/start page.png" is an image, which you cannot see.',
  )
  expect(result.stderr).toContain('mock/some-model takes no images')
})

test('a server that refuses images is asked again in words, once, and the user is told', async () => {
  const body = { error: { message: 'image input is not supported - hint: provide the mmproj', type: 'server_error' } }
  const script: ServerScript = (request) =>
    bodyText(server.requests.indexOf(request)).includes('image_url')
      ? { faults: [{ type: 'status', status: 500, body }] }
      : { text: 'I cannot see it.' }
  const result = await ask(PROMPT, { script })
  fine(result)
  expect(result.stdout).toContain('I cannot see it.')
  expect(server.requests).toHaveLength(2)
  expect(result.stderr.split('takes no images')).toHaveLength(2)
})

test('vision: true sends images to a model whose server says that it does not see', async () => {
  const env = { CODEHOUND_BACKENDS__MOCK__VISION: 'true' }
  fine(await ask(PROMPT, { type: 'ollama', options: { capabilities: ['completion', 'tools'] }, env }))
  expect(userMessage()['images']).toEqual([base64])
})

test('what is no image, and an image outside of the workspace in a headless run, are not sent and say why', async () => {
  place.write('shots/page.png', '<html></html>')
  place.write('data.bin', new Uint8Array([0, 1, 2, 0]))
  place.write('shots/unnamed', png)
  place.write('../home/private.png', png)
  fine(await ask(`Look at @shots/page.png @data.bin @shots/unnamed @${place.home}/private.png`))
  const { text } = server.requests[0]!.messages.findLast(({ role }) => role === 'user')!
  expect(text).toContain('shots/page.png is no PNG, JPEG, GIF or WebP image, so it is not sent.')
  expect(text).toContain('data.bin is no PNG')
  expect(text).toContain('<attachment ref="@shots/unnamed">\nPNG image')
  expect(text).toContain('private.png is outside the workspace')
  expect(bodyText(0).split(base64)).toHaveLength(2)
})

test('ten images go with a message; what is more is told', async () => {
  const names = Array.from({ length: 11 }, (_, at) => `i${at}.png`)
  for (const [at, name] of names.entries()) place.write(name, tinyPng(10 + at, 10))
  fine(await ask(names.map((name) => `@${name}`).join(' ')))
  expect(bodyText(0).match(/data:image/g)).toHaveLength(10)
  expect(bodyText(0)).toContain('Not sent: a message takes 10 images.')
})
