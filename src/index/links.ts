// Which thing a name of a file is in the end: through imports, re-exports, renames and `export *`, across files.
// An entity is a top-level name in the file that declares it, or a module itself (name 0). Answers are remembered until the
// files they went through change.
import { BINDING_FLAG, FILE_FLAG, HEAD } from './facts.ts'
import { EXPORT_KIND, IMPORT_KIND } from './kinds.ts'
import type { Resolver } from './resolver.ts'
import { TARGET } from './resolver.ts'
import { bindingAt, bindingCount, exportAt, exportCount, importAt, importCount } from './rows.ts'
import { SharedNames } from './shared-names.ts'
import type { Tables } from './tables.ts'

/** `name` 0 is the module itself. */
export interface Entity {
  file: number
  name: number
}

/** Longest chain of re-exports that is followed. */
const MAX_HOPS = 32
/** Files whose top level can be that of the whole program; a JavaScript file without imports is mostly a CommonJS module. */
const AMBIENT = /\.[cm]?tsx?$/
const UNKNOWN = -2
const NONE = -1

export class Links {
  private tables: Tables
  private resolver: Resolver
  private targetsByFile: (Int32Array | undefined)[] = []
  /** Per binding of a file: the entity's file and name; file UNKNOWN when not looked up, NONE when it leads nowhere. */
  private entities: (Int32Array | undefined)[] = []
  /** Import rows that mean more than one file, as `file:row`. */
  private several = new Map<string, number[]>()
  private defaultName = -1
  private shared: SharedNames

  constructor(tables: Tables, resolver: Resolver) {
    this.tables = tables
    this.resolver = resolver
    this.shared = new SharedNames(tables, this)
  }

  /** Forgets everything: files came or went, or what a file exports changed. */
  reset(): void {
    this.targetsByFile = []
    this.entities = []
    this.several.clear()
    this.globalNames = undefined
    this.shared.reset()
  }

  /** Forgets what it knows of one file, whose exports are as before. */
  resetFile(file: number): void {
    this.targetsByFile[file] = undefined
    this.entities[file] = undefined
  }

  /** First file each import row of a file means, or a TARGET. */
  targets(file: number): Int32Array {
    const known = this.targetsByFile[file]
    if (known) return known
    const { tables } = this
    const count = importCount(tables, file)
    const targets = new Int32Array(count)
    const path = tables.paths[file]!
    for (let row = 0; row < count; row++) {
      const found = this.resolver.resolve(tables.names.text(importAt(tables, file, row, 'spec')), path)
      targets[row] = found[0]!
      if (found.length > 1) this.several.set(`${file}:${row}`, found)
    }
    this.targetsByFile[file] = targets
    return targets
  }

  /** All files an import row means; empty when it leads out of the workspace. */
  allTargets(file: number, row: number): number[] {
    const first = this.targets(file)[row]!
    return this.several.get(`${file}:${row}`) ?? (first >= 0 ? [first] : [])
  }

  /** Row of the top-level (or free) binding of a name, or -1. */
  findBinding(file: number, name: number): number {
    const count = bindingCount(this.tables, file)
    for (let row = 0; row < count; row++) {
      if (bindingAt(this.tables, file, row, 'name') !== name) continue
      if ((bindingAt(this.tables, file, row, 'flags') & BINDING_FLAG.nested) === 0) return row
    }
    return -1
  }

  /** What a binding is; undefined when it leads out of the workspace or nowhere, or is a global. */
  entityOf(file: number, binding: number): Entity | undefined {
    const row = this.row(file)
    if (row[binding * 2] === UNKNOWN) this.lookUp(file, binding, row)
    const at = row[binding * 2]!
    return at === NONE ? undefined : { file: at, name: row[binding * 2 + 1]! }
  }

  private row(file: number): Int32Array {
    let row = this.entities[file]
    if (!row) {
      row = new Int32Array(bindingCount(this.tables, file) * 2).fill(UNKNOWN)
      this.entities[file] = row
    }
    return row
  }

  private lookUp(file: number, binding: number, row: Int32Array): void {
    // Set first: a ring of imports ends here.
    row[binding * 2] = NONE
    const found = this.compute(file, binding)
    if (!found) return
    row[binding * 2] = found.file
    row[binding * 2 + 1] = found.name
  }

  private compute(file: number, binding: number): Entity | undefined {
    const importRow = bindingAt(this.tables, file, binding, 'import')
    const flags = bindingAt(this.tables, file, binding, 'flags')
    // A file's own declaration wins over what it imports by the same name (merging).
    if (importRow >= 0 && bindingAt(this.tables, file, binding, 'symbol') < 0) return this.imported(file, importRow)
    const name = bindingAt(this.tables, file, binding, 'name')
    if (flags & BINDING_FLAG.top) return { file, name }
    return flags & BINDING_FLAG.free ? (this.globals().get(name) ?? this.shared.find(file, name)) : undefined
  }

  private globalNames: Map<number, Entity> | undefined
  /** Names that files without import and export syntax declare for all others. */
  private globals(): Map<number, Entity> {
    if (this.globalNames) return this.globalNames
    const globals = new Map<number, Entity>()
    const { tables } = this
    for (let file = 0; file < tables.count; file++) {
      const facts = tables.facts[file]
      if (!facts || facts[HEAD.flags]! & FILE_FLAG.module || !AMBIENT.test(tables.paths[file]!)) continue
      for (let row = 0; row < bindingCount(tables, file); row++) {
        if ((bindingAt(tables, file, row, 'flags') & BINDING_FLAG.top) === 0) continue
        const name = bindingAt(tables, file, row, 'name')
        if (!globals.has(name)) globals.set(name, { file, name })
      }
    }
    this.globalNames = globals
    return globals
  }

  /** What an import row brings. */
  imported(file: number, row: number): Entity | undefined {
    const kind = importAt(this.tables, file, row, 'kind') & 255
    const imported = importAt(this.tables, file, row, 'imported')
    for (const target of this.allTargets(file, row)) {
      if (imported === 0) {
        if (kind === IMPORT_KIND.equals) return this.exported(target, this.default) ?? { file: target, name: 0 }
        return { file: target, name: 0 }
      }
      const found = this.exported(target, imported)
      if (found) return found
    }
    return undefined
  }

  /** What a module gives out under a name. */
  exported(file: number, name: number, hops = 0): Entity | undefined {
    if (hops > MAX_HOPS || !this.tables.facts[file]) return undefined
    const { tables } = this
    const count = exportCount(tables, file)
    let hasStar = false
    for (let row = 0; row < count; row++) {
      const kind = exportAt(tables, file, row, 'kind') & 255
      if (kind === EXPORT_KIND.star) {
        hasStar = true
        continue
      }
      if (exportAt(tables, file, row, 'name') !== name) continue
      if (kind === EXPORT_KIND.defaultExpression) return { file, name }
      if (kind === EXPORT_KIND.from || kind === EXPORT_KIND.starAs) {
        const target = this.target(file, row)
        if (target < 0) return undefined
        return kind === EXPORT_KIND.starAs
          ? { file: target, name: 0 }
          : this.exported(target, exportAt(tables, file, row, 'local'), hops + 1)
      }
      return this.local(file, exportAt(tables, file, row, 'local'))
    }
    if (hasStar && name !== this.default) {
      for (let row = 0; row < count; row++) {
        if ((exportAt(tables, file, row, 'kind') & 255) !== EXPORT_KIND.star) continue
        const target = this.target(file, row)
        const found = target < 0 || target === file ? undefined : this.exported(target, name, hops + 1)
        if (found) return found
      }
    }
    return this.commonJs(file, name, count) ?? this.shared.beside(file, name)
  }

  /** `export =` gives the names of what it exports; a file without exports may set `exports.name`. */
  private commonJs(file: number, name: number, exports: number): Entity | undefined {
    if (exports > 0) return undefined
    const binding = this.findBinding(file, name)
    return binding >= 0 && bindingAt(this.tables, file, binding, 'flags') & BINDING_FLAG.top
      ? { file, name }
      : undefined
  }

  private local(file: number, name: number): Entity | undefined {
    const binding = this.findBinding(file, name)
    return binding < 0 ? { file, name } : this.entityOf(file, binding)
  }

  /** File of the `from` of an export row, or a TARGET. */
  target(file: number, exportRow: number): number {
    const spec = exportAt(this.tables, file, exportRow, 'spec')
    const { tables } = this
    const starts = tables.starts[file]![HEAD.imports]!
    const facts = tables.facts[file]!
    const targets = this.targets(file)
    // Every `from` of an export has its import row.
    for (let row = 0; row < targets.length; row++) if (facts[starts + row * 6] === spec) return targets[row]!
    return TARGET.missing
  }

  private get default(): number {
    if (this.defaultName < 0) this.defaultName = this.tables.names.idOf('default')
    return this.defaultName
  }

  /** A number that changes when what other files can see of a file changes. */
  exportHash(file: number): number {
    const { tables } = this
    let hash = exportCount(tables, file)
    const mix = (value: number) => {
      hash = Math.imul(hash ^ value, 0x01000193)
    }
    for (let row = 0; row < exportCount(tables, file); row++) {
      mix(exportAt(tables, file, row, 'name'))
      mix(exportAt(tables, file, row, 'local'))
      mix(exportAt(tables, file, row, 'spec'))
      mix(exportAt(tables, file, row, 'kind'))
    }
    for (let row = 0; row < bindingCount(tables, file); row++) {
      const importRow = bindingAt(tables, file, row, 'import')
      if (importRow >= 0) {
        mix(bindingAt(tables, file, row, 'name'))
        mix(importAt(tables, file, importRow, 'spec'))
        mix(importAt(tables, file, importRow, 'imported'))
      } else if (bindingAt(tables, file, row, 'flags') & BINDING_FLAG.top) mix(bindingAt(tables, file, row, 'name'))
    }
    return hash
  }
}
