/**
 * Watches JSON text come in pieces and knows when one object is whole, without parsing it again and again. Strings in
 * single quotes count as strings: small models write them, and a brace in one ends nothing.
 */
export class JsonExtent {
  #depth = 0
  /** The quote that ends the string; 0 outside of one. */
  #quote = 0
  #escaped = false
  #begun = false

  /** Nothing but white space so far. */
  get empty(): boolean {
    return !this.#begun
  }

  /** One object or list has been opened and closed. */
  get whole(): boolean {
    return this.#begun && this.#depth === 0 && this.#quote === 0
  }

  feed(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i)
      if (this.#quote !== 0) {
        if (this.#escaped) this.#escaped = false
        else if (c === 0x5c) this.#escaped = true
        else if (c === this.#quote) this.#quote = 0
        continue
      }
      if (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) continue
      this.#begun = true
      if (c === 0x22 || c === 0x27) this.#quote = c
      else if (c === 0x7b || c === 0x5b) this.#depth++
      else if (c === 0x7d || c === 0x5d) this.#depth--
    }
  }
}
