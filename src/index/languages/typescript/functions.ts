// Functions and what they are made of: parameters, patterns, bodies, blocks.
import { HINT_KIND, KIND, SYMBOL_FLAG } from '../../kinds.ts'
import { literalMembers, assignments } from './expressions.ts'
import { MEANING } from './scopes.ts'
import { field, type, type Field } from './tree.ts'
import { annotation } from './types.ts'
import { MODE, visitor, type Walk } from './walk.ts'

const T_IDENTIFIER = type('BindingIdentifier')
const T_OBJECT_PATTERN = type('ObjectPattern')
const T_ARRAY_PATTERN = type('ArrayPattern')
const T_DEFAULT = type('AssignmentPattern')
const T_BODY = type('FunctionBody')
export const T_FUNCTION = type('Function')
export const T_ARROW = type('ArrowFunctionExpression')

/** How the names of a pattern are declared. */
export interface Declaring {
  isVar: boolean
  /** Called for each name when it becomes a symbol; gives the row. */
  symbol: ((name: number, nameStart: number) => number) | undefined
}
export const LOCAL: Declaring = { isVar: false, symbol: undefined }
export const LOCAL_VAR: Declaring = { isVar: true, symbol: undefined }

const OBJECT_PROPERTIES = field('ObjectPattern', 'properties')
const OBJECT_REST = field('ObjectPattern', 'rest')
const ARRAY_ELEMENTS = field('ArrayPattern', 'elements')
const ARRAY_REST = field('ArrayPattern', 'rest')
const REST_ARGUMENT = field('BindingRestElement', 'argument')
const PROPERTY_KEY_AT = field('BindingProperty', 'key')
const PROPERTY_VALUE = field('BindingProperty', 'value')
const PROPERTY_COMPUTED = field('BindingProperty', 'computed')
const DEFAULT_LEFT = field('AssignmentPattern', 'left')
const DEFAULT_RIGHT = field('AssignmentPattern', 'right')

/** Declares the names of a pattern; `hint` is the type of what is taken apart. */
export function pattern(w: Walk, parent: number, at: Field, hint: number, how: Declaring): void {
  patternNode(w, w.kind(parent, at), w.child(parent, at), hint, how)
}

function patternNode(w: Walk, kind: number, node: number, hint: number, how: Declaring): void {
  if (kind === T_IDENTIFIER) {
    const name = w.nameOf(node)
    const symbol = how.symbol === undefined ? -1 : how.symbol(name, w.start(node))
    if (symbol >= 0 && hint >= 0) w.out.setSymbol(symbol, 'hint', hint)
    w.scopes.declare(name, MEANING.value, symbol, hint, w.start(node), how.isVar)
  } else if (kind === T_OBJECT_PATTERN) {
    w.each(node, OBJECT_PROPERTIES, (property) => {
      const name = w.keyName(property, PROPERTY_KEY_AT, w.flag(property, PROPERTY_COMPUTED))
      if (name > 0) w.out.member(name, hint, w.keyStart, 0)
      pattern(w, property, PROPERTY_VALUE, name > 0 ? w.memberHint(hint, name) : -1, how)
    })
    rest(w, node, OBJECT_REST, -1, how)
  } else if (kind === T_ARRAY_PATTERN) {
    const element = hint < 0 ? -1 : w.hint(HINT_KIND.element, hint)
    w.each(node, ARRAY_ELEMENTS, (item, itemKind) => {
      if (itemKind !== 0) patternNode(w, itemKind, item, element, how)
    })
    rest(w, node, ARRAY_REST, hint, how)
  } else if (kind === T_DEFAULT) {
    const fallback = w.visit(node, DEFAULT_RIGHT, MODE.want)
    pattern(w, node, DEFAULT_LEFT, hint < 0 ? fallback : hint, how)
  }
}

function rest(w: Walk, parent: number, at: Field, hint: number, how: Declaring): void {
  const node = w.child(parent, at)
  if (node !== 0) pattern(w, node, REST_ARGUMENT, hint, how)
}

const PARAMETERS = field('FormalParameters', 'items')
const PARAMETERS_REST = field('FormalParameters', 'rest')
const PARAMETER_DECORATORS = field('FormalParameter', 'decorators')
const PARAMETER_PATTERN = field('FormalParameter', 'pattern')
const PARAMETER_TYPE = field('FormalParameter', 'typeAnnotation')
const PARAMETER_INITIALIZER = field('FormalParameter', 'initializer')
const PARAMETER_ACCESS = field('FormalParameter', 'accessibility')
const PARAMETER_READONLY = field('FormalParameter', 'readonly')
const PARAMETER_OVERRIDE = field('FormalParameter', 'override')
const REST_DECORATORS = field('FormalParameterRest', 'decorators')
const REST_PATTERN = field('FormalParameterRest', 'argument')
const REST_TYPE = field('FormalParameterRest', 'typeAnnotation')
const ACCESS_FLAG = [SYMBOL_FLAG.private, SYMBOL_FLAG.protected, 0]

/** Flags of an optional accessibility byte, -1 when there is none. */
export function accessFlags(byte: number): number {
  return byte < 0 ? 0 : ACCESS_FLAG[byte]!
}

visitor('FormalParameters', (w, node) => {
  const first = w.parameter
  w.parameter = -1
  w.each(node, PARAMETERS, (item, _kind, index) => {
    w.visit(item, PARAMETER_DECORATORS)
    let hint = annotation(w, item, PARAMETER_TYPE)
    if (w.tree.has(item, PARAMETER_INITIALIZER)) {
      w.expected = hint
      const value = w.visit(item, PARAMETER_INITIALIZER, MODE.want)
      w.expected = -1
      if (hint < 0) hint = value
    }
    if (hint < 0 && index === 0) hint = first
    const access = w.byte(item, PARAMETER_ACCESS)
    const isProperty = access >= 0 || w.flag(item, PARAMETER_READONLY) || w.flag(item, PARAMETER_OVERRIDE)
    pattern(w, item, PARAMETER_PATTERN, hint, LOCAL)
    if (isProperty) parameterProperty(w, item, access, hint)
  })
  const last = w.child(node, PARAMETERS_REST)
  if (last !== 0) {
    w.visit(last, REST_DECORATORS)
    pattern(w, last, REST_PATTERN, annotation(w, last, REST_TYPE), LOCAL)
  }
  return -1
})

/** `constructor(private readonly name: Type)` declares a property of the class. */
function parameterProperty(w: Walk, item: number, access: number, hint: number): void {
  const declared = w.child(item, PARAMETER_PATTERN)
  const hasDefault = w.kind(item, PARAMETER_PATTERN) === T_DEFAULT
  const direct = hasDefault ? w.child(declared, DEFAULT_LEFT) : declared
  const kind = hasDefault ? w.kind(declared, DEFAULT_LEFT) : w.kind(item, PARAMETER_PATTERN)
  // A pattern is not allowed there, but parsed.
  if (kind !== T_IDENTIFIER) return
  const readonly = w.flag(item, PARAMETER_READONLY) ? SYMBOL_FLAG.readonly : 0
  const flags = accessFlags(access) | readonly | SYMBOL_FLAG.parameterProperty
  const row = w.out.symbol(
    w.nameOf(direct),
    KIND.property | (flags << 8),
    w.thisClass,
    w.start(direct),
    w.start(item),
    w.end(item),
    w.end(item),
  )
  w.out.setSymbol(row, 'hint', hint)
}

/** Parts of a function node; `thisParameter` only where the kind of node may have one. */
interface Parts {
  typeParameters: Field
  thisParameter: Field | undefined
  parameters: Field
  returns: Field
}
export const FUNCTION_PARTS: Parts = {
  typeParameters: field('Function', 'typeParameters'),
  thisParameter: field('Function', 'thisParam'),
  parameters: field('Function', 'params'),
  returns: field('Function', 'returnType'),
}
const ARROW_PARTS: Parts = {
  typeParameters: field('ArrowFunctionExpression', 'typeParameters'),
  thisParameter: undefined,
  parameters: field('ArrowFunctionExpression', 'params'),
  returns: field('ArrowFunctionExpression', 'returnType'),
}

/** Visits type parameters, parameters and return type in the open scope; gives the hint of the return type. */
export function signature(w: Walk, node: number, parts: Parts): number {
  w.visit(node, parts.typeParameters)
  if (parts.thisParameter) w.visit(node, parts.thisParameter)
  w.visit(node, parts.parameters)
  return annotation(w, node, parts.returns)
}

const BODY = field('Function', 'body')
const BODY_STATEMENTS = field('FunctionBody', 'body')
const ARROW_BODY_AT = field('ArrowFunctionExpression', 'body')
const FUNCTION_TYPE = field('Function', 'type')
const EXPRESSION_TYPE = 1
const ASYNC = field('Function', 'async')
const GENERATOR = field('Function', 'generator')
const ARROW_ASYNC = field('ArrowFunctionExpression', 'async')
const ID = field('Function', 'id')

export function functionFlags(w: Walk, kind: number, node: number): number {
  if (kind === T_ARROW) return w.flag(node, ARROW_ASYNC) ? SYMBOL_FLAG.async : 0
  return (
    (w.flag(node, ASYNC) ? SYMBOL_FLAG.async : 0) |
    (w.flag(node, GENERATOR) ? SYMBOL_FLAG.generator : 0) |
    (w.child(node, BODY) === 0 ? SYMBOL_FLAG.bodiless : 0)
  )
}

/** Where the body of a function node begins, or its end when it has none. */
export function bodyStart(w: Walk, kind: number, node: number): number {
  if (kind === T_ARROW) return w.start(w.child(node, ARROW_BODY_AT))
  const body = w.child(node, BODY)
  return body === 0 ? w.end(node) : w.start(body)
}

/** The own name of a function or class node, or 0. */
export function ownName(w: Walk, parent: number, at: Field): number {
  const node = w.child(parent, at)
  return node === 0 ? 0 : w.nameOf(node)
}

/** Visits a function; `symbol` is its row or -1. `keepThis`: its `this` is that of where it stands (arrows, methods). */
export function visitFunction(w: Walk, kind: number, node: number, symbol: number, keepThis: boolean): void {
  const { thisClass, container, returned, deepest, literal, nesting, expected } = w
  w.literal = -1
  w.expected = -1
  if (!keepThis) w.thisClass = -1
  if (symbol >= 0) w.container = symbol
  w.scopes.enter(true)
  // A function expression's own name is known inside it only.
  if (kind === T_FUNCTION && w.byte(node, FUNCTION_TYPE) === EXPRESSION_TYPE) {
    const name = ownName(w, node, ID)
    if (name > 0) w.scopes.declare(name, MEANING.value, symbol, -1, w.start(w.child(node, ID)))
  }
  const hint = signature(w, node, kind === T_ARROW ? ARROW_PARTS : FUNCTION_PARTS)
  w.returned = symbol >= 0 && hint < 0 ? -1 : -2
  w.nesting++
  w.deepest = w.nesting
  const inferred = body(w, kind, node, hint < 0 ? expected : hint)
  w.scopes.leave()
  if (symbol >= 0) {
    w.out.setSymbol(symbol, 'nesting', w.deepest - w.nesting)
    const known = hint < 0 ? inferred : hint
    if (known >= 0) w.out.setSymbol(symbol, 'hint', known)
  }
  w.nesting = nesting
  w.deepest = Math.max(deepest, w.deepest)
  w.thisClass = thisClass
  w.container = container
  w.returned = returned
  w.literal = literal
}

function body(w: Walk, kind: number, node: number, expected: number): number {
  let statements = 0
  if (kind === T_FUNCTION) statements = w.child(node, BODY)
  else if (w.kind(node, ARROW_BODY_AT) === T_BODY) statements = w.child(node, ARROW_BODY_AT)
  else {
    w.expected = expected
    const hint = w.visit(node, ARROW_BODY_AT, MODE.want)
    w.expected = -1
    return hint
  }
  if (statements !== 0) w.each(statements, BODY_STATEMENTS, (item, kind) => w.node(kind, item, 0))
  return w.returned
}

const RETURN = field('ReturnStatement', 'argument')
visitor('ReturnStatement', (w, node) => {
  if (w.kind(node, RETURN) === 0) return -1
  const wanted = w.returned === -1
  const hint = w.visit(node, RETURN, wanted ? MODE.want : 0)
  if (wanted && w.returned === -1) w.returned = hint
  return -1
})

const DECLARATION = 0
const DECLARED = 2
visitor('Function', (w, node) => {
  const kind = w.byte(node, FUNCTION_TYPE)
  const name = ownName(w, node, ID)
  const isDeclaration = kind === DECLARATION || kind === DECLARED
  const row = name > 0 || isDeclaration ? functionSymbol(w, node, name) : -1
  if (isDeclaration && name > 0) w.scopes.declare(name, MEANING.value, row, -1, w.start(w.child(node, ID)), true)
  visitFunction(w, T_FUNCTION, node, row, false)
  return row >= 0 && !isDeclaration ? w.hint(HINT_KIND.symbol, row) : -1
})

function functionSymbol(w: Walk, node: number, name: number): number {
  const local = w.scopes.inFunction ? SYMBOL_FLAG.local : 0
  const flags = functionFlags(w, T_FUNCTION, node) | w.outerFlags | local
  const start = w.outerStart >= 0 ? w.outerStart : w.start(node)
  w.outerStart = -1
  w.outerFlags = 0
  const nameStart = name > 0 ? w.start(w.child(node, ID)) : w.start(node)
  const row = w.out.symbol(
    name > 0 ? name : w.out.name('default'),
    KIND.function | (flags << 8),
    w.container,
    nameStart,
    start,
    w.end(node),
    bodyStart(w, T_FUNCTION, node),
  )
  doc(w, row, start)
  return row
}

export function doc(w: Walk, row: number, start: number): void {
  const at = w.docs.get(start)
  if (at !== undefined) w.out.setSymbol(row, 'docStart', at)
}

visitor('ArrowFunctionExpression', (w, node) => {
  visitFunction(w, T_ARROW, node, -1, true)
  return -1
})

const BLOCK = field('BlockStatement', 'body')
visitor('BlockStatement', (w, node) => {
  w.scopes.enter(false)
  w.deeper(() => w.each(node, BLOCK, (item, kind) => w.node(kind, item, 0)))
  w.scopes.leave()
  return -1
})

for (const name of ['SwitchStatement', 'StaticBlock']) {
  const number = type(name)
  visitor(name, (w, node) => {
    w.scopes.enter(name === 'StaticBlock')
    w.deeper(() => w.children(number, node))
    w.scopes.leave()
    return -1
  })
}
for (const name of ['ForStatement', 'ForInStatement']) {
  const number = type(name)
  visitor(name, (w, node) => {
    w.scopes.enter(false)
    w.children(number, node)
    w.scopes.leave()
    return -1
  })
}

const CATCH_PARAMETER = field('CatchClause', 'param')
const CATCH_BODY = field('CatchClause', 'body')
const CATCH_PATTERN = field('CatchParameter', 'pattern')
const CATCH_TYPE = field('CatchParameter', 'typeAnnotation')
visitor('CatchClause', (w, node) => {
  w.scopes.enter(false)
  const parameter = w.child(node, CATCH_PARAMETER)
  if (parameter !== 0) {
    pattern(w, parameter, CATCH_PATTERN, annotation(w, parameter, CATCH_TYPE), LOCAL)
  }
  w.visit(node, CATCH_BODY)
  w.scopes.leave()
  return -1
})

// Functions in object literals are symbols of their own.
const LITERAL_KIND = field('ObjectProperty', 'kind')
const LITERAL_VALUE = field('ObjectProperty', 'value')
const LITERAL_KINDS = [KIND.method, KIND.getter, KIND.setter]
literalMembers.visit = (w, property, name) => {
  const kind = w.kind(property, LITERAL_VALUE)
  const node = w.child(property, LITERAL_VALUE)
  const local = w.scopes.inFunction ? SYMBOL_FLAG.local : 0
  const flags = functionFlags(w, kind, node) | SYMBOL_FLAG.literalMember | local
  const container = w.literal >= 0 ? w.literal : w.container
  const row = w.out.symbol(
    name,
    LITERAL_KINDS[w.byte(property, LITERAL_KIND)]! | (flags << 8),
    container,
    w.keyStart,
    w.start(property),
    w.end(property),
    bodyStart(w, kind, node),
  )
  doc(w, row, w.start(property))
  if (kind !== T_ARROW) w.thisClass = w.literal
  visitFunction(w, kind, node, row, true)
}

// `exports.name = function …`, `Type.prototype.name = function …`
const ASSIGN_LEFT = field('AssignmentExpression', 'left')
const ASSIGN_RIGHT = field('AssignmentExpression', 'right')
const MEMBER_PROPERTY = field('StaticMemberExpression', 'property')
assignments.visit = (w, node) => {
  const property = w.child(w.child(node, ASSIGN_LEFT), MEMBER_PROPERTY)
  const kind = w.kind(node, ASSIGN_RIGHT)
  const value = w.child(node, ASSIGN_RIGHT)
  const local = w.scopes.inFunction ? SYMBOL_FLAG.local : 0
  const flags = functionFlags(w, kind, value) | SYMBOL_FLAG.literalMember | local
  const row = w.out.symbol(
    w.nameOf(property),
    KIND.function | (flags << 8),
    w.container,
    w.start(property),
    w.start(node),
    w.end(node),
    bodyStart(w, kind, value),
  )
  doc(w, row, w.start(node))
  visitFunction(w, kind, value, row, kind === T_ARROW)
  return -1
}
