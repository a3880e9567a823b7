// What type is expected of an expression by where it stands.
import { EMPTY, parts, union, UNKNOWN, type Checker, type Type } from './model.ts'
import { FUNCTIONS, keyOf } from './scope.ts'
import type { Node } from './syntax.ts'

export function expectedOf(c: Checker, node: Node): Type {
  const parent = node.parent
  switch (parent?.kind) {
    case 'VariableDeclarator':
      return parent.get('init') === node ? c.typed(parent.get('typeAnnotation'), EMPTY) : UNKNOWN
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return parent.get('value') === node ? c.typed(parent.get('typeAnnotation'), EMPTY) : UNKNOWN
    case 'FormalParameter':
      return parent.get('initializer') === node ? c.bound(parent.get('pattern')!) : UNKNOWN
    case 'AssignmentPattern':
      return parent.get('right') === node ? c.bound(parent) : UNKNOWN
    case 'AssignmentExpression':
      return parent.get('right') === node ? c.expression(parent.get('left')!) : UNKNOWN
    case 'TSAsExpression':
    case 'TSTypeAssertion':
    case 'TSSatisfiesExpression': {
      const annotation = parent.get('typeAnnotation')!
      const name = annotation.get('typeName')
      const isConst = name?.kind === 'IdentifierReference' && name.text('name') === 'const'
      return isConst ? c.contextual(parent) : c.typed(annotation, EMPTY)
    }
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return c.contextual(parent)
    case 'ConditionalExpression':
      return parent.get('test') === node ? UNKNOWN : c.contextual(parent)
    case 'LogicalExpression': {
      const expected = c.contextual(parent)
      return expected.kind === 'unknown' && parent.get('right') === node ? c.expression(parent.get('left')!) : expected
    }
    case 'SequenceExpression':
      return parent.list('expressions').at(-1) === node ? c.contextual(parent) : UNKNOWN
    case 'AwaitExpression': {
      const expected = c.contextual(parent)
      return expected.kind === 'unknown' ? expected : union([expected, c.library('Promise', [expected])])
    }
    case 'CallExpression':
    case 'NewExpression': {
      const index = parent.list('arguments').indexOf(node)
      return index < 0 ? UNKNOWN : c.argument(parent, index)
    }
    case 'ObjectProperty':
      return parent.get('value') === node ? ofProperty(c, parent) : UNKNOWN
    case 'SpreadElement':
      return parent.parent?.kind === 'ObjectExpression' ? c.contextual(parent.parent) : UNKNOWN
    case 'ArrayExpression': {
      const index = parent.slots('elements').indexOf(node)
      return union(
        parts(c.contextual(parent)).map((part) =>
          c.element(part, { kind: 'literal', of: 'number', value: String(index) }),
        ),
      )
    }
    case 'ArrowFunctionExpression':
      return parent.get('body') === node ? returnOf(c, parent) : UNKNOWN
    case 'ReturnStatement':
      return ofReturn(c, parent)
    case 'YieldExpression':
      return UNKNOWN
    case 'JSXExpressionContainer':
      return ofAttribute(c, parent)
    case 'JSXSpreadAttribute':
      return propsOf(c, parent.parent!)
    default:
      return UNKNOWN
  }
}

function ofProperty(c: Checker, property: Node): Type {
  const expected = c.contextual(property.parent!)
  const name = keyOf(property)
  if (expected.kind === 'unknown') return UNKNOWN
  return name === '' ? c.element(expected, UNKNOWN) : member(c, discriminated(c, expected, property.parent!), name)
}

/** A member, or what an index signature gives. */
function member(c: Checker, type: Type, name: string): Type {
  const found = c.memberType(type, name)
  return found.kind === 'unknown' && c.members(type, name).length === 0
    ? c.element(type, { kind: 'literal', of: 'string', value: name })
    : found
}

/** Those parts of an expected union that an object literal's literal values do not rule out. */
export function discriminated(c: Checker, expected: Type, literal: Node): Type {
  const all = parts(expected)
  if (all.length < 2 || literal.kind !== 'ObjectExpression') return expected
  const values: [string, string][] = []
  for (const property of literal.list('properties')) {
    const value = property.get('value')
    if (value?.kind === 'StringLiteral') values.push([keyOf(property), value.text('value')])
  }
  const left = all.filter((part) =>
    values.every(([name, value]) => {
      const types = parts(c.memberType(part, name))
      const closed = types.length > 0 && types.every((type) => type.kind === 'literal')
      return !closed || types.some((type) => type.kind === 'literal' && type.value === value)
    }),
  )
  return left.length > 0 ? union(left) : expected
}

function ofReturn(c: Checker, statement: Node): Type {
  for (let at = statement.parent; at; at = at.parent) if (FUNCTIONS.has(at.kind)) return returnOf(c, at)
  return UNKNOWN
}

/** What a function is expected to give back, a promise opened where it is async. */
function returnOf(c: Checker, owner: Node): Type {
  const annotation = owner.get('returnType')
  const type = annotation
    ? c.typed(annotation, EMPTY)
    : owner.parent?.kind === 'MethodDefinition'
      ? UNKNOWN
      : union(c.signatures(c.contextual(owner)).map((signature) => c.returned(signature)))
  if (owner.byte('async') !== 1) return type
  return union(parts(type).map((part) => c.awaited(part)))
}

function ofAttribute(c: Checker, container: Node): Type {
  const attribute = container.parent
  if (attribute?.kind !== 'JSXAttribute') return UNKNOWN
  const name = attribute.get('name')
  return name?.kind === 'JSXIdentifier' ? c.memberType(propsOf(c, attribute.parent!), name.text('name')) : UNKNOWN
}

/** The props that an element's component takes. */
export function propsOf(c: Checker, opening: Node): Type {
  const name = opening.get('name')
  if (!name || name.kind === 'JSXIdentifier' || name.kind === 'JSXNamespacedName') return UNKNOWN
  return componentProps(c, nameType(c, name))
}

/** Type of what an element's name means. */
export function nameType(c: Checker, name: Node): Type {
  if (name.kind === 'IdentifierReference' || name.kind === 'ThisExpression') return c.expression(name)
  if (name.kind !== 'JSXMemberExpression') return UNKNOWN
  return c.memberType(nameType(c, name.get('object')!), name.get('property')!.text('name'))
}

function componentProps(c: Checker, type: Type): Type {
  const found: Type[] = []
  for (const part of parts(type)) {
    for (const signature of c.signatures(part)) found.push(c.parameter(signature, 0))
    const owner = part.kind === 'value' ? part.nodes.find((node) => node.kind === 'Class') : undefined
    if (!owner) continue
    const props = c.memberType(c.instanceOf({ nodes: [owner] }, [], EMPTY), 'props')
    const first = owner.get('superTypeArguments')?.list('params')[0]
    if (props.kind !== 'unknown') found.push(props)
    else if (first) found.push(c.typed(first, EMPTY))
  }
  return union(found)
}

const HANDED_ON = new Set(
  'ObjectProperty ObjectExpression ArrayExpression ConditionalExpression LogicalExpression ParenthesizedExpression ArrowFunctionExpression FunctionBody BlockStatement IfStatement ReturnStatement Function SpreadElement'.split(
    ' ',
  ),
)

/**
 * Whether an object literal is what sets a type parameter of a call, as in `make({ … })` of `make<T extends Base>(it: T)`: its
 * properties are then those of T itself, and no uses of Base's.
 */
export function setsParameter(c: Checker, literal: Node): boolean {
  let node = literal
  while (node.parent && HANDED_ON.has(node.parent.kind) && !node.parent.get('returnType')) node = node.parent
  const call = node.parent
  if (call?.kind !== 'CallExpression' && call?.kind !== 'NewExpression') return false
  const index = call.list('arguments').indexOf(node)
  return index >= 0 && parts(c.argument(call, index)).some((part) => part.kind === 'parameter')
}
