// A filter over the three-byte runs of a file: tells for most files that a text cannot stand in them, without reading them.
// It never denies a text that is there. Letters are folded to lower case (ASCII), so that it serves both kinds of search.

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

/** One pass over valid UTF-8: line starts and the filter. The arrays are reused by the next call. */
export function scanBytes(bytes: Uint8Array): Scanned {
  const words = gramWords(bytes.length)
  const filter = new Int32Array(words)
  const shift = 32 - Math.log2(words * 32)
  if (lineStarts.length < 16) lineStarts = new Int32Array(1 << 12)
  lineStarts[0] = 0
  let lines = 1
  // Bytes that do not begin a UTF-16 unit (continuations), less those that begin two (four-byte characters).
  let extra = 0
  let gram = 0
  const { length } = bytes
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!
    gram = ((gram << 8) | FOLD[byte]!) & 0xffffff
    const hash = Math.imul(gram, HASH) >>> shift
    filter[hash >>> 5]! |= 1 << (hash & 31)
    if (byte === 10) {
      if (lines === lineStarts.length) {
        const larger = new Int32Array(lines * 2)
        larger.set(lineStarts)
        lineStarts = larger
      }
      lineStarts[lines++] = i + 1 - extra
    } else if (byte >= 0x80) {
      if (byte < 0xc0) extra++
      else if (byte >= 0xf0) extra--
    }
  }
  return { lineStarts, lines, filter }
}

/** Hashes of the three-byte runs of a literal, to be tested with `mayHold`; empty when it is shorter than three bytes. */
export function gramsOf(literal: Uint8Array): Int32Array {
  const grams: number[] = []
  for (let i = 2; i < literal.length; i++)
    grams.push(Math.imul((FOLD[literal[i - 2]!]! << 16) | (FOLD[literal[i - 1]!]! << 8) | FOLD[literal[i]!]!, HASH))
  return Int32Array.from(grams)
}

/** Whether a file with the filter `facts[start, end)` may hold all the grams. */
export function mayHold(facts: Int32Array, start: number, end: number, grams: Int32Array): boolean {
  const shift = 32 - Math.log2((end - start) * 32)
  for (let i = 0; i < grams.length; i++) {
    const hash = grams[i]! >>> shift
    if ((facts[start + (hash >>> 5)]! & (1 << (hash & 31))) === 0) return false
  }
  return true
}
