// A model that writes its calls as text in the format it was trained on, with a sentence before them, gets its work done
// without a question; and a run never ends as done when a call could not be read and nothing was done.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formats } from '../corpora/text-calls/formats.ts'
import { configure, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, SeenRequest, ServerStep } from '../support/model-server.ts'

const RUN = ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl', 'make a two']
const CHOSEN = new Set(['gemma-4', 'function-gemma', 'minimax-m3', 'gigachat-3.1', 'longcat', 'hunyuan-v3', 'kimi-k3', 'lm-studio', 'mistral-closed', 'k2-horizon', 'seed-oss', 'command-r']) // prettier-ignore

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

const read = { name: 'read_file', args: { path: 'a.ts' } }
const edit = { name: 'edit_file', args: { path: 'a.ts', old_text: 'a = 1', new_text: 'a = 2' } }
const answersIn = ({ messages }: SeenRequest): number => messages.filter(({ role }) => role === 'assistant').length
const filesOf = (stdout: string): string[] => reportOf(stdout).filesChanged.map((file) => file.path)

describe.each(formats.filter(({ id }) => CHOSEN.has(id)))('$id', (format) => {
  test('works at once, from the first answer on', async () => {
    const say = (sentence: string, call: typeof read): ServerStep => {
      const written = format.write([call])
      return { text: format.lead?.(sentence, written) ?? `${sentence}\n\n${written}` }
    }
    server = await startModelServer((request) => {
      const answers = answersIn(request)
      if (answers === 0) return say('Let me use the contents instead of guessing from the output.', read)
      return answers === 1 ? say('The output shows where it is. Changing it:', edit) : { text: 'a is two.' }
    })
    configure(place, server.url)
    const { code, stdout } = await runCli(place, RUN)
    expect({ code, files: filesOf(stdout), requests: server.requests.length }).toEqual({
      code: 0,
      files: ['a.ts'],
      requests: 3,
    })
    server.assertSound()
  })
})

const unknown = 'Let me look.\n\n<|do:begin|>read_file<|do:with|>{"path": "a.ts"}<|do:end|>'

test('a call in a form nobody knows never ends as done with nothing done', async () => {
  server = await startModelServer(() => ({ text: unknown }))
  configure(place, server.url)
  const { code, stdout } = await runCli(place, RUN)
  expect(code).not.toBe(0)
  expect(stdout).toContain('"type":"format-error"')
  expect(stdout).toContain('so nothing was done')
  expect(JSON.stringify(server.requests.at(-1)!.messages)).toContain('in a form that is not understood here')
})

test('a model that is told how a call is written goes on', async () => {
  server = await startModelServer((request) => {
    const answers = answersIn(request)
    if (answers === 0) return { text: unknown }
    if (answers > 1) return { text: 'a is two.' }
    return { text: `<tool_call>\n${JSON.stringify({ name: edit.name, arguments: edit.args })}\n</tool_call>` }
  })
  configure(place, server.url)
  const { code, stdout } = await runCli(place, RUN)
  expect({ code, files: filesOf(stdout) }).toEqual({ code: 0, files: ['a.ts'] })
})

test('an answer in thinking that never ends is the answer', async () => {
  server = await startModelServer(() => ({ text: '<seed:think>\nThe value of a is one.' }))
  configure(place, server.url)
  const { code, stdout } = await runCli(place, ['run', '--output', 'json', 'what is a?'])
  expect({ code, answer: (JSON.parse(stdout) as { answer: string }).answer.trim() }).toEqual({
    code: 0,
    answer: 'The value of a is one.',
  })
})
