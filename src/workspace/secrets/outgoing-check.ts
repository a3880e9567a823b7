// Whether what is to leave holds a known secret. Stricter than the mask: without case (a name server folds it), percent-decoded, and
// with what separates or quotes left out, for whoever sends a secret on purpose splits it.

/** Characters that a host, a path or a shell can put into a value without losing it. */
const SEPARATORS = /[^\p{L}\p{N}]+/gu
const SHORTEST_SPLIT = 8
const MOST_DECODINGS = 3

export class OutgoingCheck {
  readonly #folded = new Set<string>()
  readonly #split = new Set<string>()

  add(value: string, forms: readonly string[]): void {
    for (const form of [value, ...forms]) {
      this.#folded.add(form.toLowerCase())
      const split = splitOf(form)
      if (split.length >= SHORTEST_SPLIT) this.#split.add(split)
    }
  }

  holds(text: string): boolean {
    for (const reading of readingsOf(text)) {
      const folded = reading.toLowerCase()
      for (const form of this.#folded) if (folded.includes(form)) return true
      const split = splitOf(reading)
      for (const form of this.#split) if (split.includes(form)) return true
    }
    return false
  }
}

function splitOf(text: string): string {
  return text.toLowerCase().replaceAll(SEPARATORS, '')
}

/** The text, and what it says when percent signs, plus signs and entities are decoded. */
function* readingsOf(text: string): Generator<string> {
  let reading = text
  for (let round = 0; round < MOST_DECODINGS; round++) {
    yield reading
    const next = reading.replaceAll(/(?:%[0-9a-f]{2})+/gi, (coded) => {
      try {
        return decodeURIComponent(coded)
      } catch {
        return Buffer.from(coded.replaceAll('%', ''), 'hex').toString('latin1')
      }
    })
    if (next === reading) break
    reading = next
  }
  if (reading.includes('+')) yield reading.replaceAll('+', ' ')
}
