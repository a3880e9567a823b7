/** A step of the scanner: it suspends (yields) when it needs text that has not arrived. */
export type Wait<T> = Generator<undefined, T, undefined>

/**
 * The text that has arrived and was not consumed. Looking ahead waits for more text, so no decision
 * depends on where a chunk ended. Consumed text is kept only while `mark` is set, as pieces joined at
 * the end: feeding is linear even for a call of a megabyte in chunks of one character.
 */
export class Reader {
  text = ''
  at = 0
  ended = false
  /**
   * Set with `ended`, as the server says: `cut` at its limit, `stopped` by the model itself. Only then is a missing
   * bracket at the very end a slip; when nobody knows, it is taken for a cut.
   */
  ending: 'cut' | 'stopped' | 'unknown' = 'unknown'
  /** Set when the last `look` went beyond the text that is there; then its result says nothing. */
  short = false
  private held = ''
  private heldFrom = -1

  push(chunk: string): void {
    if (this.heldFrom >= 0) {
      this.held += this.text.slice(this.heldFrom, this.at)
      this.heldFrom = 0
    }
    this.text = this.at < this.text.length ? this.text.slice(this.at) + chunk : chunk
    this.at = 0
  }

  /** Waits until a character can be seen. False: the text ends here. */
  *more(): Wait<boolean> {
    while (this.at >= this.text.length) {
      if (this.ended) return false
      yield undefined
    }
    return true
  }

  /**
   * The result of `look` once enough text has arrived for it. `look` may be run again and again: it must look
   * only a bounded way ahead (through `code`, `looksAt`, `spaceAhead`) and change nothing.
   */
  *settled<T>(look: () => T): Wait<T> {
    while (true) {
      this.short = false
      const result = look()
      if (!this.short) return result
      yield undefined
    }
  }

  /** As `settled`, after a `look` that was short: the next one needs more text. */
  *again<T>(look: () => T): Wait<T> {
    yield undefined
    return yield* this.settled(look)
  }

  /**
   * The result of `look` on what is there; when `short` is set afterwards it must be asked for again with `again`.
   * Most looks need no more text, and a generator for each would cost more than the look.
   */
  look<T>(look: () => T): T {
    this.short = false
    return look()
  }

  /** The character code `offset` after the current one; -1 beyond the end of what is there. */
  code(offset = 0): number {
    const index = this.at + offset
    if (index < this.text.length) return this.text.charCodeAt(index)
    if (!this.ended) this.short = true
    return -1
  }

  /** Whether the text goes on with `word` (lower case; compared without case). */
  looksAt(word: string, offset = 0): boolean {
    const { text } = this
    const start = this.at + offset
    for (let index = 0; index < word.length; index++) {
      let code = start + index < text.length ? text.charCodeAt(start + index) : this.code(offset + index)
      if (code >= 65 && code <= 90) code += 32
      if (code !== word.charCodeAt(index)) return false
    }
    return true
  }

  /** Offset of the first character that is not white space, looking at most `limit` far. */
  spaceAhead(offset: number, limit: number): number {
    return this.endAhead(offset, limit, isSpace) - this.at
  }

  /** How many of the character `code` follow one another at `offset`, counting at most `limit`. */
  countAhead(offset: number, limit: number, code: number): number {
    let end = offset
    while (end - offset < limit && this.code(end) === code) end++
    return end - offset
  }

  /** The run of characters from `offset` for which `fits` holds, at most `limit` long. */
  runAhead(offset: number, limit: number, fits: (code: number) => boolean): string {
    const end = this.endAhead(offset, limit, fits)
    return this.text.slice(this.at + offset, end)
  }

  private endAhead(offset: number, limit: number, fits: (code: number) => boolean): number {
    const { text } = this
    const start = this.at + offset
    const most = Math.min(text.length, start + limit)
    let end = start
    while (end < most && fits(text.charCodeAt(end))) end++
    if (end >= text.length && end < start + limit && !this.ended) this.short = true
    return end
  }

  take(count: number): string {
    const taken = this.text.slice(this.at, this.at + count)
    this.at += taken.length
    return taken
  }

  /** Consumes white space; returns the next character code, or -1 at the end. */
  *space(): Wait<number> {
    while (true) {
      const code = this.spaceNow()
      if (code >= 0) return code
      if (!(yield* this.more())) return -1
    }
  }

  /** As `space` with the text that is there, without a generator: -1 where that ends. */
  spaceNow(): number {
    const { text } = this
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at)
      if (!isSpace(code)) return code
      this.at++
    }
    return -1
  }

  /** Whether a character is there; where not, `more` says whether one will be. */
  there(): boolean {
    return this.at < this.text.length
  }

  mark(): void {
    this.held = ''
    this.heldFrom = this.at
  }

  /** The text consumed since `mark`; ends the mark. */
  release(): string {
    const raw = this.held + this.text.slice(this.heldFrom, this.at)
    this.held = ''
    this.heldFrom = -1
    return raw
  }
}

export const isSpace = (code: number): boolean =>
  code === 32 || code === 10 || code === 9 || code === 13 || code === 0xa0 || code === 0xfeff

export const isWordStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95

export const isWord = (code: number): boolean => isWordStart(code) || (code >= 48 && code <= 57)

/** Runs a scanner over a text that is all there. */
export function readWhole<T>(text: string, scan: (reader: Reader) => Wait<T>): T {
  const reader = new Reader()
  reader.push(text)
  reader.ended = true
  const step = scan(reader).next()
  if (!step.done) throw new Error('the scanner waits for text after the end; it must accept the end')
  return step.value
}
