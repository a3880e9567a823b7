import { describe, expect, test } from 'vitest'
import { allowsNetwork, judgeAddresses, judgeHostName, privateAddress } from './hosts.ts'
import { parseRuleText, type Rule } from './rules/rule.ts'
import fc from '../../test/support/property.ts'

const ruleOf = (text: string, level: Rule['level'] = 'app'): Rule => ({ ...parseRuleText(text)!, level })
const rules = (...texts: string[]): Rule[] => texts.map((text) => ruleOf(text))

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.8.9.1', 'loopback'],
  ['0.0.0.0', 'this host'],
  ['10.1.2.3', 'a private network'],
  ['172.31.255.255', 'a private network'],
  ['192.168.0.1', 'a private network'],
  ['169.254.169.254', 'link-local'],
  ['100.64.0.1', 'a carrier network'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'reserved'],
  ['::', 'this host'],
  ['::1', 'loopback'],
  ['[::1]', 'loopback'],
  ['fe80::1%eth0', 'link-local'],
  ['fd00::1', 'a private network'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::127.0.0.1', 'loopback'],
  ['64:ff9b::a00:1', 'a private network'],
  ['2002:7f00:1::', 'loopback'],
  ['2002:c0a8:1::1', 'a private network'],
  ['localhost', 'not an address'],
  ['8.8.8.8', undefined],
  ['172.32.0.1', undefined],
  ['2606:4700::1111', undefined],
  ['::ffff:8.8.8.8', undefined],
])('%s is %s', (address, why) => {
  expect(privateAddress(address)).toBe(why)
})

test('an IPv4 address is as private in every IPv6 form of it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a, b, c, d] = address.split('.').map(Number)
      const [high, low] = [(a! * 256 + b!).toString(16), (c! * 256 + d!).toString(16)]
      const forms = [`::ffff:${address}`, `64:ff9b::${high}:${low}`, `2002:${high}:${low}::1`]
      const own = privateAddress(address)
      expect(forms.map(privateAddress)).toEqual(forms.map(() => own))
    }),
  )
})

describe('a host', () => {
  const judge = (host: string, ...texts: string[]) => judgeHostName(host, { mode: 'ask', rules: rules(...texts) })

  test('is asked about once, and the approval names it alone', () => {
    expect(judge('example.org')).toEqual({
      verdict: 'ask',
      level: 'app',
      rule: 'once per host',
      reason: 'example.org has not been asked before.',
      silence: 'the rule "allow host: example.org" in permissions.rules',
      remember: ['host: example.org'],
    })
    expect(judge('example.org', 'allow host: example.org').verdict).toBe('allow')
    expect(judge('other.org', 'allow host: example.org').verdict).toBe('ask')
  })

  test.each([
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'printer.local',
    'db.internal',
    'intranet',
    '127.0.0.1',
    '[::1]',
    '::ffff:10.0.0.1',
  ])('%s is refused unless a rule of the user names it', (host) => {
    expect(judge(host)).toMatchObject({ verdict: 'deny', code: 'HOST_REFUSED' })
    expect(judge(host, 'allow host: *').verdict).toBe('deny')
    expect(judge(host, `allow host: ${host}`).verdict).toBe('allow')
    const approved = [ruleOf(`allow host: ${host}`, 'workspace')]
    expect(judgeHostName(host, { mode: 'auto', rules: approved }).verdict).toBe('deny')
  })

  test('mode auto asks nothing and still refuses what is private', () => {
    expect(judgeHostName('example.org', { mode: 'auto', rules: [] }).verdict).toBe('allow')
    expect(judgeHostName('localhost', { mode: 'auto', rules: [] }).verdict).toBe('deny')
  })

  test('a deny rule beats one that allows', () => {
    expect(judge('a.example.org', 'allow host: a.example.org', 'deny host: *.example.org').verdict).toBe('deny')
  })

  test('a name that leads to a private address is refused, and so is one of several', () => {
    const context = { mode: 'ask' as const, rules: rules('allow host: *') }
    expect(judgeAddresses('rebind.example', ['93.184.216.34'], context).verdict).toBe('allow')
    expect(judgeAddresses('rebind.example', ['93.184.216.34', '127.0.0.1'], context)).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('rebind.example (127.0.0.1) is refused: it leads to loopback'),
    })
    const named = { mode: 'ask' as const, rules: rules('allow host: rebind.example') }
    expect(judgeAddresses('rebind.example', ['127.0.0.1'], named).verdict).toBe('allow')
  })
})

test('only "allow host: *" of the user opens the network to commands', () => {
  expect(allowsNetwork(rules('allow host: *'))).toBe(true)
  expect(allowsNetwork(rules('allow host: example.org'))).toBe(false)
  expect(allowsNetwork(rules('allow host: *', 'deny host: *'))).toBe(false)
  expect(allowsNetwork([ruleOf('allow host: *', 'workspace')])).toBe(false)
})
