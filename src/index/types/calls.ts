// Calls: which signature is meant, what its type parameters become, what it gives back and what it expects.
import { infer, matches, substitute } from './inference.ts'
import { EMPTY, extended, parts, union, UNKNOWN, type Checker, type Env, type Signature, type Type } from './model.ts'
import { bases } from './members.ts'
import { argumentsOf } from './type-nodes.ts'
import { FUNCTIONS } from './scope.ts'
import type { Node } from './syntax.ts'

/** Signatures by which a value can be called, or made with `new`. */
export function signaturesOf(c: Checker, type: Type, construct: boolean): Signature[] {
  switch (type.kind) {
    case 'function':
      return (type.node.kind === 'TSConstructorType') === construct ? [{ node: type.node, env: type.env }] : []
    case 'union':
    case 'intersection':
      return type.types.flatMap((part) => c.signatures(part, construct))
    case 'value':
      return ofValue(c, type.nodes, type.env, construct)
    case 'instance': {
      const own = type.nodes.flatMap((node) => inBody(node.get('body')?.list('body') ?? [], type.env, construct))
      return own.length > 0 ? own : bases(c, type).flatMap((base) => c.signatures(base, construct))
    }
    case 'shape':
      return type.node.kind === 'TSTypeLiteral' ? inBody(type.node.list('members'), type.env, construct) : []
    case 'parameter': {
      const constraint = type.node.get('constraint')
      return constraint ? c.signatures(c.typed(constraint, EMPTY), construct) : []
    }
    default:
      return []
  }
}

function inBody(members: readonly Node[], env: Env, construct: boolean): Signature[] {
  const kind = construct ? 'TSConstructSignatureDeclaration' : 'TSCallSignatureDeclaration'
  return members.filter((member) => member.kind === kind).map((node) => ({ node, env }))
}

function ofValue(c: Checker, nodes: Node[], env: Env, construct: boolean): Signature[] {
  if (!construct) {
    const functions = nodes.filter((node) => node.kind === 'Function')
    const overloads = functions.filter((node) => !node.get('body'))
    return (overloads.length > 0 ? overloads : functions).map((node) => ({ node, env }))
  }
  const owner = nodes.find((node) => node.kind === 'Class')
  if (!owner) return []
  const constructors = owner
    .get('body')!
    .list('body')
    .filter((member) => member.kind === 'MethodDefinition' && member.byte('kind') === 0)
    .map((member) => member.get('value')!)
  const overloads = constructors.filter((node) => !node.get('body'))
  if (constructors.length > 0) return (overloads.length > 0 ? overloads : constructors).map((node) => ({ node, env }))
  const base = owner.get('superClass')
  return base ? c.signatures(c.expression(base), true) : []
}

/** Type of a parameter by its place; the last of a rest parameter's items for what goes beyond. */
export function typeOfParameter(c: Checker, { node, env }: Signature, index: number): Type {
  const list = node.get('params')
  if (!list) return UNKNOWN
  const item = list.list('items')[index]
  if (item) {
    const annotation = item.get('typeAnnotation')
    return annotation ? c.typed(annotation, env) : substitute(c.bound(item.get('pattern')!), env)
  }
  const rest = list.get('rest')
  if (!rest) return UNKNOWN
  const all = rest.get('typeAnnotation') ? c.typed(rest.get('typeAnnotation'), env) : UNKNOWN
  return c.element(all, { kind: 'literal', of: 'number', value: String(index - list.list('items').length) })
}

/** What a signature gives back, its type parameters left as they are. */
export function typeReturned(c: Checker, { node, env }: Signature): Type {
  const annotation = node.get('returnType')
  if (annotation) return c.typed(annotation, env)
  if (node.parent?.kind === 'MethodDefinition' && node.parent.byte('kind') === 0) {
    // A constructor.
    return c.instanceOf({ nodes: [node.parent.parent!.parent!] }, [], env)
  }
  return substitute(c.inferred(node), env)
}

/** What a function without a declared type gives back. */
export function typeInferred(c: Checker, node: Node): Type {
  const body = node.get('body')
  if (!body) return UNKNOWN
  const isAsync = node.byte('async') === 1
  if (node.byte('generator') === 1) {
    const given = union(inside(body, 'YieldExpression').map((item) => c.expression(item)))
    return c.library(isAsync ? 'AsyncGenerator' : 'Generator', [given])
  }
  const type =
    body.kind === 'FunctionBody'
      ? union(inside(body, 'ReturnStatement').map((item) => c.expression(item)))
      : c.expression(body)
  return isAsync ? c.library('Promise', [c.awaited(type)]) : type
}

/** Arguments of the statements of a kind in a function's body. */
function inside(body: Node, kind: string): Node[] {
  const found: Node[] = []
  const visit = (node: Node) => {
    if (FUNCTIONS.has(node.kind) || node.kind === 'Class') return
    if (node.kind === kind) {
      const argument = node.get('argument')
      if (argument) found.push(argument)
    }
    for (const child of node.children()) visit(child)
  }
  visit(body)
  return found
}

/** What a call, `new` or tagged template gives. */
export function typeOfCall(c: Checker, node: Node): Type {
  const isNew = node.kind === 'NewExpression'
  const callee = c.expression(node.get('callee') ?? node.get('tag')!)
  const given = argumentsOf(c, node, EMPTY)
  if (isNew) return union(parts(callee).map((part) => constructed(c, node, part, given)))
  return union(
    parts(callee).length === 0
      ? []
      : chosen(c, node, c.signatures(callee)).map((signature) => {
          return c.returned({ node: signature.node, env: callEnv(c, node, signature, given) })
        }),
  )
}

function constructed(c: Checker, node: Node, part: Type, given: Type[]): Type {
  const classes = part.kind === 'value' ? part.nodes.filter((item) => item.kind === 'Class') : []
  const [owner] = classes
  if (part.kind === 'value' && owner) {
    if (given.length > 0 || !owner.get('typeParameters')) return c.instanceOf({ nodes: part.nodes }, given, part.env)
    const [signature] = chosen(c, node, c.signatures(part, true))
    const env = signature ? inferArguments(c, node, signature, owner, undefined) : EMPTY
    const args = owner
      .get('typeParameters')!
      .list('params')
      .map((item) => env.get(item) ?? UNKNOWN)
    return c.instanceOf({ nodes: part.nodes }, args, part.env)
  }
  return union(
    chosen(c, node, c.signatures(part, true)).map((signature) =>
      c.returned({ node: signature.node, env: callEnv(c, node, signature, given) }),
    ),
  )
}

/** The signatures that may be meant by a call: the first whose parameters fit, else all. */
function chosen(c: Checker, node: Node, signatures: Signature[]): Signature[] {
  if (signatures.length < 2) return signatures
  const args = node.list('arguments')
  const spread = args.some((item) => item.kind === 'SpreadElement')
  const able = signatures.filter((signature) => spread || takes(signature.node, args.length))
  for (const signature of able) {
    const fits = args.every((item, i) => {
      if (item.kind === 'SpreadElement') return true
      const isFunction = FUNCTIONS.has(item.kind)
      const wanted = withParameters(c, signature, i)
      if (isFunction) return COMPOUND.has(wanted.kind) ? c.signatures(wanted).length > 0 : wanted.kind !== 'primitive'
      return matches(c, c.expression(item), wanted) !== false
    })
    if (fits) return [signature]
  }
  return able.length > 0 ? able : signatures
}
const COMPOUND = new Set(['instance', 'shape'])

/** A parameter's type in which the signature's own type parameters are what they extend. */
function withParameters(c: Checker, signature: Signature, index: number): Type {
  const type = c.parameter(signature, index)
  if (type.kind !== 'parameter') return type
  const constraint = type.node.get('constraint')
  return constraint ? c.typed(constraint, signature.env) : UNKNOWN
}

function takes(node: Node, count: number): boolean {
  const list = node.get('params')
  const items = list?.list('items') ?? []
  const needed = items.filter((item) => item.byte('optional') !== 1 && !item.get('initializer')).length
  return count >= needed && (list?.get('rest') !== undefined || count <= items.length)
}

/** What the type parameters of a signature become in a call. */
function callEnv(c: Checker, node: Node, signature: Signature, given: Type[]): Env {
  const own = signature.node.get('typeParameters')?.list('params') ?? []
  if (own.length === 0) return signature.env
  if (given.length > 0) {
    const env = new Map(signature.env)
    for (const [i, parameter] of own.entries()) {
      const fallback = parameter.get('default')
      const type = given[i] ?? (fallback ? c.typed(fallback, env) : undefined)
      if (type) env.set(parameter, type)
    }
    return env
  }
  return inferArguments(c, node, signature, signature.node, undefined)
}

/**
 * Infers the type parameters of `owner` from a call's arguments. `except` is the argument that is asked about: neither it nor a
 * function behind it may be looked at, for their own parameters wait for the answer.
 */
function inferArguments(c: Checker, node: Node, signature: Signature, owner: Node, except: number | undefined): Env {
  const own = owner.get('typeParameters')?.list('params') ?? []
  const found = new Map<Node, Type>()
  const wanted = (parameter: Node) => own.includes(parameter)
  const args = node.list('arguments')
  const order = [...args.keys()].sort((a, b) => Number(isOpen(args[a]!)) - Number(isOpen(args[b]!)) || a - b)
  for (const i of order) {
    const item = args[i]!
    if (i === except) continue
    if (except !== undefined && isOpen(item) && i > except) continue
    const annotation = annotationOf(signature.node, i)
    if (!annotation) continue
    const type = item.kind === 'SpreadElement' ? c.expression(item.get('argument')!) : c.expression(item)
    const list = signature.node.get('params')!.list('items').length
    const isRest = i >= list
    infer(
      c,
      annotation,
      signature.env,
      isRest && item.kind !== 'SpreadElement' ? c.library('Array', [type]) : type,
      found,
      wanted,
    )
  }
  const env = new Map(signature.env)
  for (const parameter of own) {
    const fallback = parameter.get('default') ?? parameter.get('constraint')
    const type = found.get(parameter) ?? (except === undefined && fallback ? c.typed(fallback, env) : undefined)
    if (type) env.set(parameter, type)
  }
  return env
}

function annotationOf(node: Node, index: number): Node | undefined {
  const list = node.get('params')
  const items = list?.list('items') ?? []
  return (items[index] ?? list?.get('rest'))?.get('typeAnnotation')
}

/** Whether an expression is a function whose parameters get their types from where it stands. */
function isOpen(node: Node): boolean {
  if (!FUNCTIONS.has(node.kind)) return false
  const items = node.get('params')?.list('items') ?? []
  return items.some((item) => !item.get('typeAnnotation'))
}

/** Type that an argument of a call is expected to have. */
export function typeOfArgument(c: Checker, call: Node, index: number): Type {
  const isNew = call.kind === 'NewExpression'
  const callee = c.expression(call.get('callee')!)
  const given = argumentsOf(c, call, EMPTY)
  const found: Type[] = []
  for (const part of parts(callee)) {
    const owner = isNew && part.kind === 'value' ? part.nodes.find((node) => node.kind === 'Class') : undefined
    for (const signature of expecting(c, call, c.signatures(part, isNew), index)) {
      const parameters = (owner ?? signature.node).get('typeParameters')?.list('params') ?? []
      let { env } = signature
      if (given.length > 0)
        env = extended(
          env,
          parameters.flatMap((item, i) => (given[i] ? [[item, given[i]] as [Node, Type]] : [])),
        )
      else if (parameters.length > 0) env = inferArguments(c, call, signature, owner ?? signature.node, index)
      found.push(c.parameter({ node: signature.node, env }, index))
    }
  }
  return union(found)
}

/** Signatures that an argument may be meant for; the other arguments decide. */
function expecting(c: Checker, call: Node, signatures: Signature[], index: number): Signature[] {
  if (signatures.length < 2) return signatures
  const args = call.list('arguments')
  const able = signatures.filter(({ node }) => takes(node, args.length))
  const fitting = able.filter((signature) =>
    args.every((item, i) => {
      if (item.kind === 'SpreadElement') return true
      const wanted = withParameters(c, signature, i)
      if (i === index || isOpen(item)) {
        if (!FUNCTIONS.has(item.kind)) return true
        return (
          wanted.kind === 'unknown' ||
          wanted.kind === 'parameter' ||
          parts(wanted).some((part) => c.signatures(part).length > 0)
        )
      }
      return matches(c, c.expression(item), wanted) !== false
    }),
  )
  return fitting.length > 0 ? fitting.slice(0, 1) : able.length > 0 ? able : signatures
}
