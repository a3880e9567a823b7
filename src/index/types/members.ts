// Members: where a type declares a name, and what type that has.
import { substitute } from './inference.ts'
import {
  EMPTY,
  extended,
  parts,
  primitive,
  union,
  UNKNOWN,
  type Checker,
  type Env,
  type Property,
  type Type,
} from './model.ts'
import { made } from './construct.ts'
import { declarationsIn, inSpace, keyOf, names as patternNames } from './scope.ts'
import type { Node } from './syntax.ts'

const GETTER = 2
const SETTER = 3
const NONE: Property[] = []

/** Declarations of a member, own ones before inherited ones. */
export function membersOf(c: Checker, type: Type, name: string): Property[] {
  switch (type.kind) {
    case 'union': {
      const found = parts(type).map((part) => c.members(part, name))
      return unique(found.flat())
    }
    case 'intersection':
      return unique(type.types.flatMap((part) => c.members(part, name)))
    case 'instance':
      return ofInstance(c, type, name)
    case 'value':
      return ofValue(c, type.nodes, type.env, name)
    case 'module':
      return c
        .exported(type.file, name)
        .nodes.filter((node) => inSpace(node, 'value') || inSpace(node, 'type'))
        .map((node) => ({ node, env: EMPTY }))
    case 'shape':
      return ofShape(c, type.node, type.env, type, name)
    case 'parameter': {
      const constraint = type.node.get('constraint')
      return constraint ? c.members(c.typed(constraint, EMPTY), name) : NONE
    }
    case 'picked':
      return type.names.has(name) === type.without ? NONE : c.members(type.of, name)
    case 'tuple':
      return c.members(c.library('Array', [union(type.types)]), name)
    case 'function':
      return c.members(c.library('Function', []), name)
    case 'primitive':
    case 'literal': {
      const boxed = BOXED[type.kind === 'literal' ? type.of : type.name]
      return boxed ? c.members(c.library(boxed, []), name) : NONE
    }
    default:
      return NONE
  }
}
const BOXED: Record<string, string> = {
  string: 'String',
  number: 'Number',
  boolean: 'Boolean',
  symbol: 'Symbol',
  bigint: 'BigInt',
}

function unique(properties: Property[]): Property[] {
  const seen = new Set<Node>()
  return properties.filter(({ node }) => !node || (!seen.has(node) && seen.add(node)))
}

/** Members of a class body, interface body or type literal by name. */
const tables = new WeakMap<Node, Map<string, Node[]>>()
function table(node: Node): Map<string, Node[]> {
  const known = tables.get(node)
  if (known) return known
  const found = new Map<string, Node[]>()
  tables.set(node, found)
  const add = (name: string, member: Node) => {
    if (name === '') return
    const same = found.get(name)
    if (same) same.push(member)
    else found.set(name, [member])
  }
  for (const member of bodyOf(node)) {
    const name = keyOf(member)
    add(name, member)
    const isConstructor = member.kind === 'MethodDefinition' && member.byte('kind') === 0
    if (isConstructor)
      for (const item of member.get('value')?.get('params')?.list('items') ?? [])
        if (isProperty(item)) patternNames(item.get('pattern'), (own) => add(own, item))
  }
  return found
}

function bodyOf(node: Node): readonly Node[] {
  if (node.kind === 'Class' || node.kind === 'TSInterfaceDeclaration') return node.get('body')!.list('body')
  if (node.kind === 'ObjectExpression') return node.list('properties')
  return node.list('members')
}

/** Whether a constructor's parameter is a property too. */
function isProperty(item: Node): boolean {
  return item.byte('accessibility') >= 0 || item.byte('readonly') === 1 || item.byte('override') === 1
}

function ofInstance(c: Checker, type: Type & { kind: 'instance' }, name: string): Property[] {
  const env = extended(type.env, [['this', type.env.get('this') ?? type]])
  const own: Property[] = []
  for (const node of type.nodes)
    for (const member of table(node).get(name) ?? []) if (member.byte('static') !== 1) own.push({ node: member, env })
  if (own.length > 0) return own
  for (const base of bases(c, type)) {
    const found = c.members(base, name)
    if (found.length > 0) return found
  }
  return NONE
}

/** What an instance inherits from. */
export function bases(c: Checker, type: Type & { kind: 'instance' }): Type[] {
  const found: Type[] = []
  for (const node of type.nodes) {
    const base = node.get('superClass')
    if (base) {
      const args = (node.get('superTypeArguments')?.list('params') ?? []).map((item) => c.typed(item, type.env))
      found.push(made(c, c.expression(base), args))
    }
    for (const item of node.list('extends')) found.push(c.typed(item, type.env))
  }
  return found.map((base) => withThis(base, type))
}

function withThis(base: Type, type: Type & { kind: 'instance' }): Type {
  return base.kind === 'instance'
    ? { ...base, env: extended(base.env, [['this', type.env.get('this') ?? type]]) }
    : base
}

/** Members of a class, enum or namespace itself. */
function ofValue(c: Checker, nodes: Node[], env: Env, name: string): Property[] {
  const found: Property[] = []
  for (const node of nodes) {
    if (node.kind === 'Class')
      for (const member of table(node).get(name) ?? []) {
        const isStatic = member.byte('static') === 1 && member.kind !== 'FormalParameter'
        if (isStatic) found.push({ node: member, env })
      }
    else if (node.kind === 'TSEnumDeclaration')
      for (const member of declarationsIn(node).get(name) ?? []) found.push({ node: member, env })
    else if (node.kind === 'TSNamespaceDeclaration')
      for (const member of inNamespace(node, name)) found.push({ node: member, env })
  }
  if (found.length > 0) return found
  for (const node of nodes) {
    const base = node.kind === 'Class' ? node.get('superClass') : undefined
    if (base) return c.members(c.expression(base), name)
  }
  return nodes.some((node) => node.kind === 'Function') ? c.members(c.library('Function', []), name) : NONE
}

function inNamespace(node: Node, name: string): Node[] {
  const body = node.get('body')!
  if (body.kind === 'TSNamespaceDeclaration') return body.get('id')!.text('name') === name ? [body] : []
  return declarationsIn(body).get(name) ?? []
}

function ofShape(c: Checker, node: Node, env: Env, type: Type, name: string): Property[] {
  if (node.kind === 'TSMappedType') return ofMapped(c, node, env, name)
  const inner = node.kind === 'TSTypeLiteral' ? extended(env, [['this', type]]) : env
  const own = (table(node).get(name) ?? []).map((member) => ({ node: member, env: inner }))
  if (own.length > 0 || node.kind !== 'ObjectExpression') return own
  return unique(
    node
      .list('properties')
      .filter((item) => item.kind === 'SpreadElement')
      .flatMap((item) => c.members(c.expression(item.get('argument')!), name)),
  )
}

function ofMapped(c: Checker, node: Node, env: Env, name: string): Property[] {
  const keys = c.typed(node.get('constraint'), env)
  const key: Type = { kind: 'literal', of: 'string', value: name }
  const type = () => c.typed(node.get('typeAnnotation'), extended(env, [[node, key]]))
  const found: Property[] = []
  for (const part of parts(keys)) {
    if (part.kind === 'keyof') {
      // The keys of a parameter that is still to be set are those of what sets it.
      if (part.of.kind === 'parameter') found.push({ node: undefined, env: EMPTY, type })
      else for (const property of c.members(part.of, name)) found.push({ node: property.node, env: property.env, type })
    } else if (part.kind === 'literal' ? part.value === name : part.kind === 'primitive' && part.name === 'string')
      found.push({ node: undefined, env: EMPTY, type })
    else if (part.kind === 'parameter') {
      const constraint = part.node.get('constraint')
      const inner = constraint ? c.typed(constraint, env) : UNKNOWN
      if (inner.kind === 'keyof')
        for (const property of c.members(inner.of, name)) found.push({ node: property.node, env: property.env, type })
    }
  }
  return found
}

/** Type of a member. */
export function typeOfProperty(c: Checker, property: Property): Type {
  if (property.type) return property.type()
  const { node, env } = property
  if (!node) return UNKNOWN
  switch (node.kind) {
    case 'PropertyDefinition':
    case 'AccessorProperty': {
      const annotation = node.get('typeAnnotation')
      if (annotation) return c.typed(annotation, env)
      const value = node.get('value')
      return value ? substitute(c.expression(value), env) : UNKNOWN
    }
    case 'MethodDefinition': {
      const value = node.get('value')!
      if (node.byte('kind') === GETTER) return c.returned({ node: value, env })
      if (node.byte('kind') === SETTER) return c.parameter({ node: value, env }, 0)
      return { kind: 'function', node: value, env }
    }
    case 'TSPropertySignature':
      return c.typed(node.get('typeAnnotation'), env)
    case 'TSMethodSignature':
      if (node.byte('kind') === 1) return c.returned({ node, env })
      return node.byte('kind') === 2 ? c.parameter({ node, env }, 0) : { kind: 'function', node, env }
    case 'FormalParameter':
      return substitute(c.bound(node.get('pattern')!), env)
    case 'ObjectProperty': {
      const value = node.get('value')!
      if (node.byte('kind') === 1) return c.returned({ node: value, env })
      if (node.byte('kind') === 2) return c.parameter({ node: value, env }, 0)
      return substitute(c.expression(value), env)
    }
    case 'TSEnumMember':
      return primitive('enum')
    default:
      return c.valueOf({ nodes: [node] })
  }
}

/** Names of all members, as far as they are known. */
export function namesOf(c: Checker, type: Type): string[] {
  switch (type.kind) {
    case 'union':
    case 'intersection':
      return [...new Set(type.types.flatMap((part) => c.names(part)))]
    case 'instance':
      return [
        ...new Set([
          ...type.nodes.flatMap((node) =>
            [...table(node)]
              .filter(([, members]) => members.some((member) => member.byte('static') !== 1))
              .map(([name]) => name),
          ),
          ...bases(c, type).flatMap((base) => c.names(base)),
        ]),
      ]
    case 'shape':
      if (type.node.kind === 'TSMappedType') {
        return parts(c.typed(type.node.get('constraint'), type.env)).flatMap((part) =>
          part.kind === 'keyof' ? c.names(part.of) : part.kind === 'literal' ? [part.value] : [],
        )
      }
      return [...table(type.node).keys(), ...(type.node.kind === 'ObjectExpression' ? spreadNames(c, type.node) : [])]
    case 'value':
      return type.nodes.flatMap((node) => (node.kind === 'TSEnumDeclaration' ? [...declarationsIn(node).keys()] : []))
    case 'picked':
      return c.names(type.of).filter((name) => type.names.has(name) !== type.without)
    default:
      return []
  }
}

function spreadNames(c: Checker, node: Node): string[] {
  return node
    .list('properties')
    .filter((item) => item.kind === 'SpreadElement')
    .flatMap((item) => c.names(c.expression(item.get('argument')!)))
}
