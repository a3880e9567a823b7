// Finds any of many texts in one pass: a table of hashes of their first characters says where one may begin. Time grows with the
// text and not with the number of forms; a form costs its own length and one entry.
import type { SecretRange } from './secret-patterns.ts'

/** Characters that are hashed: no form may be shorter. */
const SHORTEST_INDEXED = 6
const TABLE_BITS = 20
const MULTIPLIER = 0x01_00_01_93

export class FormIndex {
  readonly #known = new Set<string>()
  /** One byte for each hash. */
  readonly #table = new Uint8Array(1 << TABLE_BITS)
  readonly #byHash = new Map<number, string[]>()

  get size(): number {
    return this.#known.size
  }

  add(form: string): void {
    if (form.length < SHORTEST_INDEXED || this.#known.has(form)) return
    this.#known.add(form)
    const hash = hashAt(form, 0)
    this.#table[hash] = 1
    const others = this.#byHash.get(hash)
    if (others === undefined) this.#byHash.set(hash, [form])
    else others.splice(placeFor(others, form), 0, form)
  }

  /** Where forms stand, ascending by start, the longest at each start; ranges may overlap. */
  find(text: string): SecretRange[] {
    const found: SecretRange[] = []
    if (this.#known.size === 0) return found
    const table = this.#table
    for (let at = 0, last = text.length - SHORTEST_INDEXED; at <= last; at++) {
      const hash = hashAt(text, at)
      if (table[hash] === 0) continue
      const form = this.#byHash.get(hash)!.find((each) => text.startsWith(each, at))
      if (form !== undefined) found.push({ start: at, end: at + form.length })
    }
    return found
  }

  /**
   * Start of the longest end of a text that may be the beginning of a form; the text's length when there is none. What stands before
   * can be shown although more text is to come. Beginnings shorter than SHORTEST_INDEXED are not seen.
   */
  openFrom(text: string): number {
    for (let at = 0, last = text.length - SHORTEST_INDEXED; at <= last; at++) {
      const hash = hashAt(text, at)
      if (this.#table[hash] === 0) continue
      const rest = text.length - at
      if (this.#byHash.get(hash)!.some((form) => form.length > rest && form.startsWith(text.slice(at)))) return at
    }
    return text.length
  }
}

function placeFor(longestFirst: readonly string[], form: string): number {
  const at = longestFirst.findIndex((each) => each.length < form.length)
  return at < 0 ? longestFirst.length : at
}

function hashAt(text: string, at: number): number {
  let hash = text.charCodeAt(at)
  hash = Math.imul(hash, MULTIPLIER) ^ text.charCodeAt(at + 1)
  hash = Math.imul(hash, MULTIPLIER) ^ text.charCodeAt(at + 2)
  hash = Math.imul(hash, MULTIPLIER) ^ text.charCodeAt(at + 3)
  hash = Math.imul(hash, MULTIPLIER) ^ text.charCodeAt(at + 4)
  hash = Math.imul(hash, MULTIPLIER) ^ text.charCodeAt(at + 5)
  return Math.imul(hash, 0x9e_37_79_b1) >>> (32 - TABLE_BITS)
}
