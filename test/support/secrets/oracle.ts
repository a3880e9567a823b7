// Looks for planted values in bytes, without a look at the mask: it decodes all that could be decoded and searches what comes out.
import type { Planted } from './planted.ts'

/** Bytes as text, and everything they say when read in the usual encodings. */
function* readings(bytes: Buffer): Generator<string> {
  const plain = bytes.toString('utf8')
  const texts = new Set([plain, unescaped(plain), unescaped(unescaped(plain))])
  for (const each of texts) {
    yield each
    yield percentDecoded(each)
    yield percentDecoded(each.replaceAll('+', ' '))
    yield each.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
    const bare = each.replaceAll(/\s+/g, '')
    yield bare
    yield Array.from(each).toReversed().join('')
    for (const [run] of bare.matchAll(/[A-Za-z0-9+/_-]{12,}/g)) {
      for (const from of [0, 1, 2, 3]) yield Buffer.from(run.slice(from), 'base64').toString('utf8')
    }
    for (const [run] of bare.matchAll(/[0-9a-f]{16,}/gi)) {
      for (const from of [0, 1]) yield Buffer.from(run.slice(from), 'hex').toString('utf8')
    }
  }
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|(["\\/bfnrt]))/gi, (_, code?: string, one?: string) =>
    code === undefined
      ? ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }[one!] ?? one!)
      : String.fromCharCode(parseInt(code, 16)),
  )
}

function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (coded) =>
    Buffer.from(coded.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}

/** The secrets that can be read out of the bytes, each with what stands around it. */
export function search(bytes: Buffer, secrets: readonly Planted[]): { secret: Planted; around: string }[] {
  const found = new Map<Planted, string>()
  for (const text of readings(bytes)) {
    for (const secret of secrets) {
      if (found.has(secret)) continue
      const at = placeOf(text, secret)
      if (at >= 0) found.set(secret, text.slice(Math.max(0, at - 80), at + 60))
    }
  }
  return [...found].map(([secret, around]) => ({ secret, around }))
}

function placeOf(text: string, { value, name, weak, form }: Planted): number {
  if (weak)
    return text.search(new RegExp(`${name}["']?\\s*[=:]+\\s*["']?${value}(?!\\d)|(?:^|\\n)\\s*${value}\\s*(?:\\n|$)`))
  // Of a value of several lines each line is one.
  const parts = form === 'multi-line' ? value.split('\n').filter((line) => !line.startsWith('-----')) : [value]
  for (const part of [...parts, value.replaceAll('&', '&amp;'), encodeURIComponent(value)]) {
    const at = text.indexOf(part)
    if (at >= 0) return at
  }
  return -1
}
