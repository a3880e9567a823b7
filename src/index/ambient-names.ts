// Names that TypeScript files declare for others without exporting them: those of files that are no modules, of
// `declare global`, and of `declare module 'name'`.
import { BINDING_FLAG, FILE_FLAG, HEAD } from './facts.ts'
import { KIND, SYMBOL_FLAG } from './kinds.ts'
import type { Entity } from './links.ts'
import { bindingAt, bindingCount, flagsOf, kindOf, symbolAt, symbolCount } from './rows.ts'
import type { Tables } from './tables.ts'

/** Files whose top level can be that of the whole program; a JavaScript file without imports is mostly a CommonJS module. */
const AMBIENT = /\.[cm]?tsx?$/

const NO_ROWS: readonly number[] = []

/** A `declare module` by its file and row. */
interface Block {
  file: number
  row: number
}

export class AmbientNames {
  private tables: Tables
  private globals: Map<number, Entity> | undefined
  /** Blocks by the name of their module. */
  private modules: Map<number, Block[]> | undefined
  /** What each declared module gives out, as it is asked for. */
  private given = new Map<number, Map<number, Entity>>()
  /** Names of the modules a file declares. */
  private declared = new Map<number, number[]>()
  /** Rows of the blocks of each file. */
  private rows = new Map<number, number[]>()
  private defaultName = -1

  constructor(tables: Tables) {
    this.tables = tables
  }

  reset(): void {
    this.globals = undefined
    this.modules = undefined
    this.given.clear()
    this.declared.clear()
    this.rows.clear()
  }

  /** What a name that no file imports or declares means everywhere. */
  global(name: number): Entity | undefined {
    this.globals ??= this.readGlobals()
    return this.globals.get(name)
  }

  private readGlobals(): Map<number, Entity> {
    const globals = new Map<number, Entity>()
    const { tables } = this
    for (let file = 0; file < tables.count; file++) {
      const facts = tables.facts[file]
      if (!facts || !AMBIENT.test(tables.paths[file]!)) continue
      const wanted = facts[HEAD.flags]! & FILE_FLAG.module ? BINDING_FLAG.global : BINDING_FLAG.top
      for (let row = 0; row < bindingCount(tables, file); row++) {
        if ((bindingAt(tables, file, row, 'flags') & wanted) === 0) continue
        const name = bindingAt(tables, file, row, 'name')
        if (!globals.has(name)) globals.set(name, { file, name })
      }
    }
    return globals
  }

  /** What a module that files declare, and that is none itself, gives out under a name. */
  ofModule(spec: number, name: number): Entity | undefined {
    let given = this.given.get(spec)
    if (!given) this.given.set(spec, (given = this.readModule(spec)))
    return given.get(name)
  }

  /** Of a name in several blocks the first counts. */
  private readModule(spec: number): Map<number, Entity> {
    const { tables } = this
    if (this.defaultName < 0) this.defaultName = tables.names.idOf('default')
    const given = new Map<number, Entity>()
    for (const { file, row: block } of this.blocks().get(spec) ?? []) {
      for (let row = block + 1; row < symbolCount(tables, file); row++) {
        if (symbolAt(tables, file, row, 'container') !== block) continue
        const name = symbolAt(tables, file, row, 'name')
        const entity = { file, name }
        if (!given.has(name)) given.set(name, entity)
        const isDefault = (flagsOf(tables, file, row) & SYMBOL_FLAG.default) !== 0
        if (isDefault && !given.has(this.defaultName)) given.set(this.defaultName, entity)
      }
    }
    return given
  }

  /** Rows of the blocks of a file. */
  blocksOf(file: number): readonly number[] {
    this.blocks()
    return this.rows.get(file) ?? NO_ROWS
  }

  /** The first file that declares a module. */
  fileOf(spec: number): number | undefined {
    return this.blocks().get(spec)?.[0]?.file
  }

  /** A name of one of the modules that a file declares; other files may hold their other parts. */
  besides(file: number, name: number): Entity | undefined {
    this.blocks()
    for (const spec of this.declared.get(file) ?? []) {
      const found = this.ofModule(spec, name)
      if (found) return found
    }
    return undefined
  }

  /** Hands over what changes when the modules that a file declares do, or the rows they stand in. */
  mix(file: number, mix: (value: number) => void): void {
    const { tables } = this
    for (let row = 0; row < symbolCount(tables, file); row++) {
      const container = symbolAt(tables, file, row, 'container')
      const isBlock = kindOf(tables, file, row) === KIND.module
      if (!isBlock && (container < 0 || kindOf(tables, file, container) !== KIND.module)) continue
      mix(row)
      mix(symbolAt(tables, file, row, 'name'))
    }
  }

  private blocks(): Map<number, Block[]> {
    if (this.modules) return this.modules
    const { tables } = this
    const modules = new Map<number, Block[]>()
    for (let file = 0; file < tables.count; file++) {
      if (!tables.facts[file] || !AMBIENT.test(tables.paths[file]!)) continue
      for (let row = 0; row < symbolCount(tables, file); row++) {
        if (kindOf(tables, file, row) !== KIND.module) continue
        const spec = symbolAt(tables, file, row, 'name')
        const known = modules.get(spec)
        if (known) known.push({ file, row })
        else modules.set(spec, [{ file, row }])
        const rows = this.rows.get(file)
        if (rows) rows.push(row)
        else this.rows.set(file, [row])
        const own = this.declared.get(file)
        if (!own) this.declared.set(file, [spec])
        else if (!own.includes(spec)) own.push(spec)
      }
    }
    this.modules = modules
    return modules
  }
}
