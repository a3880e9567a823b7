// Answers about files one by one: outline, structure, complexity, TODOs.
import type { FileComplexity, FunctionComplexity, Outline, OutlineEntry, Todo, TreeEntry } from './answers.ts'
import type { Engine } from './engine.ts'
import { FILE_FLAG, HEAD, STRIDE, TODO, TODO_TAGS } from './facts.ts'
import { KIND, SYMBOL_FLAG } from './kinds.ts'
import { LANGUAGES, languageOf } from './languages.ts'
import { FILE_STATE } from './file-state.ts'
import {
  bindingAt,
  bindingCount,
  eachRef,
  flagsOf,
  importAt,
  importCount,
  kindOf,
  placeOf,
  symbolAt,
  symbolCount,
} from './rows.ts'

const LOC_FULL = 500
const NESTING_FULL = 8
const IMPORTS_FULL = 30
const MAX_OUTLINE_NAMES = 8
const MAX_TODO_TEXT = 200

/** 0 to 100, by the formula of the specification. */
export function complexityScore(loc: number, nesting: number, imports: number): number {
  const part =
    0.4 * Math.min(1, loc / LOC_FULL) +
    0.4 * Math.min(1, nesting / NESTING_FULL) +
    0.2 * Math.min(1, imports / IMPORTS_FULL)
  return Math.round(100 * part)
}

/** A path as given by a person or a model: relative to the root, `''` for the root itself. */
export function cleanPath(path: string | undefined): string {
  return (path ?? '')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/^\.$/, '')
    .replace(/\/+$/, '')
}

function isUnder(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`)
}

export class FileAnswers {
  private engine: Engine
  constructor(engine: Engine) {
    this.engine = engine
  }

  outline(path: string): Outline | undefined {
    const { tables, describer, texts } = this.engine
    const file = tables.find(cleanPath(path))
    const facts = file === undefined ? undefined : tables.facts[file]
    if (file === undefined || !facts) return undefined
    texts.touch(file)
    const entries: OutlineEntry[] = []
    const byRow = new Map<number, OutlineEntry>()
    for (let row = 0; row < symbolCount(tables, file); row++) {
      if (flagsOf(tables, file, row) & SYMBOL_FLAG.local) continue
      const entry: OutlineEntry = { symbol: describer.symbol(file, row), children: [] }
      byRow.set(row, entry)
      const parent = byRow.get(symbolAt(tables, file, row, 'container'))
      ;(parent?.children ?? entries).push(entry)
    }
    const flags = facts[HEAD.flags]!
    return {
      path: tables.paths[file]!,
      language: LANGUAGES[languageOf(tables.paths[file]!)]?.id ?? 'text',
      lines: facts[HEAD.loc]!,
      parseError: (flags & FILE_FLAG.parseError) !== 0,
      textOnly: (flags & FILE_FLAG.textOnly) !== 0,
      imports: [...this.specs(file)],
      symbols: entries,
    }
  }

  private specs(file: number): Set<string> {
    const { tables } = this.engine
    const specs = new Set<string>()
    for (let row = 0; row < importCount(tables, file); row++)
      specs.add(tables.names.text(importAt(tables, file, row, 'spec')))
    return specs
  }

  complexity(path?: string): { files: FileComplexity[]; functions: FunctionComplexity[] } {
    const { tables, texts } = this.engine
    const scope = cleanPath(path)
    const files: FileComplexity[] = []
    const functions: FunctionComplexity[] = []
    for (let file = 0; file < tables.count; file++) {
      const facts = tables.facts[file]
      if (!facts || tables.states[file] !== FILE_STATE.parsed || !isUnder(tables.paths[file]!, scope)) continue
      const { id } = LANGUAGES[languageOf(tables.paths[file]!)] ?? { id: '' }
      if (id === 'json' || id === 'yaml' || id === 'markdown') continue
      if (scope !== '') texts.touch(file)
      const imports = this.specs(file).size
      const loc = facts[HEAD.loc]!
      const nesting = facts[HEAD.nesting]!
      files.push({ path: tables.paths[file]!, loc, nesting, imports, score: complexityScore(loc, nesting, imports) })
      this.functions(file, functions)
    }
    const worst = (a: FileComplexity, b: FileComplexity) =>
      b.score - a.score || b.loc - a.loc || (a.path < b.path ? -1 : 1)
    return { files: files.sort(worst), functions: functions.sort(worst) }
  }

  private functions(file: number, out: FunctionComplexity[]): void {
    const { tables, describer } = this.engine
    let used: number[] | undefined
    for (let row = 0; row < symbolCount(tables, file); row++) {
      const kind = kindOf(tables, file, row)
      const isFunction =
        kind === KIND.function ||
        kind === KIND.method ||
        kind === KIND.constructor ||
        kind === KIND.getter ||
        kind === KIND.setter
      if (!isFunction || flagsOf(tables, file, row) & SYMBOL_FLAG.bodiless) continue
      const start = symbolAt(tables, file, row, 'start')
      const end = symbolAt(tables, file, row, 'end')
      const line = placeOf(tables, file, start).line
      const loc = placeOf(tables, file, Math.max(start, end - 1)).line - line + 1
      const nesting = symbolAt(tables, file, row, 'nesting')
      used ??= this.importUses(file)
      const imports = usedBetween(used, start, end)
      const score = complexityScore(loc, nesting, imports)
      out.push({
        path: tables.paths[file]!,
        name: describer.qualifiedName(file, row),
        line,
        loc,
        nesting,
        imports,
        score,
      })
    }
  }

  /** (offset, binding) pairs of the uses of imported names, by offset. */
  private importUses(file: number): number[] {
    const { tables } = this.engine
    const pairs: [number, number][] = []
    for (let row = 0; row < bindingCount(tables, file); row++)
      if (bindingAt(tables, file, row, 'import') >= 0) eachRef(tables, file, row, (offset) => pairs.push([offset, row]))
    return pairs.sort((a, b) => a[0] - b[0]).flat()
  }

  todos(path?: string): Todo[] {
    const { tables, texts } = this.engine
    const scope = cleanPath(path)
    const todos: Todo[] = []
    for (let file = 0; file < tables.count; file++) {
      const facts = tables.facts[file]
      const count = facts?.[HEAD.todos] ?? 0
      if (!facts || count === 0 || !isUnder(tables.paths[file]!, scope)) continue
      const text = texts.text(file) ?? ''
      const start = tables.starts[file]![HEAD.todos]!
      for (let i = 0; i < count; i++) {
        const at = start + i * STRIDE.todos
        const from = facts[at + TODO.start]!
        const line = text.slice(from, Math.min(facts[at + TODO.end]!, from + MAX_TODO_TEXT)).trim()
        todos.push({
          path: tables.paths[file]!,
          ...placeOf(tables, file, from),
          tag: TODO_TAGS[facts[at + TODO.tag]!]!,
          text: line,
        })
      }
    }
    return todos.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
  }

  structure(path?: string, depth = 2): TreeEntry | undefined {
    const { tables } = this.engine
    const scope = cleanPath(path)
    const root: TreeEntry = {
      name: scope === '' ? '.' : scope.slice(scope.lastIndexOf('/') + 1),
      path: scope,
      kind: 'folder',
      size: 0,
      children: [],
    }
    const exact = tables.find(scope)
    if (exact !== undefined) return this.entry(exact)
    const folders = new Map<string, TreeEntry>([[scope, root]])
    let any = false
    for (let file = 0; file < tables.count; file++) {
      if (!tables.alive(file) || !isUnder(tables.paths[file]!, scope)) continue
      any = true
      this.place(file, scope, depth, folders)
    }
    if (!any && scope !== '') return undefined
    for (const folder of folders.values())
      folder.children?.sort(
        (a, b) => Number(a.kind !== 'folder') - Number(b.kind !== 'folder') || (a.name < b.name ? -1 : 1),
      )
    return root
  }

  private place(file: number, scope: string, depth: number, folders: Map<string, TreeEntry>): void {
    const { tables } = this.engine
    const path = tables.paths[file]!
    const inner = scope === '' ? path : path.slice(scope.length + 1)
    const parts = inner.split('/')
    let folder = folders.get(scope)!
    folder.size += tables.sizes[file]!
    for (let level = 0; level < parts.length - 1; level++) {
      if (level >= depth) {
        folder.omitted = (folder.omitted ?? 0) + 1
        delete folder.children
        return
      }
      const name = folder.path === '' ? parts[level]! : `${folder.path}/${parts[level]}`
      let next = folders.get(name)
      if (!next) {
        next = { name: parts[level]!, path: name, kind: 'folder', size: 0, ...(level + 1 < depth && { children: [] }) }
        folders.set(name, next)
        folder.children?.push(next)
      }
      next.size += tables.sizes[file]!
      folder = next
    }
    if (parts.length > depth) folder.omitted = (folder.omitted ?? 0) + 1
    else folder.children?.push(this.entry(file))
  }

  private entry(file: number): TreeEntry {
    const { tables } = this.engine
    const path = tables.paths[file]!
    const state = tables.states[file]!
    const kind = state === FILE_STATE.symlink ? 'symlink' : state === FILE_STATE.binary ? 'binary' : 'file'
    const outline = this.line(file)
    const target = tables.links.get(file)
    return {
      name: path.slice(path.lastIndexOf('/') + 1),
      path,
      kind,
      size: tables.sizes[file]!,
      ...(outline !== '' && { outline }),
      ...(target !== undefined && { target }),
    }
  }

  /** One line of what a file declares: exported names first, else all at the top. */
  line(file: number): string {
    const { tables } = this.engine
    const exported: string[] = []
    const others: string[] = []
    for (let row = 0; row < symbolCount(tables, file); row++) {
      if (symbolAt(tables, file, row, 'container') >= 0) continue
      const flags = flagsOf(tables, file, row)
      if (flags & SYMBOL_FLAG.local) continue
      const list = flags & SYMBOL_FLAG.exported ? exported : others
      const name = tables.names.text(symbolAt(tables, file, row, 'name'))
      if (list.at(-1) !== name) list.push(name)
    }
    const list = exported.length > 0 ? exported : others
    const shown = list.slice(0, MAX_OUTLINE_NAMES).join(', ')
    return list.length > MAX_OUTLINE_NAMES ? `${shown}, … ${list.length - MAX_OUTLINE_NAMES} more` : shown
  }
}

function usedBetween(pairs: number[], start: number, end: number): number {
  let low = 0
  let high = pairs.length / 2
  while (low < high) {
    const middle = (low + high) >> 1
    if (pairs[middle * 2]! < start) low = middle + 1
    else high = middle
  }
  const seen = new Set<number>()
  for (let i = low * 2; i < pairs.length && pairs[i]! < end; i += 2) seen.add(pairs[i + 1]!)
  return seen.size
}
