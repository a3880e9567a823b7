// Answers about what the tables hold now, whether it agrees with the disk or not: live-index.ts sees to that.
import type { Calls, SymbolQuery, TextQuery, TextResult } from './answers.ts'
import { Engine } from './engine.ts'
import { cleanPath, FileAnswers } from './file-answers.ts'
import { GraphAnswers } from './graph-answers.ts'
import { nearest } from './similar.ts'
import { SymbolAnswers } from './symbol-answers.ts'
import { TableView } from './table-view.ts'
import type { Tables } from './tables.ts'

export class StateAnswers {
  readonly engine: Engine
  readonly files: FileAnswers
  readonly graphs: GraphAnswers
  readonly symbols: SymbolAnswers
  readonly view: TableView

  constructor(tables: Tables, root: string) {
    this.engine = new Engine(tables, root)
    this.files = new FileAnswers(this.engine)
    this.graphs = new GraphAnswers(this.engine)
    this.symbols = new SymbolAnswers(this.engine)
    this.view = new TableView(this.engine, this.graphs)
  }

  /** Paths of all files, sorted. */
  paths(): string[] {
    return this.engine.tables.paths.filter((_path, id) => this.engine.tables.alive(id)).sort()
  }

  /** Who calls what a query means, and what that calls; one for each meaning. */
  async calls(query: SymbolQuery): Promise<Calls[]> {
    const calls: Calls[] = []
    for (const meaning of await this.engine.lookup.find(query)) calls.push(...(await this.graphs.calls(meaning)))
    return calls
  }

  async searchText(query: TextQuery): Promise<TextResult> {
    const { searchText } = await import('./search/text-search.ts')
    return searchText(this.engine, query)
  }

  similarNames(name: string, limit: number): string[] {
    const last = name.split('.').at(-1) ?? name
    const folded = this.engine.lookup.folded()
    return nearest(last.toLowerCase(), folded.keys(), limit).flatMap((key) =>
      folded.get(key)!.map((id) => this.engine.tables.names.text(id)),
    )
  }

  similarPaths(path: string, limit: number): string[] {
    const wanted = cleanPath(path).toLowerCase()
    const base = wanted.slice(wanted.lastIndexOf('/') + 1)
    const all = this.paths()
    const sameBase = all.filter(
      (candidate) => candidate.toLowerCase().endsWith(`/${base}`) || candidate.toLowerCase() === base,
    )
    const pool = sameBase.length > 0 ? sameBase : all
    return nearest(wanted, pool, limit)
  }
}
