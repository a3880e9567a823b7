// Walks one file's tree in oxc's buffer and writes its facts. The state of the walk; what is done with each kind of node
// stands in declarations.ts, expressions.ts, types.ts and modules.ts, which add themselves to `visitors`.
// Every node is visited once. A visitor gives the hint of what an expression or type is, or -1.
import type { FactsWriter } from '../../facts-writer.ts'
import { HINT_KIND } from '../../kinds.ts'
import { Scopes } from './scopes.ts'
import { DamagedTree, type SyntaxReader } from './syntax-reader.ts'
import { children, field, HOLDS, TYPE_NAMES, type, type Field } from './tree.ts'

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

/** The name of every kind of identifier stands at one place, which layout.test.ts holds. */
const NAME = field('IdentifierName', 'name')
const STRING_VALUE = field('StringLiteral', 'value')
const T_IDENTIFIER_NAME = type('IdentifierName')
const T_STRING = type('StringLiteral')
const T_NUMBER = type('NumericLiteral')
const T_PRIVATE = type('PrivateIdentifier')
const T_IDENTIFIER = type('IdentifierReference')
const NUMBER_RAW = field('NumericLiteral', 'raw')

export class Walk {
  readonly tree: SyntaxReader
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

  /** Nodes that may still be visited: a tree has fewer than its bytes, so that a damaged one ends. */
  private left = 0

  constructor(tree: SyntaxReader, out: FactsWriter) {
    this.tree = tree
    this.out = out
    this.scopes = new Scopes(out)
  }

  begin(keepLocals: boolean): void {
    this.scopes.begin(keepLocals)
    this.left = this.tree.size
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
    if (nodeType === 0) return -1
    if (--this.left < 0) throw new DamagedTree('it has more nodes than bytes')
    const visit = visitors[nodeType]
    if (visit !== undefined) return visit(this, node, mode)
    this.children(nodeType, node)
    return -1
  }

  /** Visits what a field holds, be it there; -1 when there is none. */
  visit(node: number, at: Field, mode = 0): number {
    if (at.holds === HOLDS.list) {
      this.tree.each(node, at, (item, kind) => this.node(kind, item, 0))
      return -1
    }
    const kind = this.tree.kind(node, at)
    return kind === 0 ? -1 : this.node(kind, this.tree.child(node, at), mode)
  }

  children(nodeType: number, node: number): void {
    for (const at of children[nodeType]!) this.visit(node, at)
  }

  /** As those of the tree, which is the only one that reads it. */
  each(node: number, at: Field, visit: (item: number, kind: number, index: number) => void): void {
    this.tree.each(node, at, visit)
  }

  kind(node: number, at: Field): number {
    return this.tree.kind(node, at)
  }

  child(node: number, at: Field): number {
    return this.tree.child(node, at)
  }

  byte(node: number, at: Field): number {
    return this.tree.byte(node, at)
  }

  flag(node: number, at: Field): boolean {
    return this.tree.flag(node, at)
  }

  start(node: number): number {
    return this.tree.start(node)
  }

  end(node: number): number {
    return this.tree.end(node)
  }

  /** Name id of an identifier node. */
  nameOf(identifier: number): number {
    return this.tree.name(identifier, NAME, this.out.names)
  }

  stringValue(literal: number): number {
    return this.tree.name(literal, STRING_VALUE, this.out.names)
  }

  /** Name id of a property key, 0 when it is computed from something else than a literal; visits what is computed. */
  keyName(node: number, at: Field, computed: boolean): number {
    const keyType = this.tree.kind(node, at)
    const key = this.tree.child(node, at)
    this.keyStart = this.start(key)
    if (keyType === T_IDENTIFIER_NAME || (keyType === T_IDENTIFIER && !computed)) return this.nameOf(key)
    if (keyType === T_STRING) {
      this.keyStart++
      return this.stringValue(key)
    }
    if (keyType === T_NUMBER) return this.tree.name(key, NUMBER_RAW, this.out.names)
    if (keyType === T_PRIVATE) return this.privateName(key)
    this.node(keyType, key, 0)
    return 0
  }

  /** Name id of `#name`, with its `#`. */
  privateName(node: number): number {
    return this.tree.privateName(node, this.out.names)
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
