// The engine of the TypeScript family: parse, read the comments, walk the tree.
// It promises every definition the TypeScript compiler sees in a file that parses; a file with syntax errors gives what oxc
// could still make of it. Memory: the tree stands in one reused buffer outside the heap.
import { isAscii } from 'node:buffer'
import { FILE_FLAG, TODO_TAGS } from '../../facts.ts'
import type { FactsWriter } from '../../facts-writer.ts'
import type { Extract, Source } from '../../language.ts'
import { commentTable, readDocs, readTodos } from './comments.ts'
import './declarations.ts'
import './modules.ts'
import { mayHaveDocNames, readDocNames } from './jsdoc.ts'
import { loadRawParser, type RawParser } from './raw-parser.ts'
import { type } from './tree.ts'
import { Walk } from './walk.ts'

const T_PROGRAM = type('Program')
type Lang = 'js' | 'jsx' | 'ts' | 'tsx' | 'dts'

/** The syntax a file name stands for. */
export function langOf(path: string): Lang {
  if (/\.d\.([cm]?ts|[^./]+\.ts)$/.test(path)) return 'dts'
  if (path.endsWith('.tsx')) return 'tsx'
  return /\.[cm]?ts$/.test(path) ? 'ts' : 'jsx'
}

export interface TypeScriptExtractor {
  extract: Extract
  /** As `extract`, with bindings for parameters and local variables too: for a question about one place. */
  extractLocals: Extract
}

let shared: Promise<RawParser> | undefined

/** The parser of this thread. */
export function sharedParser(): Promise<RawParser> {
  shared ??= loadRawParser()
  return shared
}

/** Loads the parser, once per thread. */
export async function loadExtractor(): Promise<TypeScriptExtractor> {
  const parser = await sharedParser()
  let walk: Walk | undefined
  const run = (source: Source, out: FactsWriter, keepLocals: boolean) => {
    if (walk?.out !== out) walk = new Walk(parser.bytes, parser.words, out)
    readFile(parser, walk, source, out, keepLocals)
  }
  return {
    extract: (source, out) => run(source, out, false),
    extractLocals: (source, out) => run(source, out, true),
  }
}

function readFile(parser: RawParser, walk: Walk, source: Source, out: FactsWriter, keepLocals: boolean): void {
  const { program, errors } = parser.parse(source.path, source.bytes, langOf(source.path))
  if (errors > 0) out.flag(FILE_FLAG.parseError)
  walk.begin(keepLocals)
  const comments = commentTable(parser.bytes, parser.words, program)
  readDocs(comments, isAscii(source.bytes) ? undefined : source.text, walk.docs)
  if (mayHaveTodos(source.bytes)) readTodos(comments, source.text, out)
  walk.children(T_PROGRAM, program)
  walk.scopes.end()
  if (mayHaveDocNames(source.bytes)) readDocNames(comments, source.text, out)
  out.setNesting(walk.deepest)
  if (walk.hasModuleSyntax) out.flag(FILE_FLAG.module)
}

/** Whether one of the marks stands anywhere in a file; most have none, and their comments need not be read. */
export function mayHaveTodos(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return TODO_TAGS.some((tag) => buffer.includes(tag))
}
