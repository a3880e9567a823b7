// Expressions and the names they use.
import {
  EMPTY,
  intersection,
  parts,
  primitive,
  union,
  UNKNOWN,
  type Checker,
  type Referent,
  type Type,
} from './model.ts'
import { made } from './construct.ts'
import { narrowed } from './narrowing.ts'
import { literal } from './type-nodes.ts'
import { FUNCTIONS, keyOf } from './scope.ts'
import type { Node } from './syntax.ts'

const ASSIGN = 0
const COMPARES = 8

export function typeOfExpression(c: Checker, node: Node): Type {
  switch (node.kind) {
    case 'IdentifierReference':
      return reference(c, node)
    case 'ThisExpression':
    case 'Super':
      return self(c, node)
    case 'StaticMemberExpression':
      return narrowed(c, node, c.memberType(c.expression(node.get('object')!), node.get('property')!.text('name')))
    case 'PrivateFieldExpression':
      return c.memberType(c.expression(node.get('object')!), `#${node.get('property')!.text('name')}`)
    case 'ComputedMemberExpression':
      return computed(c, node)
    case 'CallExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression':
      return c.called(node)
    case 'ImportExpression': {
      const source = node.get('source')
      const module = source?.kind === 'StringLiteral' ? c.moduleOf(node.tree.file, source.text('value')) : -1
      return module < 0 ? UNKNOWN : c.library('Promise', [{ kind: 'module', file: module }])
    }
    case 'AwaitExpression':
      return c.awaited(c.expression(node.get('argument')!))
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSInstantiationExpression':
      return c.expression(node.get('expression')!)
    case 'TSSatisfiesExpression':
      return c.expression(node.get('expression')!)
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      return asserted(c, node)
    case 'AssignmentExpression':
      return node.byte('operator') === ASSIGN
        ? c.expression(node.get('right')!)
        : union([c.expression(node.get('left')!), c.expression(node.get('right')!)])
    case 'LogicalExpression': {
      const right = c.expression(node.get('right')!)
      return node.byte('operator') === 1 ? right : union([...parts(c.expression(node.get('left')!)), right])
    }
    case 'ConditionalExpression':
      return union([c.expression(node.get('consequent')!), c.expression(node.get('alternate')!)])
    case 'SequenceExpression': {
      const last = node.list('expressions').at(-1)
      return last ? c.expression(last) : UNKNOWN
    }
    case 'ArrowFunctionExpression':
    case 'Function':
      return { kind: 'function', node, env: EMPTY }
    case 'Class':
      return { kind: 'value', nodes: [node], env: EMPTY }
    case 'ObjectExpression':
      return { kind: 'shape', node, env: EMPTY }
    case 'ArrayExpression':
      return array(c, node)
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
    case 'TemplateLiteral':
      return literal(node)
    case 'RegExpLiteral':
      return c.library('RegExp', [])
    case 'UnaryExpression':
      return primitive(
        ['number', 'number', 'boolean', 'number', 'string', 'undefined', 'boolean'][node.byte('operator')] ?? 'unknown',
      )
    case 'UpdateExpression':
      return primitive('number')
    case 'BinaryExpression': {
      const operator = node.byte('operator')
      if (operator < COMPARES || operator >= 20) return primitive('boolean')
      return primitive(operator === COMPARES && isText(c, node) ? 'string' : 'number')
    }
    default:
      return UNKNOWN
  }
}

function isText(c: Checker, node: Node): boolean {
  return [node.get('left')!, node.get('right')!].some((side) =>
    parts(c.expression(side)).some((part) =>
      part.kind === 'primitive' ? part.name === 'string' : part.kind === 'literal' && part.of === 'string',
    ),
  )
}

function reference(c: Checker, node: Node): Type {
  const name = node.text('name')
  if (name === 'undefined') return primitive('undefined')
  return narrowed(c, node, c.valueOf(c.resolve(node, name, 'value')))
}

/** `this`, and what `super` means where it is the object. */
export function self(c: Checker, node: Node): Type {
  for (let at: Node | undefined = node; at; at = at.parent) {
    const outer: Node | undefined = at.parent
    if (!outer) return UNKNOWN
    if (isMember(outer) && (outer.get('value') === at || outer.kind === 'StaticBlock')) {
      const owner = outer.parent!.parent!
      const isStatic = outer.kind === 'StaticBlock' || outer.byte('static') === 1
      return ofClass(c, owner, isStatic, node.kind === 'Super')
    }
    if (outer.kind === 'ObjectProperty' && at.kind === 'Function' && outer.get('value') === at) {
      const expected = c.contextual(outer.parent!)
      const own = c.expression(outer.parent!)
      return expected.kind === 'unknown' ? own : intersection([own, expected])
    }
    if (at.kind === 'Function') {
      const parameter = at.get('thisParam')?.get('typeAnnotation')
      return parameter ? c.typed(parameter, EMPTY) : UNKNOWN
    }
    if (at.kind === 'StaticBlock') return ofClass(c, outer.parent!, true, node.kind === 'Super')
  }
  return UNKNOWN
}

function isMember(node: Node): boolean {
  return node.kind === 'MethodDefinition' || node.kind === 'PropertyDefinition' || node.kind === 'AccessorProperty'
}

function ofClass(c: Checker, owner: Node, isStatic: boolean, isSuper: boolean): Type {
  if (!isSuper)
    return isStatic ? { kind: 'value', nodes: [owner], env: EMPTY } : c.instanceOf(declarations(c, owner), [], EMPTY)
  const base = owner.get('superClass')
  if (!base) return UNKNOWN
  const type = c.expression(base)
  const args = (owner.get('superTypeArguments')?.list('params') ?? []).map((item) => c.typed(item, EMPTY))
  return isStatic ? type : made(c, type, args)
}

/** A class with the interfaces that merge with it. */
function declarations(c: Checker, owner: Node): Referent {
  const name = owner.get('id')?.text('name')
  if (!name) return { nodes: [owner] }
  const found = c.resolve(owner.get('id')!, name, 'type')
  return found.nodes.includes(owner) ? found : { nodes: [owner] }
}

function computed(c: Checker, node: Node): Type {
  const object = c.expression(node.get('object')!)
  const index = node.get('property')!
  if (index.kind === 'StringLiteral') return c.memberType(object, index.text('value'))
  const key = c.expression(index)
  const names = parts(key)
  if (names.length > 0 && names.every((part) => part.kind === 'literal' && part.of === 'string'))
    return union(names.map((part) => c.memberType(object, part.kind === 'literal' ? part.value : '')))
  if (key.kind === 'keyof') return union(c.names(key.of).map((name) => c.memberType(object, name)))
  return c.element(object, key)
}

function asserted(c: Checker, node: Node): Type {
  const annotation = node.get('typeAnnotation')!
  const name = annotation.kind === 'TSTypeReference' ? annotation.get('typeName') : undefined
  if (name?.kind === 'IdentifierReference' && name.text('name') === 'const')
    return c.expression(node.get('expression')!)
  return c.typed(annotation, EMPTY)
}

function array(c: Checker, node: Node): Type {
  const items = node.slots('elements').map((item) => {
    if (!item) return UNKNOWN
    return item.kind === 'SpreadElement' ? c.iterated(c.expression(item.get('argument')!)) : c.expression(item)
  })
  const expected = c.contextual(node)
  const isTuple = parts(expected).some((part) => part.kind === 'tuple') || isConst(node)
  if (isTuple && !node.slots('elements').some((item) => item?.kind === 'SpreadElement'))
    return { kind: 'tuple', types: items }
  return c.library('Array', [union(items)])
}

/** Whether `as const` stands around a literal. */
function isConst(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    if (at.kind === 'TSAsExpression') {
      const name = at.get('typeAnnotation')?.get('typeName')
      return name?.kind === 'IdentifierReference' && name.text('name') === 'const'
    }
    if (!/^Object|^Array/.test(at.kind)) return false
  }
  return false
}

/** Type of the value that declarations of one name stand for. */
export function typeOfValue(c: Checker, { nodes, module }: Referent): Type {
  if (module !== undefined) return { kind: 'module', file: module }
  const [first] = nodes
  if (!first) return UNKNOWN
  switch (first.kind) {
    case 'BindingIdentifier':
      return c.bound(first)
    case 'Class':
    case 'Function':
    case 'TSEnumDeclaration':
    case 'TSNamespaceDeclaration':
      return { kind: 'value', nodes, env: EMPTY }
    case 'TSEnumMember':
      return primitive('enum')
    case 'ExportDefaultDeclaration':
      return c.expression(first.get('declaration')!)
    case 'TSExportAssignment':
      return c.expression(first.get('expression')!)
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSTypeParameter':
      return UNKNOWN
    case 'TSImportEqualsDeclaration':
      return UNKNOWN
    default:
      return UNKNOWN
  }
}

/** What a pattern, or a name in one, is given. */
export function typeOfPattern(c: Checker, pattern: Node): Type {
  const parent = pattern.parent!
  switch (parent.kind) {
    case 'BindingProperty': {
      const name = keyOf(parent)
      return name === '' ? UNKNOWN : c.memberType(c.bound(parent.parent!), name)
    }
    case 'AssignmentPattern': {
      const outer = c.bound(parent)
      return outer.kind === 'unknown' ? c.expression(parent.get('right')!) : outer
    }
    case 'ArrayPattern': {
      const at = parent.slots('elements').indexOf(pattern)
      return c.element(c.bound(parent), { kind: 'literal', of: 'number', value: String(at) })
    }
    case 'BindingRestElement': {
      const whole = c.bound(parent.parent!)
      if (parent.parent!.kind !== 'ObjectPattern')
        return whole.kind === 'tuple' ? c.library('Array', [union(whole.types)]) : whole
      const taken = parent.parent!.list('properties').map((property) => keyOf(property))
      return { kind: 'picked', of: whole, names: new Set(taken), without: true }
    }
    case 'VariableDeclarator':
      return variable(c, parent)
    case 'FormalParameter':
      return parameter(c, parent)
    case 'FormalParameterRest': {
      const annotation = parent.get('typeAnnotation')
      if (annotation) return c.typed(annotation, EMPTY)
      const signature = expectedSignature(c, parent.parent!.parent!)
      const index = parent.parent!.list('items').length
      return signature ? c.library('Array', [c.parameter(signature, index)]) : UNKNOWN
    }
    case 'CatchParameter':
      return c.typed(parent.get('typeAnnotation'), EMPTY)
    default:
      return UNKNOWN
  }
}

function variable(c: Checker, node: Node): Type {
  const annotation = node.get('typeAnnotation')
  if (annotation) return c.typed(annotation, EMPTY)
  const init = node.get('init')
  if (init) return c.expression(init)
  const loop = node.parent!.parent
  if (loop?.get('left') !== node.parent) return UNKNOWN
  if (loop?.kind === 'ForInStatement') return primitive('string')
  if (loop?.kind !== 'ForOfStatement') return UNKNOWN
  const item = c.iterated(c.expression(loop.get('right')!))
  return loop.byte('await') === 1 ? c.awaited(item) : item
}

function parameter(c: Checker, node: Node): Type {
  const annotation = node.get('typeAnnotation')
  if (annotation) return c.typed(annotation, EMPTY)
  const list = node.parent!
  const owner = list.parent!
  const index = list.list('items').indexOf(node)
  const types = c.signatures(c.contextual(owner)).map((signature) => c.parameter(signature, index))
  const expected = union(types)
  if (expected.kind !== 'unknown') return expected
  const initializer = node.get('initializer')
  return initializer ? c.expression(initializer) : UNKNOWN
}

function expectedSignature(c: Checker, owner: Node) {
  return FUNCTIONS.has(owner.kind) ? c.signatures(c.contextual(owner))[0] : undefined
}
