// Type nodes: what an annotation means.
import {
  EMPTY,
  extended,
  intersection,
  parts,
  primitive,
  union,
  UNKNOWN,
  type Checker,
  type Env,
  type Referent,
  type Type,
} from './model.ts'
import { infer, matches } from './inference.ts'
import type { Node } from './syntax.ts'

const OPERATOR_KEYOF = 0
/** Members of a `T[keyof T]` that are looked at. */
const MAX_VALUES = 60

export function typeOfNode(c: Checker, node: Node, env: Env): Type {
  switch (node.kind) {
    case 'TSTypeAnnotation':
    case 'TSParenthesizedType':
    case 'TSOptionalType':
    case 'TSRestType':
    case 'JSDocNonNullableType':
    case 'JSDocNullableType':
      return c.typed(node.get('typeAnnotation'), env)
    case 'TSNamedTupleMember':
      return c.typed(node.get('elementType'), env)
    case 'TSTypeReference':
      return reference(c, node.get('typeName')!, node, env)
    case 'TSClassImplements':
    case 'TSInterfaceHeritage':
      return reference(c, node.get('expression')!, node, env)
    case 'TSArrayType':
      return c.library('Array', [c.typed(node.get('elementType'), env)])
    case 'TSTupleType':
      return { kind: 'tuple', types: node.list('elementTypes').map((item) => c.typed(item, env)) }
    case 'TSUnionType':
      return union(node.list('types').map((item) => c.typed(item, env)))
    case 'TSIntersectionType':
      return intersection(node.list('types').map((item) => c.typed(item, env)))
    case 'TSTypeLiteral':
    case 'TSMappedType':
      return { kind: 'shape', node, env }
    case 'TSFunctionType':
    case 'TSConstructorType':
      return { kind: 'function', node, env }
    case 'TSLiteralType':
      return literal(node.get('literal'))
    case 'TSTypeOperator':
      if (node.byte('operator') === OPERATOR_KEYOF)
        return { kind: 'keyof', of: c.typed(node.get('typeAnnotation'), env) }
      return c.typed(node.get('typeAnnotation'), env)
    case 'TSIndexedAccessType':
      return indexed(c, c.typed(node.get('objectType'), env), c.typed(node.get('indexType'), env))
    case 'TSTypeQuery':
      return query(c, node.get('exprName')!)
    case 'TSImportType':
      return imported(c, node, env)
    case 'TSConditionalType':
      return conditional(c, node, env)
    case 'TSInferType': {
      const parameter = node.get('typeParameter')!
      return env.get(parameter) ?? { kind: 'parameter', node: parameter }
    }
    case 'TSThisType':
      return env.get('this') ?? enclosing(c, node)
    case 'TSTypePredicate':
      return primitive('boolean')
    case 'TSTemplateLiteralType':
      return primitive('string')
    default: {
      const keyword = /^TS(\w+)Keyword$/.exec(node.kind)
      return keyword && !OPEN.has(keyword[1]!) ? primitive(keyword[1]!.toLowerCase()) : UNKNOWN
    }
  }
}
const OPEN = new Set(['Any', 'Unknown', 'Object', 'Intrinsic'])

export function literal(node: Node | undefined): Type {
  if (node?.kind === 'StringLiteral') return { kind: 'literal', of: 'string', value: node.text('value') }
  if (node?.kind === 'NumericLiteral') return { kind: 'literal', of: 'number', value: node.text('raw') }
  if (node?.kind === 'BooleanLiteral') return primitive('boolean')
  return node?.kind === 'TemplateLiteral' ? primitive('string') : primitive('number')
}

export function argumentsOf(c: Checker, node: Node, env: Env): Type[] {
  return (node.get('typeArguments')?.list('params') ?? []).map((item) => c.typed(item, env))
}

/** A name with type arguments. */
function reference(c: Checker, name: Node, node: Node, env: Env): Type {
  const args = argumentsOf(c, node, env)
  if (name.kind === 'IdentifierReference') {
    const text = name.text('name')
    const found = c.resolve(name, text, 'type')
    const [first] = found.nodes
    if (first?.kind === 'TSTypeParameter' || first?.kind === 'TSMappedType')
      return env.get(first) ?? { kind: 'parameter', node: first }
    if (first && first.tree.file < 0) return ofLibrary(c, text, args) ?? c.instanceOf(found, args, env)
    return c.instanceOf(found, args, env)
  }
  return c.instanceOf(qualified(c, name, 'type'), args, env)
}

/** Types of the standard library that are not followed through their declaration. */
function ofLibrary(c: Checker, name: string, args: Type[]): Type | undefined {
  const [first, second] = args
  switch (name) {
    case 'Partial':
    case 'Required':
    case 'Readonly':
    case 'NoInfer':
      return first ?? UNKNOWN
    case 'NonNullable':
      return union(parts(first ?? UNKNOWN))
    case 'Awaited':
      return c.awaited(first ?? UNKNOWN)
    case 'Pick':
    case 'Omit':
      return picked(first ?? UNKNOWN, second ?? UNKNOWN, name === 'Omit')
    case 'Extract':
    case 'Exclude': {
      const wanted = name === 'Extract'
      return union(parts(first ?? UNKNOWN).filter((part) => (matches(c, part, second ?? UNKNOWN) ?? wanted) === wanted))
    }
    case 'ReturnType':
      return union(
        parts(first ?? UNKNOWN).flatMap((part) => c.signatures(part).map((signature) => c.returned(signature))),
      )
    case 'InstanceType':
      return union(c.signatures(first ?? UNKNOWN, true).map((signature) => c.returned(signature)))
    case 'Parameters':
    case 'ConstructorParameters': {
      const [signature] = c.signatures(first ?? UNKNOWN, name !== 'Parameters')
      const count = signature?.node.get('params')?.list('items').length ?? 0
      return signature
        ? { kind: 'tuple', types: Array.from({ length: count }, (_, i) => c.parameter(signature, i)) }
        : UNKNOWN
    }
    default:
      return undefined
  }
}

function picked(of: Type, keys: Type, without: boolean): Type {
  const all = parts(keys)
  const names = all.flatMap((part) => (part.kind === 'literal' ? [part.value] : []))
  return names.length > 0 && names.length === all.length ? { kind: 'picked', of, names: new Set(names), without } : of
}

/** Declarations of `a.b.c`. */
export function qualified(c: Checker, name: Node, space: 'value' | 'type'): Referent {
  if (name.kind === 'IdentifierReference') return c.resolve(name, name.text('name'), space)
  const left = name.get('left')!
  const outer =
    left.kind === 'IdentifierReference' ? c.resolve(left, left.text('name'), 'namespace') : qualified(c, left, 'type')
  return inside(c, outer, name.get('right')!.text('name'))
}

/** A name that a namespace or module gives out. */
function inside(c: Checker, outer: Referent, name: string): Referent {
  if (outer.module !== undefined) return c.exported(outer.module, name)
  const nodes: Node[] = []
  for (const property of c.members({ kind: 'value', nodes: outer.nodes, env: EMPTY }, name))
    if (property.node) nodes.push(property.node)
  return { nodes }
}

function query(c: Checker, name: Node): Type {
  if (name.kind === 'TSImportType') return c.valueOf(importReferent(c, name))
  if (name.kind === 'ThisExpression') return c.expression(name)
  if (name.kind === 'IdentifierReference') return c.valueOf(c.resolve(name, name.text('name'), 'value'))
  return c.memberType(query(c, name.get('left')!), name.get('right')!.text('name'))
}

function importReferent(c: Checker, node: Node): Referent {
  const module = c.moduleOf(node.tree.file, node.get('source')!.text('value'))
  if (module < 0) return { nodes: [] }
  const path = (part: Node | undefined): Referent =>
    !part
      ? { nodes: [], module }
      : part.kind === 'IdentifierName'
        ? c.exported(module, part.text('name'))
        : inside(c, path(part.get('left')), part.get('right')!.text('name'))
  return path(node.get('qualifier'))
}

function imported(c: Checker, node: Node, env: Env): Type {
  return c.instanceOf(importReferent(c, node), argumentsOf(c, node, env), env)
}

export function indexed(c: Checker, object: Type, index: Type): Type {
  const found: Type[] = []
  for (const key of parts(index)) {
    if (key.kind === 'literal' && key.of === 'string') found.push(c.memberType(object, key.value))
    else if (key.kind === 'keyof')
      for (const name of c.names(key.of).slice(0, MAX_VALUES)) found.push(c.memberType(object, name))
    else found.push(c.element(object, key))
  }
  return union(found)
}

function conditional(c: Checker, node: Node, env: Env): Type {
  const check = c.typed(node.get('checkType'), env)
  const extendsNode = node.get('extendsType')!
  const results: Type[] = []
  for (const part of check.kind === 'union' ? check.types : [check]) {
    const inferred = new Map<Node, Type>()
    infer(c, extendsNode, env, part, inferred, (parameter) => parameter.parent?.kind === 'TSInferType')
    const inner = inferred.size > 0 ? extended(env, inferred) : env
    const decided = part.kind === 'unknown' ? undefined : matches(c, part, c.typed(extendsNode, inner))
    if (decided !== false) results.push(c.typed(node.get('trueType'), inner))
    if (decided !== true) results.push(c.typed(node.get('falseType'), env))
  }
  return union(results)
}

function enclosing(c: Checker, node: Node): Type {
  for (let at = node.parent; at; at = at.parent)
    if (at.kind === 'Class' || at.kind === 'TSInterfaceDeclaration') return c.instanceOf({ nodes: [at] }, [], EMPTY)
  return UNKNOWN
}

/** The instance of a class, interface, alias or enum; an alias is looked through. */
export function instanceOf(c: Checker, referent: Referent, args: Type[], env: Env): Type {
  const nodes = referent.nodes.filter((node) => INSTANTIABLE.has(node.kind))
  const [first] = nodes
  if (!first) return UNKNOWN
  if (first.kind === 'TSTypeParameter') return env.get(first) ?? { kind: 'parameter', node: first }
  if (first.kind === 'TSEnumDeclaration') return primitive('enum')
  if (first.kind === 'TSTypeAliasDeclaration') return c.typed(first.get('typeAnnotation'), argumentEnv(c, nodes, args))
  return { kind: 'instance', nodes, env: argumentEnv(c, nodes, args) }
}
const INSTANTIABLE = new Set(
  'Class TSInterfaceDeclaration TSTypeAliasDeclaration TSEnumDeclaration TSTypeParameter'.split(' '),
)

/** Type parameters of declarations, set to arguments or to their defaults. */
export function argumentEnv(c: Checker, nodes: Node[], args: Type[]): Env {
  const entries: [Node, Type][] = []
  for (const node of nodes) {
    const parameters = node.get('typeParameters')?.list('params') ?? []
    for (const [i, parameter] of parameters.entries()) {
      const given = args[i]
      const fallback = given ? undefined : parameter.get('default')
      if (given) entries.push([parameter, given])
      else if (fallback) entries.push([parameter, c.typed(fallback, new Map(entries))])
    }
  }
  return entries.length === 0 ? EMPTY : new Map(entries)
}
