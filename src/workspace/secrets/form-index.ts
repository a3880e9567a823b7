// Finds any of many texts in one pass (Wu and Manber's algorithm): a table says for each three characters how far the next form can begin
// behind them, so that most of a text is skipped. Time grows with the text and not with the number of forms.
import type { SecretRange } from './secret-patterns.ts'

const TABLE_BITS = 19
/** Characters that are looked up at once. */
const BLOCK = 3
const MULTIPLIER = 0x9e_37_79_b1

export class FormIndex {
  readonly #known = new Set<string>()
  /** No form is shorter: it bounds how far can be skipped. */
  readonly #shortest: number
  /** By hash of a block: characters to its next place at which a form may end its first `shortest`. */
  readonly #skip: Uint8Array
  /** Forms by their first `shortest` characters, the longest first. */
  readonly #byStart = new Map<string, string[]>()

  constructor(shortest: number) {
    this.#shortest = shortest
    this.#skip = new Uint8Array(1 << TABLE_BITS).fill(shortest - BLOCK + 1)
  }

  get size(): number {
    return this.#known.size
  }

  add(form: string): void {
    if (form.length < this.#shortest || this.#known.has(form)) return
    this.#known.add(form)
    const last = this.#shortest - BLOCK
    for (let at = 0; at <= last; at++) {
      const hash = hashAt(form, at)
      this.#skip[hash] = Math.min(this.#skip[hash]!, last - at)
    }
    const start = form.slice(0, this.#shortest)
    const others = this.#byStart.get(start)
    if (others === undefined) this.#byStart.set(start, [form])
    else others.splice(placeFor(others, form), 0, form)
  }

  /** Where forms stand, ascending by start, the longest at each start; ranges may overlap. */
  find(text: string): SecretRange[] {
    const found: SecretRange[] = []
    if (this.#known.size === 0) return found
    const skip = this.#skip
    const last = this.#shortest - BLOCK
    for (let at = last, end = text.length - BLOCK; at <= end;) {
      const far = skip[hashAt(text, at)]!
      if (far > 0) {
        at += far
        continue
      }
      const start = at - last
      const form = this.#byStart
        .get(text.slice(start, start + this.#shortest))
        ?.find((each) => text.startsWith(each, start))
      if (form !== undefined) found.push({ start, end: start + form.length })
      at += 1
    }
    return found
  }

  /**
   * Start of the longest end of a text that may be the beginning of a form; the text's length when there is none. What stands before
   * can be shown although more text is to come. Beginnings shorter than the shortest form are not seen.
   */
  openFrom(text: string): number {
    const skip = this.#skip
    const last = this.#shortest - BLOCK
    for (let at = last, end = text.length - BLOCK; at <= end;) {
      const far = skip[hashAt(text, at)]!
      if (far > 0) {
        at += far
        continue
      }
      const start = at - last
      const rest = text.length - start
      const forms = this.#byStart.get(text.slice(start, start + this.#shortest))
      if (forms?.some((form) => form.length > rest && form.startsWith(text.slice(start)))) return start
      at += 1
    }
    return text.length
  }
}

function placeFor(longestFirst: readonly string[], form: string): number {
  const at = longestFirst.findIndex((each) => each.length < form.length)
  return at < 0 ? longestFirst.length : at
}

function hashAt(text: string, at: number): number {
  const block = text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 7) ^ (text.charCodeAt(at + 2) << 14)
  return Math.imul(block, MULTIPLIER) >>> (32 - TABLE_BITS)
}
