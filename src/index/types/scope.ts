// Which declarations a name has in the scopes around a place of one file.
import type { Node, Tree } from './syntax.ts'

export type Space = 'value' | 'type' | 'namespace'

const VALUES = new Set(
  'BindingIdentifier Function Class TSEnumDeclaration TSNamespaceDeclaration TSEnumMember ExportDefaultDeclaration'.split(
    ' ',
  ),
)
const TYPES = new Set(
  'Class TSInterfaceDeclaration TSTypeAliasDeclaration TSEnumDeclaration TSTypeParameter TSMappedType'.split(' '),
)
const NAMESPACES = new Set(['TSNamespaceDeclaration', 'TSEnumDeclaration', 'Class'])
const IMPORTS = new Set(
  'ImportSpecifier ImportDefaultSpecifier ImportNamespaceSpecifier TSImportEqualsDeclaration'.split(' '),
)
/** Functions and types with parameters of their own. */
export const FUNCTIONS = new Set(
  'Function ArrowFunctionExpression TSFunctionType TSConstructorType TSMethodSignature TSCallSignatureDeclaration TSConstructSignatureDeclaration'.split(
    ' ',
  ),
)
const SCOPES = new Set([
  ...FUNCTIONS,
  ...'Program FunctionBody BlockStatement StaticBlock TSModuleBlock SwitchStatement ForStatement ForOfStatement ForInStatement CatchClause Class TSInterfaceDeclaration TSTypeAliasDeclaration TSMappedType TSConditionalType TSEnumDeclaration'.split(
    ' ',
  ),
])
const FUNCTION_EXPRESSION = 1
const CLASS_EXPRESSION = 1

export function isImport(node: Node): boolean {
  return IMPORTS.has(node.kind)
}

/** Whether a declaration has a meaning of a kind. */
export function inSpace(node: Node, space: Space): boolean {
  if (IMPORTS.has(node.kind)) return true
  return (space === 'value' ? VALUES : space === 'type' ? TYPES : NAMESPACES).has(node.kind)
}

/** Declarations of a name in the innermost scope around a node that has any; empty when the file has none. */
export function findDeclarations(from: Node, name: string, space: Space): Node[] {
  for (let node: Node | undefined = from; node; node = node.parent) {
    if (!SCOPES.has(node.kind)) continue
    const found = declarationsIn(node)
      .get(name)
      ?.filter((declaration) => inSpace(declaration, space))
    if (found && found.length > 0) return found
  }
  return []
}

/** What a scope declares, by name. */
export function declarationsIn(scope: Node): Map<string, Node[]> {
  const { scopes } = scope.tree
  const known = scopes.get(scope)
  if (known) return known
  const found = new Map<string, Node[]>()
  scopes.set(scope, found)
  const add = (name: string, node: Node) => {
    const same = found.get(name)
    if (same) same.push(node)
    else found.set(name, [node])
  }
  collect(scope, add)
  return found
}

type Add = (name: string, node: Node) => void

function collect(scope: Node, add: Add): void {
  switch (scope.kind) {
    case 'Program':
    case 'FunctionBody':
    case 'BlockStatement':
    case 'StaticBlock':
    case 'TSModuleBlock':
      for (const statement of scope.list('body')) declared(statement, add)
      if (scope.kind !== 'BlockStatement') hoisted(scope, add)
      return
    case 'SwitchStatement':
      for (const branch of scope.list('cases')) for (const item of branch.list('consequent')) declared(item, add)
      return
    case 'ForStatement':
      declared(scope.get('init'), add)
      return
    case 'ForOfStatement':
    case 'ForInStatement':
      declared(scope.get('left'), add)
      return
    case 'CatchClause':
      names(scope.get('param')?.get('pattern'), add)
      return
    case 'TSMappedType':
      add(scope.get('key')!.text('name'), scope)
      return
    case 'TSConditionalType':
      inferred(scope.get('extendsType')!, add)
      return
    case 'TSEnumDeclaration':
      for (const member of scope.get('body')!.list('members')) add(keyText(member.get('id')), member)
      return
    default:
      typeParameters(scope, add)
      if (scope.kind === 'Class' && scope.byte('type') === CLASS_EXPRESSION) ownName(scope, add)
      if (scope.kind === 'Function' && scope.byte('type') === FUNCTION_EXPRESSION) ownName(scope, add)
      parameters(scope, add)
  }
}

function ownName(node: Node, add: Add): void {
  const id = node.get('id')
  if (id) add(id.text('name'), node)
}

function typeParameters(scope: Node, add: Add): void {
  for (const parameter of scope.get('typeParameters')?.list('params') ?? [])
    add(parameter.get('name')!.text('name'), parameter)
}

function parameters(scope: Node, add: Add): void {
  const list = scope.get('params')
  if (!list) return
  for (const item of list.list('items')) names(item.get('pattern'), add)
  names(list.get('rest')?.get('argument'), add)
}

/** Names of a pattern; each is its BindingIdentifier. */
export function names(pattern: Node | undefined, add: Add): void {
  if (!pattern) return
  switch (pattern.kind) {
    case 'BindingIdentifier':
      add(pattern.text('name'), pattern)
      return
    case 'AssignmentPattern':
      names(pattern.get('left'), add)
      return
    case 'ObjectPattern':
      for (const property of pattern.list('properties')) names(property.get('value'), add)
      names(pattern.get('rest')?.get('argument'), add)
      return
    case 'ArrayPattern':
      for (const item of pattern.list('elements')) names(item, add)
      names(pattern.get('rest')?.get('argument'), add)
  }
}

function declared(statement: Node | undefined, add: Add): void {
  switch (statement?.kind) {
    case 'VariableDeclaration':
      for (const variable of statement.list('declarations')) names(variable.get('id'), add)
      return
    case 'ExportDeclaration':
      declared(statement.get('declaration'), add)
      return
    case 'ExportDefaultDeclaration': {
      const inner = statement.get('declaration')!
      add('default', inner.kind === 'Function' || inner.kind === 'Class' ? inner : statement)
      if (inner.get('id')) ownName(inner, add)
      return
    }
    case 'TSExportAssignment':
      add('default', statement)
      return
    case 'ImportDeclaration':
      for (const specifier of statement.list('specifiers')) add(specifier.get('local')!.text('name'), specifier)
      return
    case 'Function':
    case 'Class':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
    case 'TSNamespaceDeclaration':
    case 'TSImportEqualsDeclaration':
      ownName(statement, add)
      return
    default:
  }
}

const NOT_HOISTED_THROUGH = new Set([...FUNCTIONS, 'Class', 'TSModuleBlock', 'StaticBlock'])

/** `var` of inner blocks. */
function hoisted(scope: Node, add: Add): void {
  const visit = (node: Node) => {
    if (node.kind === 'VariableDeclaration' && node.byte('kind') === 0 && node.parent !== scope) declared(node, add)
    if (!/Statement$|^Program$|^FunctionBody$|^TryStatement$|^CatchClause$|^SwitchCase$/.test(node.kind)) return
    if (node !== scope && NOT_HOISTED_THROUGH.has(node.kind)) return
    for (const child of node.children()) visit(child)
  }
  if (mayHaveVar(scope.tree)) visit(scope)
}

function mayHaveVar(tree: Tree): boolean {
  return (tree.hasVar ??= tree.reader.textHas('var '))
}

function inferred(type: Node, add: Add): void {
  if (type.kind === 'TSInferType') {
    const parameter = type.get('typeParameter')!
    add(parameter.get('name')!.text('name'), parameter)
    return
  }
  if (type.kind === 'TSConditionalType') return
  for (const child of type.children()) inferred(child, add)
}

/** Text of a property key; '' when it is computed. */
export function keyText(key: Node | undefined): string {
  switch (key?.kind) {
    case 'IdentifierName':
    case 'IdentifierReference':
    case 'BindingIdentifier':
    case 'JSXIdentifier':
      return key.text('name')
    case 'StringLiteral':
      return key.text('value')
    case 'NumericLiteral':
      return key.text('raw')
    case 'PrivateIdentifier':
      return `#${key.text('name')}`
    default:
      return ''
  }
}

/** Text of the key of a property, method or signature; '' when it is computed. */
export function keyOf(node: Node): string {
  const key = node.get('key') ?? node.get('id')
  const isComputed =
    node.byte('computed') === 1 && (key?.kind === 'IdentifierReference' || key?.kind === 'IdentifierName')
  return isComputed ? '' : keyText(key)
}

/** Offset of the name of a declaration, as the index's symbols have it. */
export function nameOffset(node: Node): number {
  if (node.kind === 'FormalParameter') return nameOffset(node.get('pattern')!)
  if (node.kind === 'AssignmentPattern') return nameOffset(node.get('left')!)
  const name =
    node.get('key') ??
    node.get('id') ??
    (node.kind === 'TSTypeParameter' ? node.get('name') : node.get('local')) ??
    node
  return name.start + (name.kind === 'StringLiteral' ? 1 : 0)
}
