// Who uses whom: every use that is resolved to a symbol, counted between files and between the symbols they stand in.
import type { Engine } from './engine.ts'
import { Words } from './facts-grouping.ts'
import { BINDING, BINDING_FLAG, HEAD, MEMBER, MEMBER_NAME, STRIDE, SYMBOL } from './facts.ts'
import type { SymbolRef } from './receivers.ts'
import { OFFSET_MASK } from './rows.ts'
import type { Edges } from './view.ts'

/** Two file or symbol numbers in one key: both stay under 2^26. */
const KEY = 0x4000000

/** Files that declare what is elsewhere. */
const DECLARATIONS = /\.d\.[cm]?ts$/

export interface UseEdges {
  files: Edges
  symbols: Edges
}

/** Resolves the uses of one file after another; `bases`: number of the first symbol of each file. Stops after each file. */
export function* useEdges(engine: Engine, bases: Int32Array): Generator<void, UseEdges> {
  const files = new EdgeList()
  const symbols = new EdgeList()
  const reader = new UseReader(engine)
  for (let file = 0; file < engine.tables.count; file++) {
    const facts = engine.tables.facts[file]
    if (!facts) continue
    const owners = reader.owners(file, facts)
    const base = bases[file]!
    reader.eachUse(file, facts, (target, offset) => {
      if (target.file !== file) files.add(file, target.file)
      const owner = owners(offset)
      const to = bases[target.file]! + target.row
      if (owner >= 0 && base + owner !== to) symbols.add(base + owner, to)
    })
    files.endFile()
    symbols.endFile()
    engine.receivers.forget(file)
    yield
  }
  return { files: files.edges(), symbols: symbols.edges() }
}

class UseReader {
  private engine: Engine

  constructor(engine: Engine) {
    this.engine = engine
  }

  /** Calls back with each use of a file that is resolved to a symbol. */
  eachUse(file: number, facts: Int32Array, visit: (target: SymbolRef, offset: number) => void): void {
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
    // `setTimeout` means a declaration that happens to lie in the workspace: that everybody says it does not make it important.
    const isFree = (facts[at + BINDING.flags]! & BINDING_FLAG.free) !== 0
    if (isFree && DECLARATIONS.test(this.engine.tables.paths[entity.file]!)) return undefined
    return entity.name > 0 ? receivers.symbolOf(entity) : undefined
  }

  /** Gives the innermost symbol of an offset by a table of ranges in order: one search instead of a pass over all. */
  owners(file: number, facts: Int32Array): (offset: number) => number {
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
export class EdgeList {
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
