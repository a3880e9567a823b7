// Type parameters: putting types in their place, and finding them from what is given.
import { extended, intersection, parts, union, type Checker, type Env, type Type } from './model.ts'
import type { Node } from './syntax.ts'

const MAX_DEPTH = 6
const ANY_NAME: Type = { kind: 'primitive', name: 'string' }

/** A type with its parameters set to what an environment says of them. */
export function substitute(type: Type, env: Env, depth = 0): Type {
  if (env.size === 0 || depth > MAX_DEPTH) return type
  switch (type.kind) {
    case 'parameter':
      return env.get(type.node) ?? type
    case 'union':
      return union(type.types.map((part) => substitute(part, env, depth + 1)))
    case 'intersection':
      return intersection(type.types.map((part) => substitute(part, env, depth + 1)))
    case 'tuple':
      return { kind: 'tuple', types: type.types.map((part) => substitute(part, env, depth + 1)) }
    case 'keyof':
      return { kind: 'keyof', of: substitute(type.of, env, depth + 1) }
    case 'picked':
      return { ...type, of: substitute(type.of, env, depth + 1) }
    case 'instance':
      return { ...type, env: inner(type.env, env, depth) }
    case 'shape':
    case 'function':
    case 'value': {
      const own = inner(type.env, env, depth)
      const added = [...env].filter(([key]) => key !== 'this' && !own.has(key))
      return { ...type, env: extended(own, added) }
    }
    default:
      return type
  }
}

function inner(own: Env, env: Env, depth: number): Env {
  if (own.size === 0) return own
  return new Map([...own].map(([key, value]) => [key, substitute(value, env, depth + 1)]))
}

/** Finds what type parameters stand for, so that a type node fits a type. `isWanted` tells which parameters are sought. */
export function infer(
  c: Checker,
  node: Node,
  env: Env,
  given: Type,
  found: Map<Node, Type>,
  isWanted: (parameter: Node) => boolean,
  depth = 0,
): void {
  if (depth > MAX_DEPTH || given.kind === 'unknown') return
  const again = (inner: Node | undefined, type: Type) => {
    if (inner) infer(c, inner, env, type, found, isWanted, depth + 1)
  }
  switch (node.kind) {
    case 'TSTypeAnnotation':
    case 'TSParenthesizedType':
    case 'TSOptionalType':
    case 'TSRestType':
      again(node.get('typeAnnotation'), given)
      return
    case 'TSInferType': {
      const parameter = node.get('typeParameter')!
      if (isWanted(parameter)) found.set(parameter, given)
      return
    }
    case 'TSTypeOperator':
      if (node.byte('operator') === 2) again(node.get('typeAnnotation'), given)
      return
    case 'TSArrayType':
      again(node.get('elementType'), c.iterated(given))
      return
    case 'TSTupleType':
      if (given.kind === 'tuple')
        for (const [i, item] of node.list('elementTypes').entries()) if (given.types[i]) again(item, given.types[i])
      return
    case 'TSUnionType':
      for (const item of node.list('types')) again(item, union(parts(given)))
      return
    case 'TSIntersectionType':
      for (const item of node.list('types')) again(item, given)
      return
    case 'TSTypeLiteral':
      for (const member of node.list('members')) {
        if (member.kind === 'TSIndexSignature') again(member.get('typeAnnotation'), c.element(given, ANY_NAME))
        const key = member.get('key')
        if (!key || (key.kind !== 'IdentifierName' && key.kind !== 'StringLiteral')) continue
        const name = key.text(key.kind === 'StringLiteral' ? 'value' : 'name')
        again(member.get('typeAnnotation'), c.memberType(given, name))
      }
      return
    case 'TSMappedType': {
      // { [K in keyof T]: T[K] } of T is T.
      const keys = node.get('constraint')
      const of = keys?.kind === 'TSTypeOperator' ? keys.get('typeAnnotation') : undefined
      if (of && node.get('typeAnnotation')?.kind === 'TSIndexedAccessType') again(of, given)
      return
    }
    case 'TSFunctionType':
    case 'TSConstructorType': {
      const [signature] = c.signatures(given, node.kind === 'TSConstructorType')
      if (!signature) return
      again(node.get('returnType'), c.returned(signature))
      for (const [i, item] of (node.get('params')?.list('items') ?? []).entries())
        again(item.get('typeAnnotation'), c.parameter(signature, i))
      return
    }
    case 'TSTypeReference':
      ofReference(c, node, env, given, found, isWanted, depth)
  }
}

function ofReference(
  c: Checker,
  node: Node,
  env: Env,
  given: Type,
  found: Map<Node, Type>,
  isWanted: (parameter: Node) => boolean,
  depth: number,
): void {
  const name = node.get('typeName')!
  const args = node.get('typeArguments')?.list('params') ?? []
  if (name.kind !== 'IdentifierReference') return
  const { nodes } = c.resolve(name, name.text('name'), 'type')
  const [first] = nodes
  if (!first) return
  if (first.kind === 'TSTypeParameter') {
    if (isWanted(first) && !env.has(first)) {
      const before = found.get(first)
      found.set(first, before ? union([before, given]) : given)
    }
    return
  }
  if (args.length === 0) return
  const text = name.text('name')
  const again = (inner: Node, type: Type) => infer(c, inner, env, type, found, isWanted, depth + 1)
  if (first.tree.file < 0 && LOOKED_THROUGH.has(text)) again(args[0]!, given)
  else if (first.tree.file < 0 && /Promise/.test(text)) again(args[0]!, c.awaited(given))
  else if (first.kind === 'TSTypeAliasDeclaration') {
    // What the alias's own parameters must be, then what was written for them.
    const inner = new Map<Node, Type>()
    const parameters = first.get('typeParameters')?.list('params') ?? []
    const body = first.get('typeAnnotation')
    if (body) infer(c, body, env, given, inner, (parameter) => parameters.includes(parameter), depth + 1)
    for (const [i, parameter] of parameters.entries()) {
      const value = inner.get(parameter)
      if (value && args[i]) again(args[i], value)
    }
  } else {
    const same = parts(given).find((part) => part.kind === 'instance' && part.nodes.some((own) => nodes.includes(own)))
    if (same?.kind === 'instance') {
      const parameters = first.get('typeParameters')?.list('params') ?? []
      for (const [i, parameter] of parameters.entries()) {
        const value = same.env.get(parameter)
        if (value && args[i]) again(args[i], value)
      }
    } else if (first.tree.file < 0) {
      const item = c.iterated(given)
      const types = item.kind === 'tuple' && args.length > 1 ? item.types : [item]
      for (const [i, type] of types.entries()) if (args[i]) again(args[i], type)
    } else ofMembers(c, first, args, given, found, isWanted, depth)
  }
}
const LOOKED_THROUGH = new Set(['Partial', 'Required', 'Readonly', 'NonNullable', 'NoInfer', 'Awaited'])

/** Something else than an instance given for an interface: by the types of its members. */
function ofMembers(
  c: Checker,
  declaration: Node,
  args: readonly Node[],
  given: Type,
  found: Map<Node, Type>,
  isWanted: (parameter: Node) => boolean,
  depth: number,
): void {
  const parameters = declaration.get('typeParameters')?.list('params') ?? []
  const inner = new Map<Node, Type>()
  const own = (parameter: Node) => parameters.includes(parameter)
  for (const member of declaration.get('body')?.list('body') ?? []) {
    const key = member.get('key')
    const annotation = member.get('typeAnnotation')
    if (key?.kind !== 'IdentifierName' || !annotation) continue
    infer(c, annotation, new Map(), c.memberType(given, key.text('name')), inner, own, depth + 1)
  }
  for (const [i, parameter] of parameters.entries()) {
    const value = inner.get(parameter)
    if (value && args[i]) infer(c, args[i], new Map(), value, found, isWanted, depth + 1)
  }
}

/** Whether one type is surely, or surely not, another; undefined where it cannot be told. */
export function matches(c: Checker, type: Type, wanted: Type): boolean | undefined {
  if (wanted.kind === 'unknown' || type.kind === 'unknown') return undefined
  if (wanted.kind === 'union') {
    const each = new Set(wanted.types.map((part) => matches(c, type, part)))
    return each.has(true) ? true : each.has(undefined) ? undefined : false
  }
  if (type.kind === 'union') {
    const each = type.types.map((part) => matches(c, part, wanted))
    return each.every((one) => one === true) ? true : each.every((one) => one === false) ? false : undefined
  }
  const simple = SIMPLE.has(type.kind)
  const wantedSimple = SIMPLE.has(wanted.kind)
  if (type.kind === 'literal') {
    if (wanted.kind === 'literal') return wanted.of === type.of && wanted.value === type.value
    if (wanted.kind === 'primitive') return wanted.name === type.of || undefined
  }
  if (type.kind === 'primitive' && wanted.kind === 'primitive')
    return type.name === wanted.name ? true : type.name === 'enum' || wanted.name === 'enum' ? undefined : false
  if (type.kind === 'primitive' && wanted.kind === 'literal') return type.name === wanted.of ? undefined : false
  if (simple && COMPOUND.has(wanted.kind)) return type.kind === 'primitive' && type.name === 'enum' ? undefined : false
  if (wantedSimple && COMPOUND.has(type.kind)) return wanted.kind === 'primitive' && wanted.name === 'object'
  if (type.kind === 'instance' && wanted.kind === 'instance')
    return type.nodes.some((node) => wanted.nodes.includes(node)) ? true : undefined
  const isCallable = c.signatures(type).length > 0
  if (wanted.kind === 'function') return isCallable ? true : COMPOUND.has(type.kind) ? false : undefined
  if (type.kind === 'function' && COMPOUND.has(wanted.kind)) return c.signatures(wanted).length > 0 ? true : undefined
  return byDiscriminant(c, type, wanted)
}
const SIMPLE = new Set(['primitive', 'literal'])
const COMPOUND = new Set(['instance', 'shape', 'function', 'tuple', 'value', 'module'])

/** `{ type: 'a' }` against `{ type: 'b' }`. */
function byDiscriminant(c: Checker, type: Type, wanted: Type): boolean | undefined {
  if (wanted.kind !== 'shape' || wanted.node.kind !== 'TSTypeLiteral') return undefined
  let all = true
  for (const name of c.names(wanted)) {
    if (c.members(type, name).length === 0) return undefined
    const one = matches(c, c.memberType(type, name), c.memberType(wanted, name))
    if (one === false) return false
    if (one === undefined) all = false
  }
  return all ? true : undefined
}
