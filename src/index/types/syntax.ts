// One file's syntax tree, kept as the bytes the parser left: a node is an object only once somebody asks for it.
// A node knows its parent, for it can only be reached from there.
import { children, fieldOf, hasPlace, REACH, shapes, TYPE_NAMES, type } from '../languages/typescript/tree.ts'
import type { RawParser } from '../languages/typescript/raw-parser.ts'
import { langOf } from '../languages/typescript/extract.ts'
import { ACTIVE_SIZE } from '../languages/typescript/layout.ts'

const T_PROGRAM = type('Program')
const T_PARAMETERS = type('FormalParameters')
const KINDS = TYPE_NAMES.length

export class Tree {
  readonly file: number
  readonly path: string
  readonly program: Node
  /** Bytes this tree holds. */
  readonly size: number
  /** What scopes of this tree declare, by scope node. */
  readonly scopes = new Map<Node, Map<string, Node[]>>()
  /** Whether the text may declare a `var`; set when it is first asked. */
  hasVar: boolean | undefined
  readonly bytes: Uint8Array
  readonly words: Int32Array
  /** Positions in the bytes count from here. */
  readonly base: number
  private nodes = new Map<number, Node>()
  private buffer: Buffer

  private constructor(file: number, path: string, bytes: Uint8Array<ArrayBuffer>, base: number, program: number) {
    this.file = file
    this.path = path
    this.bytes = bytes
    this.words = new Int32Array(bytes.buffer)
    this.buffer = Buffer.from(bytes.buffer)
    this.base = base
    this.size = bytes.length
    this.program = this.node(T_PROGRAM, program, undefined)
  }

  /** Parses a file and keeps its tree. `file` is its id, below 0 for text that is no file. */
  static parse(parser: RawParser, file: number, path: string, source: Uint8Array): Tree {
    const { program } = parser.parse(path, source, langOf(path))
    // The program is made last, and the buffer is filled from its end.
    const base = program & ~7
    return new Tree(file, path, parser.bytes.slice(base, ACTIVE_SIZE), base, program)
  }

  node(kind: number, at: number, parent: Node | undefined): Node {
    const key = at * KINDS + kind
    const known = this.nodes.get(key)
    if (known) return known
    const made = new Node(this, kind, at, parent)
    this.nodes.set(key, made)
    return made
  }

  string(at: number): string {
    const from = this.words[at >> 2]! - this.base
    return this.buffer.toString('utf8', from, from + this.words[(at >> 2) + 2]!)
  }

  /** Innermost node whose text holds an offset. */
  at(offset: number): Node {
    let node = this.program
    for (;;) {
      const inner = node.children().filter((child) => holds(child, offset))
      if (inner.length === 0) return node
      // A key and its shorthand value stand at one place: the value is the use.
      node = inner.at(-1)!
    }
  }
}

function holds(node: Node, offset: number): boolean {
  // oxc 0.158 counts the place of the parameters of an async arrow in bytes, that of each of them not.
  if (node.type === T_PARAMETERS) return node.children().some((child) => holds(child, offset))
  return hasPlace(node.type) && node.start <= offset && offset < node.end
}

export class Node {
  readonly tree: Tree
  /** Type number of tree.ts. */
  readonly type: number
  readonly parent: Node | undefined
  private readonly position: number
  /** What was asked for before. */
  private nodes: Map<string, Node | undefined> | undefined
  private lists: Map<string, Node[]> | undefined
  private texts: Map<string, string> | undefined

  constructor(tree: Tree, nodeType: number, at: number, parent: Node | undefined) {
    this.tree = tree
    this.type = nodeType
    this.position = at - tree.base
    this.parent = parent
  }

  /** Name of its type, e.g. `CallExpression`. */
  get kind(): string {
    return TYPE_NAMES[this.type]!
  }
  get start(): number {
    return this.tree.words[this.position >> 2]!
  }
  get end(): number {
    return this.tree.words[(this.position >> 2) + 1]!
  }

  /** The node in a field; undefined when there is none, or no such field. */
  get(name: string): Node | undefined {
    const known = this.nodes?.get(name)
    if (known !== undefined || this.nodes?.has(name)) return known
    const found = fieldOf(this.type, name)
    let result: Node | undefined
    if (found) this.reach(found.shape, this.position + found.offset, (node) => (result ??= node))
    ;(this.nodes ??= new Map<string, Node | undefined>()).set(name, result)
    return result
  }

  /** The nodes in a list field. */
  list(name: string): readonly Node[] {
    const known = this.lists?.get(name)
    if (known) return known
    const found = fieldOf(this.type, name)
    const nodes: Node[] = []
    if (found) this.reach(found.shape, this.position + found.offset, (node) => nodes.push(node))
    ;(this.lists ??= new Map<string, Node[]>()).set(name, nodes)
    return nodes
  }

  /** The nodes in a list field with its holes. */
  slots(name: string): (Node | undefined)[] {
    const found = fieldOf(this.type, name)
    if (!found || shapes[found.shape]!.reach !== REACH.list) return []
    const { a: stride, inner } = shapes[found.shape]!
    const { words, base } = this.tree
    const at = (this.position + found.offset) >> 2
    const nodes: (Node | undefined)[] = []
    for (let i = 0; i < words[at + 2]!; i++) {
      let slot: Node | undefined
      this.reach(inner, words[at]! - base + i * stride, (node) => (slot ??= node))
      nodes.push(slot)
    }
    return nodes
  }

  /** A field of one byte: a flag (1 is true) or an enumeration. */
  byte(name: string): number {
    const found = fieldOf(this.type, name)
    return found ? this.tree.bytes[this.position + found.offset]! : 0
  }

  /** A field that is text; an identifier's `name`, a literal's `value`. */
  text(name: string): string {
    const known = this.texts?.get(name)
    if (known !== undefined) return known
    const found = fieldOf(this.type, name)
    if (!found) return ''
    const at = this.position + found.offset
    const isNone = this.tree.words[at >> 2] === 0 && this.tree.words[(at >> 2) + 1] === 0
    const text = isNone ? '' : this.tree.string(at)
    ;(this.texts ??= new Map<string, string>()).set(name, text)
    return text
  }

  children(): Node[] {
    const nodes: Node[] = []
    const list = children[this.type]!
    for (let i = 0; i < list.length; i += 2)
      this.reach(list[i + 1]!, this.position + list[i]!, (node) => nodes.push(node))
    return nodes
  }

  private reach(shapeNumber: number, at: number, found: (node: Node) => void): void {
    const shape = shapes[shapeNumber]!
    const { tree } = this
    const { words, bytes, base } = tree
    switch (shape.reach) {
      case REACH.node:
        found(tree.node(shape.a, at + base, this))
        return
      case REACH.box:
        if (words[at >> 2] !== 0) this.reach(shape.inner, words[at >> 2]! - base, found)
        return
      case REACH.list: {
        const first = words[at >> 2]! - base
        const count = words[(at >> 2) + 2]!
        for (let i = 0; i < count; i++) this.reach(shape.inner, first + i * shape.a, found)
        return
      }
      case REACH.some32:
        if (words[(at >> 2) + shape.a] !== 0 || words[(at >> 2) + shape.a + 1] !== 0) this.reach(shape.inner, at, found)
        return
      case REACH.some8:
        if (bytes[at + shape.a] !== shape.b) this.reach(shape.inner, at, found)
        return
      case REACH.choice: {
        const kind = shape.table![bytes[at]!]!
        if (kind !== 0) found(tree.node(kind, shape.inline ? at + 8 + base : words[(at + 8) >> 2]!, this))
      }
    }
  }
}
