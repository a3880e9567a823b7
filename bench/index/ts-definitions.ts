// What the TypeScript 5.9 compiler's own syntax tree declares, in the words of the index: the oracle of definitions.ts.
import ts from 'typescript-5'
import type { SymbolKind } from '../../src/index/kinds.ts'

export interface TrueDefinition {
  kind: SymbolKind
  name: string
  /** 1-based. */
  line: number
}

/** All definitions of a file, and the number of its syntax errors. */
export function trueDefinitions(path: string, text: string): { definitions: TrueDefinition[]; errors: number } {
  const kind = path.endsWith('.tsx')
    ? ts.ScriptKind.TSX
    : /\.[cm]?ts$/.test(path)
      ? ts.ScriptKind.TS
      : ts.ScriptKind.JSX
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const definitions: TrueDefinition[] = []
  const add = (word: SymbolKind, name: string, at: ts.Node) => {
    definitions.push({ kind: word, name, line: lineOf(file, at.getStart(file)) })
  }
  visit(file, add)
  const { parseDiagnostics } = file as unknown as { parseDiagnostics: unknown[] }
  return { definitions, errors: parseDiagnostics.length }
}

/** Lines end at a newline, as editors count: TypeScript's own lines also end at a lone carriage return and U+2028. */
function lineOf(file: ts.SourceFile, position: number): number {
  let line = 1
  for (let at = file.text.indexOf('\n'); at >= 0 && at < position; at = file.text.indexOf('\n', at + 1)) line++
  return line
}

type Add = (kind: SymbolKind, name: string, at: ts.Node) => void

function visit(node: ts.Node, add: Add): void {
  const name = keyOf((node as { name?: ts.Node }).name)
  if (ts.isFunctionDeclaration(node)) add('function', node.name?.text ?? 'default', node.name ?? node)
  else if (ts.isFunctionExpression(node) && node.name && !boundBy(node)) add('function', node.name.text, node.name)
  else if (ts.isClassDeclaration(node))
    add('class', node.name?.text ?? (isDefault(node) ? 'default' : '(anonymous class)'), node.name ?? node)
  else if (ts.isClassExpression(node)) {
    if (!(ts.isVariableDeclaration(node.parent) && ts.isIdentifier(node.parent.name)))
      add('class', node.name?.text ?? '(anonymous class)', node.name ?? node)
  } else if (ts.isInterfaceDeclaration(node)) add('interface', node.name.text, node.name)
  else if (ts.isTypeAliasDeclaration(node)) add('type', node.name.text, node.name)
  else if (ts.isEnumDeclaration(node)) add('enum', node.name.text, node.name)
  else if (ts.isEnumMember(node)) {
    if (name !== undefined) add('enum-member', name, node.name)
  } else if (ts.isModuleDeclaration(node)) {
    if (!(node.flags & ts.NodeFlags.GlobalAugmentation))
      add(ts.isStringLiteral(node.name) ? 'module' : 'namespace', node.name.text, node.name)
  } else if (ts.isImportEqualsDeclaration(node)) {
    if (!ts.isExternalModuleReference(node.moduleReference)) add('namespace', node.name.text, node.name)
  } else if (ts.isConstructorDeclaration(node)) add('constructor', 'constructor', node)
  else if (name !== undefined) member(node, name, add)
  if (ts.isVariableDeclaration(node)) variable(node, add)
  if (ts.isBinaryExpression(node)) assigned(node, add)
  ts.forEachChild(node, (child) => visit(child, add))
}

function member(node: ts.Node, name: string, add: Add): void {
  const at = (node as unknown as { name: ts.Node }).name
  if (ts.isClassElement(node)) {
    if (ts.isObjectLiteralExpression(node.parent)) {
      if (ts.isMethodDeclaration(node)) add('method', name, at)
      else if (ts.isGetAccessor(node)) add('getter', name, at)
      else if (ts.isSetAccessor(node)) add('setter', name, at)
    } else if (ts.isMethodDeclaration(node)) add('method', name, at)
    else if (ts.isGetAccessor(node)) add(ts.isInterfaceDeclaration(node.parent) ? 'getter' : 'getter', name, at)
    else if (ts.isSetAccessor(node)) add('setter', name, at)
    else if (ts.isPropertyDeclaration(node))
      add(node.initializer && isFunction(node.initializer) ? 'method' : 'property', name, at)
  } else if (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent)) add('property', name, at)
  else if (ts.isPropertySignature(node) && isMemberOfType(node)) add('property', name, at)
  else if (ts.isMethodSignature(node) && isMemberOfType(node)) add('method', name, at)
  else if (ts.isPropertyAssignment(node) && isFunction(node.initializer)) add('method', name, at)
}

/** Members of an interface, or of a literal type that stands in an alias but not in another member or a function type. */
function isMemberOfType(node: ts.Node): boolean {
  let at: ts.Node = node.parent
  if (ts.isInterfaceDeclaration(at)) return true
  for (at = at.parent; at; at = at.parent) {
    if (ts.isTypeAliasDeclaration(at)) return true
    if (
      ts.isInterfaceDeclaration(at) ||
      ts.isPropertySignature(at) ||
      ts.isMethodSignature(at) ||
      ts.isIndexSignatureDeclaration(at)
    )
      return false
    if (ts.isFunctionLike(at) || ts.isTypeParameterDeclaration(at) || !(ts.isTypeNode(at) || ts.isTupleTypeNode(at)))
      return false
  }
  return false
}

function variable(node: ts.VariableDeclaration, add: Add): void {
  if (ts.isIdentifier(node.name) && node.initializer && isFunction(node.initializer))
    return add('function', node.name.text, node.name)
  if (ts.isIdentifier(node.name) && node.initializer && ts.isClassExpression(node.initializer))
    return add('class', node.name.text, node.name)
  const statement = node.parent.parent
  const top =
    ts.isVariableStatement(statement) && (ts.isSourceFile(statement.parent) || ts.isModuleBlock(statement.parent))
  if (!top) return undefined
  const { flags } = node.parent
  // `await using` has both bits.
  const isConst = (flags & ts.NodeFlags.Const) !== 0 && (flags & ts.NodeFlags.Using) === 0
  const names = (pattern: ts.BindingName): void => {
    if (ts.isIdentifier(pattern)) add(isConst ? 'constant' : 'variable', pattern.text, pattern)
    else for (const element of pattern.elements) if (ts.isBindingElement(element)) names(element.name)
  }
  return names(node.name)
}

/** `exports.name = function …` */
function assigned(node: ts.BinaryExpression, add: Add): void {
  const isAssignment =
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && node.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  if (!isAssignment || !ts.isPropertyAccessExpression(node.left) || !isFunction(node.right)) return
  if (ts.isIdentifier(node.left.name)) add('function', node.left.name.text, node.left.name)
}

function boundBy(node: ts.FunctionExpression): boolean {
  const outer = skipParentheses(node)
  const { parent } = outer
  if (ts.isVariableDeclaration(parent)) return ts.isIdentifier(parent.name) && parent.initializer === outer
  if (ts.isPropertyAssignment(parent)) return keyOf(parent.name) !== undefined && parent.initializer === outer
  if (ts.isPropertyDeclaration(parent)) return parent.initializer === outer
  return (
    ts.isBinaryExpression(parent) &&
    parent.right === outer &&
    ts.isPropertyAccessExpression(parent.left) &&
    ts.isIdentifier(parent.left.name) &&
    parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  )
}

function skipParentheses(node: ts.Node): ts.Node {
  let at = node
  while (ts.isParenthesizedExpression(at.parent)) at = at.parent
  return at
}

function isFunction(node: ts.Expression): boolean {
  let inner = node
  while (ts.isParenthesizedExpression(inner)) inner = inner.expression
  return ts.isFunctionExpression(inner) || ts.isArrowFunction(inner)
}

function isDefault(node: ts.ClassDeclaration): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword) ?? false
}

/** Text of a name or literal key; undefined when it is computed from something else. */
function keyOf(name: ts.Node | undefined): string | undefined {
  if (!name) return undefined
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) return name.text
  if (ts.isStringLiteral(name) || ts.isNoSubstitutionTemplateLiteral(name)) return name.text
  if (ts.isNumericLiteral(name)) return name.getText()
  if (ts.isComputedPropertyName(name)) {
    const inner = name.expression
    return ts.isStringLiteral(inner) ? inner.text : ts.isNumericLiteral(inner) ? inner.getText() : undefined
  }
  return undefined
}
