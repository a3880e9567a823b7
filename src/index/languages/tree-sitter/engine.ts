// One engine for all languages that have a grammar: parses a file, runs the language's query, writes the facts.
// Promises to end within TIME_LIMIT_MS of each step, to free every tree, and to give parseError with whatever could be read
// for a broken file. Does not know any language: what differs between them is data in their folders.
import { isMainThread } from 'node:worker_threads'
import type { Parser, Tree } from 'web-tree-sitter'
import { loadGrammar, loadTreeSitter } from '../../../lib/grammar.ts'
import { FILE_FLAG } from '../../facts.ts'
import type { FactsWriter } from '../../facts-writer.ts'
import { EXPORT_KIND, KIND, SYMBOL_FLAG } from '../../kinds.ts'
import type { Extract, Source } from '../../language.ts'
import { writeTodos } from '../todos.ts'
import { CaptureSorter, type Captured } from './captures.ts'
import { collectDocs } from './docs.ts'
import { writeImports } from './imports.ts'
import { readLanguages, readQueries, type LanguageData } from './language-data.ts'
import { writeNames } from './name-uses.ts'
import { compileQuery, type Query } from './query/compile.ts'
import { FlatTree } from './query/flat-tree.ts'
import { Matcher } from './query/matcher.ts'
import { SymbolTreeBuilder, type FoundSymbol } from './symbol-tree.ts'

/**
 * Longest time for parsing, and again for the query, of one file, in milliseconds. The grammars read 2 to 10 MB/s, so that the
 * largest file the index parses (MAX_PARSED_BYTES) fits; what takes longer is not source code.
 */
export const TIME_LIMIT_MS = 10_000

/**
 * Brackets open at once beyond which a file is not parsed. The runtime's C stack is small and unguarded: 15,000 unclosed brackets
 * in Java write outside its memory; 4,500 do not.
 */
const MAX_OPEN_BRACKETS = 2_000

/** Where the kind of a symbol ends and its flags begin in their common word. */
const FLAG_SHIFT = 8

/** Loads a language's grammar; one call per thread and language is enough. Its query is compiled when the first file comes. */
export async function loadExtract(data: LanguageData, limitMs: number = TIME_LIMIT_MS): Promise<Extract> {
  const own = await prepare(data, limitMs)
  const { unless } = data
  const otherData = unless && readLanguages().find(({ id }) => id === unless.language)
  if (!unless || !otherData) return (source, out) => extract(own(), source, out)
  const other = await prepare(otherData, limitMs)
  const path = new RegExp(unless.path, 'u')
  const match = new RegExp(unless.match, 'mu')
  return (source, out) => {
    const isOther = path.test(source.path) && match.test(source.text)
    extract(isOther ? other() : own(), source, out)
  }
}

/** Loads what is loaded in the background; the rest is made at the first call of what it gives back. */
async function prepare(data: LanguageData, limitMs: number): Promise<() => Engine> {
  const { Parser } = await loadTreeSitter()
  const grammar = await loadGrammar(data.id)
  let engine: Engine | undefined
  return () => {
    if (engine) return engine
    const parser = new Parser()
    parser.setLanguage(grammar)
    const query = compileQuery(grammar, readQueries(data.id))
    const covers = [...coversOf(data.blank, ' '), ...coversOf(data.mask, 'x')]
    engine = { data, parser, query, matcher: new Matcher(query), tree: new SymbolTreeBuilder(data), covers, limitMs }
    return engine
  }
}

/** The thread reads one file at a time. */
const flat = new FlatTree()

function coversOf(sources: string[] | undefined, cover: string): Engine['covers'] {
  return (sources ?? []).map((source) => ({ pattern: new RegExp(source, 'gmu'), cover }))
}

interface Engine {
  data: LanguageData
  parser: Parser
  query: Query
  matcher: Matcher
  tree: SymbolTreeBuilder
  covers: { pattern: RegExp; cover: string }[]
  limitMs: number
}

function extract(engine: Engine, source: Source, out: FactsWriter): void {
  const { data, tree: builder } = engine
  const { text } = source
  if (data.module) out.flag(FILE_FLAG.module)
  const found = capture(engine, text, out)
  if (!found) return
  const { symbols, nesting } = builder.build(found, collectDocs(found, text), text)
  out.setNesting(nesting)
  writeSymbols(symbols, data, out)
  const importLocals = writeImports(data, found, text, out)
  writeNames(data, found, symbols, importLocals, text, out)
  writeTodos(found.comments, text, out)
}

/** Parses and queries within the time limit; nothing when not even a tree could be made. */
function capture(engine: Engine, text: string, out: FactsWriter): Captured | undefined {
  const { parser, covers, limitMs } = engine
  if (openBrackets(text) > MAX_OPEN_BRACKETS) {
    out.flag(FILE_FLAG.parseError)
    return undefined
  }
  let readable = text
  for (const { pattern, cover } of covers) readable = readable.replace(pattern, (hit) => covered(hit, cover))
  const tree = guarded(() => parser.parse(readable, null, { progressCallback: deadline(limitMs) }))
  if (!tree) {
    // The parser would go on with the same file at the next call.
    parser.reset()
    out.flag(FILE_FLAG.parseError)
    return undefined
  }
  try {
    if (tree.rootNode.hasError) out.flag(FILE_FLAG.parseError)
    return match(engine, tree, readable, out)
  } finally {
    tree.delete()
  }
}

function match({ query, matcher, limitMs }: Engine, tree: Tree, text: string, out: FactsWriter): Captured {
  const isLate = deadline(limitMs)
  const sorter = new CaptureSorter()
  const isWhole =
    guarded(() => flat.read(tree, query, isLate)) && matcher.run(flat, text, isLate, (one) => sorter.add(one))
  if (!isWhole) out.flag(FILE_FLAG.parseError)
  return sorter.finish()
}

/**
 * Ends the worker thread when the runtime broke: its memory is then in no known state, and all later files would suffer. The pool
 * starts another worker and reads this file as text only. In the main thread the error is only thrown on.
 */
function guarded<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError' && !isMainThread)
      queueMicrotask(() => {
        throw error
      })
    throw error
  }
}

/** The most brackets open at once, strings and comments not told apart. */
function openBrackets(text: string): number {
  let open = 0
  let most = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x28 || code === 0x5b || code === 0x7b) {
      if (++open > most) most = open
    } else if ((code === 0x29 || code === 0x5d || code === 0x7d) && open > 0) open--
  }
  return most
}

/** A text of the same length, so that offsets stay; its line breaks are kept. */
function covered(text: string, cover: string): string {
  return text.replace(/[^\n]/gu, (character) => cover.repeat(character.length))
}

function deadline(limitMs: number): () => boolean {
  const end = performance.now() + limitMs
  return () => performance.now() > end
}

function writeSymbols(symbols: FoundSymbol[], data: LanguageData, out: FactsWriter): void {
  for (const symbol of symbols) {
    const kind = KIND[symbol.kind] | (symbol.flags << FLAG_SHIFT)
    const name = out.name(symbol.name)
    symbol.row = out.symbol(name, kind, -1, symbol.nameStart, symbol.start, symbol.end, symbol.bodyStart)
    if (symbol.docStart >= 0) out.setSymbol(symbol.row, 'docStart', symbol.docStart)
    if (symbol.nesting > 0) out.setSymbol(symbol.row, 'nesting', symbol.nesting)
    if (!symbol.isTop || symbol.flags & SYMBOL_FLAG.declare) continue
    out.bind(name, symbol.row, -1, symbol.nameStart)
    if (data.module && symbol.flags & SYMBOL_FLAG.exported)
      out.export(name, name, 0, EXPORT_KIND.local, symbol.nameStart, symbol.nameStart)
  }
  for (const { row, container } of symbols) if (container) out.setSymbol(row, 'container', container.row)
}
