// The types part, loaded with its parser when a question first needs it: most sessions ask by name only.
import type { Links } from './links.ts'
import type { Tables } from './tables.ts'
import type { Texts } from './texts.ts'
import type { TypeLookup } from './types/type-lookup.ts'

export class MemberTypes {
  private tables: Tables
  private links: Links
  private texts: Texts
  private loaded: TypeLookup | undefined

  constructor(tables: Tables, links: Links, texts: Texts) {
    this.tables = tables
    this.links = links
    this.texts = texts
  }

  /** Forgets everything: a file changed. */
  reset(): void {
    this.loaded = undefined
  }

  /** Ready for questions about this state, until the next await. */
  async open(): Promise<TypeLookup> {
    if (this.loaded && !this.loaded.isFull) return this.loaded
    const { TypeLookup } = await import('./types/type-lookup.ts')
    this.loaded = await TypeLookup.open(this.tables, this.links, this.texts)
    return this.loaded
  }
}
