// Who uses what, turned around: for each top-level name the bindings and export rows of other files that stand for it.
// Built in slices for a state of the index; rebuilt after a change (some 0.1 s for 8,000 files).
import { BINDING_FLAG, HEAD, STRIDE } from './facts.ts'
import { EXPORT_KIND, IMPORT_KIND } from './kinds.ts'
import type { Entity, Links } from './links.ts'
import { PairLists } from './pair-map.ts'
import { bindingAt, bindingCount, exportAt, exportCount, importAt, importCount } from './rows.ts'
import type { Tables } from './tables.ts'

/** Longest stretch of synchronous work, in milliseconds. */
const SLICE_MS = 12
const NONE = new Int32Array(0)

export class UseIndex {
  private tables: Tables
  private links: Links
  private bindings = new PairLists()
  private exports = new PairLists()
  private symbolFiles: FilesByName | undefined
  private memberFiles: FilesByName | undefined
  /** Files in which a whole module is a value: `import * as`, `import()`, `require()`, `import('…')` types. */
  moduleFiles: number[] = []

  constructor(tables: Tables, links: Links) {
    this.tables = tables
    this.links = links
  }

  /** Resolves everything and turns it around. */
  async build(): Promise<void> {
    const bindings = new PairLists()
    const exports = new PairLists()
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
    return this.bindings.of(entity.file, entity.name)
  }

  /** Pairs of file and export row that pass an entity on. */
  exportsOf(entity: Entity): readonly number[] {
    return this.exports.of(entity.file, entity.name)
  }

  /** Files with a symbol of a name. */
  filesDeclaring(name: number): Int32Array {
    this.symbolFiles ??= filesByName(this.tables, HEAD.symbols, STRIDE.symbols)
    return filesOf(this.symbolFiles, name)
  }

  /** Files with an access to a member of a name. */
  filesAccessing(name: number): Int32Array {
    this.memberFiles ??= filesByName(this.tables, HEAD.memberNames, STRIDE.memberNames)
    return filesOf(this.memberFiles, name)
  }

  /** Enters a file's bindings; true when one of them is a whole module. */
  private readBindings(file: number, out: PairLists): boolean {
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
        out.add(entity.file, entity.name, file, row)
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

  private readExports(file: number, out: PairLists): void {
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
      if (entity && entity.name > 0) out.add(entity.file, entity.name, file, row)
    }
  }
}

/** The files of name `i` are `files[starts[i], starts[i + 1])`, in order. */
interface FilesByName {
  starts: Int32Array
  files: Int32Array
}

function filesOf({ starts, files }: FilesByName, name: number): Int32Array {
  // A name that came after this was made stands in no file it knows.
  return name + 1 < starts.length ? files.subarray(starts[name], starts[name + 1]) : NONE
}

/** Turns the names of a section around by counting them. */
function filesByName(tables: Tables, section: number, stride: number): FilesByName {
  const names = tables.names.count
  const starts = new Int32Array(names + 1)
  const last = new Int32Array(names).fill(-1)
  const eachName = (visit: (name: number, file: number) => void) => {
    for (let file = 0; file < tables.count; file++) {
      const facts = tables.facts[file]
      if (!facts) continue
      const start = tables.starts[file]![section]!
      const end = start + facts[section]! * stride
      for (let at = start; at < end; at += stride) {
        const name = facts[at]!
        if (last[name] === file) continue
        last[name] = file
        visit(name, file)
      }
    }
  }
  eachName((name) => starts[name + 1]!++)
  for (let name = 0; name < names; name++) starts[name + 1]! += starts[name]!
  const files = new Int32Array(starts[names]!)
  const ends = starts.slice()
  last.fill(-1)
  eachName((name, file) => (files[ends[name]!++] = file))
  return { starts, files }
}
