// The forms in which a program may show a value: escaped, encoded, reversed. Cheap ones only; what encrypts or compresses is
// the sandbox's part.

/** Shorter encoded texts would turn up in innocent ones. */
const SHORTEST_FORM = 8

/** All forms of a value but itself, without repeats. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8')
  const wide = Buffer.from(value, 'utf16le')
  const hex = bytes.toString('hex')
  const json = JSON.stringify(value).slice(1, -1)
  const url = encodeURIComponent(value)
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const each = (write: (byte: string) => string): string => (hex.match(/../g) ?? []).map(write).join('')
  const forms = [
    ...lines(value),
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    asciiJson(json),
    value.replaceAll("'", "''"),
    value.replaceAll("'", String.raw`'\''`),
    value.replaceAll("'", `'"'"'`),
    value.replaceAll("'", String.raw`\'`),
    value.replaceAll(/[^\w@%+=:,./-]/g, String.raw`\$&`),
    value.replaceAll(/(["\\$`])/g, String.raw`\$1`),
    url,
    url.replaceAll('%20', '+'),
    url.replaceAll(/%../g, (part) => part.toLowerCase()),
    // encodeURIComponent leaves these as they are, other programs do not.
    url.replaceAll(/[!'()*~.-]/g, percent),
    url.replaceAll(/[!'()*]/g, percent),
    url.replaceAll('%20', '+').replaceAll(/[!'()*~]/g, percent),
    url.replaceAll('%2F', '/'),
    url.replaceAll('%40', '@').replaceAll('%3A', ':').replaceAll('%2F', '/'),
    encodeURIComponent(url),
    each((byte) => `%${byte}`),
    each((byte) => `%${byte.toUpperCase()}`),
    each((byte) => `\\x${byte}`),
    each((byte) => `\\u00${byte}`),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#x27;'),
    html.replaceAll('"', '&quot;').replaceAll("'", '&apos;'),
    html.replaceAll('"', '&quot;'),
    html,
    hex,
    hex.toUpperCase(),
    Array.from(value).toReversed().join(''),
    value.replaceAll(/[a-z]/gi, (letter) => {
      const code = letter.charCodeAt(0)
      const base = code < 97 ? 65 : 97
      return String.fromCharCode(((code - base + 13) % 26) + base)
    }),
    value.toUpperCase(),
    value.toLowerCase(),
    wide.toString('hex'),
    ...base64Forms(bytes),
    ...base64Forms(wide),
    ...base32Forms(bytes),
  ]
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_FORM && form !== value)
}

/** A value of several lines as other systems end them, and on one line. */
function lines(value: string): string[] {
  if (!value.includes('\n')) return []
  const unix = value.replaceAll('\r\n', '\n')
  return [unix, unix.replaceAll('\n', '\r\n'), unix.replaceAll('\n', '')]
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function asciiJson(json: string): string {
  return json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Inside base64 at each of the three alignments, in both alphabets. */
function base64Forms(bytes: Buffer): string[] {
  // The characters at either end depend on the neighbours: only those whose six bits are all of the value count.
  const aligned = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  })
  return aligned.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Inside base32 (RFC 4648) at each of the five alignments. */
function base32Forms(bytes: Buffer): string[] {
  return [0, 1, 2, 3, 4].map((offset) => {
    let bits = 0
    let count = 0
    let text = ''
    for (const byte of Buffer.concat([Buffer.alloc(offset), bytes])) {
      bits = ((bits << 8) | byte) & 0xfff
      for (count += 8; count >= 5; count -= 5) text += BASE32[(bits >> (count - 5)) & 31]
    }
    return text.slice(Math.ceil((offset * 8) / 5))
  })
}
