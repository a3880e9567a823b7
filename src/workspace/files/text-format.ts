import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'

/** How the bytes of a text file are laid out beyond its characters. */
export interface TextFormat {
  /** Starts with the UTF-8 byte order mark; `text` never contains it. */
  bom: boolean
  /** The line ends in use; `none` for a text of one line without an end. */
  eol: 'lf' | 'crlf' | 'mixed' | 'none'
  finalNewline: boolean
  /** Permission bits, 0o000 to 0o7777. */
  mode: number
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
// git's own rule of thumb: a NUL in the first 8,000 bytes makes a file binary (buffer_is_binary).
const BINARY_PROBE_BYTES = 8000

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Why bytes are not text: `binary`, or not UTF-8; null for text. */
export function whyNotText(bytes: Buffer): string | null {
  if (bytes.length >= 2 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))) {
    return 'is UTF-16 text; only UTF-8 can be read and edited (convert it with iconv)'
  }
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return 'is a binary file'
  if (!isUtf8(bytes)) return 'is not UTF-8 text (convert it with iconv to read or edit it)'
  return null
}

/** The text of UTF-8 bytes with line ends as they are, without the byte order mark. */
export function decodeText(bytes: Buffer, mode: number): { text: string; format: TextFormat } {
  const bom = bytes.subarray(0, 3).equals(BOM)
  const text = bytes.toString('utf8', bom ? 3 : 0)
  return { text, format: { bom, eol: lineEndsOf(text), finalNewline: text.endsWith('\n'), mode } }
}

/** The bytes of a text; with `bom` behind one byte order mark, also when the text has one that was copied along. */
export function encodeText(text: string, bom: boolean): Buffer {
  const bytes = Buffer.from(bom && text.startsWith('\uFEFF') ? text.slice(1) : text, 'utf8')
  return bom ? Buffer.concat([BOM, bytes]) : bytes
}

export function lineEndsOf(text: string): TextFormat['eol'] {
  let crlf = 0
  let lf = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === 13) crlf += 1
    else lf += 1
  }
  if (crlf === 0 && lf === 0) return 'none'
  if (crlf === 0) return 'lf'
  return lf === 0 ? 'crlf' : 'mixed'
}
