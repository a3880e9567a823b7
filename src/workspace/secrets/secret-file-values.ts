// The values of secret files, whatever their format: .env in all dialects, INI, properties, YAML, TOML, JSON, XML, .netrc, .pgpass, keys.
// Promises: every reading a program may take of a value (as written, unescaped, decoded) is among them. Reads no file itself.
import { parseForeignJson } from '../../lib/foreign-json.ts'
import { isHarmless, isSecretName, isStandIn, entropy } from './secret-names.ts'
import { assignments } from './assignments.ts'

export interface NamedValue {
  /** The key as written; `''` for what stands alone. */
  name: string
  value: string
}

/** Characters of a line that may be a key or a token by itself. */
const LONELY = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/_.~-]{20,}={0,2}$/
/** A line of a value of several lines is hidden by itself from this length on. */
const SHORTEST_LINE = 8
const PEM = /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g

/** The values that are to be hidden. `allowed`: names whose values may be seen. */
export function secretFileValues(text: string, allowed: ReadonlySet<string>, path = ''): NamedValue[] {
  if (text.includes('\0')) return []
  const found = new Map<string, NamedValue>()
  const add = (name: string, value: string): void => {
    const trimmed = value.trim()
    if (trimmed.length >= 3) found.set(`${name}\0${trimmed}`, { name, value: trimmed })
  }
  const take = (name: string, readings: readonly string[]): void => {
    if (allowed.has(name)) return
    for (const value of readings) {
      for (const password of passwordsIn(value)) add(name, password)
      if (!isWorthHiding(name, value)) continue
      for (const part of partsOf(value)) add(name, part)
    }
  }
  const body = text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '')
  for (const { name, readings } of [...assignments(body), ...inJson(body)]) take(name, readings)
  for (const [, tag, value] of body.matchAll(/<([\w:.-]+)(?:\s[^<>]*)?>([^<>]+)<\/\1>/g))
    take(tag!, [value!, unescapeXml(value!)])
  for (const [element] of body.matchAll(/<[\w:.-]+\s[^<>]*>/g)) {
    const attributes = [...element.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
    const named = attributes.find(([, name]) => /^(?:name|key|id)$/i.test(name!))
    for (const [, name, double, single] of attributes) {
      const value = double ?? single!
      const is = /^value$/i.test(name!) && named ? (named[2] ?? named[3]!) : name!
      take(is, [value, unescapeXml(value)])
    }
  }
  // .netrc: words in any layout.
  for (const [, value] of body.matchAll(/(?:^|\s)password\s+("[^"]*"|\S+)/g))
    take('password', [value!.replaceAll('"', '')])
  const pgpass = /(?:^|[/\\])\.?pgpass(?:\.conf)?$/i.test(path)
  const htpasswd = /htpasswd$/i.test(path)
  for (const line of body.split('\n')) {
    const bare = line.trim()
    if (LONELY.test(bare)) add('', bare)
    if (pgpass && !bare.startsWith('#')) {
      const fields = bare.split(/(?<!\\):/)
      if (fields.length === 5) take('password', [fields[4]!, fields[4]!.replaceAll(/\\(.)/g, '$1')])
    }
    if (htpasswd) take('password', [bare.slice(bare.indexOf(':') + 1)])
    for (const password of passwordsIn(bare)) add('password', password)
  }
  for (const [block] of body.matchAll(PEM)) {
    // Certificates and public keys are made to be shown.
    if (!/BEGIN [A-Z0-9 ]*(?:CERTIFICATE|PUBLIC KEY)/.test(block)) for (const part of partsOf(block)) add('', part)
  }
  return [...found.values()].filter(({ value }) => !isStandIn(value))
}

function isWorthHiding(name: string, value: string): boolean {
  const trimmed = value.trim()
  if (isHarmless(trimmed)) return false
  if (isSecretName(lastName(name)) || isSecretName(name))
    return !/^(?:[.~]?\.?\/[\w./-]*|[a-z]+:\/\/[^@]*)$/i.test(trimmed) || entropy(trimmed) > 4
  // Values of unknown names: what looks made by a machine. `eu-central-1` is words with a number.
  if (/^[a-z]+(?:[-_.][a-z]+)*[-_.]?v?\d{1,3}$/i.test(trimmed)) return false
  if (trimmed.length < 12 || /\s/.test(trimmed) || /^[a-z][a-z0-9+.-]*:\/\/|^[.~]?\.?\/|\.[a-z]{2,4}$/i.test(trimmed))
    return false
  return /\d/.test(trimmed) && /[A-Za-z]/.test(trimmed) && entropy(trimmed) >= 2.8
}

function lastName(name: string): string {
  return name.split(/[.:/]/).at(-1) ?? name
}

/** A value, its lines, what it says in base64, and what stands behind a scheme in it. */
function partsOf(value: string): string[] {
  const parts = [value]
  const trimmed = value.trim()
  const inner = trimmed.split('\n').map((line) => line.trim())
  if (inner.length > 1)
    parts.push(...inner.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith('-----')), inner.join('\n'))
  const scheme = /^(?:Bearer|Basic|Token|Digest|ApiKey)\s+(\S+)$/i.exec(trimmed)?.[1]
  if (scheme !== undefined) parts.push(scheme)
  for (const coded of [trimmed, scheme ?? '']) {
    const decoded = decodedBase64(coded)
    if (decoded === undefined) continue
    parts.push(decoded)
    const colon = decoded.indexOf(':')
    if (colon > 0 && !decoded.includes('\n')) parts.push(decoded.slice(colon + 1))
    if (decoded.includes('\n'))
      parts.push(...decoded.split('\n').filter((line) => line.length >= 32 && !line.startsWith('-----')))
  }
  return parts
}

function decodedBase64(text: string): string | undefined {
  if (text.length < 8 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  const decoded = Buffer.from(text, 'base64').toString('utf8')
  return decoded.length >= 4 && /^[\t\n\r -~]+$/.test(decoded) ? decoded : undefined
}

/** Passwords of addresses and of connection strings. */
export function passwordsIn(value: string): string[] {
  const found: string[] = []
  for (const [, password] of value.matchAll(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@'"]*:([^\s'"]+)@[^\s@]*/gi)) {
    const bare = password!.includes('/') && !password!.includes('@') ? password!.split('/')[0]! : password!
    found.push(password!, bare)
    try {
      found.push(decodeURIComponent(password!))
    } catch {
      // Not encoded.
    }
  }
  for (const [, key, quoted, plain] of value.matchAll(
    /(?:^|[;\s"'])(password|pwd|accountkey|sharedaccesskey)\s*=\s*(?:'([^']+)'|([^;\s"']+))/gi,
  )) {
    if (key !== undefined) found.push(quoted ?? plain!)
  }
  return found.filter((password) => password.length >= 3 && !isHarmless(password))
}

function unescapeXml(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
    },
  )
}

function inJson(text: string): { name: string; readings: string[] }[] {
  if (!/^\s*[[{]/.test(text)) return []
  let root: unknown
  try {
    root = parseForeignJson(text)
  } catch {
    return []
  }
  const found: { name: string; readings: string[] }[] = []
  const walk = (name: string, value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') found.push({ name, readings: [String(value)] })
    else if (Array.isArray(value)) for (const each of value) walk(name, each)
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) walk(key, each)
  }
  walk('', root)
  return found
}
