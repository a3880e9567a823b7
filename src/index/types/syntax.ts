// One file's syntax tree, kept as the bytes the parser left: a node is an object only once somebody asks for it.
// A node knows its parent, for it can only be reached from there.
import { children, fieldOf, hasPlace, HOLDS, TYPE_NAMES, type, type Field } from '../languages/typescript/tree.ts'
import type { SyntaxReader } from '../languages/typescript/syntax-reader.ts'
import type { RawParser } from '../languages/typescript/raw-parser.ts'
import { langOf } from '../languages/typescript/extract.ts'

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
  readonly reader: SyntaxReader
  private nodes = new Map<number, Node>()

  private constructor(file: number, path: string, reader: SyntaxReader) {
    this.file = file
    this.path = path
    this.reader = reader
    this.size = reader.size
    this.program = this.node(T_PROGRAM, reader.program, undefined)
  }

  /** Parses a file and keeps its tree. `file` is its id, below 0 for text that is no file. */
  static parse(parser: RawParser, file: number, path: string, source: Uint8Array): Tree {
    parser.parse(path, source, langOf(path))
    return new Tree(file, path, parser.tree.copy())
  }

  node(kind: number, at: number, parent: Node | undefined): Node {
    const key = at * KINDS + kind
    const known = this.nodes.get(key)
    if (known) return known
    const made = new Node(this, kind, at, parent)
    this.nodes.set(key, made)
    return made
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
    this.position = at
    this.parent = parent
  }

  /** Name of its type, e.g. `CallExpression`. */
  get kind(): string {
    return TYPE_NAMES[this.type]!
  }
  get start(): number {
    return this.tree.reader.start(this.position)
  }
  get end(): number {
    return this.tree.reader.end(this.position)
  }

  /** The node in a field; undefined when there is none, or no such field. */
  get(name: string): Node | undefined {
    const known = this.nodes?.get(name)
    if (known !== undefined || this.nodes?.has(name)) return known
    const found = fieldOf(this.type, name)
    let result: Node | undefined
    if (found) this.each(found, (node) => (result ??= node))
    ;(this.nodes ??= new Map<string, Node | undefined>()).set(name, result)
    return result
  }

  /** The nodes in a list field. */
  list(name: string): readonly Node[] {
    const known = this.lists?.get(name)
    if (known) return known
    const found = fieldOf(this.type, name)
    const nodes: Node[] = []
    if (found) this.each(found, (node) => node && nodes.push(node))
    ;(this.lists ??= new Map<string, Node[]>()).set(name, nodes)
    return nodes
  }

  /** The nodes in a list field with its holes. */
  slots(name: string): (Node | undefined)[] {
    const found = fieldOf(this.type, name)
    const nodes: (Node | undefined)[] = []
    if (found?.holds === HOLDS.list) this.each(found, (node) => nodes.push(node))
    return nodes
  }

  /** A field of one byte: a flag (1 is true) or an enumeration; -1 when it is absent, 0 when the node has no such field. */
  byte(name: string): number {
    const found = fieldOf(this.type, name)
    return found ? this.tree.reader.byte(this.position, found) : 0
  }

  /** A field that is text; an identifier's `name`, a literal's `value`. */
  text(name: string): string {
    const known = this.texts?.get(name)
    if (known !== undefined) return known
    const found = fieldOf(this.type, name)
    if (!found) return ''
    const text = this.tree.reader.string(this.position, found)
    ;(this.texts ??= new Map<string, string>()).set(name, text)
    return text
  }

  children(): Node[] {
    const nodes: Node[] = []
    for (const field of children[this.type]!) this.each(field, (node) => node && nodes.push(node))
    return nodes
  }

  /** Calls back with the node in a field, or with each of a list's items; undefined is a hole in a list. */
  private each(field: Field, found: (node: Node | undefined) => void): void {
    const { tree, position } = this
    if (field.holds === HOLDS.list) {
      tree.reader.each(position, field, (item, kind) => found(kind === 0 ? undefined : tree.node(kind, item, this)))
      return
    }
    const kind = tree.reader.kind(position, field)
    if (kind !== 0) found(tree.node(kind, tree.reader.child(position, field), this))
  }
}
