// Expressions: uses of names, member accesses with what is known of their receiver, calls, object literals, JSX.
import { HINT_KIND, IMPORT_KIND, USE_FLAG } from '../../kinds.ts'
import { MEANING } from './scopes.ts'
import { field, type, type Field } from './tree.ts'
import { MODE, visitor, visitors, type Walk } from './walk.ts'

const T_STRING = type('StringLiteral')
const T_IDENTIFIER = type('IdentifierReference')
const T_THIS = type('ThisExpression')
const T_MEMBER = type('StaticMemberExpression')
const T_OBJECT = type('ObjectExpression')
const T_ARROW = type('ArrowFunctionExpression')
const T_FUNCTION = type('Function')

/** Methods that call their argument with an element of their receiver. */
const ELEMENT_CALLBACKS = 'forEach map filter find findIndex findLast some every flatMap sort'.split(' ')

visitor('IdentifierReference', (w, node, mode) => {
  const slot = mode & MODE.want ? w.hint(HINT_KIND.unknown, 0) : -1
  const flags = (mode & MODE.call ? USE_FLAG.call : 0) | (mode & MODE.write ? USE_FLAG.write : 0)
  w.scopes.use(w.nameOf(node), w.start(node), flags, MEANING.value, slot)
  return slot
})

visitor('ThisExpression', (w, _node, mode) => {
  if (!(mode & MODE.want) || w.thisClass < 0) return -1
  return w.hint(w.thisStatic ? HINT_KIND.selfStatic : HINT_KIND.self, w.thisClass)
})

visitor('Super', (w, _node, mode) => (mode & MODE.want && w.thisClass >= 0 ? w.hint(HINT_KIND.base, w.thisClass) : -1))

const MEMBER_OBJECT = field('StaticMemberExpression', 'object')
const MEMBER_PROPERTY = field('StaticMemberExpression', 'property')
const PRIVATE_OBJECT = field('PrivateFieldExpression', 'object')
const PRIVATE_PROPERTY = field('PrivateFieldExpression', 'property')

function useFlags(mode: number): number {
  return (mode & MODE.call ? USE_FLAG.call : 0) | (mode & MODE.write ? USE_FLAG.write : 0)
}

// What is expected of a call or of a member is not expected of what they are made from.
visitor('StaticMemberExpression', (w, node, mode) => {
  w.expected = -1
  const object = w.visit(node, MEMBER_OBJECT, MODE.want)
  const property = w.child(node, MEMBER_PROPERTY)
  const name = w.nameOf(property)
  w.out.member(name, object, w.start(property), useFlags(mode))
  return mode & MODE.want ? w.memberHint(object, name) : -1
})

visitor('PrivateFieldExpression', (w, node, mode) => {
  const object = w.visit(node, PRIVATE_OBJECT, MODE.want)
  const property = w.child(node, PRIVATE_PROPERTY)
  const name = w.privateName(property)
  w.out.member(name, object, w.start(property), useFlags(mode))
  return mode & MODE.want ? w.memberHint(object, name) : -1
})

const COMPUTED_OBJECT = field('ComputedMemberExpression', 'object')
const COMPUTED_PROPERTY = field('ComputedMemberExpression', 'property')
visitor('ComputedMemberExpression', (w, node, mode) => {
  w.expected = -1
  const object = w.visit(node, COMPUTED_OBJECT, MODE.want)
  if (w.kind(node, COMPUTED_PROPERTY) === T_STRING) {
    const literal = w.child(node, COMPUTED_PROPERTY)
    const name = w.stringValue(literal)
    w.out.member(name, object, w.start(literal) + 1, useFlags(mode))
    return mode & MODE.want ? w.memberHint(object, name) : -1
  }
  w.visit(node, COMPUTED_PROPERTY)
  return mode & MODE.want && object >= 0 ? w.hint(HINT_KIND.element, object) : -1
})

const CALL_CALLEE = field('CallExpression', 'callee')
const CALL_TYPES = field('CallExpression', 'typeArguments')
const CALL_ARGUMENTS = field('CallExpression', 'arguments')
const IDENTIFIER_REQUIRE = 'require'

visitor('CallExpression', (w, node, mode) => {
  w.expected = -1
  const calleeType = w.kind(node, CALL_CALLEE)
  const required = calleeType === T_IDENTIFIER ? requireCall(w, node, mode) : -2
  if (required !== -2) return required
  const callee = w.visit(node, CALL_CALLEE, MODE.want | MODE.call)
  w.visit(node, CALL_TYPES)
  w.parameter = -1
  if (calleeType === T_MEMBER && callee >= 0) w.parameter = callbackParameter(w, w.child(node, CALL_CALLEE), callee)
  callArguments(w, node, CALL_ARGUMENTS)
  return mode & MODE.want && callee >= 0 ? w.hint(HINT_KIND.call, callee) : -1
})

/** Type of what `list.map(x => …)` or `promise.then(x => …)` hand to their function, -1 for other methods. */
function callbackParameter(w: Walk, member: number, callee: number): number {
  const name = w.out.names.text(w.nameOf(w.child(member, MEMBER_PROPERTY)))
  if (name === 'then') return w.hint(HINT_KIND.awaited, w.out.hintPart(callee))
  return ELEMENT_CALLBACKS.includes(name) ? w.hint(HINT_KIND.element, w.out.hintPart(callee)) : -1
}

function callArguments(w: Walk, node: number, at: Field): void {
  const parameter = w.parameter
  const { literal } = w
  w.literal = -1
  w.each(node, at, (item, kind, index) => {
    w.expected = -1
    w.parameter = index === 0 ? parameter : -1
    w.node(kind, item, 0)
  })
  w.parameter = -1
  w.literal = literal
}

/** `require('x')`: an import row; -2 when it is some other call. */
function requireCall(w: Walk, node: number, mode: number): number {
  if (w.tree.count(node, CALL_ARGUMENTS) !== 1) return -2
  let literal = 0
  w.each(node, CALL_ARGUMENTS, (item, kind) => {
    if (kind === T_STRING) literal = item
  })
  if (literal === 0) return -2
  if (w.out.names.text(w.nameOf(w.child(node, CALL_CALLEE))) !== IDENTIFIER_REQUIRE) return -2
  const row = w.out.import(w.stringValue(literal), 0, 0, IMPORT_KIND.require, w.start(literal), w.start(literal))
  return mode & MODE.want ? w.hint(HINT_KIND.module, row) : -1
}

const IMPORT_SOURCE = field('ImportExpression', 'source')
visitor('ImportExpression', (w, node, mode) => {
  if (w.kind(node, IMPORT_SOURCE) !== T_STRING) {
    w.visit(node, IMPORT_SOURCE)
    return -1
  }
  const literal = w.child(node, IMPORT_SOURCE)
  const row = w.out.import(w.stringValue(literal), 0, 0, IMPORT_KIND.dynamic, w.start(literal), w.start(literal))
  return mode & MODE.want ? w.hint(HINT_KIND.module, row) : -1
})

const NEW_CALLEE = field('NewExpression', 'callee')
const NEW_TYPES = field('NewExpression', 'typeArguments')
const NEW_ARGUMENTS = field('NewExpression', 'arguments')
visitor('NewExpression', (w, node, mode) => {
  const callee = w.visit(node, NEW_CALLEE, (mode & MODE.want) | MODE.call)
  const argument = typeArguments(w, node, NEW_TYPES)
  w.parameter = -1
  callArguments(w, node, NEW_ARGUMENTS)
  if (!(mode & MODE.want) || callee < 0) return -1
  const made = w.hint(HINT_KIND.construct, callee)
  return argument < 0 ? made : w.hint(HINT_KIND.generic, made, argument)
})

const INSTANTIATION = field('TSTypeParameterInstantiation', 'params')
/** Visits type arguments; gives the hint of the first for a list or a promise, of the last for a map; -1 for none. */
export function typeArguments(w: Walk, parent: number, at: Field): number {
  const node = w.child(parent, at)
  if (node === 0) return -1
  let hint = -1
  w.each(node, INSTANTIATION, (item, kind) => {
    const found = w.node(kind, item, MODE.want)
    if (found >= 0) hint = found
  })
  return hint
}

const AWAIT = field('AwaitExpression', 'argument')
visitor('AwaitExpression', (w, node, mode) => {
  const value = w.visit(node, AWAIT, mode & MODE.want)
  return value < 0 ? -1 : w.hint(HINT_KIND.awaited, value)
})

const CHAIN_EXPRESSION = field('ChainExpression', 'expression')
visitor('ChainExpression', (w, node, mode) => w.visit(node, CHAIN_EXPRESSION, mode))
const NON_NULL = field('TSNonNullExpression', 'expression')
visitor('TSNonNullExpression', (w, node, mode) => w.visit(node, NON_NULL, mode))
const INSTANTIATED = field('TSInstantiationExpression', 'expression')
const INSTANTIATED_TYPES = field('TSInstantiationExpression', 'typeArguments')
visitor('TSInstantiationExpression', (w, node, mode) => {
  const hint = w.visit(node, INSTANTIATED, mode)
  typeArguments(w, node, INSTANTIATED_TYPES)
  return hint
})

for (const name of ['TSAsExpression', 'TSSatisfiesExpression', 'TSTypeAssertion']) {
  const expression = field(name, 'expression')
  const annotation = field(name, 'typeAnnotation')
  visitor(name, (w, node, mode) => {
    const hint = w.visit(node, annotation, MODE.want)
    w.expected = hint
    const value = w.visit(node, expression, mode)
    w.expected = -1
    return hint < 0 ? value : hint
  })
}

const ASSIGN_LEFT = field('AssignmentExpression', 'left')
const ASSIGN_RIGHT = field('AssignmentExpression', 'right')
visitor('AssignmentExpression', (w, node, mode) => {
  const left = w.visit(node, ASSIGN_LEFT, MODE.want | MODE.write)
  const assigned = assignedFunction(w, node)
  if (assigned) return assigned(w, node)
  w.expected = left
  const right = w.visit(node, ASSIGN_RIGHT, mode & MODE.want)
  w.expected = -1
  return right
})

/** What makes a symbol of `exports.name = function …`; set by declarations.ts. */
export const assignments: { visit: ((w: Walk, node: number) => number) | undefined } = { visit: undefined }
function assignedFunction(w: Walk, node: number): ((w: Walk, node: number) => number) | undefined {
  const right = w.kind(node, ASSIGN_RIGHT)
  const left = w.kind(node, ASSIGN_LEFT)
  return left === T_MEMBER && (right === T_FUNCTION || right === T_ARROW) ? assignments.visit : undefined
}

const UPDATE = field('UpdateExpression', 'argument')
visitor('UpdateExpression', (w, node) => {
  w.visit(node, UPDATE, MODE.write)
  return -1
})

const LOGICAL_LEFT = field('LogicalExpression', 'left')
const LOGICAL_RIGHT = field('LogicalExpression', 'right')
visitor('LogicalExpression', (w, node, mode) => {
  const left = w.visit(node, LOGICAL_LEFT, mode & MODE.want)
  const right = w.visit(node, LOGICAL_RIGHT, mode & MODE.want)
  return left < 0 ? right : left
})

const IF_TEST = field('ConditionalExpression', 'test')
const IF_THEN = field('ConditionalExpression', 'consequent')
const IF_ELSE = field('ConditionalExpression', 'alternate')
visitor('ConditionalExpression', (w, node, mode) => {
  const { expected } = w
  w.visit(node, IF_TEST, 0)
  w.expected = expected
  const left = w.visit(node, IF_THEN, mode & MODE.want)
  w.expected = expected
  const right = w.visit(node, IF_ELSE, mode & MODE.want)
  w.expected = -1
  return left < 0 ? right : left
})

const ARRAY_ITEMS = field('ArrayExpression', 'elements')
visitor('ArrayExpression', (w, node, mode) => {
  const element = w.expected >= 0 ? w.hint(HINT_KIND.element, w.expected) : -1
  let first = -1
  w.each(node, ARRAY_ITEMS, (item, kind, index) => {
    w.expected = element
    const hint = w.node(kind, item, index === 0 ? mode & MODE.want : 0)
    if (index === 0) first = hint
  })
  w.expected = -1
  return first < 0 ? -1 : w.hint(HINT_KIND.list, first)
})

const OBJECT_ITEMS = field('ObjectExpression', 'properties')
const PROPERTY_NAME = field('ObjectProperty', 'key')
const PROPERTY_VALUE = field('ObjectProperty', 'value')
const PROPERTY_SHORTHAND = field('ObjectProperty', 'shorthand')
const PROPERTY_COMPUTED = field('ObjectProperty', 'computed')
const T_PROPERTY = type('ObjectProperty')

/** What makes a symbol of a function in an object literal; set by declarations.ts. */
export const literalMembers: { visit: ((w: Walk, property: number, name: number) => void) | undefined } = {
  visit: undefined,
}

visitor('ObjectExpression', (w, node) => {
  const { expected, literal, thisClass } = w
  // Functions of a literal have another `this`.
  w.thisClass = -1
  w.each(node, OBJECT_ITEMS, (property, itemType) => {
    w.expected = -1
    w.literal = literal
    if (itemType !== T_PROPERTY) {
      w.thisClass = thisClass
      w.node(itemType, property, 0)
      w.thisClass = -1
      return
    }
    const name = w.keyName(property, PROPERTY_NAME, w.flag(property, PROPERTY_COMPUTED))
    // A key is a use of the property of the type that is expected here.
    if (name > 0) w.out.member(name, expected, w.keyStart, USE_FLAG.write)
    const valueType = w.kind(property, PROPERTY_VALUE)
    if (name > 0 && (valueType === T_FUNCTION || valueType === T_ARROW)) {
      if (valueType === T_ARROW) w.thisClass = thisClass
      literalMembers.visit!(w, property, name)
      w.thisClass = -1
      return
    }
    w.thisClass = thisClass
    w.expected = expected >= 0 && name > 0 ? w.memberHint(expected, name) : -1
    if (valueType !== T_OBJECT) w.literal = -1
    w.visit(property, PROPERTY_VALUE)
    w.thisClass = -1
  })
  w.expected = -1
  w.literal = literal
  w.thisClass = thisClass
  return -1
})
void PROPERTY_SHORTHAND

// Destructuring assignment: `({ a: x } = value)`.
const TARGET_KEY = field('AssignmentTargetPropertyProperty', 'key')
const TARGET_VALUE = field('AssignmentTargetPropertyProperty', 'value')
const TARGET_COMPUTED = field('AssignmentTargetPropertyProperty', 'computed')
visitor('AssignmentTargetPropertyProperty', (w, node) => {
  const name = w.keyName(node, TARGET_KEY, w.flag(node, TARGET_COMPUTED))
  if (name > 0) w.out.member(name, -1, w.keyStart, 0)
  w.visit(node, TARGET_VALUE, MODE.write)
  return -1
})

// JSX: a name with a capital is a use; attributes are members of props nobody knows.
const JSX_MEMBER_OBJECT = field('JSXMemberExpression', 'object')
const JSX_MEMBER_PROPERTY = field('JSXMemberExpression', 'property')
visitor('JSXMemberExpression', (w, node) => {
  const object = w.visit(node, JSX_MEMBER_OBJECT, MODE.want)
  const property = w.child(node, JSX_MEMBER_PROPERTY)
  const name = w.nameOf(property)
  w.out.member(name, object, w.start(property), 0)
  return w.memberHint(object, name)
})
const JSX_ATTRIBUTE_NAME = field('JSXAttribute', 'name')
const JSX_ATTRIBUTE_VALUE = field('JSXAttribute', 'value')
const T_JSX_IDENTIFIER = type('JSXIdentifier')
visitor('JSXAttribute', (w, node) => {
  if (w.kind(node, JSX_ATTRIBUTE_NAME) === T_JSX_IDENTIFIER) {
    const name = w.child(node, JSX_ATTRIBUTE_NAME)
    w.out.member(w.nameOf(name), -1, w.start(name), USE_FLAG.write)
  }
  w.visit(node, JSX_ATTRIBUTE_VALUE)
  return -1
})
const JSX_CLOSING = field('JSXClosingElement', 'name')
visitor('JSXClosingElement', (w, node) => {
  w.visit(node, JSX_CLOSING, 0)
  return -1
})
void T_THIS
void visitors
