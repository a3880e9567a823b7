// The parts that answer, wired to one set of tables. It has no life of its own: live-index.ts tells it what changed.
import { Describer } from './describe.ts'
import { ReferenceFinder } from './find-references.ts'
import { Links } from './links.ts'
import { Lookup } from './lookup.ts'
import { MemberTypes } from './member-types.ts'
import { Receivers } from './receivers.ts'
import { Resolver } from './resolver.ts'
import type { Tables } from './tables.ts'
import { Texts } from './texts.ts'
import { UseIndex } from './use-index.ts'

/** Files whose change can lead imports elsewhere. */
const MANIFEST = /(?:^|\/)(?:(?:package|tsconfig[^/]*|jsconfig[^/]*|composer)\.json|go\.mod|Cargo\.toml)$/

export class Engine {
  readonly tables: Tables
  readonly root: string
  readonly resolver: Resolver
  readonly links: Links
  readonly receivers: Receivers
  readonly texts: Texts
  readonly types: MemberTypes
  readonly lookup: Lookup
  readonly useIndex: UseIndex
  readonly finder: ReferenceFinder
  readonly describer: Describer
  private exportHashes = new Map<number, number>()

  constructor(tables: Tables, root: string) {
    this.tables = tables
    this.root = root
    this.resolver = new Resolver(tables, root)
    this.links = new Links(tables, this.resolver)
    this.receivers = new Receivers(tables, this.links)
    this.texts = new Texts(tables, root)
    this.types = new MemberTypes(tables, this.links, this.texts)
    this.lookup = new Lookup(tables, this.links, this.receivers, this.texts, this.types)
    this.useIndex = new UseIndex(tables, this.links)
    this.finder = new ReferenceFinder(tables, this.links, this.receivers, this.useIndex, this.types)
    this.describer = new Describer(tables, this.texts)
  }

  /** Remembers what files about to be read again give to others. */
  beforeChange(files: readonly number[]): void {
    for (const file of files) if (this.tables.facts[file]) this.exportHashes.set(file, this.links.exportHash(file))
  }

  /** Takes note of changed files: `shape` when files came or went. */
  afterChange(files: readonly number[], shape: boolean): void {
    this.lookup.reset()
    this.receivers.reset()
    this.types.reset()
    let all = shape
    for (const file of files) {
      const before = this.exportHashes.get(file)
      if (MANIFEST.test(this.tables.paths[file]!)) all = true
      else if (before === undefined || !this.tables.facts[file] || before !== this.links.exportHash(file)) all = true
      this.links.resetFile(file)
    }
    this.exportHashes.clear()
    if (all) {
      this.resolver.reset()
      this.links.reset()
    }
    this.tables.generation++
  }

  /** Forgets everything that was derived: the tables were filled anew. */
  reset(): void {
    this.lookup.reset()
    this.receivers.reset()
    this.types.reset()
    this.resolver.reset()
    this.links.reset()
    this.texts.clear()
    this.tables.generation++
  }

  /** Resolves every import of this state; at once when that was done before. */
  link(signal?: AbortSignal): Promise<void> {
    return this.useIndex.build(signal)
  }
}
