// Declarations: variables, classes and their members, interfaces, type aliases, enums, namespaces.
import { HINT_KIND, KIND, SYMBOL_FLAG } from '../../kinds.ts'
import { typeArguments } from './expressions.ts'
import {
  accessFlags,
  bodyStart,
  doc,
  functionFlags,
  FUNCTION_PARTS,
  LOCAL,
  LOCAL_VAR,
  ownName,
  pattern,
  signature,
  T_ARROW,
  T_FUNCTION,
  visitFunction,
  type Declaring,
} from './functions.ts'
import { MEANING } from './scopes.ts'
import { field, type, type Field } from './tree.ts'
import { annotation, typeName } from './types.ts'
import { MODE, visitor, type Walk } from './walk.ts'

const T_CLASS = type('Class')
const T_OBJECT = type('ObjectExpression')
const T_IDENTIFIER = type('BindingIdentifier')

/** Whether what is met now is declared at the top of the file or of a namespace. */
function isTop(w: Walk): boolean {
  return w.scopes.depth === w.moduleDepth
}

const VARIABLES = field('VariableDeclaration', 'declarations')
const VARIABLE_KIND = field('VariableDeclaration', 'kind')
const VARIABLE_ID = field('VariableDeclarator', 'id')
const VARIABLE_INIT = field('VariableDeclarator', 'init')
const VARIABLE_TYPE = field('VariableDeclarator', 'typeAnnotation')
const VAR = 0
const CONST = 2

visitor('VariableDeclaration', (w, node) => variables(w, node, -1))

/** `element`: the hint of what a for-of hands to the variable, -1 elsewhere. */
function variables(w: Walk, node: number, element: number): number {
  const isVar = w.byte(node, VARIABLE_KIND) === VAR
  const isConst = w.byte(node, VARIABLE_KIND) === CONST
  const alone = w.tree.count(node, VARIABLES) === 1
  const { outerStart, outerFlags } = w
  w.outerStart = -1
  w.outerFlags = 0
  w.each(node, VARIABLES, (item) => {
    const start = alone ? (outerStart >= 0 ? outerStart : w.start(node)) : w.start(item)
    const end = alone ? w.end(node) : w.end(item)
    variable(w, item, { isVar, isConst, start, end, flags: outerFlags, element })
  })
  return -1
}

interface VariableContext {
  isVar: boolean
  isConst: boolean
  start: number
  end: number
  flags: number
  element: number
}

function variable(w: Walk, item: number, context: VariableContext): void {
  const hasInit = w.kind(item, VARIABLE_INIT) !== 0
  const initType = hasInit ? w.kind(item, VARIABLE_INIT) : 0
  const init = hasInit ? w.child(item, VARIABLE_INIT) : 0
  const isNamed = w.kind(item, VARIABLE_ID) === T_IDENTIFIER
  const isFunction = isNamed && (initType === T_FUNCTION || initType === T_ARROW)
  const isClass = isNamed && initType === T_CLASS
  const declared = annotation(w, item, VARIABLE_TYPE)
  let row = -1
  if (isTop(w) || isFunction || isClass) {
    const flags =
      context.flags |
      (w.scopes.inFunction ? SYMBOL_FLAG.local : 0) |
      (isFunction ? functionFlags(w, initType, init) : 0)
    const kind = isFunction ? KIND.function : isClass ? KIND.class : context.isConst ? KIND.constant : KIND.variable
    const body = isFunction ? bodyStart(w, initType, init) : isClass ? w.start(w.child(init, CLASS_BODY)) : context.end
    const how: Declaring = {
      isVar: context.isVar,
      symbol: (name, nameStart) => {
        row = w.out.symbol(name, kind | (flags << 8), w.container, nameStart, context.start, context.end, body)
        doc(w, row, context.start)
        return row
      },
    }
    if (isFunction || isClass) {
      pattern(w, item, VARIABLE_ID, -1, how)
      if (isFunction) {
        w.expected = -1
        visitFunction(w, initType, init, row, initType === T_ARROW)
      } else classParts(w, init, row)
      if (declared >= 0 && isFunction && w.out.getSymbol(row, 'hint') < 0)
        w.out.setSymbol(row, 'hint', w.hint(HINT_KIND.call, declared))
      return
    }
    if (isNamed && initType === T_OBJECT) {
      pattern(w, item, VARIABLE_ID, declared, how)
      initializer(w, item, declared, row)
      return
    }
    const container = w.container
    // The symbol is made before its initializer is read, so that what stands in it is inside.
    if (isNamed) {
      pattern(w, item, VARIABLE_ID, declared, how)
      w.container = row
      const value = hasInit ? initializer(w, item, declared, -1) : context.element
      w.container = container
      if (declared < 0 && value >= 0) w.out.setSymbol(row, 'hint', value)
      return
    }
    const value = hasInit ? initializer(w, item, declared, -1) : context.element
    pattern(w, item, VARIABLE_ID, declared >= 0 ? declared : value, how)
    return
  }
  const value = hasInit ? initializer(w, item, declared, -1) : context.element
  pattern(w, item, VARIABLE_ID, declared >= 0 ? declared : value, context.isVar ? LOCAL_VAR : LOCAL)
}

function initializer(w: Walk, item: number, declared: number, literal: number): number {
  const { literal: outer, container } = w
  w.expected = declared
  w.literal = literal
  if (literal >= 0) w.container = literal
  const hint = w.visit(item, VARIABLE_INIT, MODE.want)
  w.container = container
  w.literal = outer
  w.expected = -1
  return hint
}

const FOR_LEFT = field('ForOfStatement', 'left')
const FOR_RIGHT = field('ForOfStatement', 'right')
const FOR_BODY = field('ForOfStatement', 'body')
const T_VARIABLES = type('VariableDeclaration')
visitor('ForOfStatement', (w, node) => {
  w.scopes.enter(false)
  const list = w.visit(node, FOR_RIGHT, MODE.want)
  if (w.kind(node, FOR_LEFT) === T_VARIABLES)
    variables(w, w.child(node, FOR_LEFT), list < 0 ? -1 : w.hint(HINT_KIND.element, list))
  else w.visit(node, FOR_LEFT, MODE.write)
  w.visit(node, FOR_BODY, 0)
  w.scopes.leave()
  return -1
})

const CLASS_ID = field('Class', 'id')
const CLASS_KIND = field('Class', 'type')
const CLASS_TYPES = field('Class', 'typeParameters')
const CLASS_SUPER = field('Class', 'superClass')
const CLASS_SUPER_TYPES = field('Class', 'superTypeArguments')
const CLASS_IMPLEMENTS = field('Class', 'implements')
const CLASS_BODY = field('Class', 'body')
const CLASS_ABSTRACT = field('Class', 'abstract')
const CLASS_DECORATORS = field('Class', 'decorators')
const CLASS_ELEMENTS = field('ClassBody', 'body')
const IMPLEMENTED = {
  name: field('TSClassImplements', 'expression'),
  types: field('TSClassImplements', 'typeArguments'),
}
const EXTENDED = {
  name: field('TSInterfaceHeritage', 'expression'),
  types: field('TSInterfaceHeritage', 'typeArguments'),
}

visitor('Class', (w, node) => {
  const isDeclaration = w.byte(node, CLASS_KIND) === 0
  const name = ownName(w, node, CLASS_ID)
  const start = w.outerStart >= 0 ? w.outerStart : w.start(node)
  const flags =
    w.outerFlags |
    (w.flag(node, CLASS_ABSTRACT) ? SYMBOL_FLAG.abstract : 0) |
    (w.scopes.inFunction ? SYMBOL_FLAG.local : 0)
  const isDefault = (w.outerFlags & SYMBOL_FLAG.default) !== 0
  w.outerStart = -1
  w.outerFlags = 0
  const row = w.out.symbol(
    name > 0 ? name : w.out.name(isDefault ? 'default' : '(anonymous class)'),
    KIND.class | (flags << 8),
    w.container,
    name > 0 ? w.start(w.child(node, CLASS_ID)) : w.start(node),
    start,
    w.end(node),
    w.start(w.child(node, CLASS_BODY)),
  )
  doc(w, row, start)
  if (isDeclaration && name > 0) w.scopes.declare(name, MEANING.all, row, -1, w.start(w.child(node, CLASS_ID)))
  classParts(w, node, row)
  return isDeclaration ? -1 : w.hint(HINT_KIND.selfStatic, row)
})

function classParts(w: Walk, node: number, row: number): void {
  w.visit(node, CLASS_DECORATORS)
  const { container, thisClass, thisStatic, literal, expected } = w
  w.literal = -1
  w.expected = -1
  w.scopes.enter(false)
  const name = ownName(w, node, CLASS_ID)
  // A class expression's own name is known inside it only.
  if (name > 0 && w.byte(node, CLASS_KIND) !== 0)
    w.scopes.declare(name, MEANING.all, row, -1, w.start(w.child(node, CLASS_ID)))
  w.visit(node, CLASS_TYPES)
  if (w.kind(node, CLASS_SUPER) !== 0) {
    const base = w.visit(node, CLASS_SUPER, MODE.want)
    typeArguments(w, node, CLASS_SUPER_TYPES)
    if (base >= 0) w.out.heritage(row, w.hint(HINT_KIND.construct, base), false)
  }
  heritage(w, node, CLASS_IMPLEMENTS, row, true)
  w.container = row
  w.thisClass = row
  w.deeper(() =>
    w.each(w.child(node, CLASS_BODY), CLASS_ELEMENTS, (item, kind) => {
      w.thisStatic = false
      w.node(kind, item, 0)
    }),
  )
  w.scopes.leave()
  w.container = container
  w.thisClass = thisClass
  w.thisStatic = thisStatic
  w.literal = literal
  w.expected = expected
}

/** `implements` of a class, `extends` of an interface. */
function heritage(w: Walk, node: number, at: Field, row: number, isImplements: boolean): void {
  const of = isImplements ? IMPLEMENTED : EXTENDED
  w.each(node, at, (item) => {
    const hint = typeName(w, item, of.name, MEANING.type, MODE.want)
    typeArguments(w, item, of.types)
    if (hint >= 0) w.out.heritage(row, hint, isImplements)
  })
}

const METHOD_KEY = field('MethodDefinition', 'key')
const METHOD_VALUE = field('MethodDefinition', 'value')
const METHOD_KIND = field('MethodDefinition', 'kind')
const METHOD_TYPE = field('MethodDefinition', 'type')
const METHOD_COMPUTED = field('MethodDefinition', 'computed')
const METHOD_STATIC = field('MethodDefinition', 'static')
const METHOD_ACCESS = field('MethodDefinition', 'accessibility')
const METHOD_OPTIONAL = field('MethodDefinition', 'optional')
const METHOD_DECORATORS = field('MethodDefinition', 'decorators')
const METHOD_KINDS = [KIND.constructor, KIND.method, KIND.getter, KIND.setter]

visitor('MethodDefinition', (w, node) => {
  w.visit(node, METHOD_DECORATORS)
  const name = w.keyName(node, METHOD_KEY, w.flag(node, METHOD_COMPUTED))
  const { keyStart } = w
  const value = w.child(node, METHOD_VALUE)
  const isStatic = w.flag(node, METHOD_STATIC)
  w.thisStatic = isStatic
  const flags =
    functionFlags(w, T_FUNCTION, value) |
    (isStatic ? SYMBOL_FLAG.static : 0) |
    (w.flag(node, METHOD_TYPE) ? SYMBOL_FLAG.abstract : 0) |
    (w.flag(node, METHOD_OPTIONAL) ? SYMBOL_FLAG.optional : 0) |
    accessFlags(w.byte(node, METHOD_ACCESS))
  let row = -1
  if (name > 0) {
    const kind = METHOD_KINDS[w.byte(node, METHOD_KIND)]!
    row = w.out.symbol(
      name,
      kind | (flags << 8),
      w.container,
      keyStart,
      w.start(node),
      w.end(node),
      bodyStart(w, T_FUNCTION, value),
    )
    doc(w, row, w.start(node))
  }
  visitFunction(w, T_FUNCTION, value, row, true)
  return -1
})

for (const name of ['PropertyDefinition', 'AccessorProperty']) {
  const at = (part: string) => field(name, part)
  const key = at('key')
  const typed = at('typeAnnotation')
  const value = at('value')
  const computed = at('computed')
  const isStatic = at('static')
  const access = at('accessibility')
  const kindAt = at('type')
  const decorators = at('decorators')
  const readonly = name === 'PropertyDefinition' ? at('readonly') : undefined
  const optional = name === 'PropertyDefinition' ? at('optional') : undefined
  visitor(name, (w, node) => {
    w.visit(node, decorators)
    const id = w.keyName(node, key, w.flag(node, computed))
    const { keyStart, container } = w
    w.thisStatic = w.flag(node, isStatic)
    const flags =
      (w.thisStatic ? SYMBOL_FLAG.static : 0) |
      (w.flag(node, kindAt) ? SYMBOL_FLAG.abstract : 0) |
      (readonly && w.flag(node, readonly) ? SYMBOL_FLAG.readonly : 0) |
      (optional && w.flag(node, optional) ? SYMBOL_FLAG.optional : 0) |
      accessFlags(w.byte(node, access))
    const valueType = w.kind(node, value)
    const hasValue = valueType !== 0
    const isFunction = valueType === T_FUNCTION || valueType === T_ARROW
    const init = w.child(node, value)
    let row = -1
    if (id > 0) {
      const kind = isFunction ? KIND.method : KIND.property
      const all = flags | (isFunction ? functionFlags(w, valueType, init) : 0)
      row = w.out.symbol(
        id,
        kind | (all << 8),
        container,
        keyStart,
        w.start(node),
        w.end(node),
        isFunction ? bodyStart(w, valueType, init) : w.end(node),
      )
      doc(w, row, w.start(node))
    }
    const declared = annotation(w, node, typed)
    // A field's initializer is a function of its own: `var` and `this` stay inside it.
    w.scopes.enter(true)
    let hint = declared
    if (isFunction) visitFunction(w, valueType, init, row, true)
    else if (hasValue) {
      if (row >= 0) w.container = row
      w.expected = declared
      const found = w.visit(node, value, MODE.want)
      w.expected = -1
      if (declared < 0) hint = found
      w.container = container
    }
    w.scopes.leave()
    if (row >= 0 && hint >= 0 && !isFunction) w.out.setSymbol(row, 'hint', hint)
    return -1
  })
}

const INTERFACE_ID = field('TSInterfaceDeclaration', 'id')
const INTERFACE_TYPES = field('TSInterfaceDeclaration', 'typeParameters')
const INTERFACE_EXTENDS = field('TSInterfaceDeclaration', 'extends')
const INTERFACE_BODY = field('TSInterfaceDeclaration', 'body')

/** Adds the symbol of a type-like declaration, declares its name, and gives the row. */
function named(w: Walk, node: number, idAt: Field, kind: number, meaning: number, body: number): number {
  const start = w.outerStart >= 0 ? w.outerStart : w.start(node)
  const flags = w.outerFlags | (w.scopes.inFunction ? SYMBOL_FLAG.local : 0)
  w.outerStart = -1
  w.outerFlags = 0
  const id = w.child(node, idAt)
  const name = w.nameOf(id)
  const row = w.out.symbol(name, kind | (flags << 8), w.container, w.start(id), start, w.end(node), body)
  doc(w, row, start)
  w.scopes.declare(name, meaning, row, -1, w.start(id))
  return row
}

visitor('TSInterfaceDeclaration', (w, node) => {
  const row = named(w, node, INTERFACE_ID, KIND.interface, MEANING.type, w.start(w.child(node, INTERFACE_BODY)))
  const { container, thisClass, thisStatic } = w
  w.scopes.enter(false)
  w.visit(node, INTERFACE_TYPES)
  heritage(w, node, INTERFACE_EXTENDS, row, false)
  w.container = row
  w.thisClass = row
  w.thisStatic = false
  w.members = row
  w.visit(node, INTERFACE_BODY)
  w.members = -1
  w.scopes.leave()
  w.container = container
  w.thisClass = thisClass
  w.thisStatic = thisStatic
  return -1
})

const ALIAS_ID = field('TSTypeAliasDeclaration', 'id')
const ALIAS_TYPES = field('TSTypeAliasDeclaration', 'typeParameters')
const ALIAS_TYPE = field('TSTypeAliasDeclaration', 'typeAnnotation')
visitor('TSTypeAliasDeclaration', (w, node) => {
  const row = named(w, node, ALIAS_ID, KIND.type, MEANING.type, w.end(node))
  const { container } = w
  w.scopes.enter(false)
  w.visit(node, ALIAS_TYPES)
  w.container = row
  w.members = row
  const hint = w.visit(node, ALIAS_TYPE, MODE.want)
  w.members = -1
  if (hint >= 0) w.out.setSymbol(row, 'hint', hint)
  w.scopes.leave()
  w.container = container
  return -1
})

const LITERAL_MEMBERS = field('TSTypeLiteral', 'members')
visitor('TSTypeLiteral', (w, node) => {
  const { members } = w
  w.each(node, LITERAL_MEMBERS, (item, kind) => {
    w.members = members
    w.node(kind, item, 0)
  })
  w.members = members
  return -1
})

const SIGNATURE_KEY = field('TSPropertySignature', 'key')
const SIGNATURE_TYPE = field('TSPropertySignature', 'typeAnnotation')
const SIGNATURE_READONLY = field('TSPropertySignature', 'readonly')
const SIGNATURE_COMPUTED = field('TSPropertySignature', 'computed')
visitor('TSPropertySignature', (w, node) => {
  const { members } = w
  const name = w.keyName(node, SIGNATURE_KEY, w.flag(node, SIGNATURE_COMPUTED))
  const { keyStart } = w
  let row = -1
  if (members >= 0 && name > 0) {
    const flags = w.flag(node, SIGNATURE_READONLY) ? SYMBOL_FLAG.readonly : 0
    row = w.out.symbol(name, KIND.property | (flags << 8), members, keyStart, w.start(node), w.end(node), w.end(node))
    doc(w, row, w.start(node))
  }
  // Members of a literal type inside are its own, not those of the interface.
  w.members = -1
  const hint = annotation(w, node, SIGNATURE_TYPE)
  w.members = members
  if (row >= 0 && hint >= 0) w.out.setSymbol(row, 'hint', hint)
  return -1
})

const METHOD_SIGNATURE_KEY = field('TSMethodSignature', 'key')
const METHOD_SIGNATURE_KIND = field('TSMethodSignature', 'kind')
const METHOD_SIGNATURE_COMPUTED = field('TSMethodSignature', 'computed')
const METHOD_SIGNATURE_PARTS = {
  typeParameters: field('TSMethodSignature', 'typeParameters'),
  thisParameter: field('TSMethodSignature', 'thisParam'),
  parameters: field('TSMethodSignature', 'params'),
  returns: field('TSMethodSignature', 'returnType'),
}
const SIGNATURE_KINDS = [KIND.method, KIND.getter, KIND.setter]
visitor('TSMethodSignature', (w, node) => {
  const { members } = w
  const name = w.keyName(node, METHOD_SIGNATURE_KEY, w.flag(node, METHOD_SIGNATURE_COMPUTED))
  let row = -1
  if (members >= 0 && name > 0) {
    const kind = SIGNATURE_KINDS[w.byte(node, METHOD_SIGNATURE_KIND)]! | (SYMBOL_FLAG.bodiless << 8)
    row = w.out.symbol(name, kind, members, w.keyStart, w.start(node), w.end(node), w.end(node))
    doc(w, row, w.start(node))
  }
  w.members = -1
  w.scopes.enter(true)
  const hint = signature(w, node, METHOD_SIGNATURE_PARTS)
  w.scopes.leave()
  w.members = members
  if (row >= 0 && hint >= 0) w.out.setSymbol(row, 'hint', hint)
  return -1
})
void FUNCTION_PARTS
