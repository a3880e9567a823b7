// The shapes of the index's answers. Paths are relative to the workspace root with `/`; lines and columns are 1-based,
// columns in UTF-16 code units. Answers are plain objects, ready for JSON.
import type { SymbolKind } from './kinds.ts'

/** How far the index is. Queries answer at any time; before `ready` an answer covers only the files read so far. */
export interface IndexStatus {
  state: 'building' | 'ready' | 'closed'
  /** Files known, and of them read so far. */
  files: number
  indexed: number
  /** Files by what became of them. */
  parsed: number
  textOnly: number
  binary: number
  notUtf8: number
  symlinks: number
  parseErrors: number
  symbols: number
  references: number
  /** Raised with each change the index has taken in. */
  generation: number
  /** `watching`, or why not: each query then runs the stat pass, at most once a second. */
  watcher: 'watching' | 'off' | 'failed'
  /** Things a person should be told: more than 10,000 files, a network file system, a watcher that could not start. */
  warnings: string[]
  /** The folder it keeps to, from the root; absent: all of the workspace. */
  scope?: string
  /** Where the first answers came from. */
  source: 'snapshot' | 'scan'
}

export interface Place {
  path: string
  line: number
  column: number
}

export interface SymbolInfo extends Place {
  name: string
  /** `Class.method`, `namespace.Class.method`; the name itself at the top level. */
  qualifiedName: string
  kind: SymbolKind
  startLine: number
  endLine: number
  /** The declaration up to its body, white space collapsed, at most 300 characters. */
  signature: string
  visibility: 'public' | 'protected' | 'private'
  exported: boolean
  isDefault: boolean
  async: boolean
  static: boolean
  readonly: boolean
  abstract: boolean
  /** First paragraph of the doc comment, without its markers. */
  doc?: string
}

/**
 * How sure a reference is. `exact`: resolved through scopes, imports and re-exports, or a receiver whose class is known.
 * `likely`: a member of that name is declared in one place only. `possible`: the name alone agrees.
 */
export type Confidence = 'exact' | 'likely' | 'possible'

export interface Reference extends Place {
  /** The line's text, without the indentation, at most 200 characters. */
  text: string
  kind: 'declaration' | 'import' | 'export' | 'call' | 'write' | 'type' | 'read'
  confidence: Confidence
  /** Qualified name of the function, method or class the reference stands in. */
  inside?: string
}

export interface References {
  /** What the name was taken to mean. */
  definitions: SymbolInfo[]
  references: Reference[]
}

/** What to look up: a name (`foo`, `Class.method`), within a file or folder if `path` is given; or a place in a file. */
export type SymbolQuery = { name: string; path?: string } | { path: string; line: number; column: number }

export interface Outline {
  path: string
  language: string
  lines: number
  parseError: boolean
  textOnly: boolean
  imports: string[]
  symbols: OutlineEntry[]
}
export interface OutlineEntry {
  symbol: SymbolInfo
  children: OutlineEntry[]
}

export interface SourceSpan {
  symbol: SymbolInfo
  text: string
}

export interface Dependency {
  /** As written in the import. */
  spec: string
  kind: 'internal' | 'external' | 'builtin' | 'missing'
  /** The file it means, or the package's name. */
  target: string
  line: number
  names: string[]
  typeOnly: boolean
}
export interface Dependent {
  path: string
  line: number
  names: string[]
}

export interface FileComplexity {
  path: string
  loc: number
  nesting: number
  imports: number
  /** 0 to 100: round(100 · (0.4 · min(1, LOC/500) + 0.4 · min(1, nesting/8) + 0.2 · min(1, imports/30))) */
  score: number
}
export interface FunctionComplexity extends FileComplexity {
  name: string
  line: number
}

export interface Todo extends Place {
  tag: 'TODO' | 'FIXME' | 'HACK' | 'XXX'
  text: string
}

export interface TreeEntry {
  name: string
  path: string
  kind: 'folder' | 'file' | 'symlink' | 'binary'
  size: number
  /** One line for a file: its exported or top-level symbols. */
  outline?: string
  /** Where a symlink points. */
  target?: string
  /** Absent below the depth asked for; `omitted` then counts the files under it. */
  children?: TreeEntry[]
  omitted?: number
}

export interface GraphReport {
  /** Import edges between files of the workspace, by place in `files`. */
  files: string[]
  edges: { from: number; to: number; names: number }[]
  cycles: string[][]
  hubs: { path: string; dependents: number }[]
  entryPoints: string[]
  orphans: string[]
}

export interface CallSite {
  symbol: SymbolInfo
  lines: number[]
  confidence: Confidence
}
export interface Calls {
  symbol: SymbolInfo
  callers: CallSite[]
  callees: CallSite[]
}

export interface TextQuery {
  query: string
  /** Folder or file; the whole workspace when absent. */
  path?: string
  /** picomatch pattern against the path, or the base name when it has no `/`. */
  glob?: string
  regex?: boolean
  caseSensitive?: boolean
  /** Lines shown around each match. */
  context?: number
  /** Most matches given; the rest is counted only. Default 1,000. */
  limit?: number
  signal?: AbortSignal
}
export interface TextMatch extends Place {
  text: string
  before?: string[]
  after?: string[]
}
export interface TextResult {
  matches: TextMatch[]
  /** Matching lines in all, also those over the limit. */
  total: number
  files: number
  /** Files that were not looked at, because the search was ended. */
  unsearched?: number
  /** The regular expression cannot be read, or took too long on a file. */
  error?: string
}
