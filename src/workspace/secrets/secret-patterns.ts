// What looks like a secret in any text: token formats of services, private keys, passwords in addresses, and values
// given to a name that says so. Finds ranges; does not decide what becomes of them.

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
const URL_PASSWORD = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@'"]{0,200}:([^\s:/@'"]{3,1000})@/gi
const BEARER = /\b(?:Bearer|Basic)\s+([A-Za-z0-9+/_.~-]{20,8000}=*)/g
const NAMED =
  /((?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|auth[_-]?key|credential)[\w.-]{0,80})["']?\s*(?:=>|:=|=|:)\s*(?:"([^"\n]{8,2000})"|'([^'\n]{8,2000})'|`([^`\n$]{8,2000})`|([^\s"'`,;(){}[\]<>]{8,2000}))/gi

const SECRET_NAME =
  /passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|credential|auth$|_key$|^key$|dsn$/i
const STAND_IN =
  /⟦secret:|^(?:\$|%|<|\{|\*+$|x{3,}|\.{3,})|example|changeme|change_me|placeholder|your[_-]|dummy|redacted|process\.env|secrets\.|import\.meta/i

/** Whether a variable's name says that its value is secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Whether a value given to a secret name is a real one, and not code, words or a stand-in. */
export function isSecretValue(value: string): boolean {
  if (value.length < 8 || STAND_IN.test(value) || /\s/.test(value)) return false
  // An identifier, a member access or a path is code, not a value.
  if (/^[A-Za-z_$][\w$]*(?:[.?!/][A-Za-z_$][\w$]*)*$/.test(value) && !/\d/.test(value)) return false
  return /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value) >= 2.8
}

/** Bits per character (Shannon). */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Ranges of a text that look like secrets, ascending, not overlapping. */
export function findSecrets(text: string): SecretRange[] {
  const found: SecretRange[] = []
  for (const pattern of TOKENS) {
    for (const match of text.matchAll(pattern)) found.push({ start: match.index, end: match.index + match[0].length })
  }
  for (const pattern of [URL_PASSWORD, BEARER]) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index + match[0].lastIndexOf(match[1]!)
      if (!STAND_IN.test(match[1]!) && match[1] !== 'password') found.push({ start, end: start + match[1]!.length })
    }
  }
  for (const match of text.matchAll(NAMED)) {
    const value = match[2] ?? match[3] ?? match[4] ?? match[5]!
    const start = match.index + match[0].lastIndexOf(value)
    if (isSecretValue(value)) found.push({ start, end: start + value.length })
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
