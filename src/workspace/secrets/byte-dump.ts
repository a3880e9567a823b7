// Texts that show bytes as numbers: hexdump, xxd, od, lists of character codes. What they say is searched as text; a line that tells
// a part of a secret is hidden whole.
import type { SecretRange } from './secret-patterns.ts'

/** Where a line has numbers only, with what stands between and around them. */
const NUMBERS = /[\s,:;\\x0-9a-f]+/gi
/** `od -c`: characters in columns of four, named escapes. */
const CHARACTERS = /^[0-7]{7}((?: {3}[!-~]| {2}\\[nrt0abfv\\]| {4}| [0-3][0-7]{2})+)$/
/** `od -c` is told by its offsets. */
const OFFSET = /^[0-7]{7} {3}/m
/** So many numbers in a row may be a dump. */
const MOST_NUMBERS = 3
/** Numbers in a row that are looked at, with what stands between them. Characters. */
const SHORTEST_ROW = 2
/** Dumps have short lines; a bundle of one line is none. Characters. */
const LONGEST_LINE = 65_536

interface DumpLine {
  start: number
  end: number
  /** The bytes in each reading, as latin1 text. */
  readings: string[]
}

/** Lines whose bytes, read on over neighbouring lines, hold something `find` finds. */
export function findInDumps(text: string, find: (decoded: string) => SecretRange[]): SecretRange[] {
  if (!hasNumbers(text) && !OFFSET.test(text)) return []
  const found: SecretRange[] = []
  let block: DumpLine[] = []
  const close = (): void => {
    if (block.length > 0) found.push(...inBlock(block, find))
    block = []
  }
  let start = 0
  while (start < text.length) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const readings = end - start > LONGEST_LINE ? [] : readingsOf(text.slice(start, end).replace(/\r$/, ''))
    if (readings.length > 0) block.push({ start, end, readings })
    else close()
    start = end + 1
  }
  close()
  return found
}

const DIGIT = 1
/** White space, comma, colon, backslash, and the x of 0x41 and \x41. */
const BETWEEN = 2
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[0-9a-f]/i.test(character) ? DIGIT : /[\s,:\\x]/.test(character) ? BETWEEN : 0
})

/** Whether three numbers of 2 to 7 hexadecimal digits follow one another; most texts are done here. */
function hasNumbers(text: string): boolean {
  let digits = 0
  let numbers = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = code < 128 ? KINDS[code] : 0
    if (kind === DIGIT) {
      digits += 1
      continue
    }
    if (kind === 0 || digits > 7) numbers = 0
    else if (digits >= 2 && ++numbers >= MOST_NUMBERS) return true
    digits = 0
  }
  return digits >= 2 && numbers >= MOST_NUMBERS - 1
}

function inBlock(block: readonly DumpLine[], find: (decoded: string) => SecretRange[]): SecretRange[] {
  const kinds = Math.max(...block.map(({ readings }) => readings.length))
  const found: SecretRange[] = []
  for (let kind = 0; kind < kinds; kind++) {
    const parts = block.map(({ readings }) => readings[kind] ?? '')
    const hits = find(parts.join(''))
    let at = 0
    for (const [line, part] of parts.entries()) {
      const from = at
      at += part.length
      if (hits.some(({ start, end }) => start < at && end > from)) {
        const { start, end } = block[line]!
        found.push({ start, end })
      }
    }
  }
  return found
}

function readingsOf(line: string): string[] {
  const shown = CHARACTERS.exec(line)?.[1]
  if (shown !== undefined) {
    const units = shown.match(/.{4}/g) ?? []
    return [
      units
        .map((unit) => unit.trim() || ' ')
        .map((unit) => (unit.length > 1 ? '\n' : unit))
        .join(''),
    ]
  }
  const bare = line
    .replace(/\s*\|[^|]*\|\s*$/, '')
    .replace(/^([0-9a-f]{6,8}:(?:[ \t][0-9a-f]{2,8})+)[ \t]{2,}.*$/i, '$1')
    .replace(/^\s*[0-9a-f]{6,16}(?::|(?=[ \t]))/i, '')
  let row = ''
  for (const [each] of bare.matchAll(NUMBERS)) if (each.length > row.length) row = each
  if (row.trim().length < SHORTEST_ROW) return []
  const tokens = row.replaceAll(/\\x|0x/gi, ' ').match(/[0-9a-f]+/gi) ?? []
  if (tokens.length === 0) return []
  const readings: string[] = []
  if (tokens.every((token) => /^[0-9a-f]{2}(?:[0-9a-f]{2})?$/i.test(token))) {
    readings.push(Buffer.from(tokens.join(''), 'hex').toString('latin1'))
    const swapped = tokens.map((token) => (token.length === 4 ? token.slice(2) + token.slice(0, 2) : token)).join('')
    readings.push(Buffer.from(swapped, 'hex').toString('latin1'))
  } else readings.push('', '')
  if (tokens.every((token) => /^\d{1,3}$/.test(token))) {
    readings.push(
      String.fromCharCode(...tokens.map(Number)),
      String.fromCharCode(...tokens.map((token) => parseInt(token, 8) & 255)),
    )
  } else if (tokens.every((token) => /^[0-7]{6}$/.test(token))) {
    const words = tokens.map((token) => parseInt(token, 8))
    readings.push('', String.fromCharCode(...words.flatMap((word) => [word & 255, (word >> 8) & 255])))
  }
  return readings.every((reading) => reading === '') ? [] : readings
}
