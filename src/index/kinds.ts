// The numbers that stand for kinds and flags in the flat tables of the index, and their words.
// They are written into snapshots: append only, and raise SNAPSHOT_FORMAT when one changes its meaning.

/** Kinds of a symbol; its place in this list is its number in the tables. */
export const SYMBOL_KINDS = [
  'function',
  'class',
  'interface',
  'type',
  'enum',
  'enum-member',
  'method',
  'constructor',
  'getter',
  'setter',
  'property',
  'variable',
  'constant',
  'namespace',
  'struct',
  'trait',
  'macro',
  'section',
  'key',
  'selector',
  'element',
  'module',
] as const
export type SymbolKind = (typeof SYMBOL_KINDS)[number]

/** Number of each kind, e.g. `KIND.class`. */
export const KIND = Object.fromEntries(SYMBOL_KINDS.map((kind, at) => [kind, at])) as Record<SymbolKind, number>

/** Flags of a symbol (bits). Visibility is public unless one of the two bits is set. */
export const SYMBOL_FLAG = {
  exported: 1,
  default: 2,
  async: 4,
  static: 8,
  readonly: 16,
  abstract: 32,
  private: 64,
  protected: 128,
  generator: 256,
  optional: 512,
  declare: 1024,
  /** Declared inside a function body: not reachable from other files. */
  local: 2048,
  /** An overload or a declaration without a body. */
  bodiless: 4096,
  /** A constructor parameter that is also a property. */
  parameterProperty: 8192,
  /** A member of an object literal. */
  literalMember: 16384,
} as const

/** How an import row brings a name in. */
export const IMPORT_KIND = {
  named: 0,
  default: 1,
  namespace: 2,
  sideEffect: 3,
  dynamic: 4,
  require: 5,
  /** `import x = require('y')` */
  equals: 6,
  /** `import('y').T` in a type */
  typeImport: 7,
  /** An import of everything into the file's own names (Python `*`, Java `.*`, C `#include`). */
  wildcard: 8,
} as const

/** Bits beside the import kind. */
export const IMPORT_FLAG = { typeOnly: 1 } as const

/** How an export row gives a name out. */
export const EXPORT_KIND = {
  /** `export { local as name }`, `export const name` */
  local: 0,
  /** `export { imported as name } from 'spec'` */
  from: 1,
  /** `export * from 'spec'` */
  star: 2,
  /** `export * as name from 'spec'` */
  starAs: 3,
  /** `export default <expression without a name>` */
  defaultExpression: 4,
  /** `export = local` */
  equals: 5,
} as const

/** Bits of a use (reference or member access), held in the upper bits of its position word. */
export const USE_FLAG = {
  call: 1,
  write: 2,
  type: 4,
  /** The name token of an import specifier. */
  importName: 8,
  /** The name token of an export specifier. */
  exportName: 16,
  /** The name token of the declaration itself. */
  declaration: 32,
} as const

/** Bits of a position word that hold the offset; the 6 above them hold USE_FLAG. */
export const POSITION_BITS = 26

/** Larger files are indexed as text only: their offsets would not fit a position word. */
export const MAX_PARSED_BYTES = 16 * 1024 * 1024

/** What a receiver or a declared type is known to be, from syntax alone; see facts.ts, section `hints`. */
export const HINT_KIND = {
  unknown: 0,
  /** Value of a top-level name: a = binding. */
  binding: 1,
  /** An instance of the type a top-level name stands for: a = binding. */
  typed: 2,
  /** An instance of a class or interface of this file: a = symbol. */
  self: 3,
  /** The class itself (static side): a = symbol. */
  selfStatic: 4,
  /** A property of another hint: a = hint, b = name. */
  member: 5,
  /** The result of calling a hint: a = hint. */
  call: 6,
  /** What `new` makes of a hint: a = hint. */
  construct: 7,
  /** The awaited value of a hint: a = hint. */
  awaited: 8,
  /** An element of a hint (index, for-of): a = hint. */
  element: 9,
  /** A type with type arguments: a = hint of the type, b = hint of its first argument. */
  generic: 10,
  /** A list of a hint: a = hint of the element. */
  list: 11,
  /** The base class of a class of this file (`super`): a = symbol. */
  base: 12,
  /** A symbol of this file itself as a value (object literal, enum, namespace, local function): a = symbol. */
  symbol: 13,
  /** A namespace import of a module used in place (`import('x')`, `require('x')`): a = import row. */
  module: 14,
  /** The same as another hint: a = hint. */
  alias: 15,
  /** An instance of the type a hint stands for (`namespace.Type` as an annotation): a = hint. */
  instance: 16,
} as const
