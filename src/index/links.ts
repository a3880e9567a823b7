// Which thing a name of a file is in the end: through imports, re-exports, renames and `export *`, across files.
// An entity is a top-level name in the file that declares it, or a module itself (name 0). Answers are remembered until the
// files they went through change.
import { AmbientNames } from './ambient-names.ts'
import { BINDING, BINDING_FLAG, HEAD, STRIDE } from './facts.ts'
import { EXPORT_KIND, IMPORT_KIND } from './kinds.ts'
import { PairMap } from './pair-map.ts'
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

/** Lookups within each other that are followed: each import and each re-export of a chain is one or two. */
const MAX_DEPTH = 64
/** In place of a file or an entity: leads nowhere; not looked up; being looked up, so that a ring ends there. */
const NONE = -1
const UNKNOWN = -2
const LOOKING = -3

export class Links {
  private tables: Tables
  private resolver: Resolver
  private targetsByFile: (Int32Array | undefined)[] = []
  /** Per binding of a file: the entity's file (or NONE, UNKNOWN, LOOKING) and name. */
  private entities: (Int32Array | undefined)[] = []
  /** Import rows that mean more than one file, by file. */
  private several = new Map<number, Map<number, readonly number[]>>()
  /** By file and exported name: place in `exportedEntities`, or NONE, UNKNOWN, LOOKING. */
  private exportedNames = new PairMap()
  private exportedEntities: Entity[] = []
  /** Lookups under way, one inside the other. */
  private depth = 0
  /** Lookups that ended at one under way: what they did not find may yet be found by another way. */
  private cuts = 0
  /** `target` of each export row of a file. */
  private exportTargets: (Int32Array | undefined)[] = []
  private defaultName = -1
  private shared: SharedNames
  private ambient: AmbientNames

  constructor(tables: Tables, resolver: Resolver) {
    this.tables = tables
    this.resolver = resolver
    this.shared = new SharedNames(tables, this)
    this.ambient = new AmbientNames(tables)
  }

  /** Forgets everything: files came or went, or what a file exports changed. */
  reset(): void {
    this.targetsByFile = []
    this.entities = []
    this.several.clear()
    this.exportTargets = []
    this.exportedNames.clear()
    this.exportedEntities = []
    this.ambient.reset()
    this.shared.reset()
  }

  /** Forgets what it knows of one file, whose exports are as before. */
  resetFile(file: number): void {
    this.targetsByFile[file] = undefined
    this.entities[file] = undefined
    this.several.delete(file)
    this.exportTargets[file] = undefined
  }

  /** First file each import row of a file means, or a TARGET. */
  targets(file: number): Int32Array {
    const known = this.targetsByFile[file]
    if (known) return known
    const { tables } = this
    const count = importCount(tables, file)
    const targets = new Int32Array(count)
    const resolve = this.resolver.from(tables.paths[file]!)
    let spec = NONE
    let found: readonly number[] = []
    for (let row = 0; row < count; row++) {
      // The names of one import stand in rows of their own, one after the other.
      const next = importAt(tables, file, row, 'spec')
      if (next !== spec) {
        spec = next
        found = resolve(tables.names.text(spec))
      }
      targets[row] = found[0]!
      if (found.length > 1) this.addSeveral(file, row, found)
    }
    this.targetsByFile[file] = targets
    return targets
  }

  private addSeveral(file: number, row: number, found: readonly number[]): void {
    const rows = this.several.get(file)
    if (rows) rows.set(row, found)
    else this.several.set(file, new Map([[row, found]]))
  }

  /** All files an import row means; empty when it leads out of the workspace. */
  allTargets(file: number, row: number): readonly number[] {
    const first = this.targets(file)[row]!
    return this.several.get(file)?.get(row) ?? (first >= 0 ? [first] : [])
  }

  /** Row of the top-level (or free) binding of a name, or -1. */
  findBinding(file: number, name: number): number {
    const facts = this.tables.facts[file]
    if (!facts) return -1
    const count = facts[HEAD.bindings]!
    let at = this.tables.starts[file]![HEAD.bindings]!
    for (let row = 0; row < count; row++, at += STRIDE.bindings)
      if (facts[at + BINDING.name] === name && (facts[at + BINDING.flags]! & BINDING_FLAG.nested) === 0) return row
    return -1
  }

  /** What a binding is; undefined when it leads out of the workspace or nowhere, or is a global. */
  entityOf(file: number, binding: number): Entity | undefined {
    const row = this.row(file)
    if (row[binding * 2] === UNKNOWN) this.lookUp(file, binding, row)
    const at = row[binding * 2]!
    if (at >= 0) return { file: at, name: row[binding * 2 + 1]! }
    if (at === LOOKING) this.cuts++
    return undefined
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
    row[binding * 2] = LOOKING
    const { found, isFinal } = this.follow(() => this.compute(file, binding))
    row[binding * 2] = found ? found.file : isFinal ? NONE : UNKNOWN
    if (found) row[binding * 2 + 1] = found.name
  }

  /** Runs one lookup; `isFinal` unless it ended at one that is still under way and so may have missed what that one finds. */
  private follow(look: () => Entity | undefined): { found: Entity | undefined; isFinal: boolean } {
    const before = this.cuts
    this.depth++
    try {
      const found = look()
      return { found, isFinal: this.depth === 1 || this.cuts === before }
    } finally {
      this.depth--
    }
  }

  private compute(file: number, binding: number): Entity | undefined {
    const importRow = bindingAt(this.tables, file, binding, 'import')
    const flags = bindingAt(this.tables, file, binding, 'flags')
    // A file's own declaration wins over what it imports by the same name (merging).
    if (importRow >= 0 && bindingAt(this.tables, file, binding, 'symbol') < 0) return this.imported(file, importRow)
    const name = bindingAt(this.tables, file, binding, 'name')
    if (flags & BINDING_FLAG.top) return { file, name }
    if ((flags & BINDING_FLAG.free) === 0) return undefined
    return this.ambient.besides(file, name) ?? this.ambient.global(name) ?? this.shared.find(file, name)
  }

  /** What a name means in every file that neither declares nor imports it. */
  global(name: number): Entity | undefined {
    return this.ambient.global(name)
  }

  /** Rows of the `declare module` blocks of a file. */
  moduleBlocks(file: number): readonly number[] {
    return this.ambient.blocksOf(file)
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
    const spec = importAt(this.tables, file, row, 'spec')
    if (imported !== 0) return this.ambient.ofModule(spec, imported)
    const declaring = this.ambient.fileOf(spec)
    return declaring === undefined ? undefined : { file: declaring, name: 0 }
  }

  /** What a module gives out under a name. */
  exported(file: number, name: number): Entity | undefined {
    const known = this.exportedNames.get(file, name) ?? UNKNOWN
    if (known >= 0) return this.exportedEntities[known]
    if (known === NONE || !this.tables.facts[file]) return undefined
    if (known === LOOKING || this.depth > MAX_DEPTH) {
      this.cuts++
      return undefined
    }
    const visited = new Set<number>()
    const { cuts, depth } = this
    const found = this.search(file, name, visited)
    const isFinal = depth === 0 || this.cuts === cuts
    // Whatever was reached gives out no more than where the search began.
    if (!found && isFinal) for (const other of visited) this.exportedNames.set(other, name, NONE)
    return found
  }

  /**
   * Looks a name up in a file and behind its `export *`, each file once: barrels that give out each other would otherwise be walked
   * on every way through them, which are more than can be counted.
   */
  private search(file: number, name: number, visited: Set<number>): Entity | undefined {
    visited.add(file)
    this.exportedNames.set(file, name, LOOKING)
    const { found, isFinal } = this.follow(() => this.findExported(file, name, visited))
    if (found) this.exportedNames.set(file, name, this.exportedEntities.push(found) - 1)
    else this.exportedNames.set(file, name, isFinal ? NONE : UNKNOWN)
    return found
  }

  private findExported(file: number, name: number, visited: Set<number>): Entity | undefined {
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
          : this.exported(target, exportAt(tables, file, row, 'local'))
      }
      return this.local(file, exportAt(tables, file, row, 'local'))
    }
    if (hasStar && name !== this.default) {
      for (let row = 0; row < count; row++) {
        if ((exportAt(tables, file, row, 'kind') & 255) !== EXPORT_KIND.star) continue
        const target = this.target(file, row)
        const found = target < 0 || target === file ? undefined : this.behindStar(target, name, visited)
        if (found) return found
      }
    }
    return this.commonJs(file, name, count) ?? this.shared.beside(file, name) ?? this.ambient.besides(file, name)
  }

  private behindStar(file: number, name: number, visited: Set<number>): Entity | undefined {
    const known = this.exportedNames.get(file, name) ?? UNKNOWN
    if (known >= 0) return this.exportedEntities[known]
    if (known === NONE || !this.tables.facts[file]) return undefined
    if (known === LOOKING || visited.has(file) || this.depth > MAX_DEPTH) {
      this.cuts++
      return undefined
    }
    return this.search(file, name, visited)
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
    return (this.exportTargets[file] ??= this.targetsOfExports(file))[exportRow]!
  }

  private targetsOfExports(file: number): Int32Array {
    const { tables } = this
    const bySpec = new Map<number, number>()
    // Every `from` of an export has its import row.
    this.targets(file).forEach((target, row) => {
      const spec = importAt(tables, file, row, 'spec')
      if (!bySpec.has(spec)) bySpec.set(spec, target)
    })
    return Int32Array.from(
      { length: exportCount(tables, file) },
      (_unused, row) => bySpec.get(exportAt(tables, file, row, 'spec')) ?? TARGET.missing,
    )
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
      } else if (bindingAt(tables, file, row, 'flags') & BINDING_FLAG.top) {
        mix(bindingAt(tables, file, row, 'name'))
        mix(bindingAt(tables, file, row, 'flags'))
      }
    }
    this.ambient.mix(file, mix)
    return hash
  }
}
