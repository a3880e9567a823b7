// Reads one syntax tree in oxc's buffer: the only code that touches its bytes.
// It promises that no answer comes from memory the parser did not write for it: an optional field is read only when it is there,
// and positions, lengths and counts lie in the part of the buffer that the parse used, or the tree is damaged, which is thrown.
import type { NameTable } from '../../names.ts'
import { field, HOLDS, NOWHERE, type Field } from './tree.ts'

const PRIVATE_NAME = field('PrivateIdentifier', 'name')

/** The buffer holds no tree that could have been made from the text. */
export class DamagedTree extends Error {
  constructor(what: string) {
    super(`The syntax tree is damaged: ${what}.`)
  }
}

/** Where the tree of one parse stands, in bytes of its buffer. */
export interface TreePlace {
  /** The program node, which is made last: everything stands behind it. */
  program: number
  /** The text that was parsed, which stands last. */
  textStart: number
  textEnd: number
}

export class SyntaxReader {
  #bytes: Uint8Array
  #words: Int32Array
  /** Subtracted from the positions in the buffer, for a copy of a part of it. */
  #base = 0
  #from = 0
  #textStart = 0
  #end = 0
  #textLength = 0
  /** Set by `#findText`. */
  #textFrom = 0
  #textTo = 0

  constructor(bytes: Uint8Array, words: Int32Array) {
    this.#bytes = bytes
    this.#words = words
  }

  /** Turns to the tree of a parse. */
  turnTo({ program, textStart, textEnd }: TreePlace): void {
    if (program < 0 || program > textStart || textStart > textEnd || textEnd > this.#bytes.length)
      throw new DamagedTree('its program stands outside of what was used')
    this.#from = program
    this.#textStart = textStart
    this.#end = textEnd
    this.#textLength = textEnd - textStart
  }

  /** Bytes the tree and its text take. */
  get size(): number {
    return this.#end - this.#from
  }

  /** Position of the program node. */
  get program(): number {
    return this.#from
  }

  /** A reader of its own copy of the tree, which stays when the buffer is used again. */
  copy(): SyntaxReader {
    const base = this.#from & ~7
    const bytes = this.#bytes.slice(base, this.#end + (-this.#end & 7))
    const reader = new SyntaxReader(bytes, new Int32Array(bytes.buffer))
    reader.#base = this.#base + base
    reader.#from = this.#from - base
    reader.#textStart = this.#textStart - base
    reader.#end = this.#end - base
    reader.#textLength = this.#textLength
    return reader
  }

  /** Whether a field of a node is there. */
  has(node: number, at: Field): boolean {
    if (at.byteAt !== NOWHERE && this.#bytes[node + at.byteAt] === at.none) return false
    if (at.wordAt === NOWHERE) return true
    const word = (node + at.wordAt) >> 2
    return this.#words[word] !== 0 || this.#words[word + 1] !== 0
  }

  /** Type of the node in a field; 0 when there is none. */
  kind(node: number, at: Field): number {
    if (!this.has(node, at)) return 0
    if (at.holds === HOLDS.choice || at.holds === HOLDS.inlineChoice) return this.#chosen(node + at.offset, at)
    if (at.holds === HOLDS.boxedChoice) return this.#chosen(this.#pointer(node + at.offset), at)
    return at.type
  }

  /** Position of the node in a field; 0 when there is none. */
  child(node: number, at: Field): number {
    if (!this.has(node, at)) return 0
    switch (at.holds) {
      case HOLDS.choice:
        return this.#pointer(node + at.offset + 8)
      case HOLDS.box:
        return this.#pointer(node + at.offset)
      case HOLDS.node:
        return node + at.offset
      case HOLDS.inlineChoice:
        return node + at.offset + 8
      case HOLDS.boxedChoice:
        return this.#pointer(this.#pointer(node + at.offset) + 8)
      default:
        throw new DamagedTree('there is no node in a field that was asked for one')
    }
  }

  /** Calls back with position and type of each item of a list field, 0 and 0 for a hole; not at all when there is no list. */
  each(node: number, at: Field, visit: (item: number, kind: number, index: number) => void): void {
    const count = this.count(node, at)
    if (count === 0) return
    const item = at.item!
    const first = this.#words[(node + at.offset) >> 2]! - this.#base
    for (let i = 0; i < count; i++) {
      const slot = first + i * at.stride
      const kind = this.kind(slot, item)
      visit(kind === 0 ? 0 : this.child(slot, item), kind, i)
    }
  }

  /** Number of items of a list field; 0 when there is no list. */
  count(node: number, at: Field): number {
    if (!this.has(node, at)) return 0
    const word = (node + at.offset) >> 2
    const count = this.#words[word + 2]!
    if (count === 0) return 0
    const first = this.#words[word]! - this.#base
    if (first < this.#from || count < 0 || count * at.stride > this.#end - first)
      throw new DamagedTree(`a list of ${count} items is longer than what was used`)
    return count
  }

  /** A field of one byte; -1 when it is absent. */
  byte(node: number, at: Field): number {
    return this.has(node, at) ? this.#bytes[node + at.offset]! : -1
  }

  /** Whether a field of one byte is there and true. */
  flag(node: number, at: Field): boolean {
    return this.byte(node, at) === 1
  }

  /** A number of four bytes. */
  number(node: number, at: Field): number {
    return this.has(node, at) ? this.#words[(node + at.offset) >> 2]! : -1
  }

  /** Where a node begins in the text, in UTF-16 code units. Only for types that have a place. */
  start(node: number): number {
    return this.#place(node >> 2)
  }

  end(node: number): number {
    return this.#place((node >> 2) + 1)
  }

  /** The text in a field; empty when it is absent. */
  string(node: number, at: Field): string {
    return this.#findText(node, at) ? this.#decoded() : ''
  }

  /** Id of the text in a field; that of the empty text when it is absent. */
  name(node: number, at: Field, names: NameTable): number {
    return this.#findText(node, at) ? names.idOfBytes(this.#bytes, this.#textFrom, this.#textTo) : names.idOf('')
  }

  /** Id of a private identifier's name with its `#`. */
  privateName(node: number, names: NameTable): number {
    const isThere = this.#findText(node, PRIVATE_NAME)
    // A name with an escape stands elsewhere, without its sign.
    if (isThere && this.#textFrom > this.#textStart)
      return names.idOfBytes(this.#bytes, this.#textFrom - 1, this.#textTo)
    return names.idOf(`#${isThere ? this.#decoded() : ''}`)
  }

  /** Whether the text that was parsed has a word anywhere. */
  textHas(word: string): boolean {
    const { buffer, byteOffset } = this.#bytes
    return Buffer.from(buffer, byteOffset + this.#textStart, this.#textLength).includes(word)
  }

  #findText(node: number, at: Field): boolean {
    if (!this.has(node, at)) return false
    const word = (node + at.offset) >> 2
    const length = this.#words[word + 2]!
    // An empty text points nowhere.
    if (length === 0) return false
    const from = this.#words[word]! - this.#base
    if (length < 0 || from < this.#from || length > this.#end - from)
      throw new DamagedTree('a text is longer than what was used')
    this.#textFrom = from
    this.#textTo = from + length
    return true
  }

  #decoded(): string {
    const { buffer, byteOffset } = this.#bytes
    return Buffer.from(buffer, byteOffset + this.#textFrom, this.#textTo - this.#textFrom).toString('utf8')
  }

  #chosen(at: number, { table }: Field): number {
    const kind = table[this.#bytes[at]!]!
    if (kind === 0) throw new DamagedTree(`${this.#bytes[at]} stands for no type of node`)
    return kind
  }

  #pointer(at: number): number {
    const to = this.#words[at >> 2]! - this.#base
    if (to < this.#from || to >= this.#end) throw new DamagedTree('a node stands outside of what was used')
    return to
  }

  #place(word: number): number {
    const offset = this.#words[word]!
    if (offset < 0 || offset > this.#textLength) throw new DamagedTree('a node is placed outside of the text')
    return offset
  }
}
