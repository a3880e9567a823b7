// The engine of the TypeScript family: parse, read the comments, walk the tree.
// It promises every definition the TypeScript compiler sees in a file that parses; of a file with syntax errors it gives
// what stands outside of them (recover.ts). Memory: the tree stands in one reused buffer outside the heap.
import { isAscii } from 'node:buffer'
import { FILE_FLAG, TODO_TAGS } from '../../facts.ts'
import type { FactsWriter } from '../../facts-writer.ts'
import type { Extract, Source } from '../../language.ts'
import { isShallow } from '../../shallow.ts'
import { commentsOf, readDocs, readTodos } from './comments.ts'
import './declarations.ts'
import './modules.ts'
import { mayHaveDocNames, readDocNames } from './jsdoc.ts'
import { loadRawParser, type RawParser } from './raw-parser.ts'
import { withoutFaults } from './recover.ts'
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
  return extractorOf(await sharedParser())
}

export function extractorOf(parser: RawParser): TypeScriptExtractor {
  let walk: Walk | undefined
  const run = (source: Source, out: FactsWriter, keepLocals: boolean) => {
    if (walk?.out !== out) walk = new Walk(parser.tree, out)
    readFile(parser, walk, source, out, keepLocals)
  }
  return {
    extract: (source, out) => run(source, out, false),
    extractLocals: (source, out) => run(source, out, true),
  }
}

/** Parses a file, and one with a syntax error without the statements that have it; then `source` is what was parsed. */
function parse(parser: RawParser, source: Source): { source: Source; errors: number } {
  const { path } = source
  const lang = langOf(path)
  const { errors, fault } = parser.parse(path, source.bytes, lang)
  if (fault === undefined) return { source, errors }
  const text = withoutFaults(source.text, (tried) => {
    const bytes = Buffer.from(tried)
    return isShallow(bytes) ? parser.parse(path, bytes, lang).fault : 0
  })
  // The buffer holds what was parsed last.
  const read = text === undefined ? source : { path, text, bytes: Buffer.from(text) }
  parser.parse(path, read.bytes, lang)
  return { source: read, errors }
}

function readFile(parser: RawParser, walk: Walk, given: Source, out: FactsWriter, keepLocals: boolean): void {
  const { source, errors } = parse(parser, given)
  if (errors > 0) out.flag(FILE_FLAG.parseError)
  walk.begin(keepLocals)
  const comments = commentsOf(parser.tree)
  readDocs(comments, isAscii(source.bytes) ? undefined : source.text, walk.docs)
  if (mayHaveTodos(source.bytes)) readTodos(comments, source.text, out)
  walk.children(T_PROGRAM, parser.tree.program)
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
