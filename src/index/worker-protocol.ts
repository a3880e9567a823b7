// What the index's main thread and its workers say to each other.
import type { FactsBatch } from './facts-writer.ts'

export interface WorkerSetup {
  /** Word 0: file of the present job being read, counted from 1; 0 when idle. Word 1: jobs begun. */
  heartbeat: Int32Array<SharedArrayBuffer>
}

export interface ReadJob {
  id: number
  /** Absolute paths; their places are the files' numbers in the answer. */
  paths: string[]
  /** As shown to people and extractors: relative with `/`. */
  names: string[]
  /** 1: by its size or an earlier fault, only as text. */
  textOnly: Uint8Array
  /** Needs an engine that is slow to load and large: one worker takes all such jobs, unless they are many. */
  heavy: boolean
}

export interface ReadAnswer {
  id: number
  batch: FactsBatch
  states: Uint8Array<ArrayBuffer>
  sizes: Float64Array<ArrayBuffer>
  times: Float64Array<ArrayBuffer>
  /** 32 bytes per file. */
  hashes: Uint8Array<ArrayBuffer>
  /** Languages whose engine could not be loaded, with the reason. */
  faults: string[]
}
