// Who uses what, turned around: for each top-level name the bindings and export rows of other files that stand for it.
// Built in slices for a state of the index; rebuilt after a change (some 0.1 s for 8,000 files).
import { BINDING_FLAG, HEAD, STRIDE } from './facts.ts'
import { EXPORT_KIND, IMPORT_KIND } from './kinds.ts'
import type { Entity, Links } from './links.ts'
import { symbolKey } from './receivers.ts'
import { bindingAt, bindingCount, exportAt, exportCount, importAt, importCount } from './rows.ts'
import type { Tables } from './tables.ts'

/** Longest stretch of synchronous work, in milliseconds. */
const SLICE_MS = 12
const NONE: readonly number[] = []

export class UseIndex {
  private tables: Tables
  private links: Links
  private bindings = new Map<number, number[]>()
  private exports = new Map<number, number[]>()
  private symbolFiles: Map<number, number[]> | undefined
  private memberFiles: Map<number, number[]> | undefined
  /** Files in which a whole module is a value: `import * as`, `import()`, `require()`, `import('…')` types. */
  moduleFiles: number[] = []

  constructor(tables: Tables, links: Links) {
    this.tables = tables
    this.links = links
  }

  /** Resolves everything and turns it around. */
  async build(): Promise<void> {
    const bindings = new Map<number, number[]>()
    const exports = new Map<number, number[]>()
    const moduleFiles: number[] = []
    let until = performance.now() + SLICE_MS
    for (let file = 0; file < this.tables.count; file++) {
      if (!this.tables.facts[file]) continue
      const hasModule = this.readBindings(file, bindings)
      if (hasModule || this.importsModule(file)) moduleFiles.push(file)
      this.readExports(file, exports)
      if (performance.now() > until) {
        await new Promise((resolve) => setImmediate(resolve))
        until = performance.now() + SLICE_MS
      }
    }
    this.bindings = bindings
    this.exports = exports
    this.moduleFiles = moduleFiles
    this.symbolFiles = undefined
    this.memberFiles = undefined
  }

  /** Pairs of file and binding row of other files that stand for an entity. */
  bindingsOf(entity: Entity): readonly number[] {
    return this.bindings.get(symbolKey(entity.file, entity.name)) ?? NONE
  }

  /** Pairs of file and export row that pass an entity on. */
  exportsOf(entity: Entity): readonly number[] {
    return this.exports.get(symbolKey(entity.file, entity.name)) ?? NONE
  }

  /** Files with a symbol of a name. */
  filesDeclaring(name: number): readonly number[] {
    this.symbolFiles ??= this.byName(HEAD.symbols, STRIDE.symbols)
    return this.symbolFiles.get(name) ?? NONE
  }

  /** Files with an access to a member of a name. */
  filesAccessing(name: number): readonly number[] {
    this.memberFiles ??= this.byName(HEAD.memberNames, STRIDE.memberNames)
    return this.memberFiles.get(name) ?? NONE
  }

  private byName(section: number, stride: number): Map<number, number[]> {
    const files = new Map<number, number[]>()
    const { tables } = this
    for (let file = 0; file < tables.count; file++) {
      const facts = tables.facts[file]
      if (!facts) continue
      const start = tables.starts[file]![section]!
      const end = start + facts[section]! * stride
      for (let at = start; at < end; at += stride) {
        const known = files.get(facts[at]!)
        if (!known) files.set(facts[at]!, [file])
        else if (known.at(-1) !== file) known.push(file)
      }
    }
    return files
  }

  /** Enters a file's bindings; true when one of them is a whole module. */
  private readBindings(file: number, out: Map<number, number[]>): boolean {
    const { tables, links } = this
    let hasModule = false
    const count = bindingCount(tables, file)
    for (let row = 0; row < count; row++) {
      const flags = bindingAt(tables, file, row, 'flags')
      if (flags & BINDING_FLAG.nested) continue
      const entity = links.entityOf(file, row)
      if (!entity) continue
      if (entity.name === 0) hasModule = true
      // A file's own names are found without this.
      else if (entity.file !== file || entity.name !== bindingAt(tables, file, row, 'name'))
        push(out, entity, file, row)
    }
    return hasModule
  }

  private importsModule(file: number): boolean {
    for (let row = 0; row < importCount(this.tables, file); row++) {
      const kind = importAt(this.tables, file, row, 'kind') & 255
      if (kind === IMPORT_KIND.dynamic || kind === IMPORT_KIND.require || kind === IMPORT_KIND.typeImport) return true
    }
    return false
  }

  private readExports(file: number, out: Map<number, number[]>): void {
    const { tables, links } = this
    for (let row = 0; row < exportCount(tables, file); row++) {
      const kind = exportAt(tables, file, row, 'kind') & 255
      const local = exportAt(tables, file, row, 'local')
      let entity: Entity | undefined
      if (kind === EXPORT_KIND.from) {
        const target = links.target(file, row)
        entity = target < 0 ? undefined : links.exported(target, local)
      } else if (kind === EXPORT_KIND.local && exportAt(tables, file, row, 'name') !== local) {
        const binding = links.findBinding(file, local)
        entity = binding < 0 ? undefined : links.entityOf(file, binding)
      }
      if (entity && entity.name > 0) push(out, entity, file, row)
    }
  }
}

function push(map: Map<number, number[]>, entity: Entity, file: number, row: number): void {
  const key = symbolKey(entity.file, entity.name)
  const known = map.get(key)
  if (known) known.push(file, row)
  else map.set(key, [file, row])
}
