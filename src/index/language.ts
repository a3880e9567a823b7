// The Language port: what a language gives to the index, and what it gets to do it with.
// An extractor turns one file's bytes into flat rows through a FactsWriter (facts-writer.ts); it never reads the disk.
// It may throw: the file is then kept with parseError and whatever was written. It must end: every loop has to consume input.
import type { FactsWriter } from './facts-writer.ts'

/**
 * One file as an extractor sees it. `bytes` is valid UTF-8 (a BOM may lead). All offsets given to the writer are UTF-16 code
 * units into `text`, which is decoded when first asked for.
 */
export interface Source {
  /** Relative to the workspace root, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly text: string
}

/** Writes the facts of one file. Runs in a worker thread, one file at a time. */
export type Extract = (source: Source, out: FactsWriter) => void

/** Answers whether a workspace holds a file, and lists folders, for import resolution. All paths are relative with `/`. */
export interface FileLookup {
  has(path: string): boolean
  /** Names of the indexed files directly in a folder (`''` is the root); empty when there is no such folder. */
  filesIn(folder: string): readonly string[]
  /** Paths of indexed files with this base name (`'util.py'`), in no order. */
  named(baseName: string): readonly string[]
  /** Text of an indexed file that other files' imports depend on (`go.mod`, `composer.json`), or undefined. */
  text?(path: string): string | undefined
}

/**
 * A language: data plus a loader. The object itself must be cheap to import (it is imported by the main thread and by every
 * worker); parsers and grammars are imported inside `load`.
 */
export interface Language {
  /** Lower-case word shown to people and models: `python`. */
  readonly id: string
  /** Lower-case with the dot: `.py`. The longest that fits wins. */
  readonly extensions: readonly string[]
  /** Whole base names, e.g. `Makefile`; they win over extensions. */
  readonly filenames?: readonly string[]
  /** Which files of the language, or of its `family`, may use a file's top-level names without an import. Default: none. */
  readonly shares?: 'folder' | 'workspace' | undefined
  /** Languages of one family see each other's names, as C and C++ do. Default: the id. */
  readonly family?: string
  /** Loads the engine once per worker. A rejection makes the files of this language text-only, and is said once. */
  load(): Promise<Extract>
  /**
   * The workspace files an import spec of this language means (a package may be several files), or an empty list when it is
   * external. Runs in the main thread, must not touch the disk. Absent: the resolver of the TypeScript family.
   */
  resolve?(spec: string, from: string, files: FileLookup): readonly string[]
}
