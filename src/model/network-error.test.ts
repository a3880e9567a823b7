import { expect, it } from 'vitest'
import { networkError, proxyHint } from './network-error.ts'

const context = { backend: 'b', provider: 'openai-compatible', url: 'http://x/v1', model: 'm' }
const fault = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code })

it.each([
  ['ECONNREFUSED', 'network', true],
  ['ECONNRESET', 'network', true],
  ['EPIPE', 'network', true],
  ['ETIMEDOUT', 'network', true],
  ['EHOSTUNREACH', 'network', true],
  ['ENOTFOUND', 'network', false],
  ['EAI_AGAIN', 'network', false],
  ['ENETUNREACH', 'network', false],
  ['CERT_HAS_EXPIRED', 'network', false],
  ['EPROTO', 'network', false],
  ['HPE_INVALID_CONSTANT', 'bad_response', false],
])('%s is %s, worth another try: %s', (code, kind, retryable) => {
  const error = networkError(context, fault(code), false)
  expect([error.code, error.retryable, error.info.suggestion === undefined]).toEqual([kind, retryable, false])
})

it('a connection refused on this machine is not tried again, also when all addresses of a name refuse', () => {
  const all = new AggregateError([fault('ECONNREFUSED'), fault('ECONNREFUSED')])
  expect([networkError(context, all, true).retryable, networkError(context, all, false).retryable]).toEqual([
    false,
    true,
  ])
})

it('a proxy that this Node does not use is named', () => {
  const env = { HTTPS_PROXY: 'http://proxy:3128' }
  const hints = [proxyHint(env, '24.4.1'), proxyHint(env, '24.5.0'), proxyHint(env, '26.0.0'), proxyHint({}, '24.0.0')]
  expect(hints.map((hint) => hint.includes('24.5 or later'))).toEqual([true, false, false, false])
})
