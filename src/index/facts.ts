// The facts of one file: one flat Int32Array with a header and sections of fixed-width rows.
// This is the form on disk, between threads and in memory; nothing in it is a JavaScript object.
// Offsets are UTF-16 code units from the start of the file's text; names are ids of the NameTable the facts belong to.

/** Header words, before the sections. */
export const HEAD = {
  symbols: 0,
  imports: 1,
  exports: 2,
  bindings: 3,
  refs: 4,
  memberNames: 5,
  members: 6,
  hints: 7,
  heritage: 8,
  todos: 9,
  lines: 10,
  grams: 11,
  /** Lines of the file. */
  loc: 12,
  /** Deepest nesting of blocks. */
  nesting: 13,
  /** FILE_FLAG bits. */
  flags: 14,
} as const
export const HEAD_WORDS = 15

/** Bits of the header word `flags`. */
export const FILE_FLAG = {
  parseError: 1,
  /** Not parsed: too large, minified, over its time, or no language. Only text search knows it. */
  textOnly: 2,
  /** Has import or export syntax: its top-level names are its own. A file without shares them with all others. */
  module: 4,
} as const

/** Words per row of each section, in the order of the sections. */
export const STRIDE = {
  symbols: 10,
  imports: 6,
  exports: 6,
  bindings: 6,
  refs: 1,
  memberNames: 2,
  members: 2,
  hints: 3,
  heritage: 3,
  todos: 3,
  /** Offset of each line's first character. */
  lines: 1,
  /** Words of the file's trigram filter, see search/grams.ts. */
  grams: 1,
} as const
export type Section = keyof typeof STRIDE
export const SECTIONS = Object.keys(STRIDE) as Section[]

/** Columns of a symbol row. */
export const SYMBOL = {
  name: 0,
  /** Kind in the low 8 bits, SYMBOL_FLAG above them. */
  kind: 1,
  /** Row of the symbol it stands in, or -1. */
  container: 2,
  nameStart: 3,
  /** The whole declaration, with decorators and `export`, without its doc comment. */
  start: 4,
  end: 5,
  /** Where the body begins (its `{`), or `end`: the signature is the text from `start` to here. */
  bodyStart: 6,
  /** Where its doc comment begins, or -1; the comment ends before `start`. */
  docStart: 7,
  /** Hint row of its declared type (a function's: of what it returns), or -1. */
  hint: 8,
  /** Deepest nesting of blocks inside it. */
  nesting: 9,
} as const

/** Columns of an import row. `imported` is 0 where no single name is imported. */
export const IMPORT = {
  spec: 0,
  imported: 1,
  local: 2,
  /** IMPORT_KIND in the low 8 bits, IMPORT_FLAG above. */
  kind: 3,
  /** Offset of the imported name's token, else of the spec. */
  nameStart: 4,
  specStart: 5,
} as const

/** Columns of an export row. `spec` is 0 unless the name comes from another file. */
export const EXPORT = {
  /** Name other files import (`default` for the default export), 0 for `export *`. */
  name: 0,
  /** Name in this file, or in the file of `spec`. */
  local: 1,
  spec: 2,
  /** EXPORT_KIND in the low 8 bits, IMPORT_FLAG above. */
  kind: 3,
  nameStart: 4,
  /** Offset of the local name's token. */
  localStart: 5,
} as const

/** Columns of a binding row: a name of the file's own scopes that can be referred to, or a name from nowhere (a global). */
export const BINDING = {
  name: 0,
  /** BINDING_FLAG bits. */
  flags: 1,
  /** First symbol it declares, or -1. */
  symbol: 2,
  /** Import row that brings it, or -1. */
  import: 3,
  /** Offset of its declaration, or -1. */
  declared: 4,
  /** Its first row in `refs`; the next binding's is its end. Rows are position words. */
  refs: 5,
} as const
export const BINDING_FLAG = {
  /** Declared at the top level of the file. */
  top: 1,
  /** Declared nowhere in the file: a global, or a name of an ambient file. */
  free: 2,
  /** Declared in a namespace, `declare global` or a function. */
  nested: 4,
  /** Declared inside `declare global`. */
  global: 8,
} as const

/** Columns of a hint row. */
export const HINT = { kind: 0, a: 1, b: 2 } as const
/** Columns of a heritage row. */
export const HERITAGE = { symbol: 0, hint: 1, implements: 2 } as const
/** Columns of a TODO row; the text runs from `start` to `end`. */
export const TODO = { tag: 0, start: 1, end: 2 } as const
export const TODO_TAGS = ['TODO', 'FIXME', 'HACK', 'XXX'] as const
/** Columns of memberNames and members: a name's accesses stand together, the next name's first row is the end. */
export const MEMBER_NAME = { name: 0, first: 1 } as const
export const MEMBER = { hint: 0, position: 1 } as const

/** First word of each section of one file's facts, and the end as last entry. */
export function sectionStarts(facts: Int32Array): Int32Array {
  const starts = new Int32Array(SECTIONS.length + 1)
  let at = HEAD_WORDS
  for (let i = 0; i < SECTIONS.length; i++) {
    starts[i] = at
    at += facts[i]! * STRIDE[SECTIONS[i]!]
  }
  starts[SECTIONS.length] = at
  return starts
}

/** First word of one section. */
export function sectionStart(facts: Int32Array, section: Section): number {
  let at = HEAD_WORDS
  for (let i = 0; SECTIONS[i] !== section; i++) at += facts[i]! * STRIDE[SECTIONS[i]!]
  return at
}
