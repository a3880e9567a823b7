// The evaluator of types: what is known is remembered per node, what runs in a ring or too deep is unknown.
import { typeInferred, typeOfArgument, typeOfCall, typeOfParameter, typeReturned, signaturesOf } from './calls.ts'
import { expectedOf } from './context.ts'
import { typeOfExpression, typeOfPattern, typeOfValue } from './expressions.ts'
import { bases, membersOf, namesOf, typeOfProperty } from './members.ts'
import {
  EMPTY,
  parts,
  union,
  UNKNOWN,
  type Checker,
  type Env,
  type Property,
  type Referent,
  type Signature,
  type Type,
} from './model.ts'
import { instanceOf, typeOfNode } from './type-nodes.ts'
import { declarationsIn } from './scope.ts'
import type { Node, Tree } from './syntax.ts'
import type { World } from './world.ts'

/** Calls within each other. */
const MAX_DEPTH = 160
/** Steps of one question; types that compute on themselves end here. */
const MAX_STEPS = 10_000

export class TypeChecker implements Checker {
  private world: World
  private expressions = new WeakMap<Node, Type>()
  private expected = new WeakMap<Node, Type>()
  private patterns = new WeakMap<Node, Type>()
  private results = new WeakMap<Node, Type>()
  private annotations = new WeakMap<Node, Type>()
  private depth = 0
  private steps = 0

  constructor(world: World) {
    this.world = world
  }

  /** Steps of all questions that ended. */
  spent = 0

  /** Begins a question. */
  begin(): void {
    this.spent += this.steps
    this.steps = 0
    this.depth = 0
  }

  /** Whether the last question ran out of its steps. */
  get isTired(): boolean {
    return this.steps > MAX_STEPS
  }

  private run<T>(otherwise: T, work: () => T): T {
    if (this.depth > MAX_DEPTH || this.steps++ > MAX_STEPS) return otherwise
    this.depth++
    try {
      return work()
    } finally {
      this.depth--
    }
  }

  private once(known: WeakMap<Node, Type>, node: Node, work: () => Type): Type {
    const found = known.get(node)
    if (found) return found
    // Set first: a ring ends here.
    known.set(node, UNKNOWN)
    const type = this.run(UNKNOWN, work)
    known.set(node, type)
    return type
  }

  expression(node: Node): Type {
    return this.once(this.expressions, node, () => typeOfExpression(this, node))
  }
  contextual(node: Node): Type {
    return this.once(this.expected, node, () => expectedOf(this, node))
  }
  bound(pattern: Node): Type {
    return this.once(this.patterns, pattern, () => typeOfPattern(this, pattern))
  }
  typed(node: Node | undefined, env: Env): Type {
    if (!node) return UNKNOWN
    if (env.size === 0) return this.once(this.annotations, node, () => typeOfNode(this, node, env))
    return this.run(UNKNOWN, () => typeOfNode(this, node, env))
  }
  valueOf(referent: Referent): Type {
    return this.run(UNKNOWN, () => typeOfValue(this, referent))
  }
  instanceOf(referent: Referent, args: Type[], env: Env): Type {
    return this.run(UNKNOWN, () => instanceOf(this, referent, args, env))
  }
  members(type: Type, name: string): Property[] {
    return this.run<Property[]>([], () => membersOf(this, type, name))
  }
  memberType(type: Type, name: string): Type {
    return this.run(UNKNOWN, () => {
      const found = this.members(type, name)
      if (found.length > 0) return union(found.map((property) => typeOfProperty(this, property)))
      return this.element(type, { kind: 'literal', of: 'string', value: name })
    })
  }
  names(type: Type): string[] {
    return this.run<string[]>([], () => namesOf(this, type))
  }
  signatures(type: Type, construct = false): Signature[] {
    return this.run<Signature[]>([], () => signaturesOf(this, type, construct))
  }
  called(node: Node): Type {
    return this.run(UNKNOWN, () => typeOfCall(this, node))
  }
  argument(call: Node, index: number): Type {
    return this.run(UNKNOWN, () => typeOfArgument(this, call, index))
  }
  parameter(signature: Signature, index: number): Type {
    return this.run(UNKNOWN, () => typeOfParameter(this, signature, index))
  }
  inferred(node: Node): Type {
    return this.once(this.results, node, () => typeInferred(this, node))
  }
  returned(signature: Signature): Type {
    return this.run(UNKNOWN, () => typeReturned(this, signature))
  }

  library(name: string, args: Type[]): Type {
    const nodes = declarationsIn(this.world.library.program).get(name) ?? []
    return this.instanceOf({ nodes: nodes.filter((node) => node.kind === 'TSInterfaceDeclaration') }, args, EMPTY)
  }

  iterated(type: Type): Type {
    return union(parts(type).map((part) => this.iteratedPart(part)))
  }

  private iteratedPart(type: Type): Type {
    if (type.kind === 'tuple') return union(type.types)
    if (type.kind === 'parameter') {
      const constraint = type.node.get('constraint')
      return constraint ? this.iterated(this.typed(constraint, EMPTY)) : UNKNOWN
    }
    if (type.kind === 'intersection') return union(type.types.map((part) => this.iterated(part)))
    return this.argumentOf(type, ['Iterable', 'AsyncIterable']) ?? UNKNOWN
  }

  awaited(type: Type): Type {
    if (type.kind === 'union') return union(type.types.map((part) => this.awaited(part)))
    const inner = type.kind === 'instance' ? this.argumentOf(type, ['PromiseLike']) : undefined
    return inner ? this.run(UNKNOWN, () => this.awaited(inner)) : type
  }

  /** What a type that is, or inherits from, one of the library's types has for its first parameter. */
  private argumentOf(type: Type, names: string[], depth = 0): Type | undefined {
    if (type.kind !== 'instance' || depth > 8) return undefined
    const own = type.nodes.find((node) => node.tree.file < 0 && names.includes(node.get('id')?.text('name') ?? ''))
    if (own) return type.env.get(own.get('typeParameters')!.list('params')[0]!) ?? UNKNOWN
    for (const base of bases(this, type)) {
      const found = this.argumentOf(base, names, depth + 1)
      if (found) return found
    }
    return undefined
  }

  element(type: Type, index: Type): Type {
    return union(parts(type).map((part) => this.elementPart(part, index)))
  }

  private elementPart(type: Type, index: Type): Type {
    switch (type.kind) {
      case 'tuple': {
        const at = index.kind === 'literal' && index.of === 'number' ? Number(index.value) : -1
        return type.types[at] ?? union(type.types)
      }
      case 'parameter': {
        const constraint = type.node.get('constraint')
        return constraint ? this.element(this.typed(constraint, EMPTY), index) : UNKNOWN
      }
      case 'intersection':
        return union(type.types.map((part) => this.element(part, index)))
      case 'instance':
      case 'shape':
        return this.run(UNKNOWN, () => this.indexed(type, index))
      default:
        return UNKNOWN
    }
  }

  private indexed(type: Type & { kind: 'instance' | 'shape' }, index: Type): Type {
    if (type.kind === 'shape' && type.node.kind === 'TSMappedType') {
      const isName = index.kind === 'literal'
      if (isName && index.of === 'string')
        return union(this.members(type, index.value).map((p) => typeOfProperty(this, p)))
      return this.typed(type.node.get('typeAnnotation'), type.env)
    }
    const bodies =
      type.kind === 'instance'
        ? type.nodes.map((node) => node.get('body')?.list('body') ?? [])
        : [type.node.kind === 'TSTypeLiteral' ? type.node.list('members') : []]
    for (const member of bodies.flat())
      if (member.kind === 'TSIndexSignature') {
        const key = this.typed(member.get('parameters')?.get('typeAnnotation'), type.env)
        const isNumber = key.kind === 'primitive' && key.name === 'number'
        if (isNumber && index.kind === 'literal' && index.of === 'string') continue
        return this.typed(member.get('typeAnnotation'), type.env)
      }
    if (type.kind === 'shape' && type.node.kind === 'ObjectExpression') {
      if (index.kind === 'literal' && index.of === 'string') return UNKNOWN
      return union(
        this.names(type)
          .slice(0, 40)
          .map((name) => this.memberType(type, name)),
      )
    }
    if (type.kind !== 'instance') return UNKNOWN
    return union(bases(this, type).map((base) => this.element(base, index)))
  }

  resolve(from: Node, name: string, space: 'value' | 'type' | 'namespace'): Referent {
    return this.world.resolve(from, name, space)
  }
  exported(file: number, name: string): Referent {
    return this.world.exported(file, name)
  }
  moduleOf(file: number, spec: string): number {
    return this.world.moduleOf(file, spec)
  }
  tree(file: number): Tree | undefined {
    return this.world.tree(file)
  }
}
