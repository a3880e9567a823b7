// A server that says more than anybody can read, as fast as the wire takes it: limits of time hold, and the session goes on.
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'

const RUN = ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl']
const SECONDS = 4

let place: Place
let server: Server
/** Characters the first answer has; the others say that they go on. */
let flood: { field: 'content' | 'reasoning_content'; chars: number; piece: number }
let bodies: string[]

const frame = (delta: Record<string, unknown>, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const end = `${frame({}, 'stop')}data: [DONE]\n\n`

beforeEach(async () => {
  place = makePlace({ 'a.txt': 'a\n' })
  bodies = []
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(404).end()
      bodies.push(body)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (bodies.length > 1) return response.end(frame({ content: 'Going on.' }) + end)
      // Words that differ, so that no watch over repetition ends the answer first.
      let word = 0
      let sent = 0
      const pour = (): void => {
        while (sent < flood.chars && !response.destroyed) {
          let text = ''
          while (text.length < flood.piece) text += `w${(word++).toString(36)} `
          sent += text.length
          if (!response.write(frame({ [flood.field]: text }))) return void response.once('drain', pour)
        }
        response.end(end)
      }
      return pour()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  place.remove()
})

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

test('--timeout ends a flood of reasoning that no other bound ends', async () => {
  flood = { field: 'reasoning_content', chars: Number.POSITIVE_INFINITY, piece: 8 }
  configure(place, url(), { more: 'limits: { answerChars: 0, answerTime: 0 }\n' })
  const { stdout } = await runCli(place, [...RUN, '--timeout', `${SECONDS}s`, 'think'])
  const report = reportOf(stdout)
  expect(report).toMatchObject({ outcome: 'limit', exitCode: 4 })
  expect(report.elapsedMs).toBeLessThan(2 * SECONDS * 1000)
})

test('an answer ends at limits.answerTime, is kept, and the model is told', async () => {
  flood = { field: 'content', chars: Number.POSITIVE_INFINITY, piece: 256 }
  configure(place, url(), { more: 'limits: { answerChars: 0, answerTime: 1 }\n', window: 0 })
  const { stdout } = await runCli(place, [...RUN, 'talk'])
  expect(reportOf(stdout)).toMatchObject({ outcome: 'done', exitCode: 0 })
  expect(bodies.slice(1).some((body) => body.includes('limits.answerTime'))).toBe(true)
})

test('after an answer of 64 MB the session goes on', async () => {
  flood = { field: 'content', chars: 64 * 1024 * 1024, piece: 4096 }
  configure(place, url())
  const { stdout } = await runCli(place, [...RUN, 'talk'])
  const { sessionId } = reportOf(stdout)
  const next = await runCli(place, [...RUN, '--resume', sessionId, 'go on'])
  expect(reportOf(next.stdout)).toMatchObject({ outcome: 'done', exitCode: 0 })
})
