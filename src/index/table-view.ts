// The IndexView over an engine: edges are computed when first asked for in a state of the index.
import type { Engine } from './engine.ts'
import { Words } from './facts-grouping.ts'
import { BINDING, BINDING_FLAG, HEAD, MEMBER, MEMBER_NAME, STRIDE, SYMBOL } from './facts.ts'
import type { GraphAnswers } from './graph-answers.ts'
import type { NameTable } from './names.ts'
import type { SymbolRef } from './receivers.ts'
import { OFFSET_MASK } from './rows.ts'
import type { Edges, IndexView } from './view.ts'

/** Two file or symbol numbers in one key: both stay under 2^26. */
const KEY = 0x4000000

export class TableView implements IndexView {
  readonly engine: Engine
  private graphs: GraphAnswers
  private computed: { generation: number; imports?: Edges; files?: Edges; symbols?: Edges; bases?: Int32Array } = {
    generation: -1,
  }

  constructor(engine: Engine, graphs: GraphAnswers) {
    this.engine = engine
    this.graphs = graphs
  }

  get generation(): number {
    return this.engine.tables.generation
  }
  get names(): NameTable {
    return this.engine.tables.names
  }
  get fileCount(): number {
    return this.engine.tables.count
  }
  path(file: number): string {
    return this.engine.tables.paths[file]!
  }
  fileId(path: string): number | undefined {
    return this.engine.tables.find(path)
  }
  facts(file: number): Int32Array | undefined {
    return this.engine.tables.facts[file]
  }
  text(file: number): string | undefined {
    return this.engine.texts.text(file)
  }

  importEdges(): Edges {
    const state = this.current()
    if (!state.imports) {
      const list = new EdgeList()
      for (const [from, targets] of this.graphs.edges()) {
        for (const [to, names] of targets) for (let i = 0; i < names; i++) list.add(from, to)
        list.endFile()
      }
      state.imports = list.edges()
    }
    return state.imports
  }

  fileEdges(): Edges {
    const state = this.current()
    if (!state.files) this.resolveUses(state)
    return state.files!
  }

  symbolEdges(): Edges {
    const state = this.current()
    if (!state.symbols) this.resolveUses(state)
    return state.symbols!
  }

  symbolBase(file: number): number {
    return this.bases()[file]!
  }
  symbolCount(): number {
    return this.bases()[this.fileCount]!
  }
  symbolOf(symbol: number): { file: number; row: number } {
    const bases = this.bases()
    let low = 0
    let high = this.fileCount
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (bases[middle]! <= symbol) low = middle
      else high = middle
    }
    return { file: low, row: symbol - bases[low]! }
  }

  private current() {
    if (this.computed.generation !== this.generation) this.computed = { generation: this.generation }
    return this.computed
  }

  private bases(): Int32Array {
    const state = this.current()
    if (state.bases) return state.bases
    const bases = new Int32Array(this.fileCount + 1)
    for (let file = 0; file < this.fileCount; file++)
      bases[file + 1] = bases[file]! + (this.facts(file)?.[HEAD.symbols] ?? 0)
    state.bases = bases
    return bases
  }

  private resolveUses(state: TableView['computed']): void {
    const files = new EdgeList()
    const symbols = new EdgeList()
    for (let file = 0; file < this.fileCount; file++) {
      const facts = this.facts(file)
      if (!facts) continue
      const owners = this.owners(file, facts)
      const base = this.symbolBase(file)
      this.eachUse(file, facts, (target, offset) => {
        if (target.file !== file) files.add(file, target.file)
        const owner = owners(offset)
        const to = this.symbolBase(target.file) + target.row
        if (owner >= 0 && base + owner !== to) symbols.add(base + owner, to)
      })
      files.endFile()
      symbols.endFile()
      this.engine.receivers.forget(file)
    }
    state.files = files.edges()
    state.symbols = symbols.edges()
  }

  /** Calls back with each use of a file that is resolved to a symbol. */
  private eachUse(file: number, facts: Int32Array, visit: (target: SymbolRef, offset: number) => void): void {
    const { tables, receivers } = this.engine
    const starts = tables.starts[file]!
    const bindings = facts[HEAD.bindings]!
    const refs = starts[HEAD.refs]!
    for (let binding = 0; binding < bindings; binding++) {
      const at = starts[HEAD.bindings]! + binding * STRIDE.bindings
      const first = facts[at + BINDING.refs]!
      const end = binding + 1 < bindings ? facts[at + STRIDE.bindings + BINDING.refs]! : facts[HEAD.refs]!
      if (first === end) continue
      const target = this.declared(file, binding, facts, at)
      if (target) for (let i = first; i < end; i++) visit(target, facts[refs + i]! & OFFSET_MASK)
    }
    const count = facts[HEAD.memberNames]!
    for (let i = 0; i < count; i++) {
      const at = starts[HEAD.memberNames]! + i * STRIDE.memberNames
      const end = i + 1 < count ? facts[at + STRIDE.memberNames + MEMBER_NAME.first]! : facts[HEAD.members]!
      // One receiver is often asked for a member many times in a row.
      let last = -1
      let target: SymbolRef | undefined
      for (let j = facts[at + MEMBER_NAME.first]!; j < end; j++) {
        const member = starts[HEAD.members]! + j * STRIDE.members
        const hint = facts[member + MEMBER.hint]!
        if (hint < 0) continue
        if (hint !== last) target = receivers.members(receivers.value(file, hint), facts[at + MEMBER_NAME.name]!)[0]
        last = hint
        if (target) visit(target, facts[member + MEMBER.position]! & OFFSET_MASK)
      }
    }
  }

  /** The symbol a binding, whose row begins at `at`, stands for. */
  private declared(file: number, binding: number, facts: Int32Array, at: number): SymbolRef | undefined {
    const { links, receivers } = this.engine
    const own = facts[at + BINDING.symbol]!
    // What a function or block declares is known in the file alone.
    const isInner = (facts[at + BINDING.flags]! & BINDING_FLAG.nested) !== 0 && facts[at + BINDING.import]! < 0
    const entity = isInner ? undefined : links.entityOf(file, binding)
    if (!entity) return own >= 0 ? { file, row: own } : undefined
    return entity.name > 0 ? receivers.symbolOf(entity) : undefined
  }

  /** Gives the innermost symbol of an offset by a table of ranges in order: one search instead of a pass over all. */
  private owners(file: number, facts: Int32Array): (offset: number) => number {
    const base = this.engine.tables.starts[file]![HEAD.symbols]!
    const rows = Array.from({ length: facts[HEAD.symbols]! }, (_unused, row) => row)
    const start = (row: number) => facts[base + row * STRIDE.symbols + SYMBOL.start]!
    const end = (row: number) => facts[base + row * STRIDE.symbols + SYMBOL.end]!
    rows.sort((a, b) => start(a) - start(b) || end(b) - end(a))
    return (offset) => {
      let low = 0
      let high = rows.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (start(rows[middle]!) <= offset) low = middle + 1
        else high = middle
      }
      for (let i = low - 1; i >= 0 && i > low - 200; i--) if (end(rows[i]!) > offset) return rows[i]!
      return -1
    }
  }
}

/**
 * Edges with how often each was added, in order. They come file by file, from ever larger numbers: those of one file are sorted
 * and counted when it ends.
 */
class EdgeList {
  private keys = new Float64Array(1 << 10)
  private pending = 0
  /** Rows of from, to, weight. */
  private rows = new Words()

  add(from: number, to: number): void {
    if (this.pending === this.keys.length) {
      const larger = new Float64Array(this.pending * 2)
      larger.set(this.keys)
      this.keys = larger
    }
    this.keys[this.pending++] = from * KEY + to
  }

  endFile(): void {
    const keys = this.keys.subarray(0, this.pending).sort()
    this.pending = 0
    let last = -1
    let at = -1
    for (const key of keys) {
      if (key !== last) {
        at = this.rows.reserve(3)
        this.rows.data[at] = Math.floor(key / KEY)
        this.rows.data[at + 1] = key % KEY
        this.rows.data[at + 2] = 0
      }
      this.rows.data[at + 2]!++
      last = key
    }
  }

  edges(): Edges {
    const { data, length } = this.rows
    const count = length / 3
    const edges = { from: new Int32Array(count), to: new Int32Array(count), weight: new Int32Array(count) }
    for (let i = 0; i < count; i++) {
      edges.from[i] = data[i * 3]!
      edges.to[i] = data[i * 3 + 1]!
      edges.weight[i] = data[i * 3 + 2]!
    }
    return edges
  }
}
