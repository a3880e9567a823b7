// The bytes of a request's body. A request of a long conversation is the one before with something added, so the elements of
// its lists (messages, tools) are turned into bytes once: a list that goes on where the last one ended is only added to.

/** Room for what will come, so that a growing list is seldom moved. */
const GROWTH = 1.5
const SMALLEST = 16 * 1024

/** One list as bytes, without its closing bracket. */
class ListBytes {
  #values: readonly unknown[] = []
  /** Where each element ends. */
  #ends: number[] = []
  #bytes = Buffer.alloc(0)

  /** The bytes stay as they are until they are no longer used by anybody: later lists only write behind them, or elsewhere. */
  of(list: readonly unknown[]): Buffer {
    let kept = 0
    while (kept < list.length && kept < this.#values.length && isSame(this.#values[kept], list[kept])) kept++
    let used = kept === 0 ? 0 : this.#ends[kept - 1]!
    // What stands behind the kept part may be on its way to a server.
    if (kept < this.#values.length) this.#bytes = Buffer.from(this.#bytes.subarray(0, used))
    this.#ends.length = kept
    for (const value of list.slice(kept)) {
      const text = `${used === 0 ? '[' : ','}${JSON.stringify(value) ?? 'null'}`
      const length = Buffer.byteLength(text)
      if (used + length > this.#bytes.length) this.#grow(used, length)
      used += this.#bytes.write(text, used)
      this.#ends.push(used)
    }
    this.#values = list
    return used === 0 ? Buffer.from('[') : this.#bytes.subarray(0, used)
  }

  #grow(used: number, more: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(SMALLEST, Math.ceil((used + more) * GROWTH)))
    this.#bytes.copy(grown, 0, 0, used)
    this.#bytes = grown
  }
}

export class JsonBody {
  readonly #lists = new Map<string, ListBytes>()

  /**
   * `JSON.stringify(body)` as bytes, in parts. Elements are compared with those of the last call, which must not have been
   * changed since. The parts may be sent while later calls are made.
   */
  parts(body: Record<string, unknown>): Buffer[] {
    const parts: Buffer[] = []
    const entries = Object.entries(body).filter(([, value]) => value !== undefined)
    let text = '{'
    for (const [at, [key, value]] of entries.entries()) {
      text += `${at === 0 ? '' : ','}${JSON.stringify(key)}:`
      if (!Array.isArray(value)) {
        text += JSON.stringify(value) ?? 'null'
        continue
      }
      parts.push(Buffer.from(text), this.#list(key).of(value))
      text = ']'
    }
    parts.push(Buffer.from(`${text}}`))
    return parts
  }

  #list(key: string): ListBytes {
    let list = this.#lists.get(key)
    if (!list) {
      list = new ListBytes()
      this.#lists.set(key, list)
    }
    return list
  }
}

/** Whether two JSON values are the same, keys in the same order. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.keys(a), Object.keys(b)]
  return (
    left.length === right.length &&
    left.every((key, at) => key === right[at] && isSame(a[key as keyof typeof a], b[key as keyof typeof b]))
  )
}
