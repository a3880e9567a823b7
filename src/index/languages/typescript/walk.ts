// Walks one file's tree in oxc's buffer and writes its facts. The state of the walk; what is done with each kind of node
// stands in declarations.ts, expressions.ts, types.ts and modules.ts, which add themselves to `visitors`.
// Every node is visited once. A visitor gives the hint of what an expression or type is, or -1.
import type { FactsWriter } from '../../facts-writer.ts'
import { HINT_KIND } from '../../kinds.ts'
import { Scopes } from './scopes.ts'
import { children, field, REACH, shapes, TYPE_NAMES, type } from './tree.ts'

/** What a parent wants of a child expression (bits). */
export const MODE = {
  none: 0,
  /** A hint is wanted. */
  want: 1,
  /** It is being called. */
  call: 2,
  /** It is being written. */
  write: 4,
} as const

export type Visit = (walk: Walk, node: number, mode: number) => number
/** By type number; undefined is a node of which only the children matter. */
export const visitors: (Visit | undefined)[] = TYPE_NAMES.map(() => undefined)

export function visitor(names: string, visit: Visit): void {
  for (const name of names.split(' ')) visitors[type(name)] = visit
}

const NAME_OFFSET = 16
const STRING_VALUE = field('StringLiteral', 'value')
const T_IDENTIFIER_NAME = type('IdentifierName')
const T_STRING = type('StringLiteral')
const T_NUMBER = type('NumericLiteral')
const T_PRIVATE = type('PrivateIdentifier')
const T_TEMPLATE = type('TemplateLiteral')
const T_IDENTIFIER = type('IdentifierReference')
const NUMBER_RAW = field('NumericLiteral', 'raw')
const HASH = 35

export class Walk {
  readonly bytes: Uint8Array
  readonly words: Int32Array
  readonly out: FactsWriter
  readonly scopes: Scopes
  /** Row of the symbol that what is met now stands in, or -1. */
  container = -1
  /** Class row `this` is an instance of, -1 when unknown. */
  thisClass = -1
  thisStatic = false
  /** Symbol of the object literal being read, whose functions become its members; -1 none. */
  literal = -1
  /** Type expected of the next object literal or function, as a hint; -1 unknown. */
  expected = -1
  /** Type of the first parameter of the next function expression, as a hint; -1 unknown. */
  parameter = -1
  /** Start of the `export` or of the statement around the next declaration, -1 none. */
  outerStart = -1
  /** SYMBOL_FLAG bits given by that `export`. */
  outerFlags = 0
  /** Blocks open around. */
  nesting = 0
  /** Deepest since the innermost function began. */
  deepest = 0
  /** Hint of the first returned value of the innermost function, -1 none; -2 when nobody wants it. */
  returned = -2
  /** Start of the doc comment before an offset. */
  docs: Map<number, number> = new Map()
  /** Set by `keyName`: where the key's text begins. */
  keyStart = 0
  hasModuleSyntax = false
  /** Scopes open at the top of the innermost namespace: declarations there are symbols. */
  moduleDepth = 0
  /** Interface or alias whose members a type literal declares, -1 elsewhere. */
  members = -1

  constructor(bytes: Uint8Array, words: Int32Array, out: FactsWriter) {
    this.bytes = bytes
    this.words = words
    this.out = out
    this.scopes = new Scopes(out)
  }

  begin(keepLocals: boolean): void {
    this.scopes.begin(keepLocals)
    this.moduleDepth = 0
    this.members = -1
    this.expected = -1
    this.container = -1
    this.thisClass = -1
    this.thisStatic = false
    this.literal = -1
    this.expected = -1
    this.parameter = -1
    this.outerStart = -1
    this.outerFlags = 0
    this.nesting = 0
    this.deepest = 0
    this.returned = -2
    this.hasModuleSyntax = false
  }

  /** Visits one node. */
  node(nodeType: number, node: number, mode: number): number {
    const visit = visitors[nodeType]
    if (visit !== undefined) return visit(this, node, mode)
    this.children(nodeType, node)
    return -1
  }

  /** Visits an enum field (Expression, TSType, Statement …) through its table. */
  choice(table: Uint8Array, at: number, mode: number): number {
    const nodeType = table[this.bytes[at]!]!
    if (nodeType === 0) return -1
    return this.node(nodeType, this.words[(at + 8) >> 2]!, mode)
  }

  children(nodeType: number, node: number): void {
    const list = children[nodeType]!
    for (let i = 0; i < list.length; i += 2) this.reach(list[i + 1]!, node + list[i]!)
  }

  /** Visits what stands at a byte position in the way its shape says. */
  reach(shapeNumber: number, at: number): number {
    const shape = shapes[shapeNumber]!
    switch (shape.reach) {
      case REACH.node:
        return this.node(shape.a, at, 0)
      case REACH.box:
        return this.reach(shape.inner, this.words[at >> 2]!)
      case REACH.list: {
        let item = this.words[at >> 2]!
        const end = item + this.words[(at >> 2) + 2]! * shape.a
        for (; item < end; item += shape.a) this.reach(shape.inner, item)
        return -1
      }
      case REACH.some32:
        if (this.words[(at >> 2) + shape.a] === 0 && this.words[(at >> 2) + shape.a + 1] === 0) return -1
        return this.reach(shape.inner, at)
      case REACH.some8:
        if (this.bytes[at + shape.a] === shape.b) return -1
        return this.reach(shape.inner, at)
      case REACH.choice:
        return this.choice(shape.table!, at, 0)
      default:
        return -1
    }
  }

  /** Calls back with the byte position of each item of a list field. */
  each(at: number, stride: number, visit: (item: number, index: number) => void): void {
    const first = this.words[at >> 2]!
    const count = this.words[(at >> 2) + 2]!
    for (let i = 0; i < count; i++) visit(first + i * stride, i)
  }

  count(at: number): number {
    return this.words[(at >> 2) + 2]!
  }

  start(node: number): number {
    return this.words[node >> 2]!
  }

  end(node: number): number {
    return this.words[(node >> 2) + 1]!
  }

  /** The node a box field points to, or 0. */
  boxed(at: number): number {
    return this.words[at >> 2]!
  }

  /** Name id of an identifier node. */
  nameOf(identifier: number): number {
    return this.text(identifier + NAME_OFFSET)
  }

  /** Name id of a string field. */
  text(at: number): number {
    const from = this.words[at >> 2]!
    return this.out.names.idOfBytes(this.bytes, from, from + this.words[(at >> 2) + 2]!)
  }

  stringValue(literal: number): number {
    return this.text(literal + STRING_VALUE)
  }

  /** Name id of a property key, 0 when it is computed from something else than a literal; visits what is computed. */
  keyName(table: Uint8Array, at: number, computed: boolean): number {
    const keyType = table[this.bytes[at]!]!
    const key = this.words[(at + 8) >> 2]!
    this.keyStart = this.start(key)
    if (keyType === T_IDENTIFIER_NAME || (keyType === T_IDENTIFIER && !computed)) return this.nameOf(key)
    if (keyType === T_STRING) {
      this.keyStart++
      return this.stringValue(key)
    }
    if (keyType === T_NUMBER) return this.text(key + NUMBER_RAW)
    if (keyType === T_PRIVATE) return this.privateName(key)
    if (keyType === T_TEMPLATE) {
      this.node(keyType, key, 0)
      return 0
    }
    this.node(keyType, key, 0)
    return 0
  }

  /** Name id of `#name`, with its `#`. */
  privateName(node: number): number {
    const at = node + NAME_OFFSET
    const from = this.words[at >> 2]!
    const hash = this.bytes[from - 1] === HASH ? 1 : 0
    return this.out.names.idOfBytes(this.bytes, from - hash, from + this.words[(at >> 2) + 2]!)
  }

  hint(kind: number, a: number, b = 0): number {
    return this.out.hint(kind, a, b)
  }

  /** Hint of a member of a hint; -1 of -1. */
  memberHint(of: number, name: number): number {
    return of < 0 ? -1 : this.out.hint(HINT_KIND.member, of, name)
  }

  /** Runs a block one level deeper. */
  deeper(visit: () => void): void {
    this.nesting++
    if (this.nesting > this.deepest) this.deepest = this.nesting
    visit()
    this.nesting--
  }
}
