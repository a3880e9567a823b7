// One test per fault of a model server, at the port: which error, and what a retry makes of it.
import { afterEach, describe, expect, it } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'
import type { HttpTimeouts } from '../../src/model/http.ts'
import { ModelError } from '../../src/model/language-model.ts'
import type { LanguageModel } from '../../src/model/language-model.ts'
import { OpenAiCompatible } from '../../src/model/providers/openai-compatible.ts'
import { retryProfiles, streamWithRetry } from '../../src/model/retry.ts'
import type { RetryNotice } from '../../src/model/retry.ts'
import { collect, modelRequest } from '../support/collect.ts'
import { deadUrl, startModelServer } from '../support/model-server.ts'
import type { Fault, ModelServer, ServerStep } from '../support/model-server.ts'

const signal = new AbortController().signal
const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close()
})

async function serve(steps: ServerStep[]): Promise<ModelServer> {
  const server = await startModelServer(steps)
  open.push(server)
  return server
}

async function connect(url: string, type = 'openai-compatible'): Promise<LanguageModel> {
  const model = await createModel('test', { type, url: type === 'openai-compatible' ? `${url}/v1` : url })
  open.push(model)
  return model
}

/** Streams with the interactive profile and a clock that costs nothing. */
async function ask(
  model: LanguageModel,
): Promise<{ result: unknown; notices: Omit<RetryNotice, 'error'>[]; codes: string[] }> {
  const notices: RetryNotice[] = []
  let clock = 0
  const result = await collect(
    streamWithRetry(model, modelRequest(), {
      signal,
      profile: retryProfiles.interactive,
      onRetry: (notice) => notices.push(notice),
      sleep: async (ms) => void (clock += ms),
      now: () => clock,
      random: () => 0,
    }),
  ).then(
    ({ text, calls, finish }) => ({ text, calls, finish }),
    (error: unknown) => {
      if (!(error instanceof ModelError)) throw error
      const { code, retryable, afterFirstPart, info } = error
      return { code, retryable, afterFirstPart, status: info.status, hint: info.suggestion !== undefined }
    },
  )
  const codes = notices.map((notice) => notice.error.code)
  return { result, notices: notices.map(({ attempt, of, delayMs }) => ({ attempt, of, delayMs })), codes }
}

const good = { text: 'all good', calls: [], finish: 'stop' }
const first = [{ attempt: 1, of: 3, delayMs: 2000 }]

describe.each(['openai-compatible', 'ollama', 'anthropic'])('faults that pass (%s)', (type) => {
  const faults: [string, Fault, string, number?][] = [
    ['429 without Retry-After', { type: 'status', status: 429 }, 'rate_limit'],
    ['429 with Retry-After', { type: 'status', status: 429, retryAfter: 7 }, 'rate_limit', 7000],
    ['500', { type: 'status', status: 500 }, 'server_error'],
    ['502', { type: 'status', status: 502 }, 'server_error'],
    ['503', { type: 'status', status: 503 }, 'server_error'],
    ['504', { type: 'status', status: 504 }, 'server_error'],
    ['a reset connection', { type: 'reset' }, 'network'],
    ['a stream cut before its first token', { type: 'cut-before' }, 'network'],
  ]
  it.each(faults)('%s is retried and the answer comes', async (_, fault, code, delayMs = 2000) => {
    const server = await serve([{ text: 'all good', faults: [fault] }])
    const got = await ask(await connect(server.url, type))
    expect(got).toEqual({ result: good, notices: [{ attempt: 1, of: 3, delayMs }], codes: [code] })
    expect(server.failures).toEqual([])
  })

  it('a stream cut after its first token is not retried and keeps what came', async () => {
    const server = await serve([{ text: 'all good so far', faults: [{ type: 'cut-after', tokens: 1 }] }])
    const model = await connect(server.url, type)
    let text = ''
    const run = async (): Promise<void> => {
      for await (const part of model.stream(modelRequest(), signal)) if (part.type === 'text') text += part.text
    }
    await expect(run()).rejects.toMatchObject({ code: 'network', retryable: false, afterFirstPart: true })
    expect(text).toBe('all good so ')
  })

  it('four times 503 is given up after three retries', async () => {
    const server = await serve([{ text: 'x', faults: [{ type: 'status', status: 503, times: 9 }] }])
    const got = await ask(await connect(server.url, type))
    expect(got.result).toEqual({
      code: 'server_error',
      retryable: true,
      afterFirstPart: false,
      status: 503,
      hint: true,
    })
    expect(got.notices.map((notice) => notice.delayMs)).toEqual([2000, 4000, 8000])
  })
})

describe('faults that do not pass', () => {
  it('a longer wait than a minute is not waited for, and said', async () => {
    const server = await serve([{ text: 'x', faults: [{ type: 'status', status: 429, retryAfter: 300 }] }])
    const model = await connect(server.url)
    const run = collect(streamWithRetry(model, modelRequest(), { signal, profile: retryProfiles.interactive }))
    await expect(run).rejects.toMatchObject({ code: 'rate_limit', info: { retryAfterMs: 300_000 } })
    await expect(run).rejects.toThrow(/5 min/)
  })

  it.each([400, 401, 403, 404])('%i is never retried', async (status) => {
    const server = await serve([{ text: 'x', faults: [{ type: 'status', status }] }])
    const got = await ask(await connect(server.url))
    const codes: Record<number, string> = { 400: 'unknown', 401: 'auth_error', 403: 'auth_error', 404: 'bad_response' }
    expect(got).toEqual({
      result: { code: codes[status], retryable: false, afterFirstPart: false, status, hint: true },
      notices: [],
      codes: [],
    })
  })

  it('a used-up quota is a rate limit that waiting does not mend', async () => {
    const body = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }
    const server = await serve([{ text: 'x', faults: [{ type: 'status', status: 429, body }] }])
    const got = await ask(await connect(server.url))
    expect(got.result).toMatchObject({ code: 'rate_limit', retryable: false })
  })

  it.each(['openai-compatible', 'ollama', 'anthropic'])(
    'a refused connection on loopback is told at once (%s)',
    async (type) => {
      const model = await connect(await deadUrl(), type)
      const got = await ask(model)
      expect(got.notices).toEqual([])
      expect(got.result).toMatchObject({ code: 'network', retryable: false, hint: true })
    },
  )

  it('a prompt over the window is context_too_long', async () => {
    const server = await startModelServer([{ text: 'x' }], { window: 10 })
    open.push(server)
    const got = await ask(await connect(server.url))
    expect(got.result).toMatchObject({ code: 'context_too_long', retryable: false, status: 400 })
  })

  it('a web page is a bad response that names the address', async () => {
    const server = await serve([{ faults: [{ type: 'web-page' }] }])
    const got = await ask(await connect(server.url))
    expect(got).toMatchObject({ result: { code: 'bad_response', retryable: false, hint: true }, notices: [] })
  })

  it.each([
    ['ollama', 400, { error: 'registry.ollama.ai/library/gemma:2b does not support tools' }],
    [
      'openai-compatible',
      500,
      { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } },
    ],
    [
      'openai-compatible',
      400,
      {
        object: 'error',
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      },
    ],
  ])('a model without tools says so in a way programs can read (%s %i)', async (type, status, body) => {
    const server = await serve([{ faults: [{ type: 'status', status, body }] }])
    const model = await connect(server.url, type)
    await expect(collect(model.stream(modelRequest(), signal))).rejects.toMatchObject({
      unsupported: 'tools',
      retryable: false,
    })
  })

  it.each([
    [400, { error: { message: 'x', code: 'context_length_exceeded' } }],
    [400, { error: { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' } }],
    [400, { object: 'error', message: "This model's maximum context length is 4096 tokens", code: 400 }],
    [413, {}],
    [422, { detail: 'prompt is too long' }],
  ])('a prompt that is too long is seen in the words of each server (%i %o)', async (status, body) => {
    const server = await serve([{ faults: [{ type: 'status', status, body }] }])
    const model = await connect(server.url)
    await expect(collect(model.stream(modelRequest(), signal))).rejects.toMatchObject({ code: 'context_too_long' })
  })
})

describe('half answers', () => {
  it('half a JSON event is no answer: asked again', async () => {
    const server = await serve([{ text: 'all good', faults: [{ type: 'half-json' }] }])
    const got = await ask(await connect(server.url))
    expect(got).toMatchObject({ result: good, notices: first })
  })

  it('half a JSON body is no answer: asked again', async () => {
    const server = await serve([
      { text: 'all good', faults: [{ type: 'half-json' }, { type: 'json-instead-of-stream' }] },
    ])
    const got = await ask(await connect(server.url))
    expect(got).toMatchObject({ result: good, notices: first, codes: ['bad_response'] })
  })

  it('half a line of Ollama is no answer: asked again', async () => {
    const server = await serve([{ text: 'all good', faults: [{ type: 'half-json' }] }])
    const got = await ask(await connect(server.url, 'ollama'))
    expect(got).toMatchObject({ result: good, notices: first })
  })

  it('an error inside the stream has the status it names', async () => {
    const body = { error: { message: 'overloaded', code: 503 } }
    const server = await serve([{ text: 'all good', faults: [{ type: 'error-in-stream', body }] }])
    const got = await ask(await connect(server.url))
    expect(got).toMatchObject({ result: good, notices: first, codes: ['server_error'] })
  })

  it('an error without a wrapper is seen too', async () => {
    const body = { object: 'error', message: 'the engine died', code: 500 }
    const server = await serve([{ text: 'all good', faults: [{ type: 'error-in-stream', body }] }])
    const got = await ask(await connect(server.url))
    expect(got).toMatchObject({ result: good, notices: first, codes: ['server_error'] })
  })

  it('an overloaded event of Anthropic is retried', async () => {
    const body = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const server = await serve([{ text: 'all good', faults: [{ type: 'error-in-stream', body }] }])
    const got = await ask(await connect(server.url, 'anthropic'))
    expect(got).toMatchObject({ result: good, notices: first, codes: ['server_error'] })
  })
})

describe('odd forms', () => {
  const calls = [
    { name: 'read_file', arguments: { path: 'a.ts' }, id: 'c1' },
    { name: 'read_file', arguments: { path: 'b.ts', note: '{"not":"whole' }, id: 'c2' },
  ]
  const argumentTexts = calls.map((call) => JSON.stringify(call.arguments))
  const forms: [string, Fault['type'][]][] = [
    ['wrong content type', ['wrong-content-type']],
    ['JSON where a stream was asked', ['json-instead-of-stream']],
    ['no usage', ['no-usage']],
    ['calls without ids', ['no-call-ids']],
    ['arguments split at every byte', ['split-arguments']],
    ['two calls in one delta', ['calls-in-one-delta']],
    ['two calls in one delta without ids and indices', ['calls-in-one-delta', 'no-call-ids', 'no-call-indices']],
    ['the name in every delta', ['name-in-every-delta', 'split-arguments']],
    [
      'the name in every delta, without ids and indices',
      ['name-in-every-delta', 'split-arguments', 'no-call-ids', 'no-call-indices'],
    ],
    ['every call with index 0', ['same-call-index']],
    ['every call with index 0 and no ids', ['same-call-index', 'no-call-ids', 'split-arguments']],
    ['no indices', ['no-call-indices']],
    ['arguments as objects', ['object-arguments']],
    ['no finish reason', ['no-finish-reason']],
    ['no end mark', ['no-end-mark']],
    ['no finish reason and no usage', ['no-finish-reason', 'no-usage']],
  ]
  it.each(forms)('%s', async (_, types) => {
    const server = await serve([{ text: 'Now.', calls, faults: types.map((type) => ({ type }) as Fault) }])
    const got = await collect((await connect(server.url)).stream(modelRequest(), signal))
    const noIds = types.includes('no-call-ids')
    expect({ text: got.text, finish: got.finish, calls: got.calls }).toEqual({
      text: 'Now.',
      finish: 'tool_calls',
      calls: argumentTexts.map((text, i) => ({
        id: noIds ? undefined : `c${i + 1}`,
        name: 'read_file',
        arguments: text,
      })),
    })
    expect(got.usage === undefined).toBe(types.includes('no-usage'))
  })

  it('a field the server does not know is left out from then on', async () => {
    const body = {
      error: { message: 'Unrecognized request argument supplied: stream_options', param: 'stream_options' },
    }
    const server = await serve([{ text: 'all good', faults: [{ type: 'status', status: 400, body }] }])
    const model = await connect(server.url)
    await collect(model.stream(modelRequest(), signal))
    await collect(model.stream(modelRequest(), signal))
    expect(server.requests.map((request) => 'stream_options' in request.body)).toEqual([true, false, false])
  })
})

describe('time', () => {
  function slow(server: ModelServer, timeouts: Partial<HttpTimeouts>): LanguageModel {
    const model = new OpenAiCompatible({
      backend: 'test',
      url: server.url,
      headers: () => Promise.resolve({}),
      timeouts,
    })
    open.push(model)
    return model
  }

  it('a silent local server is said to be reading the prompt, and is not asked again', async () => {
    const server = await serve([{ text: 'x', faults: [{ type: 'silent' }] }])
    const notes: unknown[] = []
    const run = collect(
      streamWithRetry(slow(server, { firstByteMs: 120, readingNoteMs: 20 }), modelRequest(), {
        signal,
        profile: retryProfiles.interactive,
        onNote: (note) => notes.push(note),
      }),
    )
    await expect(run).rejects.toMatchObject({ code: 'timeout', retryable: false })
    expect({ notes, requests: server.requests.length }).toEqual({ notes: [{ type: 'reading-prompt' }], requests: 1 })
  })

  it('a quick answer says nothing of reading', async () => {
    const server = await serve([{ text: 'quick' }])
    const notes: unknown[] = []
    const model = slow(server, { readingNoteMs: 10_000 })
    await collect(model.stream(modelRequest(), signal, (note) => notes.push(note)))
    expect(notes).toEqual([])
  })

  it('silence in the middle of an answer ends it', async () => {
    const server = await serve([{ text: 'x and then nothing more', faults: [{ type: 'stall', tokens: 1 }] }])
    const run = collect(slow(server, { idleMs: 60 }).stream(modelRequest(), signal))
    await expect(run).rejects.toMatchObject({ code: 'timeout', afterFirstPart: true })
  })

  it('a slow answer is no fault as long as bytes come', async () => {
    const server = await serve([{ text: 'slow but sure, it ends', faults: [{ type: 'slow', ms: 30 }] }])
    const got = await collect(slow(server, { idleMs: 400, firstByteMs: 400 }).stream(modelRequest(), signal))
    expect(got.text).toBe('slow but sure, it ends')
  })

  it('an idle connection the server closed is opened anew without a word', async () => {
    const server = await serve([{ text: 'one' }, { text: 'two' }])
    const model = await connect(server.url)
    await collect(model.stream(modelRequest(), signal))
    await server.close()
    const again = await startModelServer([{ text: 'all good' }], { port: server.port })
    open.push(again)
    expect(await ask(model)).toMatchObject({ result: good, notices: [] })
  })
})
