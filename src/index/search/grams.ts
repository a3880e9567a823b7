// A filter over the three-byte runs of a file: tells for most files that a text cannot stand in them, without reading them.
// It never denies a text that is there. Letters are folded to lower case (ASCII), so that it serves both kinds of search.
import { isAscii } from 'node:buffer'

/** A filter has at least this many bits per byte of its file and less than twice as many, between the bounds below. */
const BITS_PER_BYTE = 0.5
const MIN_WORDS = 4
/** 64 KiB: a larger file is nearly always a candidate anyway. */
const MAX_WORDS = 1 << 14
/** Multiplier of the hash (2^32 / golden ratio, Knuth): the top bits of the product are used. */
const HASH = 0x9e3779b1

/** Words of the filter of a file of `size` bytes. */
export function gramWords(size: number): number {
  let words = MIN_WORDS
  while (words < MAX_WORDS && words * 32 < size * BITS_PER_BYTE) words *= 2
  return words
}

const NEWLINE = 10
/** Three spaces stand in every file and tell nothing: they are left out of filters and of what is asked of them. */
const BLANK = 0x202020
const FOLD = new Uint8Array(256)
for (let i = 0; i < 256; i++) FOLD[i] = i >= 65 && i <= 90 ? i + 32 : i

/** What one pass over a file's bytes finds. */
export interface Scanned {
  /** Offsets of the first character of each line, in UTF-16 units; `lines` of them count. */
  lineStarts: Int32Array
  lines: number
  filter: Int32Array
}

let lineStarts = new Int32Array(1 << 12)

/** Line starts and the filter of valid UTF-8. The array of lines is reused by the next call. */
export function scanBytes(bytes: Uint8Array): Scanned {
  const filter = filterOf(bytes)
  const lines = isAscii(bytes) ? findLines(bytes) : countLines(bytes)
  return { lineStarts, lines, filter }
}

function filterOf(bytes: Uint8Array): Int32Array {
  const words = gramWords(bytes.length)
  const filter = new Int32Array(words)
  const shift = 32 - Math.log2(words * 32)
  const { length } = bytes
  let gram = 0
  for (let i = 0; i < length; i++) {
    gram = ((gram << 8) | FOLD[bytes[i]!]!) & 0xffffff
    if (gram === BLANK) continue
    const hash = Math.imul(gram, HASH) >>> shift
    filter[hash >>> 5]! |= 1 << hash
  }
  return filter
}

/** Lines of ASCII, where a byte is a unit: twice as fast as looking at each byte. */
function findLines(bytes: Uint8Array): number {
  lineStarts[0] = 0
  let lines = 1
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (lines === lineStarts.length) grow()
    lineStarts[lines++] = at + 1
  }
  return lines
}

function countLines(bytes: Uint8Array): number {
  lineStarts[0] = 0
  let lines = 1
  // Bytes that do not begin a UTF-16 unit (continuations), less those that begin two (four-byte characters).
  let extra = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === NEWLINE) {
      if (lines === lineStarts.length) grow()
      lineStarts[lines++] = i + 1 - extra
    } else if (byte >= 0x80) {
      if (byte < 0xc0) extra++
      else if (byte >= 0xf0) extra--
    }
  }
  return lines
}

function grow(): void {
  const larger = new Int32Array(lineStarts.length * 2)
  larger.set(lineStarts)
  lineStarts = larger
}

/** Hashes of the three-byte runs of a literal, to be tested with `mayHold`; empty when it is shorter than three bytes. */
export function gramsOf(literal: Uint8Array): Int32Array {
  const grams: number[] = []
  for (let i = 2; i < literal.length; i++) {
    const gram = (FOLD[literal[i - 2]!]! << 16) | (FOLD[literal[i - 1]!]! << 8) | FOLD[literal[i]!]!
    if (gram !== BLANK) grams.push(Math.imul(gram, HASH))
  }
  return Int32Array.from(grams)
}

/** Whether a file with the filter `facts[start, end)` may hold all the grams. */
export function mayHold(facts: Int32Array, start: number, end: number, grams: Int32Array): boolean {
  // A power of two: 32 less its logarithm.
  const shift = Math.clz32((end - start) * 32) + 1
  for (let i = 0; i < grams.length; i++) {
    const hash = grams[i]! >>> shift
    if ((facts[start + (hash >>> 5)]! & (1 << (hash & 31))) === 0) return false
  }
  return true
}
