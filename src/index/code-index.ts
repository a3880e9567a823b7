// The code index of one workspace: symbols, references, imports, complexity and text search, live while files change.
// Promises: an answer never shows a file's older state than its stamp on disk at the time of the question; a broken, huge or
// hostile file never stops the run. Does not promise TypeScript's types: members are found through as much of them as types/
// follows, else by name, and say how sure they are.
import type {
  Calls,
  Dependency,
  Dependent,
  FileComplexity,
  FunctionComplexity,
  GraphReport,
  IndexStatus,
  Outline,
  References,
  SourceSpan,
  SymbolInfo,
  SymbolQuery,
  TextQuery,
  TextResult,
  Todo,
  TreeEntry,
} from './answers.ts'
import type { FolderSurvey } from './folder-survey.ts'
import type { IndexView, Ranks } from './view.ts'

export interface IndexOptions {
  /** Absolute path of the workspace root. */
  root: string
  /** Absolute path of the snapshot file; its folder is made when needed. Absent: nothing is kept on disk. */
  snapshotPath?: string
  /** Folder under the root that narrows the index (`project.scope`). */
  scope?: string
  /** Patterns in .gitignore form besides the ignore files. Default: BUILT_IN_IGNORES of scan.ts. */
  ignorePatterns?: readonly string[]
  /**
   * Globs of secret files besides the built-in ones (see `createSecretFileRule`): never taken in, whatever an ignore file says.
   * Absent: no file counts as secret.
   */
  secretFiles?: readonly string[]
  /** Extensions with the dot that are binary whatever their content. */
  binaryExtensions?: readonly string[]
  /** Watch for changes. Default true; without, each query runs the stat pass, at most once a second. */
  watch?: boolean
  /** How long a storm of changes is gathered, in milliseconds. Default 500. */
  debounceMs?: number
  /** How long a folder must have been as it is for its list to stand until its time moves, in milliseconds. Default: see folder-times.ts. */
  settledMs?: number
  /** Number of files that raises a warning. Default 10,000. */
  maxFilesWarning?: number
  /** Worker threads. Default: processors, at most 4. */
  workers?: number
  /** Ends the build; the index then answers from what it has. */
  signal?: AbortSignal
  onProgress?: (progress: { phase: 'scan' | 'parse' | 'ready'; done: number; total: number }) => void
  /** Called with each warning of `status()` when it comes up. `lasts`: it holds for the folder, at each start. */
  onWarning?: (text: string, lasts: boolean) => void
  /**
   * Asked once, while a first index is made, as soon as more than `maxFilesWarning` files are found. They are counted but not read
   * until it resolves: all of them are wanted, or nobody could be asked and there is a warning, or the index becomes one of a
   * folder alone. When it rejects, so does `ready`. Absent: nobody could be asked.
   */
  onLarge?: (survey: FolderSurvey) => Promise<Narrowing | 'all' | 'unasked'>
}

/** What replaces the options of the same name. */
export interface Narrowing {
  scope: string
  snapshotPath: string | undefined
}

/** What is kept on disk holds only for the same settings. */
export function settingsKey({ scope, ignorePatterns, binaryExtensions, secretFiles }: IndexOptions): string {
  return JSON.stringify([scope ?? '', ignorePatterns ?? [], binaryExtensions ?? [], secretFiles ?? null])
}

export interface CodeIndex {
  readonly root: string
  status(): IndexStatus
  /** Resolves when the first index is whole; rejects when the build was cancelled or the root cannot be read. */
  ready(): Promise<void>
  /** Resolves when it is settled whether changes are watched; `status` tells. At once where that was not asked for. */
  watching(): Promise<void>
  /** Raised with each change taken in; part of "the same state of the workspace". */
  readonly generation: number
  /** Takes files in that were just written, renamed or deleted (relative or absolute paths); resolves when queries see them. */
  changed(paths: readonly string[]): Promise<void>
  /** Compares all files with the disk (size and time, then content) and takes in what differs; gives the number of files that did. */
  refresh(): Promise<number>
  /** Called after each change taken in, with the paths; gives a function that ends it. */
  onChange(listener: (paths: readonly string[], generation: number) => void): () => void
  /** Writes the snapshot now; it is also written by itself when the index has been quiet, and at `close`. */
  save(): Promise<void>
  close(): Promise<void>

  definitions(query: SymbolQuery): Promise<SymbolInfo[]>
  references(query: SymbolQuery): Promise<References>
  outline(path: string): Promise<Outline | undefined>
  /** Text of the symbols that a name or `Class.method` means in a file. */
  symbolSource(path: string, name: string): Promise<SourceSpan[]>
  /** Innermost symbol around a line. */
  symbolAt(path: string, line: number): Promise<SymbolInfo | undefined>
  /** Names of symbols most like a misspelt one, nearest first. */
  similarNames(name: string, limit?: number): string[]
  /** Paths most like a mistaken one, nearest first. */
  similarPaths(path: string, limit?: number): string[]
  calls(query: SymbolQuery): Promise<Calls[]>
  dependencies(path: string): Promise<Dependency[] | undefined>
  dependents(path: string): Promise<Dependent[] | undefined>
  graph(path?: string): Promise<GraphReport>
  /** Worst first. `path` is a file or folder. */
  complexity(path?: string): Promise<{ files: FileComplexity[]; functions: FunctionComplexity[] }>
  todos(path?: string): Promise<Todo[]>
  searchText(query: TextQuery): Promise<TextResult>
  structure(path?: string, depth?: number): Promise<TreeEntry | undefined>
  /** Paths of all files known, sorted. */
  files(): string[]
  /** The tables themselves, for ranking and semantic search; valid until the next await. */
  view(): IndexView
  /** The tables with what is known of importance, which the repository map needs; computed in slices, once for a state. */
  ranked(): Promise<{ view: IndexView; ranks: Ranks }>
}

/** Opens the index of a workspace. It answers at once; `ready()` tells when the first index is whole. */
export async function openIndex(options: IndexOptions): Promise<CodeIndex> {
  const { LiveIndex } = await import('./live-index.ts')
  return LiveIndex.open(options)
}
