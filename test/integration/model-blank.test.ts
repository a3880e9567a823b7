// A server that keeps the line open with bytes that say nothing.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'

const said: Record<string, string> = {
  'openai-compatible': 'data: {"choices":[{"delta":{"content":"so"}}]}\n\n',
  ollama: '{"message":{"content":"so"}}\n',
  anthropic:
    'data: {"type":"message_start","message":{"usage":{"input_tokens":1}}}\n\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"so"}}\n\n',
}

test.each(Object.keys(said))('%s: comments and blank lines without end are no answer', async (type) => {
  const timers: NodeJS.Timeout[] = []
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(said[type])
    timers.push(setInterval(() => response.write(type === 'ollama' ? '\n' : ': keep-alive\n\n'), 20))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const model = await createModel('mock', { type, url, idleTimeout: 0.4, apiKey: 'k' })
  const texts: string[] = []
  const read = async (): Promise<void> => {
    const request = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }], stream: true, maxTokens: 9 }
    for await (const part of model.stream({ ...request, tools: [] }, new AbortController().signal))
      if (part.type === 'text') texts.push(part.text)
  }
  try {
    await expect(read()).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('without saying anything') as string,
    })
    expect(texts).toEqual(['so'])
  } finally {
    timers.forEach(clearInterval)
    server.closeAllConnections()
    server.close()
    await model.close()
  }
})
