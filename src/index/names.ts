// A table of interned strings: one byte arena, one hash table, no JavaScript string per entry.
// A name's id never changes and id 0 is the empty string. Names are never removed; a rebuilt index starts a new table.

const EMPTY_SLOT = -1
/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What a name table is on disk and between threads. */
export interface NameTableData {
  /** UTF-8 of all names, one after the other. */
  bytes: Uint8Array
  /** End of each name in `bytes`; name `i` begins where `i - 1` ends. */
  ends: Int32Array
  /** Open addressing, linear probing, length a power of two; holds ids or -1. */
  slots: Int32Array
}

export class NameTable {
  count: number
  private bytes: Uint8Array
  private ends: Int32Array
  private slots: Int32Array
  private scratch: Uint8Array<ArrayBuffer> = new Uint8Array(256)
  private texts: (string | undefined)[] = []

  constructor(data?: NameTableData) {
    if (data) {
      this.bytes = data.bytes
      this.ends = data.ends
      this.slots = data.slots
      this.count = data.ends.length
      return
    }
    this.bytes = new Uint8Array(1 << 16)
    this.ends = new Int32Array(1 << 12)
    this.slots = new Int32Array(1 << 13).fill(EMPTY_SLOT)
    this.count = 0
    this.idOf('')
  }

  /** Id of a string, which is added when new. */
  idOf(text: string): number {
    const length = this.encode(text)
    return this.idOfBytes(this.scratch, 0, length)
  }

  /** Id of a string, or -1 when it was never added. */
  find(text: string): number {
    const length = this.encode(text)
    const slot = this.slotOf(this.scratch, 0, length, hashBytes(this.scratch, 0, length))
    return this.slots[slot]!
  }

  /** Id of the UTF-8 bytes `source[start, end)`, which are added when new. */
  idOfBytes(source: Uint8Array, start: number, end: number): number {
    const slot = this.slotOf(source, start, end, hashBytes(source, start, end))
    const found = this.slots[slot]!
    if (found !== EMPTY_SLOT) return found
    return this.add(source, start, end, slot)
  }

  text(id: number): string {
    const known = this.texts[id]
    if (known !== undefined) return known
    const start = id === 0 ? 0 : this.ends[id - 1]!
    const text = decoder.decode(this.bytes.subarray(start, this.ends[id]))
    this.texts[id] = text
    return text
  }

  /** Bytes of a name, which are at least as many as its UTF-16 units; nothing is decoded. */
  byteLength(id: number): number {
    return id === 0 ? 0 : this.ends[id]! - this.ends[id - 1]!
  }

  /** The bytes of all names from `from` on, to be added elsewhere with `addAll`. */
  tail(from: number): { bytes: Uint8Array<ArrayBuffer>; ends: Int32Array<ArrayBuffer> } {
    const start = from === 0 ? 0 : this.ends[from - 1]!
    const ends = this.ends.slice(from, this.count)
    for (let i = 0; i < ends.length; i++) ends[i]! -= start
    const bytes = this.bytes.slice(start, this.count === 0 ? 0 : this.ends[this.count - 1])
    return { bytes, ends }
  }

  /** Adds the names of another table's `tail`, and appends their ids here to `remap`. */
  addAll(tail: { bytes: Uint8Array; ends: Int32Array }, remap: number[]): void {
    let start = 0
    for (let i = 0; i < tail.ends.length; i++) {
      const end = tail.ends[i]!
      remap.push(this.idOfBytes(tail.bytes, start, end))
      start = end
    }
  }

  data(): NameTableData {
    return {
      bytes: this.bytes.subarray(0, this.count === 0 ? 0 : this.ends[this.count - 1]),
      ends: this.ends.subarray(0, this.count),
      slots: this.slots,
    }
  }

  private encode(text: string): number {
    if (text.length * 3 > this.scratch.length) this.scratch = new Uint8Array(text.length * 3)
    return encoder.encodeInto(text, this.scratch).written
  }

  private slotOf(source: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.slots.length - 1
    const { bytes, ends, slots } = this
    const length = end - start
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]!
      if (id === EMPTY_SLOT) return slot
      const from = id === 0 ? 0 : ends[id - 1]!
      if (ends[id]! - from !== length) continue
      let i = 0
      while (i < length && bytes[from + i] === source[start + i]) i++
      if (i === length) return slot
    }
  }

  private add(source: Uint8Array, start: number, end: number, slot: number): number {
    const id = this.count
    const from = id === 0 ? 0 : this.ends[id - 1]!
    const to = from + (end - start)
    if (to > this.bytes.length) this.bytes = grown(this.bytes, Math.max(to, this.bytes.length * 2))
    if (id >= this.ends.length) {
      const ends = new Int32Array(this.ends.length * 2 + 16)
      ends.set(this.ends)
      this.ends = ends
    }
    this.bytes.set(source.subarray(start, end), from)
    this.ends[id] = to
    this.slots[slot] = id
    this.count = id + 1
    if (this.count * 2 > this.slots.length) this.rehash()
    return id
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 4).fill(EMPTY_SLOT)
    const mask = slots.length - 1
    let from = 0
    for (let id = 0; id < this.count; id++) {
      const end = this.ends[id]!
      let slot = hashBytes(this.bytes, from, end) & mask
      while (slots[slot] !== EMPTY_SLOT) slot = (slot + 1) & mask
      slots[slot] = id
      from = end
    }
    this.slots = slots
  }
}

function hashBytes(source: Uint8Array, start: number, end: number): number {
  let hash = FNV_OFFSET
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ source[i]!, FNV_PRIME)
  // The low bits choose the slot: fold the high ones in.
  return hash ^ (hash >>> 15)
}

function grown(bytes: Uint8Array, length: number): Uint8Array {
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
}
