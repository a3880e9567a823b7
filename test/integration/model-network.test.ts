// What lies between codehound and a model server: proxies, certificates, names that mean nothing, other protocols.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createNetServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createModel } from '../../src/model/create-model.ts'
import type { LanguageModel } from '../../src/model/language-model.ts'
import type { BackendSettings } from '../../src/model/settings.ts'
import { collect, modelRequest } from '../support/collect.ts'
import { startModelServer } from '../support/model-server.ts'

const signal = new AbortController().signal
const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closing.splice(0).toReversed()) await close()
})

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

async function connect(settings: Partial<BackendSettings>): Promise<LanguageModel> {
  const model = await createModel('test', { type: 'openai-compatible', ...settings })
  closing.push(() => model.close())
  return model
}

const textOf = async (model: LanguageModel): Promise<string> =>
  (await collect(model.stream(modelRequest(), signal))).text

describe('a proxy', () => {
  /** Forwards to a model server, whatever host is asked for; tells which. */
  async function proxied(): Promise<{ hosts: string[] }> {
    const model = await startModelServer(() => ({ text: 'through the proxy' }))
    closing.push(() => model.close())
    const hosts: string[] = []
    const proxy = createServer((request, response) => {
      const target = new URL(request.url!)
      hosts.push(target.host)
      const onwards = httpRequest(`${model.url}${target.pathname}`, {
        method: request.method,
        headers: request.headers,
      })
      onwards.on('response', (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onwards)
    })
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${await listen(proxy)}`)
    vi.stubEnv('http_proxy', undefined)
    return { hosts }
  }

  it('named in the environment is used', async () => {
    const { hosts } = await proxied()
    const model = await connect({ url: 'http://models.example.test/v1' })
    expect([await textOf(model), hosts]).toEqual(['through the proxy', ['models.example.test']])
  })

  it('is not used for hosts of NO_PROXY', async () => {
    const { hosts } = await proxied()
    vi.stubEnv('NO_PROXY', 'models.invalid')
    const model = await connect({ url: 'http://models.invalid/v1' })
    await expect(textOf(model)).rejects.toMatchObject({ code: 'network', retryable: false })
    expect(hosts).toEqual([])
  })

  it('is never used for this machine', async () => {
    const { hosts } = await proxied()
    const server = await startModelServer(() => ({ text: 'direct' }))
    closing.push(() => server.close())
    expect([await textOf(await connect({ url: server.url })), hosts]).toEqual(['direct', []])
  })
})

describe('a certificate', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'codehound-tls-'))
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const names = ['-subj', '/CN=codehound test', '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync('openssl', [...args, ...names, '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')], {
      stdio: 'ignore',
    })
    return () => rmSync(folder, { recursive: true })
  })

  async function secure(): Promise<string> {
    const files = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) }
    const answer = { choices: [{ message: { content: 'secret' }, finish_reason: 'stop' }] }
    const server = createTlsServer(files, (_, response) => response.end(JSON.stringify(answer)))
    return `https://127.0.0.1:${await listen(server)}/v1`
  }

  it('nobody vouches for is refused at once, with what to do', async () => {
    await expect(textOf(await connect({ url: await secure() }))).rejects.toMatchObject({
      code: 'network',
      retryable: false,
      info: { suggestion: expect.stringContaining('NODE_EXTRA_CA_CERTS') as unknown },
    })
  })

  it('of an own authority is taken from the configured file', async () => {
    const model = await connect({ url: await secure(), caFile: join(folder, 'cert.pem') })
    expect(await textOf(model)).toBe('secret')
  })

  it('file that is not there is named', async () => {
    const model = await connect({ url: await secure(), caFile: join(folder, 'none.pem') })
    const run = textOf(model)
    await expect(run).rejects.toMatchObject({ name: 'ModelError', code: 'network', retryable: false })
    await expect(run).rejects.toThrow(/none\.pem/)
  })

  it('is not asked of a server without TLS', async () => {
    const port = await listen(createServer((_, response) => response.end('{}')))
    await expect(textOf(await connect({ url: `https://127.0.0.1:${port}/v1` }))).rejects.toMatchObject({
      code: 'network',
      retryable: false,
    })
  })
})

describe('an address', () => {
  it('that speaks no HTTP is a bad response', async () => {
    const port = await listen(createNetServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n')))
    await expect(textOf(await connect({ url: `http://127.0.0.1:${port}/v1` }))).rejects.toMatchObject({
      code: 'bad_response',
      retryable: false,
    })
  })

  it('that redirects is told with the new address', async () => {
    const server = createServer((_, response) => response.writeHead(301, { location: 'https://new.example/v1' }).end())
    const url = `http://127.0.0.1:${await listen(server)}/v1`
    await expect(textOf(await connect({ url }))).rejects.toThrow(/redirects to https:\/\/new\.example/)
  })

  it('that is none is a fault of the configuration', async () => {
    for (const url of [undefined, 'localhost:8000', 'ftp://x', ''])
      await expect(createModel('test', { type: 'openai-compatible', url })).rejects.toMatchObject({ code: 'config' })
    await expect(createModel('test', { type: 'openai' })).rejects.toMatchObject({
      code: 'config',
      suggestion: expect.stringContaining('openai-compatible') as unknown,
    })
  })

  it('with the whole path of the endpoint, or with none, works', async () => {
    const server = await startModelServer(() => ({ text: 'ok' }))
    closing.push(() => server.close())
    for (const path of ['', '/', '/v1', '/v1/', '/v1/chat/completions', '/api/v3'])
      expect(await textOf(await connect({ url: server.url + path }))).toBe('ok')
    expect([...new Set(server.requests.map((request) => request.path))]).toEqual([
      '/v1/chat/completions',
      '/api/v3/chat/completions',
    ])
  })
})

describe('a kept connection', () => {
  const answer = JSON.stringify({ choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] })

  it('that breaks as it is used again is opened anew, once and without a word', async () => {
    const seen = new WeakSet<object>()
    let broken = 0
    const server = createServer((request, response) => {
      if (seen.has(request.socket)) {
        broken++
        request.socket.destroy()
        return
      }
      seen.add(request.socket)
      response.end(answer)
    })
    const model = await connect({ url: `http://127.0.0.1:${await listen(server)}/v1` })
    expect([await textOf(model), await textOf(model), await textOf(model), broken]).toEqual(['ok', 'ok', 'ok', 2])
  })

  it('that was fresh and breaks is an error', async () => {
    const server = createServer((request) => request.socket.destroy())
    const model = await connect({ url: `http://127.0.0.1:${await listen(server)}/v1` })
    await expect(textOf(model)).rejects.toMatchObject({ code: 'network', retryable: true })
  })
})

describe('a key', () => {
  async function sent(settings: Partial<BackendSettings>): Promise<Record<string, unknown>> {
    const server = await startModelServer(() => ({ text: 'ok' }))
    closing.push(() => server.close())
    await textOf(await connect({ url: server.url, ...settings }))
    return server.requests[0]!.headers
  }

  it('is sent as each wire wants it, with further headers', async () => {
    expect(await sent({ apiKey: 'k', headers: { 'x-team': 'a' } })).toMatchObject({
      authorization: 'Bearer k',
      'x-team': 'a',
    })
    expect(await sent({ type: 'anthropic', apiKey: 'k' })).toMatchObject({
      'x-api-key': 'k',
      'anthropic-version': '2023-06-01',
    })
    expect(await sent({})).not.toHaveProperty('authorization')
  })

  it('comes from a command', async () => {
    expect(await sent({ apiKeyCommand: 'printf "from-command\\nrest"' })).toMatchObject({
      authorization: 'Bearer from-command',
    })
  })

  it('whose command fails is an error without what the command printed', async () => {
    const failing = sent({ apiKeyCommand: 'echo half-a-secret; exit 3' })
    await expect(failing).rejects.toMatchObject({ code: 'auth_error', retryable: false })
    await expect(failing).rejects.not.toThrow(/half-a-secret/)
  })
})
