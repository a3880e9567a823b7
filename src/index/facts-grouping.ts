// What is done to a file's rows when it is closed: uses brought together by binding and by name, hints made few.
import { STRIDE, type Section } from './facts.ts'
import { HINT_KIND } from './kinds.ts'

/** A growing run of 32-bit words. */
export class Words {
  data = new Int32Array(256)
  length = 0
  reserve(count: number): number {
    const at = this.length
    const need = at + count
    if (need > this.data.length) {
      const data = new Int32Array(Math.max(need, this.data.length * 2))
      data.set(this.data)
      this.data = data
    }
    this.length = need
    return at
  }
}

export type Sections = Record<Section, Words>

/** Counting sort of (binding, position) pairs: a binding's uses come to stand together. */
export function groupRefs({ bindings, refs }: Sections, raw: Words): void {
  const count = bindings.length / STRIDE.bindings
  const starts = new Int32Array(count + 1)
  for (let i = 0; i < raw.length; i += 2) starts[raw.data[i]! + 1]!++
  for (let i = 0; i < count; i++) {
    starts[i + 1]! += starts[i]!
    bindings.data[i * STRIDE.bindings + 5] = starts[i]!
  }
  refs.reserve(raw.length / 2)
  for (let i = 0; i < raw.length; i += 2) refs.data[starts[raw.data[i]!]!++] = raw.data[i + 1]!
}

/** Brings (name, hint, position) triples together by name. `rowOf` is all zero, by name id, and is left so. */
export function groupMembers({ memberNames, members }: Sections, raw: Words, rowOf: Int32Array): void {
  const counts: number[] = []
  for (let i = 0; i < raw.length; i += 3) {
    const name = raw.data[i]!
    let row = rowOf[name]! - 1
    if (row < 0) {
      row = counts.length
      rowOf[name] = row + 1
      const at = memberNames.reserve(STRIDE.memberNames)
      memberNames.data[at] = name
      counts.push(0)
    }
    counts[row]!++
  }
  let total = 0
  for (let row = 0; row < counts.length; row++) {
    memberNames.data[row * 2 + 1] = total
    const count = counts[row]!
    counts[row] = total
    total += count
  }
  members.reserve(total * STRIDE.members)
  for (let i = 0; i < raw.length; i += 3) {
    const row = rowOf[raw.data[i]!]! - 1
    const at = counts[row]!++ * STRIDE.members
    members.data[at] = raw.data[i + 1]!
    members.data[at + 1] = raw.data[i + 2]!
  }
  for (let row = 0; row < counts.length; row++) rowOf[memberNames.data[row * 2]!] = 0
}

/** Longer chains of hints (`a.b.c…`) are not followed. */
const MAX_CHAIN = 64
const UNSEEN = -2
const IN_WORK = -3
/** Kinds that are built on another hint. */
const DERIVED = new Set<number>([
  HINT_KIND.member,
  HINT_KIND.call,
  HINT_KIND.construct,
  HINT_KIND.awaited,
  HINT_KIND.element,
  HINT_KIND.generic,
  HINT_KIND.list,
  HINT_KIND.instance,
])

/**
 * Follows aliases, drops what stayed unknown and what nobody asks for, and keeps one row of those that are equal. Changes the
 * hint columns of the other sections to the new rows; `members` holds raw triples.
 */
export class HintCompactor {
  private rows = new Int32Array(1 << 10)
  private kept = new Words()
  private slots = new Int32Array(1 << 10)
  private old: Int32Array = new Int32Array(0)

  run({ hints, symbols, heritage }: Sections, rawMembers: Words): void {
    const count = hints.length / STRIDE.hints
    if (count === 0) return
    if (this.rows.length < count) this.rows = new Int32Array(count * 2)
    this.rows.fill(UNSEEN, 0, count)
    let size = 64
    while (size < count) size *= 2
    if (this.slots.length < size) this.slots = new Int32Array(size)
    this.slots.fill(0, 0, size)
    this.kept.length = 0
    this.old = hints.data
    const mask = size - 1
    const renew = (words: Words, stride: number, column: number) => {
      for (let at = column; at < words.length; at += stride) {
        const hint = words.data[at]!
        if (hint >= 0) words.data[at] = this.row(hint, 0, mask)
      }
    }
    renew(rawMembers, 3, 1)
    renew(symbols, STRIDE.symbols, 8)
    renew(heritage, STRIDE.heritage, 1)
    hints.length = 0
    const at = hints.reserve(this.kept.length)
    hints.data.set(this.kept.data.subarray(0, this.kept.length), at)
  }

  private row(hint: number, depth: number, mask: number): number {
    const known = this.rows[hint]!
    if (known === IN_WORK || depth > MAX_CHAIN) return -1
    if (known !== UNSEEN) return known
    this.rows[hint] = IN_WORK
    const made = this.make(hint, depth, mask)
    this.rows[hint] = made
    return made
  }

  private make(hint: number, depth: number, mask: number): number {
    const at = hint * STRIDE.hints
    const kind = this.old[at]!
    let a = this.old[at + 1]!
    let b = this.old[at + 2]!
    if (kind === HINT_KIND.unknown) return -1
    if (kind === HINT_KIND.alias) return this.row(a, depth + 1, mask)
    if (DERIVED.has(kind)) {
      a = this.row(a, depth + 1, mask)
      if (kind === HINT_KIND.generic) {
        b = this.row(b, depth + 1, mask)
        if (b < 0) return a
      }
      if (a < 0) return -1
    }
    return this.intern(kind, a, b, mask)
  }

  private intern(kind: number, a: number, b: number, mask: number): number {
    const { slots, kept } = this
    let slot = (Math.imul(kind, 0x9e3779b1) ^ Math.imul(a, 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35)) & mask
    for (; ; slot = (slot + 1) & mask) {
      const row = slots[slot]! - 1
      if (row < 0) break
      const at = row * STRIDE.hints
      if (kept.data[at] === kind && kept.data[at + 1] === a && kept.data[at + 2] === b) return row
    }
    const at = kept.reserve(STRIDE.hints)
    kept.data[at] = kind
    kept.data[at + 1] = a
    kept.data[at + 2] = b
    const row = at / STRIDE.hints
    slots[slot] = row + 1
    return row
  }
}
