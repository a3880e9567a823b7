// Names a file may use without naming where they come from: what a wildcard import brings (`from x import *`, `#include`), and
// what files of a language share by lying in one folder or workspace (Go packages, C functions). Languages of one family only.
// Does not promise the one a linker would choose: of several, the nearest file that has a body for it is taken.
import { BINDING_FLAG, HEAD } from './facts.ts'
import { IMPORT_KIND, SYMBOL_FLAG } from './kinds.ts'
import { LANGUAGES, languageOf } from './languages.ts'
import type { Entity } from './links.ts'
import { bindingAt, bindingCount, flagsOf, importAt, importCount } from './rows.ts'
import type { Tables } from './tables.ts'

/** What it needs of the links: the files an import means, and what a file gives out under a name. */
export interface NameSource {
  allTargets(file: number, importRow: number): readonly number[]
  exported(file: number, name: number): Entity | undefined
}

/** Longest chain of files that include one another. */
const MAX_INCLUDES = 64

export class SharedNames {
  private tables: Tables
  private source: NameSource
  /** Place in LANGUAGES of each file's language, found once. */
  private languages: number[] = []
  /** Files a file's wildcard imports lead to, nearest first. */
  private reached = new Map<number, number[]>()
  /** By `family` or `family folder`: files that declare a name there. */
  private scopes: Map<string, Map<number, number[]>> | undefined

  constructor(tables: Tables, source: NameSource) {
    this.tables = tables
    this.source = source
  }

  /** Forgets everything: files came or went, or what a file exports changed. */
  reset(): void {
    this.languages = []
    this.reached.clear()
    this.scopes = undefined
  }

  /** What a name that a file does not declare means there, or undefined. */
  find(file: number, name: number): Entity | undefined {
    const language = LANGUAGES[this.language(file)]
    if (language?.family === undefined) return undefined
    for (const other of this.wildcards(file)) {
      const found = this.source.exported(other, name)
      if (found) return found
    }
    return this.inScope(file, name)
  }

  /** What the other files of a folder give out under a name, where a folder is one module (Go). */
  beside(file: number, name: number): Entity | undefined {
    return LANGUAGES[this.language(file)]?.shares === 'folder' ? this.inScope(file, name) : undefined
  }

  private inScope(file: number, name: number): Entity | undefined {
    const key = this.scopeOf(file)
    const files = key === undefined ? undefined : this.declared().get(key)?.get(name)
    return files && { file: this.nearest(files, file, name), name }
  }

  private language(file: number): number {
    return (this.languages[file] ??= languageOf(this.tables.paths[file]!))
  }

  private scopeOf(file: number): string | undefined {
    const language = LANGUAGES[this.language(file)]
    if (language?.shares === undefined) return undefined
    const path = this.tables.paths[file]!
    return language.shares === 'workspace'
      ? language.family
      : `${language.family} ${path.slice(0, path.lastIndexOf('/') + 1)}`
  }

  private wildcards(file: number): number[] {
    const known = this.reached.get(file)
    if (known) return known
    const found = new Set<number>()
    let level = [file]
    for (let depth = 0; depth < MAX_INCLUDES && level.length > 0; depth++) {
      const next: number[] = []
      for (const at of level)
        for (let row = 0; row < importCount(this.tables, at); row++) {
          if ((importAt(this.tables, at, row, 'kind') & 255) !== IMPORT_KIND.wildcard) continue
          for (const target of this.source.allTargets(at, row))
            if (target !== file && !found.has(target)) {
              found.add(target)
              next.push(target)
            }
        }
      // What an include includes is included too; what a package imports for itself is not passed on.
      level = LANGUAGES[this.language(file)]!.shares === 'workspace' ? next : []
    }
    const files = [...found]
    this.reached.set(file, files)
    return files
  }

  private declared(): Map<string, Map<number, number[]>> {
    if (this.scopes) return this.scopes
    const { tables } = this
    const scopes = new Map<string, Map<number, number[]>>()
    for (let file = 0; file < tables.count; file++) {
      if (!tables.facts[file]?.[HEAD.bindings]) continue
      const key = this.scopeOf(file)
      if (key === undefined) continue
      const wide = LANGUAGES[this.language(file)]!.shares === 'workspace'
      const names = scopes.get(key) ?? new Map<number, number[]>()
      scopes.set(key, names)
      for (let row = 0; row < bindingCount(tables, file); row++) {
        const symbol = bindingAt(tables, file, row, 'symbol')
        if (symbol < 0 || (bindingAt(tables, file, row, 'flags') & BINDING_FLAG.top) === 0) continue
        if (wide && (flagsOf(tables, file, symbol) & SYMBOL_FLAG.exported) === 0) continue
        const name = bindingAt(tables, file, row, 'name')
        const files = names.get(name)
        if (files) files.push(file)
        else names.set(name, [file])
      }
    }
    this.scopes = scopes
    return scopes
  }

  private nearest(files: number[], from: number, name: number): number {
    const path = this.tables.paths[from]!
    let best = files[0]!
    let most = -1
    for (const file of files) {
      const other = this.tables.paths[file]!
      let shared = 0
      for (let i = 0; i < other.length && other[i] === path[i]; i++) if (other[i] === '/') shared += 2
      if (this.hasBody(file, name)) shared++
      if (shared > most) {
        most = shared
        best = file
      }
    }
    return best
  }

  private hasBody(file: number, name: number): boolean {
    for (let row = 0; row < bindingCount(this.tables, file); row++)
      if (bindingAt(this.tables, file, row, 'name') === name && bindingAt(this.tables, file, row, 'symbol') >= 0)
        return (flagsOf(this.tables, file, bindingAt(this.tables, file, row, 'symbol')) & SYMBOL_FLAG.bodiless) === 0
    return false
  }
}
