// A declaration on one line, as answers and the map show it: no body, no comments, no value that goes on for lines.
import { KIND } from './kinds.ts'

const VALUES = new Set<number>([KIND.constant, KIND.variable, KIND.property, KIND.key])
/** A comment inside a declaration; what begins like one within a text (`'**' + '/*.ts'`) follows another sign. */
const BLOCK_COMMENT = /(^|[\s([{,;|&<=:])\/\*[^]*?(?:\*\/|$)/g
const LINE_COMMENT = /(^|\s)\/\/[^\n]*/g

/** The declaration at `start` up to its body, white space collapsed, at most `most` characters. Offsets are of `text`. */
export function signatureText(
  text: string,
  { start, bodyStart, kind }: { start: number; bodyStart: number; kind: number },
  most: number,
): string {
  const raw = text.slice(start, Math.min(bodyStart, start + most * 4))
  const flat = (VALUES.has(kind) ? valueLine(raw) : withoutComments(raw))
    .replace(/\s+/g, ' ')
    .replace(/= \| /, '= ')
    .replace(/(?:\s*(?:=>|=|\{|:))*\s*$/, '')
    .replace(/[;,]$/, '')
  if (bodyStart > start + most * 4 && flat.length <= most) return `${flat} …`
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat
}

function withoutComments(raw: string): string {
  return /\/[/*]/.test(raw) ? raw.replace(BLOCK_COMMENT, '$1').replace(LINE_COMMENT, '$1') : raw
}

/** The first line; of a value that goes on behind it only what it is called. */
function valueLine(raw: string): string {
  const [first = '', ...more] = raw.trimEnd().split('\n')
  return more.length > 0 ? first.replace(/\s=\s[^>]*$/, '') : first
}
