// Imports, exports, enums and namespaces: what a file takes from others and gives to them.
import { EXPORT_KIND, HINT_KIND, IMPORT_FLAG, IMPORT_KIND, KIND, SYMBOL_FLAG, USE_FLAG } from '../../kinds.ts'
import { doc, ownName } from './functions.ts'
import { MEANING } from './scopes.ts'
import { field, type, type Field } from './tree.ts'
import { MODE, visitor, type Walk } from './walk.ts'

const T_STRING = type('StringLiteral')
const TYPE_ONLY = IMPORT_FLAG.typeOnly << 8

const IMPORT_SPECIFIERS = field('ImportDeclaration', 'specifiers')
const IMPORT_SOURCE = field('ImportDeclaration', 'source')
const IMPORT_TYPE = field('ImportDeclaration', 'importKind')
const T_NAMED = type('ImportSpecifier')
const T_DEFAULT = type('ImportDefaultSpecifier')
const NAMED_IMPORTED = field('ImportSpecifier', 'imported')
const NAMED_LOCAL = field('ImportSpecifier', 'local')
const NAMED_TYPE = field('ImportSpecifier', 'importKind')
const DEFAULT_LOCAL = field('ImportDefaultSpecifier', 'local')
const NAMESPACE_LOCAL = field('ImportNamespaceSpecifier', 'local')

/** Name and start of a ModuleExportName field, which holds its node in place. */
function exportName(w: Walk, parent: number, at: Field): { name: number; start: number } {
  const node = w.child(parent, at)
  if (w.kind(parent, at) === T_STRING) return { name: w.stringValue(node), start: w.start(node) + 1 }
  return { name: w.nameOf(node), start: w.start(node) }
}

visitor('ImportDeclaration', (w, node) => {
  w.hasModuleSyntax = true
  const source = w.child(node, IMPORT_SOURCE)
  const spec = w.stringValue(source)
  const specStart = w.start(source)
  const typeOnly = w.flag(node, IMPORT_TYPE) ? TYPE_ONLY : 0
  let any = false
  w.each(node, IMPORT_SPECIFIERS, (specifier, kind) => {
    any = true
    if (kind === T_NAMED) {
      const imported = exportName(w, specifier, NAMED_IMPORTED)
      const own = w.flag(specifier, NAMED_TYPE) ? TYPE_ONLY : 0
      importName(
        w,
        spec,
        imported.name,
        w.child(specifier, NAMED_LOCAL),
        IMPORT_KIND.named | typeOnly | own,
        imported.start,
        specStart,
      )
    } else if (kind === T_DEFAULT) {
      const local = w.child(specifier, DEFAULT_LOCAL)
      importName(w, spec, w.out.name('default'), local, IMPORT_KIND.default | typeOnly, w.start(local), specStart)
    } else {
      const local = w.child(specifier, NAMESPACE_LOCAL)
      importName(w, spec, 0, local, IMPORT_KIND.namespace | typeOnly, w.start(local), specStart)
    }
  })
  if (!any) w.out.import(spec, 0, 0, IMPORT_KIND.sideEffect, specStart, specStart)
  return -1
})

function importName(
  w: Walk,
  spec: number,
  imported: number,
  local: number,
  kind: number,
  start: number,
  specStart: number,
): void {
  const name = w.nameOf(local)
  const row = w.out.import(spec, imported, name, kind, start, specStart)
  const declared = w.start(local)
  if (w.scopes.depth > 0) {
    // An import inside `declare module`.
    w.scopes.declare(name, MEANING.all, -1, -1, declared)
    return
  }
  w.out.bind(name, -1, row, declared)
  const binding = w.out.binding(name)
  w.out.ref(binding, start, USE_FLAG.importName)
  if (declared !== start) w.out.ref(binding, declared, USE_FLAG.importName)
}

const EXPORT_DECLARED = field('ExportDeclaration', 'declaration')
visitor('ExportDeclaration', (w, node) => {
  w.hasModuleSyntax = true
  w.outerStart = w.start(node)
  w.outerFlags = SYMBOL_FLAG.exported
  const before = w.out.symbolCount
  const { container } = w
  w.visit(node, EXPORT_DECLARED, 0)
  w.outerStart = -1
  w.outerFlags = 0
  if (w.scopes.depth > 0) return -1
  // Every symbol this made directly under the same container is exported by its name.
  let last = -1
  for (let row = before; row < w.out.symbolCount; row++) {
    if (
      w.out.getSymbol(row, 'container') !== container ||
      !((w.out.getSymbol(row, 'kind') >> 8) & SYMBOL_FLAG.exported)
    )
      continue
    const name = w.out.getSymbol(row, 'name')
    if (name === last) continue
    last = name
    const start = w.out.getSymbol(row, 'nameStart')
    w.out.export(name, name, 0, EXPORT_KIND.local, start, start)
  }
  return -1
})

const EXPORT_SPECIFIERS = field('ExportNamedDeclaration', 'specifiers')
const EXPORT_TYPE = field('ExportNamedDeclaration', 'exportKind')
const FROM_SPECIFIERS = field('ExportFromDeclaration', 'specifiers')
const FROM_SOURCE = field('ExportFromDeclaration', 'source')
const FROM_TYPE = field('ExportFromDeclaration', 'exportKind')
const SPECIFIER_LOCAL = field('ExportSpecifier', 'local')
const SPECIFIER_EXPORTED = field('ExportSpecifier', 'exported')
const SPECIFIER_TYPE = field('ExportSpecifier', 'exportKind')

visitor('ExportNamedDeclaration', (w, node) => {
  w.hasModuleSyntax = true
  const typeOnly = w.flag(node, EXPORT_TYPE) ? TYPE_ONLY : 0
  w.each(node, EXPORT_SPECIFIERS, (item) => {
    const local = exportName(w, item, SPECIFIER_LOCAL)
    const exported = exportName(w, item, SPECIFIER_EXPORTED)
    const own = w.flag(item, SPECIFIER_TYPE) ? TYPE_ONLY : 0
    w.scopes.use(local.name, local.start, USE_FLAG.exportName, MEANING.all, -1)
    if (w.scopes.depth === 0)
      w.out.export(exported.name, local.name, 0, EXPORT_KIND.local | typeOnly | own, exported.start, local.start)
  })
  return -1
})

visitor('ExportFromDeclaration', (w, node) => {
  w.hasModuleSyntax = true
  const source = w.child(node, FROM_SOURCE)
  const spec = w.stringValue(source)
  const specStart = w.start(source)
  const typeOnly = w.flag(node, FROM_TYPE) ? TYPE_ONLY : 0
  let any = false
  w.each(node, FROM_SPECIFIERS, (item) => {
    any = true
    const local = exportName(w, item, SPECIFIER_LOCAL)
    const exported = exportName(w, item, SPECIFIER_EXPORTED)
    w.out.import(spec, local.name, 0, IMPORT_KIND.named | typeOnly, local.start, specStart)
    w.out.export(exported.name, local.name, spec, EXPORT_KIND.from | typeOnly, exported.start, local.start)
  })
  if (!any) w.out.import(spec, 0, 0, IMPORT_KIND.sideEffect, specStart, specStart)
  return -1
})

const ALL_EXPORTED = field('ExportAllDeclaration', 'exported')
const ALL_SOURCE = field('ExportAllDeclaration', 'source')
const ALL_TYPE = field('ExportAllDeclaration', 'exportKind')
visitor('ExportAllDeclaration', (w, node) => {
  w.hasModuleSyntax = true
  const source = w.child(node, ALL_SOURCE)
  const spec = w.stringValue(source)
  const specStart = w.start(source)
  const typeOnly = w.flag(node, ALL_TYPE) ? TYPE_ONLY : 0
  w.out.import(spec, 0, 0, IMPORT_KIND.namespace | typeOnly, specStart, specStart)
  if (w.kind(node, ALL_EXPORTED) === 0) w.out.export(0, 0, spec, EXPORT_KIND.star | typeOnly, specStart, specStart)
  else {
    const exported = exportName(w, node, ALL_EXPORTED)
    w.out.export(exported.name, 0, spec, EXPORT_KIND.starAs | typeOnly, exported.start, specStart)
  }
  return -1
})

const DEFAULT_DECLARED = field('ExportDefaultDeclaration', 'declaration')
const T_IDENTIFIER = type('IdentifierReference')
const T_FUNCTION = type('Function')
const T_CLASS = type('Class')
const T_INTERFACE = type('TSInterfaceDeclaration')
const OWN_NAME: Record<number, Field> = {
  [T_FUNCTION]: field('Function', 'id'),
  [T_CLASS]: field('Class', 'id'),
  [T_INTERFACE]: field('TSInterfaceDeclaration', 'id'),
}
visitor('ExportDefaultDeclaration', (w, node) => {
  w.hasModuleSyntax = true
  const kind = w.kind(node, DEFAULT_DECLARED)
  const declared = w.child(node, DEFAULT_DECLARED)
  const name = w.out.name('default')
  const idAt = OWN_NAME[kind]
  if (idAt !== undefined) {
    w.outerStart = w.start(node)
    w.outerFlags = SYMBOL_FLAG.exported | SYMBOL_FLAG.default
    const own = kind === T_INTERFACE ? w.nameOf(w.child(declared, idAt)) : ownName(w, declared, idAt)
    if (w.scopes.depth === 0)
      w.out.export(
        name,
        own > 0 ? own : name,
        0,
        EXPORT_KIND.local,
        own > 0 ? w.start(w.child(declared, idAt)) : w.start(declared),
        w.start(declared),
      )
    const row = w.out.symbolCount
    w.node(kind, declared, 0)
    if (own === 0) w.out.bind(name, row, -1, w.start(declared))
    w.outerStart = -1
    w.outerFlags = 0
    return -1
  }
  if (kind === T_IDENTIFIER) {
    const local = w.nameOf(declared)
    w.scopes.use(local, w.start(declared), USE_FLAG.exportName, MEANING.all, -1)
    if (w.scopes.depth === 0) w.out.export(name, local, 0, EXPORT_KIND.local, w.start(node), w.start(declared))
    return -1
  }
  w.out.export(name, 0, 0, EXPORT_KIND.defaultExpression, w.start(node), w.start(declared))
  w.node(kind, declared, 0)
  return -1
})

const ASSIGNED = field('TSExportAssignment', 'expression')
const T_ANY_IDENTIFIER = T_IDENTIFIER
visitor('TSExportAssignment', (w, node) => {
  w.hasModuleSyntax = true
  const assigned = w.child(node, ASSIGNED)
  const local = w.kind(node, ASSIGNED) === T_ANY_IDENTIFIER ? w.nameOf(assigned) : 0
  if (local > 0) {
    w.scopes.use(local, w.start(assigned), USE_FLAG.exportName, MEANING.all, -1)
  } else w.visit(node, ASSIGNED)
  if (w.scopes.depth === 0)
    w.out.export(w.out.name('default'), local, 0, EXPORT_KIND.equals, w.start(node), w.start(node))
  return -1
})

const EQUALS_ID = field('TSImportEqualsDeclaration', 'id')
const EQUALS_REFERENCE = field('TSImportEqualsDeclaration', 'moduleReference')
const T_EXTERNAL = type('TSExternalModuleReference')
const EXTERNAL = field('TSExternalModuleReference', 'expression')
const QUALIFIED_LEFT = field('TSQualifiedName', 'left')
const QUALIFIED_RIGHT = field('TSQualifiedName', 'right')
visitor('TSImportEqualsDeclaration', (w, node) => {
  const kind = w.kind(node, EQUALS_REFERENCE)
  const reference = w.child(node, EQUALS_REFERENCE)
  const id = w.child(node, EQUALS_ID)
  if (kind === T_EXTERNAL) {
    w.hasModuleSyntax = true
    const source = w.child(reference, EXTERNAL)
    importName(w, w.stringValue(source), 0, id, IMPORT_KIND.equals, w.start(id), w.start(source))
    if (w.outerFlags & SYMBOL_FLAG.exported && w.scopes.depth === 0)
      w.out.export(w.nameOf(id), w.nameOf(id), 0, EXPORT_KIND.local, w.start(id), w.start(id))
    return -1
  }
  const hint = entity(w, kind, reference)
  const name = w.nameOf(id)
  const flags = w.outerFlags
  const row = w.out.symbol(
    name,
    KIND.namespace | (flags << 8),
    w.container,
    w.start(id),
    w.start(node),
    w.end(node),
    w.end(node),
  )
  w.out.setSymbol(row, 'hint', hint)
  w.scopes.declare(name, MEANING.all, row, hint, w.start(id))
  return -1
})

/** `A.B.C` of an import alias. */
function entity(w: Walk, kind: number, node: number): number {
  if (kind === T_IDENTIFIER) {
    const slot = w.hint(HINT_KIND.unknown, 0)
    w.scopes.use(w.nameOf(node), w.start(node), 0, MEANING.value | MEANING.namespace, slot)
    return slot
  }
  const left = entity(w, w.kind(node, QUALIFIED_LEFT), w.child(node, QUALIFIED_LEFT))
  const right = w.child(node, QUALIFIED_RIGHT)
  const name = w.nameOf(right)
  w.out.member(name, left, w.start(right), 0)
  return w.memberHint(left, name)
}

const ENUM_ID = field('TSEnumDeclaration', 'id')
const ENUM_BODY = field('TSEnumDeclaration', 'body')
const ENUM_MEMBERS = field('TSEnumBody', 'members')
const MEMBER_ID = field('TSEnumMember', 'id')
const MEMBER_VALUE = field('TSEnumMember', 'initializer')
visitor('TSEnumDeclaration', (w, node) => {
  const id = w.child(node, ENUM_ID)
  const start = w.outerStart >= 0 ? w.outerStart : w.start(node)
  const flags = w.outerFlags | (w.scopes.inFunction ? SYMBOL_FLAG.local : 0)
  w.outerStart = -1
  w.outerFlags = 0
  const body = w.child(node, ENUM_BODY)
  const name = w.nameOf(id)
  const row = w.out.symbol(name, KIND.enum | (flags << 8), w.container, w.start(id), start, w.end(node), w.start(body))
  doc(w, row, start)
  w.scopes.declare(name, MEANING.all, row, -1, w.start(id))
  w.scopes.enter(false)
  w.each(body, ENUM_MEMBERS, (item) => {
    const member = w.child(item, MEMBER_ID)
    const isString = w.kind(item, MEMBER_ID) === T_STRING
    const memberName = isString ? w.stringValue(member) : w.nameOf(member)
    const nameStart = w.start(member) + (isString ? 1 : 0)
    const memberRow = w.out.symbol(
      memberName,
      KIND['enum-member'],
      row,
      nameStart,
      w.start(item),
      w.end(item),
      w.end(item),
    )
    doc(w, memberRow, w.start(item))
    w.scopes.declare(memberName, MEANING.value, memberRow, -1, nameStart)
    w.visit(item, MEMBER_VALUE)
  })
  w.scopes.leave()
  return -1
})

const NAMESPACE_ID = field('TSNamespaceDeclaration', 'id')
const NAMESPACE_BODY = field('TSNamespaceDeclaration', 'body')
const T_BLOCK = type('TSModuleBlock')
const BLOCK_BODY = field('TSModuleBlock', 'body')
visitor('TSNamespaceDeclaration', (w, node) => {
  const id = w.child(node, NAMESPACE_ID)
  const body = w.child(node, NAMESPACE_BODY)
  const row = moduleSymbol(w, node, w.nameOf(id), w.start(id), w.start(body))
  w.scopes.declare(w.nameOf(id), MEANING.all, row, -1, w.start(id))
  const exported = (w.out.getSymbol(row, 'kind') >> 8) & SYMBOL_FLAG.exported
  inside(w, row, () => {
    if (w.kind(node, NAMESPACE_BODY) === T_BLOCK) block(w, body)
    else {
      // `namespace A.B`: B is exported from A.
      w.outerFlags = exported | SYMBOL_FLAG.exported
      w.node(type('TSNamespaceDeclaration'), body, 0)
    }
  })
  return -1
})

const EXTERNAL_ID = field('TSExternalModuleDeclaration', 'id')
const EXTERNAL_BODY = field('TSExternalModuleDeclaration', 'body')
visitor('TSExternalModuleDeclaration', (w, node) => {
  const id = w.child(node, EXTERNAL_ID)
  const body = w.child(node, EXTERNAL_BODY)
  const row = moduleSymbol(w, node, w.stringValue(id), w.start(id) + 1, body === 0 ? w.end(node) : w.start(body))
  w.out.setSymbol(row, 'kind', KIND.module | (w.out.getSymbol(row, 'kind') & ~255))
  if (body !== 0) inside(w, row, () => block(w, body))
  return -1
})

const GLOBAL_BODY = field('TSGlobalDeclaration', 'body')
visitor('TSGlobalDeclaration', (w, node) => {
  // What stands in `declare global` belongs to every file: its names are bound at the top, and marked.
  const { container } = w
  w.outerStart = -1
  const first = w.out.symbolCount
  block(w, w.child(node, GLOBAL_BODY))
  for (let row = first; row < w.out.symbolCount; row++)
    if (w.out.getSymbol(row, 'container') === container) w.out.setGlobal(w.out.getSymbol(row, 'name'))
  w.container = container
  return -1
})

function moduleSymbol(w: Walk, node: number, name: number, nameStart: number, body: number): number {
  const start = w.outerStart >= 0 ? w.outerStart : w.start(node)
  const flags = w.outerFlags
  w.outerStart = -1
  w.outerFlags = 0
  const row = w.out.symbol(name, KIND.namespace | (flags << 8), w.container, nameStart, start, w.end(node), body)
  doc(w, row, start)
  return row
}

function inside(w: Walk, row: number, visit: () => void): void {
  const { container, moduleDepth } = w
  w.container = row
  w.scopes.enter(true, false)
  w.moduleDepth = w.scopes.depth
  w.deeper(visit)
  w.scopes.leave()
  w.moduleDepth = moduleDepth
  w.container = container
}

function block(w: Walk, node: number): void {
  w.each(node, BLOCK_BODY, (item, kind) => w.node(kind, item, 0))
}
void MODE
