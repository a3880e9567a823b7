// A read-only look at the tables of the index, for whole-workspace computations (rank, repository map, semantic search).
// Nothing is copied: an entry is valid until the next await, since a change may be taken in then.
import type { NameTable } from './names.ts'

/** Weighted edges, e.g. uses of one file's symbols in another: `from[i] → to[i]`, used `weight[i]` times. */
export interface Edges {
  from: Int32Array
  to: Int32Array
  weight: Int32Array
}

/** What is known of importance in one state of the index. Members whose receiver is not known are left out. */
export interface Ranks {
  /** References between files resolved through imports and re-exports, `weight` counting uses. */
  fileEdges: Edges
  /** Uses of symbols, by their numbers, by the symbols they stand in (the innermost function, method, class or variable). */
  symbolEdges: Edges
  /** PageRank of each symbol on `symbolEdges`. */
  symbolRanks: Float64Array
}

export interface IndexView {
  readonly generation: number
  readonly names: NameTable
  /** File ids run from 0 to fileCount - 1; some are gone (`facts` is then undefined). */
  readonly fileCount: number
  path(file: number): string
  fileId(path: string): number | undefined
  /** The file's facts as in facts.ts, or undefined when it is gone, binary or not read yet. */
  facts(file: number): Int32Array | undefined
  /** The file's text as it is on disk now, or undefined when it is gone. Kept in a bounded cache. */
  text(file: number): string | undefined
  /** Import edges between files; `weight` counts the imported names. */
  importEdges(): Edges
  /** Symbols are numbered over all files: `symbolBase(file) + row`. */
  symbolBase(file: number): number
  symbolCount(): number
  /** File and row of a symbol number. */
  symbolOf(symbol: number): { file: number; row: number }
}
