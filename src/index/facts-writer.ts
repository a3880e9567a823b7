// Collects the facts of one file after another, and hands a batch of files over as one transferable buffer.
// An extractor calls the adding methods in any order; rows are numbered from 0 in the order they were added.
// All positions are UTF-16 offsets. Nothing here checks that they make sense: the extractor's tests do.
import { BINDING_FLAG, HEAD, HEAD_WORDS, SECTIONS, STRIDE, SYMBOL, type Section } from './facts.ts'
import { groupMembers, groupRefs, HintCompactor, Words } from './facts-grouping.ts'
import { NameTable } from './names.ts'
import { POSITION_BITS } from './kinds.ts'

/** The files of a batch: `facts` holds them end to end; `ends[i]` is the end of file `i`. */
export interface FactsBatch {
  facts: Int32Array<ArrayBuffer>
  ends: Int32Array<ArrayBuffer>
  /** Names that are new since the last batch of this writer; ids count on from there. */
  names: { bytes: Uint8Array<ArrayBuffer>; ends: Int32Array<ArrayBuffer> }
}

export class FactsWriter {
  readonly names = new NameTable()
  private sentNames = 0
  private sections = Object.fromEntries(SECTIONS.map((section) => [section, new Words()])) as Record<Section, Words>
  private out = new Words()
  private ends: number[] = []
  private topBindings = new Map<number, number>()
  /** (binding, position word) pairs, in the order of the file. */
  private rawRefs = new Words()
  /** (name, hint, position word) triples. */
  private rawMembers = new Words()
  private memberRow = new Int32Array(0)
  private compactor = new HintCompactor()
  private loc = 0
  private nesting = 0
  private flags = 0

  /** Id of a name, for the methods below. */
  name(text: string): number {
    return this.names.idOf(text)
  }

  /** Adds a symbol and returns its row. `kind` is KIND | SYMBOL_FLAG << 8; `container` a row or -1. Ranges as in facts.ts. */
  symbol(
    name: number,
    kind: number,
    container: number,
    nameStart: number,
    start: number,
    end: number,
    bodyStart: number,
  ): number {
    const words = this.sections.symbols
    const at = words.reserve(STRIDE.symbols)
    const { data } = words
    data[at] = name
    data[at + 1] = kind
    data[at + 2] = container
    data[at + 3] = nameStart
    data[at + 4] = start
    data[at + 5] = end
    data[at + 6] = bodyStart
    data[at + 7] = -1
    data[at + 8] = -1
    data[at + 9] = 0
    return at / STRIDE.symbols
  }

  /** Changes one column of a symbol added before. */
  setSymbol(row: number, column: keyof typeof SYMBOL, value: number): void {
    this.sections.symbols.data[row * STRIDE.symbols + SYMBOL[column]] = value
  }

  getSymbol(row: number, column: keyof typeof SYMBOL): number {
    return this.sections.symbols.data[row * STRIDE.symbols + SYMBOL[column]]!
  }

  get symbolCount(): number {
    return this.sections.symbols.length / STRIDE.symbols
  }

  /** Adds an import and returns its row. `kind` is IMPORT_KIND | IMPORT_FLAG << 8. Bind its local name with `bind`. */
  import(spec: number, imported: number, local: number, kind: number, nameStart: number, specStart: number): number {
    return this.row('imports', spec, imported, local, kind, nameStart, specStart) / STRIDE.imports
  }

  export(name: number, local: number, spec: number, kind: number, nameStart: number, localStart: number): number {
    return this.row('exports', name, local, spec, kind, nameStart, localStart) / STRIDE.exports
  }

  /** The top-level binding of a name; made when there is none yet (a name that stays undeclared is a global). */
  binding(name: number): number {
    const known = this.topBindings.get(name)
    if (known !== undefined) return known
    const row = this.row('bindings', name, BINDING_FLAG.free, -1, -1, -1, 0) / STRIDE.bindings
    this.topBindings.set(name, row)
    return row
  }

  /** The binding of a name that is declared or imported at the top of the file, or -1. */
  knownBinding(name: number): number {
    const row = this.topBindings.get(name)
    if (row === undefined) return -1
    return this.sections.bindings.data[row * STRIDE.bindings + 1]! & BINDING_FLAG.top ? row : -1
  }

  /**
   * Says what declares a top-level name: a symbol row or an import row (the other -1), and the hint of its type if it has no
   * symbol to hold it. The first declaration stays.
   */
  bind(name: number, symbol: number, importRow: number, declaredAt: number, hint = -1): number {
    const row = this.binding(name)
    const { data } = this.sections.bindings
    const at = row * STRIDE.bindings
    data[at + 1] = (data[at + 1]! & ~BINDING_FLAG.free) | BINDING_FLAG.top
    if (data[at + 2] === -1) data[at + 2] = symbol
    if (data[at + 3] === -1) data[at + 3] = importRow
    if (data[at + 4] === -1) data[at + 4] = declaredAt
    if (hint >= 0 && symbol >= 0 && this.getSymbol(symbol, 'hint') === -1) this.setSymbol(symbol, 'hint', hint)
    return row
  }

  /** Says that a name bound before is every file's (`declare global`). */
  setGlobal(name: number): void {
    const row = this.topBindings.get(name)
    if (row !== undefined) this.sections.bindings.data[row * STRIDE.bindings + 1]! |= BINDING_FLAG.global
  }

  /** A binding of an inner scope (namespace, function) that has references of its own. */
  nestedBinding(name: number, symbol: number, declaredAt: number, flags: number = BINDING_FLAG.nested): number {
    return this.row('bindings', name, flags, symbol, -1, declaredAt, 0) / STRIDE.bindings
  }

  /** A use of a binding. `flags` is USE_FLAG. */
  ref(binding: number, position: number, flags: number): void {
    const at = this.rawRefs.reserve(2)
    this.rawRefs.data[at] = binding
    this.rawRefs.data[at + 1] = position | (flags << POSITION_BITS)
  }

  /** A use of a name by its top-level binding, for languages without scope analysis. */
  use(name: number, position: number, flags: number): void {
    this.ref(this.binding(name), position, flags)
  }

  /** An access to a member by name: `receiver.name`. `hint` is a hint row for the receiver, or -1. */
  member(name: number, hint: number, position: number, flags: number): void {
    const at = this.rawMembers.reserve(3)
    this.rawMembers.data[at] = name
    this.rawMembers.data[at + 1] = hint
    this.rawMembers.data[at + 2] = position | (flags << POSITION_BITS)
  }

  /** Adds what is known of a type (HINT_KIND) and returns its row. */
  hint(kind: number, a: number, b: number): number {
    return this.row('hints', kind, a, b) / STRIDE.hints
  }

  /** Says what a hint made before turned out to be. */
  setHint(row: number, kind: number, a: number): void {
    const at = row * STRIDE.hints
    this.sections.hints.data[at] = kind
    this.sections.hints.data[at + 1] = a
  }

  /** The hint that a hint made before is built on. */
  hintPart(row: number): number {
    return this.sections.hints.data[row * STRIDE.hints + 1]!
  }

  /** Adds a class or interface's base: `symbol` is its row, `hint` the base's. */
  heritage(symbol: number, hint: number, isImplements: boolean): void {
    this.row('heritage', symbol, hint, isImplements ? 1 : 0)
  }

  /** `tag` is a place in TODO_TAGS. */
  todo(tag: number, start: number, end: number): void {
    this.row('todos', tag, start, end)
  }

  /** Offset of the first character of each line, that behind a last newline too. Called by the worker for every parsed file. */
  lines(starts: Int32Array, count: number): void {
    const words = this.sections.lines
    const at = words.reserve(count)
    words.data.set(starts.subarray(0, count), at)
  }

  grams(filter: Int32Array): void {
    const words = this.sections.grams
    const at = words.reserve(filter.length)
    words.data.set(filter, at)
  }

  /** Deepest nesting of blocks in the file. */
  setNesting(depth: number): void {
    if (depth > this.nesting) this.nesting = depth
  }

  setLoc(lines: number): void {
    this.loc = lines
  }

  /** Raises FILE_FLAG bits. */
  flag(bits: number): void {
    this.flags |= bits
  }

  /** Forgets what was written of the present file since the last `endFile`. */
  dropFile(): void {
    this.reset()
  }

  /** Closes the present file and adds it to the batch. */
  endFile(): void {
    this.compactor.run(this.sections, this.rawMembers)
    groupRefs(this.sections, this.rawRefs)
    if (this.memberRow.length < this.names.count) this.memberRow = new Int32Array(this.names.count * 2)
    groupMembers(this.sections, this.rawMembers, this.memberRow)
    const at = this.out.reserve(HEAD_WORDS)
    for (const section of SECTIONS) {
      const words = this.sections[section]
      this.out.data[at + HEAD[section]] = words.length / STRIDE[section]
      const start = this.out.reserve(words.length)
      this.out.data.set(words.data.subarray(0, words.length), start)
    }
    this.out.data[at + HEAD.loc] = this.loc
    this.out.data[at + HEAD.nesting] = this.nesting
    this.out.data[at + HEAD.flags] = this.flags
    this.ends.push(this.out.length)
    this.reset()
  }

  /** Words written since the last batch; the worker sends one when it grows large. */
  get size(): number {
    return this.out.length
  }

  /** Hands over the files closed so far; the writer starts a new batch and keeps its names. */
  takeBatch(): FactsBatch {
    const batch = {
      facts: this.out.data.slice(0, this.out.length),
      ends: Int32Array.from(this.ends),
      names: this.names.tail(this.sentNames),
    }
    this.sentNames = this.names.count
    this.out.length = 0
    this.ends = []
    return batch
  }

  private row(section: Section, a: number, b: number, c: number, d?: number, e?: number, f?: number): number {
    const words = this.sections[section]
    const at = words.reserve(STRIDE[section])
    const { data } = words
    data[at] = a
    data[at + 1] = b
    data[at + 2] = c
    if (d === undefined) return at
    data[at + 3] = d
    data[at + 4] = e!
    data[at + 5] = f!
    return at
  }

  private reset(): void {
    for (const section of SECTIONS) this.sections[section].length = 0
    this.rawRefs.length = 0
    this.rawMembers.length = 0
    this.topBindings.clear()
    this.loc = 0
    this.nesting = 0
    this.flags = 0
  }
}
