// A map from two numbers to one, for what is known by a file and a name or row: no object and no boxed key per entry.

const EMPTY = -1
const WORDS = 3
/** 2^32 / golden ratio (Knuth), and a prime of xxHash32: two odd multipliers that spread both halves of a key. */
const SPREAD_A = 0x9e3779b1
const SPREAD_B = 0x85ebca77

/** Keys are pairs of integers from 0 to 2^31 - 1; so are values, but for what the owner means by negative ones. */
export class PairMap {
  private slots = new Int32Array(64 * WORDS).fill(EMPTY)
  private count = 0

  /** Value of a key, or undefined. */
  get(a: number, b: number): number | undefined {
    const { slots } = this
    const at = this.slotOf(a, b)
    return slots[at] === EMPTY ? undefined : slots[at + 2]
  }

  set(a: number, b: number, value: number): void {
    let at = this.slotOf(a, b)
    if (this.slots[at] === EMPTY) {
      // At most half full, so that a search ends soon.
      if (++this.count * 2 * WORDS > this.slots.length) {
        this.grow()
        at = this.slotOf(a, b)
      }
      this.slots[at] = a
      this.slots[at + 1] = b
    }
    this.slots[at + 2] = value
  }

  clear(): void {
    this.slots = new Int32Array(64 * WORDS).fill(EMPTY)
    this.count = 0
  }

  private slotOf(a: number, b: number): number {
    const { slots } = this
    const mask = slots.length / WORDS - 1
    let hash = Math.imul(a, SPREAD_A) ^ Math.imul(b, SPREAD_B)
    hash ^= hash >>> 15
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = slot * WORDS
      if (slots[at] === EMPTY || (slots[at] === a && slots[at + 1] === b)) return at
    }
  }

  private grow(): void {
    const old = this.slots
    this.slots = new Int32Array(old.length * 2).fill(EMPTY)
    for (let at = 0; at < old.length; at += WORDS) {
      if (old[at] === EMPTY) continue
      const to = this.slotOf(old[at]!, old[at + 1]!)
      this.slots[to] = old[at]!
      this.slots[to + 1] = old[at + 1]!
      this.slots[to + 2] = old[at + 2]!
    }
  }
}

/** Lists of pairs by two numbers, grown in one array each: what was added to a key, in the order it was added. */
export class PairLists {
  private heads = new PairMap()
  /** Rows of first number, second number, next row (the last one's is the first). */
  private rows = new Int32Array(1024 * WORDS)
  private length = 0

  add(a: number, b: number, first: number, second: number): void {
    if (this.length === this.rows.length) {
      const larger = new Int32Array(this.length * 2)
      larger.set(this.rows)
      this.rows = larger
    }
    const { rows } = this
    const at = this.length
    this.length += WORDS
    rows[at] = first
    rows[at + 1] = second
    const last = this.heads.get(a, b)
    rows[at + 2] = last === undefined ? at : rows[last + 2]!
    if (last !== undefined) rows[last + 2] = at
    this.heads.set(a, b, at)
  }

  /** The pairs of a key, flat. */
  of(a: number, b: number): number[] {
    const last = this.heads.get(a, b)
    if (last === undefined) return []
    const found: number[] = []
    let at = last
    do {
      at = this.rows[at + 2]!
      found.push(this.rows[at]!, this.rows[at + 1]!)
    } while (at !== last)
    return found
  }
}
