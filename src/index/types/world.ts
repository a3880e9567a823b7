// Syntax trees of the workspace's files, read when they are needed and kept in a bounded cache, and names across files.
import { sharedParser } from '../languages/typescript/extract.ts'
import type { RawParser } from '../languages/typescript/raw-parser.ts'
import { LANGUAGES, languageOf } from '../languages.ts'
import type { Entity, Links } from '../links.ts'
import { importAt, importCount } from '../rows.ts'
import type { Tables } from '../tables.ts'
import type { Texts } from '../texts.ts'
import { LIBRARY } from './library.ts'
import type { Referent } from './model.ts'
import { declarationsIn, findDeclarations, inSpace, isImport, type Space } from './scope.ts'
import { Tree, type Node } from './syntax.ts'

/** Bytes of trees kept at most: some ten times the text they were made from. */
const CACHE_BYTES = 96 * 1024 * 1024
const LIBRARY_FILE = -1
const NOTHING: Referent = { nodes: [] }

export class World {
  readonly library: Tree
  private tables: Tables
  private links: Links
  private texts: Texts
  private parser: RawParser
  private trees = new Map<number, Tree>()
  private total = 0
  /** What the node of a name means. */
  private resolved = {
    value: new WeakMap<Node, Referent>(),
    type: new WeakMap<Node, Referent>(),
    namespace: new WeakMap<Node, Referent>(),
  }

  private constructor(tables: Tables, links: Links, texts: Texts, parser: RawParser) {
    this.tables = tables
    this.links = links
    this.texts = texts
    this.parser = parser
    this.library = Tree.parse(parser, LIBRARY_FILE, 'library.d.ts', Buffer.from(LIBRARY))
  }

  static async open(tables: Tables, links: Links, texts: Texts): Promise<World> {
    return new World(tables, links, texts, await sharedParser())
  }

  /** Tree of a TypeScript or JavaScript file of the workspace; undefined for other files. */
  tree(file: number): Tree | undefined {
    const known = this.trees.get(file)
    if (known) {
      this.texts.touch(file)
      return known
    }
    const path = this.tables.paths[file]!
    const { id } = LANGUAGES[languageOf(path)] ?? { id: '' }
    if (!this.tables.facts[file] || (id !== 'typescript' && id !== 'javascript')) return undefined
    const bytes = this.texts.bytes(file)
    if (!bytes) return undefined
    const tree = Tree.parse(this.parser, file, path, bytes)
    this.trees.set(file, tree)
    this.total += tree.size
    return tree
  }

  /** Whether so much is kept that it must be let go before the next question. */
  get isFull(): boolean {
    return this.total > CACHE_BYTES
  }

  /** As `look`, each node once. */
  resolve(from: Node, name: string, space: Space): Referent {
    const known = this.resolved[space].get(from)
    if (known) return known
    const found = this.look(from, name, space)
    this.resolved[space].set(from, found)
    return found
  }

  /** Declarations that a name has at a place: of the scopes around, through imports, of other files, of the library. */
  private look(from: Node, name: string, space: Space): Referent {
    const { tree } = from
    const found = findDeclarations(from, name, space)
    const imported = found.find(isImport)
    const isImported = imported && imported.kind !== 'TSImportEqualsDeclaration'
    const isInner = tree.file >= 0 || found.some((node) => node.parent !== tree.program)
    if (found.length > 0 && !isImported && isInner) return { nodes: found }
    const library =
      declarationsIn(this.library.program)
        .get(name)
        ?.filter((node) => inSpace(node, space)) ?? []
    const outer = this.outer(tree.file, name)
    if (outer) {
      const referent = this.entity(outer)
      if (referent.module !== undefined) return referent
      const nodes = referent.nodes.filter((node) => inSpace(node, space))
      // `declare global { interface Window { … } }` adds to the library's.
      if (nodes.length > 0) return { nodes: isImported ? nodes : [...nodes, ...library] }
      if (isImported) return referent
    }
    return { nodes: isImported ? [] : library }
  }

  private outer(file: number, name: string): Entity | undefined {
    const id = this.tables.names.find(name)
    if (file < 0) return id < 0 ? undefined : this.links.global(id)
    const binding = id < 0 ? -1 : this.links.findBinding(file, id)
    return binding < 0 ? undefined : this.links.entityOf(file, binding)
  }

  /** What a module gives out under a name. */
  exported(file: number, name: string): Referent {
    const id = this.tables.names.find(name)
    const entity = id < 0 ? undefined : this.links.exported(file, id)
    return entity ? this.entity(entity) : NOTHING
  }

  entity(entity: Entity): Referent {
    if (entity.name === 0) return { nodes: [], module: entity.file }
    const tree = this.tree(entity.file)
    if (!tree) return NOTHING
    const name = this.tables.names.text(entity.name)
    const top = declarationsIn(tree.program).get(name)
    if (top) return { nodes: top.filter((node) => !isImport(node) || node.kind === 'TSImportEqualsDeclaration') }
    return { nodes: this.global(tree.program, name) }
  }

  /** Declarations inside `declare global` and `declare module`. */
  private global(program: Node, name: string): Node[] {
    const found: Node[] = []
    for (const statement of program.list('body')) {
      const body =
        statement.kind === 'TSGlobalDeclaration' || statement.kind === 'TSExternalModuleDeclaration'
          ? statement.get('body')
          : undefined
      if (body) found.push(...(declarationsIn(body).get(name) ?? []))
    }
    return found
  }

  /** File that an import's text means, -1 when it leads out of the workspace. */
  moduleOf(file: number, spec: string): number {
    const { tables, links } = this
    const targets = links.targets(file)
    for (let row = 0; row < importCount(tables, file); row++)
      if (tables.names.text(importAt(tables, file, row, 'spec')) === spec) return targets[row]!
    return -1
  }
}
