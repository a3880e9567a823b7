import { BlockList, isIP } from 'node:net'
import type { Mode } from '../protocol/index.ts'
import type { Judgement } from './judgement.ts'
import { matchesHost, normalHost, ruleText, strongest, type Rule } from './rules/rule.ts'

interface HostContext {
  mode: Mode
  rules: readonly Rule[]
}

/** Addresses that lead into this machine or its network (IANA special-purpose registries for IPv4 and IPv6). */
const PRIVATE: readonly (readonly [string, number, 'ipv4' | 'ipv6', string])[] = [
  ['0.0.0.0', 8, 'ipv4', 'this host'],
  ['10.0.0.0', 8, 'ipv4', 'a private network'],
  ['100.64.0.0', 10, 'ipv4', 'a carrier network'],
  ['127.0.0.0', 8, 'ipv4', 'loopback'],
  ['169.254.0.0', 16, 'ipv4', 'link-local'],
  ['172.16.0.0', 12, 'ipv4', 'a private network'],
  ['192.0.0.0', 24, 'ipv4', 'a protocol network'],
  ['192.168.0.0', 16, 'ipv4', 'a private network'],
  ['198.18.0.0', 15, 'ipv4', 'a test network'],
  ['224.0.0.0', 4, 'ipv4', 'multicast'],
  ['240.0.0.0', 4, 'ipv4', 'reserved'],
  ['::', 128, 'ipv6', 'this host'],
  ['::1', 128, 'ipv6', 'loopback'],
  ['64:ff9b:1::', 48, 'ipv6', 'a translation network'],
  ['fc00::', 7, 'ipv6', 'a private network'],
  ['fe80::', 10, 'ipv6', 'link-local'],
  ['fec0::', 10, 'ipv6', 'a private network'],
  ['ff00::', 8, 'ipv6', 'multicast'],
]

const lists = PRIVATE.map(([net, bits, family, name]) => {
  const list = new BlockList()
  list.addSubnet(net, bits, family)
  return { list, family, name }
})

/** IPv4 written inside IPv6: mapped, compatible, NAT64, 6to4. */
function embeddedV4(address: string): string | undefined {
  const canonical = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1)
  const groups = canonical.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const [head = [], tail] = groups
  const full = tail ? [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail] : head
  const numbers = full.map((group) => parseInt(group, 16))
  const from = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const leadingZeros = numbers.slice(0, 5).every((number) => number === 0)
  if (leadingZeros && (numbers[5] === 0xffff || (numbers[5] === 0 && (numbers[6] ?? 0) > 0))) {
    return from(numbers[6]!, numbers[7]!)
  }
  if (numbers[0] === 0x64 && numbers[1] === 0xff9b && numbers[2] === 0) return from(numbers[6]!, numbers[7]!)
  if (numbers[0] === 0x2002) return from(numbers[1]!, numbers[2]!)
  return undefined
}

/** Returns what makes an address private, such as `loopback`; undefined for a public one, and a reason for what is no address. */
export function privateAddress(address: string): string | undefined {
  const plain = address.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(plain.split('%')[0]!)
  if (family === 0) return 'not an address'
  const inner = family === 6 ? embeddedV4(plain) : undefined
  if (inner !== undefined) {
    const why = privateAddress(inner)
    if (why !== undefined) return why
  }
  const name = family === 6 ? ('ipv6' as const) : ('ipv4' as const)
  return lists.find((each) => each.family === name && each.list.check(plain.split('%')[0]!, name))?.name
}

/** Names that lead to this machine or network without asking a name server outside. */
const LOCAL_NAME = /^(?:localhost|.*\.localhost|.*\.local|.*\.internal|.*\.home\.arpa|[^.:]+)$/

function matching(host: string, rules: readonly Rule[]): Rule | undefined {
  return strongest(rules.filter((rule) => rule.kind === 'host' && matchesHost(rule, host)))
}

function byRule(host: string, rule: Rule): Judgement {
  return {
    verdict: rule.verdict,
    level: rule.level,
    rule: ruleText(rule),
    ...(rule.source ? { source: rule.source } : {}),
    reason: rule.reason ?? `A rule covers the host ${host}.`,
    ...(rule.verdict === 'deny' ? { code: 'HOST_REFUSED' as const } : {}),
    ...(rule.verdict === 'ask' ? { silence: `allow host: ${host}` } : {}),
    remember: rule.verdict === 'ask' ? [`host: ${host}`] : [],
  }
}

function refusePrivate(host: string, what: string): Judgement {
  return {
    verdict: 'deny',
    level: 'app',
    rule: 'private addresses',
    reason: `${host} is refused: it leads to ${what}, which a page or a model could use to reach services of this machine.`,
    silence: `the rule "allow host: ${host}" in permissions.rules of the user's configuration`,
    code: 'HOST_REFUSED',
    remember: [],
  }
}

/** True when a rule that is not a wildcard over everything names this host. */
function named(host: string, rules: readonly Rule[]): boolean {
  return rules.some(
    (rule) =>
      rule.kind === 'host' &&
      rule.verdict === 'allow' &&
      rule.level === 'app' &&
      rule.pattern !== '*' &&
      matchesHost(rule, host),
  )
}

/** Judges a host before it is looked up: rules, then private names and addresses, then once per host a question. */
export function judgeHostName(given: string, { mode, rules }: HostContext): Judgement {
  const host = normalHost(given)
  const rule = matching(host, rules)
  if (rule && rule.verdict === 'deny') return byRule(host, rule)
  if (!named(host, rules)) {
    const why =
      isIP(host.split('%')[0]!) === 0
        ? LOCAL_NAME.test(host)
          ? 'this machine or its network'
          : undefined
        : privateAddress(host)
    if (why !== undefined) return refusePrivate(host, why)
  }
  if (rule) return byRule(host, rule)
  if (mode === 'auto') {
    return { verdict: 'allow', level: 'app', rule: 'mode auto', reason: 'Mode auto asks nothing.', remember: [] }
  }
  return {
    verdict: 'ask',
    level: 'app',
    rule: 'once per host',
    reason: `${host} has not been asked before.`,
    silence: `the rule "allow host: ${host}" in permissions.rules`,
    remember: [`host: ${host}`],
  }
}

/** Judges a host together with the addresses its name resolved to: one private address refuses it, unless a rule names the host. */
export function judgeAddresses(host: string, addresses: readonly string[], context: HostContext): Judgement {
  const judged = judgeHostName(host, context)
  if (judged.verdict === 'deny' || named(normalHost(host), context.rules)) return judged
  for (const address of addresses) {
    const why = privateAddress(address)
    if (why !== undefined) return refusePrivate(`${host} (${address})`, why)
  }
  return judged
}

/** True when a rule of the user lets commands in the sandbox reach the network, which is every host or none: `allow host: *`. */
export function allowsNetwork(rules: readonly Rule[]): boolean {
  const open = rules.some(
    (rule) => rule.kind === 'host' && rule.verdict === 'allow' && rule.level === 'app' && rule.pattern === '*',
  )
  return open && !rules.some((rule) => rule.kind === 'host' && rule.verdict !== 'allow' && rule.pattern === '*')
}
