// Text search over the workspace: files that cannot hold the text are left out by their filter, the others are read (from a
// bounded cache) and searched. Lines count, as with grep: several matches on one line are one. Works in slices.
import { isAscii } from 'node:buffer'
import { createContext, Script } from 'node:vm'
import type { TextMatch, TextQuery, TextResult } from '../answers.ts'
import type { Engine } from '../engine.ts'
import { HEAD } from '../facts.ts'
import { cleanPath } from '../file-answers.ts'
import { gramsOf, mayHold } from './grams.ts'
import { requiredLiterals } from './required-literals.ts'

const DEFAULT_LIMIT = 1_000
/** Longest stretch of synchronous work, in milliseconds. */
const SLICE_MS = 12
/** Longest time for a regular expression on one slice of files, in milliseconds; V8 stops a runaway one when it is over. */
const REGEX_TIMEOUT_MS = 1_000
const MAX_LINE = 500
const NEWLINE = 10

/** Offsets of one match per line, in the file's bytes (literal, case kept) or text (else). */
type FindLines = (file: number) => number[]

interface Hit {
  file: number
  offsets: number[]
}

const decoder = new TextDecoder()

export async function searchText(engine: Engine, query: TextQuery): Promise<TextResult> {
  if (query.query === '') return { matches: [], total: 0, files: 0, error: 'The query is empty.' }
  const literal = !query.regex && query.caseSensitive ? Buffer.from(query.query) : undefined
  let expression: RegExp | undefined
  if (!literal) {
    const source = query.regex ? query.query : query.query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    try {
      expression = new RegExp(source, `gm${query.caseSensitive ? '' : 'i'}`)
    } catch (error) {
      return { matches: [], total: 0, files: 0, error: error instanceof Error ? error.message : String(error) }
    }
  }
  const find: FindLines = literal
    ? (file) => literalLines(engine, file, literal)
    : (file) => regexLines(engine, file, expression!)
  const files = await candidates(engine, query)
  const hits: Hit[] = []
  let error: string | undefined
  const guard = expression && query.regex ? guarded() : (run: () => void) => run()
  for (let next = 0; next < files.length && !error;) {
    query.signal?.throwIfAborted()
    const until = performance.now() + SLICE_MS
    try {
      guard(() => {
        while (next < files.length) {
          const file = files[next++]!
          const offsets = find(file)
          if (offsets.length > 0) hits.push({ file, offsets })
          if (performance.now() > until) break
        }
      })
    } catch {
      error = `The regular expression took longer than ${REGEX_TIMEOUT_MS} ms on ${engine.tables.paths[files[next - 1]!]}; make it simpler or give a path.`
    }
    if (next < files.length && !error) await new Promise((resolve) => setImmediate(resolve))
  }
  return { ...present(engine, query, hits, literal !== undefined), ...(error !== undefined && { error }) }
}

/** Ids of the files that may hold what is asked for. */
async function candidates(engine: Engine, query: TextQuery): Promise<number[]> {
  const { tables } = engine
  const scope = cleanPath(query.path)
  const required = query.regex ? requiredLiterals(query.query) : [query.query]
  // Beyond ASCII, case folding differs from the filter's: such texts cannot be used when case is not kept.
  const usable = required.filter((text) => query.caseSensitive || isAscii(Buffer.from(text)))
  const grams = Int32Array.from(usable.flatMap((text) => Array.from(gramsOf(Buffer.from(text)))))
  const matchesGlob = query.glob ? await globMatcher(query.glob) : undefined
  const found: number[] = []
  for (let file = 0; file < tables.count; file++) {
    const facts = tables.facts[file]
    if (!facts) continue
    const start = tables.starts[file]![HEAD.grams]!
    if (facts[HEAD.grams]! > 0 && !mayHold(facts, start, start + facts[HEAD.grams]!, grams)) continue
    const path = tables.paths[file]!
    if (scope !== '' && path !== scope && !path.startsWith(`${scope}/`)) continue
    if (matchesGlob && !matchesGlob(path)) continue
    found.push(file)
  }
  return found
}

async function globMatcher(glob: string): Promise<(path: string) => boolean> {
  const { default: picomatch } = await import('picomatch')
  return picomatch(glob.replace(/^\.\//, ''), { dot: true, basename: !glob.includes('/') })
}

/** Runs a function under a time bound that also ends a runaway regular expression. */
function guarded(): (run: () => void) => void {
  const box: { run: () => void } = { run: () => undefined }
  const context = createContext({ call: () => box.run() })
  const script = new Script('call()')
  return (run) => {
    box.run = run
    script.runInContext(context, { timeout: REGEX_TIMEOUT_MS })
  }
}

function literalLines(engine: Engine, file: number, needle: Buffer): number[] {
  const bytes = engine.texts.bytes(file)
  if (!bytes) return []
  const offsets: number[] = []
  for (let at = bytes.indexOf(needle); at >= 0;) {
    offsets.push(at)
    const newline = bytes.indexOf(NEWLINE, at + needle.length - 1)
    if (newline < 0) break
    at = bytes.indexOf(needle, newline + 1)
  }
  return offsets
}

function regexLines(engine: Engine, file: number, expression: RegExp): number[] {
  const text = engine.texts.text(file)
  if (text === undefined) return []
  const offsets: number[] = []
  expression.lastIndex = 0
  for (let match = expression.exec(text); match; match = expression.exec(text)) {
    let newline = text.indexOf('\n', match.index)
    if (newline < 0) newline = text.length
    if (match.index + match[0].length <= newline) offsets.push(match.index)
    else {
      // It ran over the end of its line: what counts is whether the line alone matches.
      const start = text.lastIndexOf('\n', match.index - 1) + 1
      const alone = new RegExp(expression.source, expression.flags).exec(text.slice(start, newline))
      if (alone) offsets.push(start + alone.index)
    }
    if (newline >= text.length) break
    expression.lastIndex = newline + 1
  }
  return offsets
}

function present(engine: Engine, query: TextQuery, hits: Hit[], inBytes: boolean): TextResult {
  const { tables } = engine
  const limit = query.limit ?? DEFAULT_LIMIT
  const context = Math.max(0, query.context ?? 0)
  hits.sort((a, b) => (tables.paths[a.file]! < tables.paths[b.file]! ? -1 : 1))
  const matches: TextMatch[] = []
  let total = 0
  for (const { file, offsets } of hits) {
    total += offsets.length
    if (matches.length >= limit) continue
    const bytes = inBytes ? engine.texts.bytes(file) : undefined
    const text = bytes ? (isAscii(bytes) ? bytes.toString('latin1') : decoder.decode(bytes)) : engine.texts.text(file)
    if (text === undefined) continue
    const inText =
      bytes && text.length !== bytes.length
        ? offsets.map((at) => decoder.decode(bytes.subarray(0, at)).length)
        : offsets
    matches.push(...linesOf(text, inText.slice(0, limit - matches.length), tables.paths[file]!, context))
  }
  return { matches, total, files: hits.length }
}

function linesOf(text: string, offsets: number[], path: string, context: number): TextMatch[] {
  const matches: TextMatch[] = []
  let line = 1
  let counted = 0
  for (const offset of offsets) {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < offset; at = text.indexOf('\n', counted)) {
      line++
      counted = at + 1
    }
    const end = lineEnd(text, offset)
    const match: TextMatch = { path, line, column: offset - counted + 1, text: cut(text.slice(counted, end)) }
    if (context > 0) {
      match.before = linesBefore(text, counted, context)
      match.after = linesAfter(text, end, context)
    }
    matches.push(match)
  }
  return matches
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline < 0 ? text.length : newline
}

function cut(line: string): string {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line
  return plain.length > MAX_LINE ? `${plain.slice(0, MAX_LINE - 1)}…` : plain
}

function linesBefore(text: string, lineStart: number, count: number): string[] {
  const lines: string[] = []
  let end = lineStart - 1
  while (lines.length < count && end >= 0) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    lines.unshift(cut(text.slice(start, end)))
    end = start - 1
  }
  return lines
}

function linesAfter(text: string, end: number, count: number): string[] {
  const lines: string[] = []
  let start = end + 1
  while (lines.length < count && start < text.length) {
    const stop = lineEnd(text, start)
    lines.push(cut(text.slice(start, stop)))
    start = stop + 1
  }
  return lines
}
