// What looks like a secret in any text: token formats of services, private keys, passwords in addresses, and values
// given to a name that says so. Finds ranges; does not decide what becomes of them.
import { entropy, isStandIn } from './secret-names.ts'

export interface SecretRange {
  start: number
  end: number
}

// Every repetition is bounded, and none can begin inside another: else a long line of one kind of character (minified
// code, a page of dashes) takes quadratic time.
// Formats from the services' own documentation and token prefixes; each is long enough to be no word.
const TOKENS = [
  /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{30,255}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{22,255}\b/g,
  /(?<![A-Za-z0-9_-])glpat-[A-Za-z0-9_-]{20,2000}/g,
  /(?<![A-Za-z0-9_-])xox[abeprs]-[A-Za-z0-9-]{10,2000}/g,
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,2000}\b/g,
  /(?<![A-Za-z0-9_-])sk-(?:ant-|proj-|or-v1-)?[A-Za-z0-9_-]{20,2000}/g,
  /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g,
  /(?<![A-Za-z0-9_-])ya29\.[A-Za-z0-9_-]{20,2000}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /(?<![A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{50,2000}/g,
  /\bhf_[A-Za-z0-9]{30,2000}\b/g,
  /(?<![A-Za-z0-9_-])SG\.[A-Za-z0-9_-]{16,2000}\.[A-Za-z0-9_-]{16,2000}/g,
  /\bdop_v1_[a-f0-9]{64}\b/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{50,2000}\b/g,
  /\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,8000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,8000}/g,
  /\bhooks\.slack\.com\/services\/T[A-Z0-9]{1,40}\/B[A-Z0-9]{1,40}\/[A-Za-z0-9]{20,2000}/g,
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
]
/** The scheme before `://`, and user and password behind it. */
const SCHEME = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}$/i
const USER_PASSWORD = /^[^\s:/@'"<>]{0,200}:([^\s:/@'"<>]{4,1000})@/
const BEARER = /\b(?:Bearer|Basic)\s+([A-Za-z0-9+/_.~-]{20,8000}=*)/g
/** Names that end in what the word says: `DB_PASSWORD`, `apiKey`, `x-api-key`, `client_secret`, `pwd`, `smtpPass`. */
const NAME = String.raw`(?:passw(?:or)?d|passphrase|passcode|(?<![A-Za-z])(?:pwd|pass|psk)(?![A-Za-z])|(?<=[a-z])(?:Pwd|Pass)(?![a-z])|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|auth[_-]?key|credential|(?:x|my|client|app|user|service)-(?:[a-z]{1,20}-){0,2}(?:key|auth))[\w.-]{0,80}`
const VALUE =
  String.raw`(?:"([^"\n]{6,2000})"|'([^'\n]{6,2000})'|` +
  '`([^`\\n$]{6,2000})`' +
  String.raw`|([^\s"'` +
  '`' +
  String.raw`,;(){}[\]<>]{8,2000}))`
const NAMED = new RegExp(String.raw`(${NAME})["']?\s*(?:=>|:=|\?=|=|:|",\s*(?=["'])|',\s*(?=["']))\s*${VALUE}`, 'gi')
/** `<password>…</password>`, `<add key="password" value="…">`, `<property name="password">…</property>`. */
const ELEMENT = new RegExp(
  String.raw`<((?:[\w.-]{1,40}:)?[\w.-]{0,60}?${NAME})(?:\s[^<>]{0,200})?>\s*([^<>\s][^<>\n]{2,2000}?)\s*</`,
  'gi',
)
const ATTRIBUTE = new RegExp(
  String.raw`<[\w.:-]{1,60}\s[^<>]{0,200}?(?:name|key|id)\s*=\s*["']([\w.:-]{0,60}${NAME})["'][^<>]{0,200}?(?:\bvalue\s*=\s*["']([^"'<>\n]{6,2000})["']|>\s*([^<>\s][^<>\n]{4,2000}?)\s*</)`,
  'gi',
)
const QUICK_ELEMENT = /<\/?[\w.:-]{1,60}/

/**
 * Whether a value given to a secret name is a real one, and not code, words or a stand-in. `quoted`: it is a literal, so that it may
 * be of fewer kinds of characters.
 */
export function isSecretValue(value: string, name = '', quoted = false): boolean {
  if (value.length < 6 || isStandIn(value) || /\s/.test(value)) return false
  // An identifier, a member access or a path is code, not a value.
  if (/^[A-Za-z_$][\w$]*(?:[.?!/][A-Za-z_$][\w$]*)*$/.test(value) && !/\d/.test(value)) return false
  const digits = /\d/.test(value)
  const letters = /[A-Za-z]/.test(value)
  if (digits && letters && value.length >= 8)
    return entropy(value) >= 2.8 && !isCode(value) && (quoted || !IDENTIFIER.test(value))
  if (!quoted || !PASSWORD_NAME.test(name)) return false
  // Of a password also figures, and words with signs between them that no name has.
  if (/^\d+$/.test(value)) return new Set(value).size >= 4 && !'01234567890'.includes(value)
  return value.length >= 8 && letters && /[!@#%^&*+?~$]/.test(value) && !isCode(value)
}

/** Words with one figure or two among them, as variables and types are called: `EMPTY_INT32_ARRAY`, `Base64URLString`. */
const IDENTIFIER = /^(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}|_)+\$?\d{1,2}(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}|_)*$/
const PASSWORD_NAME = /passw(?:or)?d|passphrase|passcode|pwd|pass$|secret$|pin$/i

/** Paths, addresses, expressions and templates that have figures in them. */
function isCode(value: string): boolean {
  return (
    /^(?:[a-z][a-z0-9+.-]*:\/\/|[.~]{0,2}\/|@[\w-]+\/|#|\.)|[({[]|\$\{|=>|&&|\|\||::|^[\w$]+(?:\.[\w$]+)+$|^\d{1,6}\/[a-z]+$|^[a-z]+(?:[-_.][a-z]+)*[-_.]?v?\d{1,2}$|%[sd]|\\[ux]|^\^|\/[gimsuy]*$/i.test(
      value,
    ) || /^[A-Za-z]+(?:[_-]?[A-Za-z]+)*\d{1,2}$/.test(value)
  )
}

/** Ranges of tokens whose format says what they are. */
export function findTokens(text: string): SecretRange[] {
  const found: SecretRange[] = []
  for (const pattern of TOKENS) {
    for (const match of text.matchAll(pattern)) found.push({ start: match.index, end: match.index + match[0].length })
  }
  return found
}

/** Ranges of a text that look like secrets, ascending, not overlapping. */
export function findSecrets(text: string): SecretRange[] {
  const found = findTokens(text)
  for (const match of text.matchAll(BEARER)) {
    const start = match.index + match[0].lastIndexOf(match[1]!)
    if (!isStandIn(match[1]!)) found.push({ start, end: start + match[1]!.length })
  }
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const match = USER_PASSWORD.exec(text.slice(at + 3, at + 1_300))
    if (match === null || !SCHEME.test(text.slice(Math.max(0, at - 32), at))) continue
    const [whole, password] = match
    const end = at + 3 + whole.length - 1
    if (!isStandIn(password!) && !/^pass(?:word|wd)?$|^pw$|^[$%{]/i.test(password!))
      found.push({ start: end - password!.length, end })
  }
  const take = (match: RegExpMatchArray, value: string, quoted: boolean): void => {
    const start = match.index! + match[0].lastIndexOf(value)
    if (isSecretValue(value, match[1], quoted)) found.push({ start, end: start + value.length })
  }
  for (const match of text.matchAll(NAMED)) {
    const literal = match[2] ?? match[3] ?? match[4]
    // A comma may as well stand between two entries of a list.
    take(
      match,
      literal ?? match[5]!,
      literal !== undefined &&
        !match[0].slice(match[1]!.length).startsWith("',", 0) &&
        !match[0].slice(match[1]!.length).startsWith('",', 0),
    )
  }
  if (QUICK_ELEMENT.test(text)) {
    for (const match of text.matchAll(ELEMENT)) take(match, match[2]!, true)
    for (const match of text.matchAll(ATTRIBUTE)) take(match, match[2] ?? match[3]!, true)
  }
  return merged(found)
}

function merged(ranges: SecretRange[]): SecretRange[] {
  const result: SecretRange[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end)
    else result.push({ ...range })
  }
  return result
}
