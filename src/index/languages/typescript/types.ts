// Types: uses of type names, and what is known of the type as a hint for the members of its values.
import { HINT_KIND, IMPORT_KIND, USE_FLAG } from '../../kinds.ts'
import { typeArguments } from './expressions.ts'
import { MEANING } from './scopes.ts'
import { field, type, type Field } from './tree.ts'
import { MODE, visitor, type Walk } from './walk.ts'

const T_IDENTIFIER = type('IdentifierReference')
const T_QUALIFIED = type('TSQualifiedName')

const REFERENCE_NAME = field('TSTypeReference', 'typeName')
const REFERENCE_TYPES = field('TSTypeReference', 'typeArguments')
visitor('TSTypeReference', (w, node, mode) => {
  const name = typeName(w, node, REFERENCE_NAME, MEANING.type, mode)
  const argument = typeArguments(w, node, REFERENCE_TYPES)
  if (!(mode & MODE.want) || name < 0 || argument < 0) return name
  return w.hint(HINT_KIND.generic, name, argument)
})

const QUALIFIED_LEFT = field('TSQualifiedName', 'left')
const QUALIFIED_RIGHT = field('TSQualifiedName', 'right')

/** A type's name, `A` or `A.B`: the use of its first part, the rest as members. `meaning` is that of the whole. */
export function typeName(w: Walk, parent: number, at: Field, meaning: number, mode: number): number {
  const kind = w.kind(parent, at)
  const node = w.child(parent, at)
  if (kind === T_IDENTIFIER) {
    const slot = mode & MODE.want ? w.hint(HINT_KIND.unknown, 0) : -1
    // `typeof name` is a use of the value.
    const flags = meaning === MEANING.value ? 0 : USE_FLAG.type
    w.scopes.use(w.nameOf(node), w.start(node), flags, meaning, slot)
    return slot
  }
  if (kind !== T_QUALIFIED) return w.node(kind, node, mode)
  const left = typeName(w, node, QUALIFIED_LEFT, meaning === MEANING.value ? meaning : MEANING.namespace, MODE.want)
  const right = w.child(node, QUALIFIED_RIGHT)
  const name = w.nameOf(right)
  w.out.member(name, left, w.start(right), USE_FLAG.type)
  if (!(mode & MODE.want) || left < 0) return -1
  const member = w.memberHint(left, name)
  // A type's name stands for its instances.
  return meaning === MEANING.type ? w.hint(HINT_KIND.instance, member) : member
}

const QUERY = field('TSTypeQuery', 'exprName')
const QUERY_TYPES = field('TSTypeQuery', 'typeArguments')
visitor('TSTypeQuery', (w, node, mode) => {
  const hint = typeName(w, node, QUERY, MEANING.value, mode)
  typeArguments(w, node, QUERY_TYPES)
  return hint
})

const ARRAY = field('TSArrayType', 'elementType')
visitor('TSArrayType', (w, node, mode) => {
  const element = w.visit(node, ARRAY, mode)
  return element < 0 ? -1 : w.hint(HINT_KIND.list, element)
})

const OPERATOR = field('TSTypeOperator', 'operator')
const OPERATOR_TYPE = field('TSTypeOperator', 'typeAnnotation')
const READONLY = 2
visitor('TSTypeOperator', (w, node, mode) => {
  const hint = w.visit(node, OPERATOR_TYPE, mode)
  return w.byte(node, OPERATOR) === READONLY ? hint : -1
})

const INDEXED_OBJECT = field('TSIndexedAccessType', 'objectType')
const INDEXED_INDEX = field('TSIndexedAccessType', 'indexType')
const LITERAL = field('TSLiteralType', 'literal')
const T_LITERAL = type('TSLiteralType')
const T_STRING = type('StringLiteral')
visitor('TSIndexedAccessType', (w, node, mode) => {
  const object = w.visit(node, INDEXED_OBJECT, MODE.want)
  const index = w.child(node, INDEXED_INDEX)
  if (w.kind(node, INDEXED_INDEX) !== T_LITERAL || w.kind(index, LITERAL) !== T_STRING) {
    w.visit(node, INDEXED_INDEX)
    return -1
  }
  const literal = w.child(index, LITERAL)
  const name = w.stringValue(literal)
  w.out.member(name, object, w.start(literal) + 1, USE_FLAG.type)
  return mode & MODE.want ? w.memberHint(object, name) : -1
})

for (const [name, members] of [
  ['TSUnionType', 'types'],
  ['TSIntersectionType', 'types'],
] as const) {
  const at = field(name, members)
  visitor(name, (w, node, mode) => {
    let hint = -1
    let count = 0
    // One part with a hint stands for all: mostly the others are undefined or null. Of several none does.
    w.each(node, at, (item, kind) => {
      const part = w.node(kind, item, mode)
      if (part < 0) return
      hint = part
      count++
    })
    return count === 1 ? hint : -1
  })
}

visitor('TSThisType', (w, _node, mode) =>
  mode & MODE.want && w.thisClass >= 0 ? w.hint(HINT_KIND.self, w.thisClass) : -1,
)

const ANNOTATION = field('TSTypeAnnotation', 'typeAnnotation')
visitor('TSTypeAnnotation', (w, node, mode) => w.visit(node, ANNOTATION, mode))

/** Visits an optional type annotation field; gives its hint or -1. */
export function annotation(w: Walk, parent: number, at: Field): number {
  const node = w.child(parent, at)
  return node === 0 ? -1 : w.visit(node, ANNOTATION, MODE.want)
}

const PREDICATE = field('TSTypePredicate', 'typeAnnotation')
const PREDICATE_NAME = field('TSTypePredicate', 'parameterName')
const T_IDENTIFIER_NAME = type('IdentifierName')
visitor('TSTypePredicate', (w, node) => {
  const name = w.child(node, PREDICATE_NAME)
  if (w.kind(node, PREDICATE_NAME) === T_IDENTIFIER_NAME)
    w.scopes.use(w.nameOf(name), w.start(name), 0, MEANING.value, -1)
  annotation(w, node, PREDICATE)
  return -1
})

const TYPE_PARAMETER_NAME = field('TSTypeParameter', 'name')
const TYPE_PARAMETER_CONSTRAINT = field('TSTypeParameter', 'constraint')
const TYPE_PARAMETER_DEFAULT = field('TSTypeParameter', 'default')
visitor('TSTypeParameter', (w, node) => {
  const constraint =
    w.kind(node, TYPE_PARAMETER_CONSTRAINT) === 0 ? -1 : w.visit(node, TYPE_PARAMETER_CONSTRAINT, MODE.want)
  if (w.kind(node, TYPE_PARAMETER_DEFAULT) !== 0) w.visit(node, TYPE_PARAMETER_DEFAULT, 0)
  const name = w.child(node, TYPE_PARAMETER_NAME)
  w.scopes.declare(w.nameOf(name), MEANING.type, -1, constraint, w.start(name))
  return -1
})

// `A extends infer U ? …`, `{ [K in …]: … }`, function types: scopes of their own.
for (const name of [
  'TSConditionalType',
  'TSFunctionType',
  'TSConstructorType',
  'TSCallSignatureDeclaration',
  'TSConstructSignatureDeclaration',
]) {
  const number = type(name)
  visitor(name, (w, node) => {
    const { members } = w
    if (name !== 'TSConditionalType') w.members = -1
    w.scopes.enter(true)
    w.children(number, node)
    w.scopes.leave()
    w.members = members
    return -1
  })
}

const MAPPED_KEY = field('TSMappedType', 'key')
const MAPPED_CONSTRAINT = field('TSMappedType', 'constraint')
const MAPPED_NAME = field('TSMappedType', 'nameType')
const MAPPED_TYPE = field('TSMappedType', 'typeAnnotation')
visitor('TSMappedType', (w, node) => {
  w.scopes.enter(false)
  const key = w.child(node, MAPPED_KEY)
  w.scopes.declare(w.nameOf(key), MEANING.type, -1, -1, w.start(key))
  w.visit(node, MAPPED_CONSTRAINT, 0)
  w.visit(node, MAPPED_NAME)
  w.visit(node, MAPPED_TYPE)
  w.scopes.leave()
  return -1
})

const INDEX_PARAMETER = field('TSIndexSignature', 'parameters')
const INDEX_NAME_TYPE = field('TSIndexSignatureName', 'typeAnnotation')
const INDEX_TYPE = field('TSIndexSignature', 'typeAnnotation')
visitor('TSIndexSignature', (w, node) => {
  const { members } = w
  w.members = -1
  annotation(w, w.child(node, INDEX_PARAMETER), INDEX_NAME_TYPE)
  annotation(w, node, INDEX_TYPE)
  w.members = members
  return -1
})

const IMPORT_SOURCE = field('TSImportType', 'source')
const IMPORT_QUALIFIER = field('TSImportType', 'qualifier')
const IMPORT_TYPES = field('TSImportType', 'typeArguments')
const PART_LEFT = field('TSImportTypeQualifiedName', 'left')
const PART_RIGHT = field('TSImportTypeQualifiedName', 'right')
visitor('TSImportType', (w, node, mode) => {
  const literal = w.child(node, IMPORT_SOURCE)
  const spec = w.stringValue(literal)
  const row = w.out.import(spec, 0, 0, IMPORT_KIND.typeImport | (1 << 8), w.start(literal), w.start(literal))
  let hint = w.hint(HINT_KIND.module, row)
  if (w.kind(node, IMPORT_QUALIFIER) !== 0) hint = qualifier(w, node, IMPORT_QUALIFIER, hint)
  typeArguments(w, node, IMPORT_TYPES)
  return mode & MODE.want ? w.hint(HINT_KIND.instance, hint) : -1
})

function qualifier(w: Walk, parent: number, at: Field, module: number): number {
  const kind = w.kind(parent, at)
  const node = w.child(parent, at)
  const left = kind === T_IDENTIFIER_NAME ? module : qualifier(w, node, PART_LEFT, module)
  const part = kind === T_IDENTIFIER_NAME ? node : w.child(node, PART_RIGHT)
  const name = w.nameOf(part)
  w.out.member(name, left, w.start(part), USE_FLAG.type)
  return w.memberHint(left, name)
}

// A tuple label is no use of a name.
const LABELLED = field('TSNamedTupleMember', 'elementType')
visitor('TSNamedTupleMember', (w, node) => w.visit(node, LABELLED, 0))
