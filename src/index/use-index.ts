// Who uses what, turned around: for each top-level name the bindings and export rows of other files that stand for it.
// Made in slices for a state of the index, which takes a second for 8,000 files. Questions asked before that is done are answered
// by name: what can stand for an entity goes by one of the names it can be reached by, and is resolved then.
import { BINDING_FLAG } from './facts.ts'
import { FilesByName, type NamedSection } from './files-by-name.ts'
import { EXPORT_KIND, IMPORT_KIND } from './kinds.ts'
import type { Entity, Links } from './links.ts'
import { PairLists } from './pair-map.ts'
import { Renames } from './renames.ts'
import { bindingAt, bindingCount, exportAt, exportCount, importAt, importCount } from './rows.ts'
import { Slice } from './slice.ts'
import type { Tables } from './tables.ts'

/** Everything that was resolved for a state. */
interface Resolved {
  generation: number
  bindings: PairLists
  exports: PairLists
  /** Files in which a whole module is a value: `import * as`, `import()`, `require()`, `import('…')` types. */
  moduleFiles: Set<number>
}

/** What is known of a state by name, as far as it was asked for. */
type Named = { generation: number; renames?: Renames } & { [section in NamedSection]?: FilesByName }

export class UseIndex {
  private tables: Tables
  private links: Links
  private resolved: Resolved | undefined
  private building: Promise<void> | undefined
  private names: Named = { generation: -1 }

  constructor(tables: Tables, links: Links) {
    this.tables = tables
    this.links = links
  }

  get isBuilt(): boolean {
    return this.resolved?.generation === this.tables.generation
  }

  /** Resolves everything and turns it around, once for all who ask. Rejects when it is aborted. */
  async build(signal?: AbortSignal): Promise<void> {
    while (!this.isBuilt) {
      signal?.throwIfAborted()
      const isOurs = this.building === undefined
      this.building ??= this.resolveAll(signal).finally(() => (this.building = undefined))
      await this.building.catch((error: unknown) => {
        // Who began it may have given up.
        if (isOurs) throw error
      })
    }
  }

  private async resolveAll(signal: AbortSignal | undefined): Promise<void> {
    const { generation } = this.tables
    const all: Resolved = { generation, bindings: new PairLists(), exports: new PairLists(), moduleFiles: new Set() }
    const slice = new Slice()
    for (let file = 0; file < this.tables.count; file++) {
      if (!this.tables.facts[file]) continue
      const hasModule = this.readBindings(file, all.bindings)
      if (hasModule || this.importsModule(file)) all.moduleFiles.add(file)
      this.readExports(file, all.exports)
      if (!slice.isOver) continue
      await slice.next()
      signal?.throwIfAborted()
      // Another state came meanwhile.
      if (generation !== this.tables.generation) return
    }
    this.resolved = all
  }

  /** Makes ready what questions before the end of `build` need, in slices. */
  async prepare(): Promise<void> {
    if (this.isBuilt) return
    const slice = new Slice()
    for (const section of ['bindings', 'exports', 'memberNames', 'symbols'] as const) {
      this.byName(section)
      if (slice.isOver) await slice.next()
    }
    this.renames()
  }

  /** Pairs of file and binding row of other files that stand for an entity. */
  bindingsOf(entity: Entity): readonly number[] {
    if (this.isBuilt) return this.resolved!.bindings.of(entity.file, entity.name)
    const { tables } = this
    const pairs: number[] = []
    const names = this.renames().of(entity.name)
    for (const file of filesOf(this.byName('bindings'), names)) {
      for (let row = 0; row < bindingCount(tables, file); row++) {
        if (!names.has(bindingAt(tables, file, row, 'name'))) continue
        if (isSame(this.bound(file, row), entity)) pairs.push(file, row)
      }
    }
    return pairs
  }

  /** Pairs of file and export row that pass an entity on. */
  exportsOf(entity: Entity): readonly number[] {
    if (this.isBuilt) return this.resolved!.exports.of(entity.file, entity.name)
    const { tables } = this
    const pairs: number[] = []
    const names = this.renames().of(entity.name)
    for (const file of filesOf(this.byName('exports'), names)) {
      for (let row = 0; row < exportCount(tables, file); row++) {
        if (!names.has(exportAt(tables, file, row, 'name'))) continue
        if (isSame(this.passedOn(file, row), entity)) pairs.push(file, row)
      }
    }
    return pairs
  }

  /** Files in which a member of a name can be one of a module; others may be among them. */
  filesWithModules(names: Iterable<number>): Iterable<number> {
    if (!this.isBuilt) return filesOf(this.byName('memberNames'), names)
    const { moduleFiles } = this.resolved!
    const known = this.named.memberNames
    return known ? [...filesOf(known, names)].filter((file) => moduleFiles.has(file)) : moduleFiles
  }

  /** Files with a symbol of a name. */
  filesDeclaring(name: number): Int32Array {
    return this.byName('symbols').of(name)
  }

  /** Files with an access to a member of a name. */
  filesAccessing(name: number): Int32Array {
    return this.byName('memberNames').of(name)
  }

  private byName(section: NamedSection): FilesByName {
    const { named } = this
    return (named[section] ??= new FilesByName(this.tables, section))
  }

  private renames(): Renames {
    const { named } = this
    return (named.renames ??= new Renames(this.tables))
  }

  /** What is known by name of the present state. */
  private get named(): Named {
    const { generation } = this.tables
    if (this.names.generation !== generation) this.names = { generation }
    return this.names
  }

  /** Enters a file's bindings; true when one of them is a whole module. */
  private readBindings(file: number, out: PairLists): boolean {
    let hasModule = false
    const count = bindingCount(this.tables, file)
    for (let row = 0; row < count; row++) {
      const entity = this.bound(file, row)
      if (entity?.name === 0) hasModule = true
      else if (entity) out.add(entity.file, entity.name, file, row)
    }
    return hasModule
  }

  /** What a binding stands for that is not its own: a file's own names are found without this. */
  private bound(file: number, row: number): Entity | undefined {
    const { tables } = this
    if (bindingAt(tables, file, row, 'flags') & BINDING_FLAG.nested) return undefined
    const entity = this.links.entityOf(file, row)
    return entity?.file === file && entity.name === bindingAt(tables, file, row, 'name') ? undefined : entity
  }

  private importsModule(file: number): boolean {
    for (let row = 0; row < importCount(this.tables, file); row++) {
      const kind = importAt(this.tables, file, row, 'kind') & 255
      if (kind === IMPORT_KIND.dynamic || kind === IMPORT_KIND.require || kind === IMPORT_KIND.typeImport) return true
    }
    return false
  }

  private readExports(file: number, out: PairLists): void {
    for (let row = 0; row < exportCount(this.tables, file); row++) {
      const entity = this.passedOn(file, row)
      if (entity && entity.name > 0) out.add(entity.file, entity.name, file, row)
    }
  }

  /** What an export row gives out that is not declared under that name in its file. */
  private passedOn(file: number, row: number): Entity | undefined {
    const { tables, links } = this
    const kind = exportAt(tables, file, row, 'kind') & 255
    const local = exportAt(tables, file, row, 'local')
    if (kind === EXPORT_KIND.from) {
      const target = links.target(file, row)
      return target < 0 ? undefined : links.exported(target, local)
    }
    if (kind !== EXPORT_KIND.local || exportAt(tables, file, row, 'name') === local) return undefined
    const binding = links.findBinding(file, local)
    return binding < 0 ? undefined : links.entityOf(file, binding)
  }
}

function isSame(found: Entity | undefined, wanted: Entity): boolean {
  return found !== undefined && found.file === wanted.file && found.name === wanted.name
}

/** Files in which one of several names stands. */
function filesOf(byName: FilesByName, names: Iterable<number>): Set<number> {
  const files = new Set<number>()
  for (const name of names) for (const file of byName.of(name)) files.add(file)
  return files
}
