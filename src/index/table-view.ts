// The IndexView over an engine: edges are computed when first asked for in a state of the index.
import type { Engine } from './engine.ts'
import { HEAD } from './facts.ts'
import type { GraphAnswers } from './graph-answers.ts'
import type { NameTable } from './names.ts'
import { rankRounds } from './rank/page-rank.ts'
import { EdgeList, useEdges } from './use-edges.ts'
import type { Edges, IndexView, Ranks } from './view.ts'
import { Slice } from './slice.ts'

export class TableView implements IndexView {
  readonly engine: Engine
  private graphs: GraphAnswers
  private computed: { generation: number; imports?: Edges; ranks?: Promise<Ranks | undefined>; bases?: Int32Array } = {
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

  /**
   * What is derived from every use, computed in slices and once for a state, whoever asks. A state that comes meanwhile is
   * computed in its turn, so that what comes back is of the present one.
   */
  async ranks(): Promise<Ranks> {
    for (;;) {
      const state = this.current()
      state.ranks ??= this.computeRanks(() => this.current() === state)
      const ranks = await state.ranks
      if (ranks) return ranks
    }
  }

  private async computeRanks(isPresent: () => boolean): Promise<Ranks | undefined> {
    const edges = await inSlices(useEdges(this.engine, this.bases()), isPresent)
    const symbolRanks = edges && (await inSlices(rankRounds(this.symbolCount(), edges.symbols), isPresent))
    return symbolRanks && { fileEdges: edges.files, symbolEdges: edges.symbols, symbolRanks }
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
}

/** Runs a computation to its end with a turn for others in between; undefined when it is no longer wanted. */
async function inSlices<T>(steps: Generator<void, T>, isWanted: () => boolean): Promise<T | undefined> {
  const slice = new Slice()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (!slice.isOver) continue
    await slice.next()
    if (!isWanted()) return undefined
  }
}
