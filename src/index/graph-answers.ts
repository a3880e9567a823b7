// Answers about how files and symbols hang together: dependencies, dependents, the import graph, calls.
import type { Calls, CallSite, Confidence, Dependency, Dependent, GraphReport } from './answers.ts'
import type { Engine } from './engine.ts'
import { cleanPath } from './file-answers.ts'
import { BINDING, HEAD, MEMBER, MEMBER_NAME, STRIDE } from './facts.ts'
import { IMPORT_FLAG, KIND, POSITION_BITS, USE_FLAG } from './kinds.ts'
import { LANGUAGES, languageOf } from './languages.ts'
import type { Meaning } from './lookup.ts'
import { symbolKey, type SymbolRef } from './receivers.ts'
import { packageOf, TARGET } from './resolver.ts'
import { bindingAt, importAt, importCount, innermost, kindOf, OFFSET_MASK, placeOf, symbolAt } from './rows.ts'
import { stronglyConnected } from './cycles.ts'

/** A file that more others depend on is a hub, or one in the top percentile. */
const HUB_DEPENDENTS = 5
const HUB_PERCENTILE = 0.01
const DATA_LANGUAGES = new Set(['json', 'yaml', 'markdown', 'html', 'css'])
const ENTRY_NAME = /^(?:index|main|cli|app|server|mod|lib|__init__|__main__)\.\w+$/

export class GraphAnswers {
  private engine: Engine
  constructor(engine: Engine) {
    this.engine = engine
  }

  dependencies(path: string): Dependency[] | undefined {
    const { tables, links, texts } = this.engine
    const file = tables.find(cleanPath(path))
    if (file === undefined) return undefined
    texts.touch(file)
    if (!tables.facts[file]) return []
    const bySpec = new Map<string, Dependency>()
    for (let row = 0; row < importCount(tables, file); row++) {
      const spec = tables.names.text(importAt(tables, file, row, 'spec'))
      const name = tables.names.text(importAt(tables, file, row, 'imported'))
      const typeOnly = ((importAt(tables, file, row, 'kind') >> 8) & IMPORT_FLAG.typeOnly) !== 0
      const targets = links.allTargets(file, row)
      const code = links.targets(file)[row]!
      const ends =
        targets.length > 0
          ? targets.map((target) => tables.paths[target]!)
          : [code === TARGET.external ? packageOf(spec) : spec]
      for (const target of ends) {
        const key = `${spec}\n${target}`
        const known = bySpec.get(key)
        if (known) {
          if (name !== '' && !known.names.includes(name)) known.names.push(name)
          known.typeOnly &&= typeOnly
          continue
        }
        const kind =
          targets.length > 0
            ? 'internal'
            : code === TARGET.builtin
              ? 'builtin'
              : code === TARGET.missing
                ? 'missing'
                : 'external'
        const { line } = placeOf(tables, file, importAt(tables, file, row, 'specStart'))
        bySpec.set(key, { spec, kind, target, line, names: name === '' ? [] : [name], typeOnly })
      }
    }
    return [...bySpec.values()]
  }

  dependents(path: string): Dependent[] | undefined {
    const { tables, finder, texts } = this.engine
    const file = tables.find(cleanPath(path))
    if (file === undefined) return undefined
    const byFile = new Map<number, Dependent>()
    for (const { file: from, row } of finder.importsOf(file)) {
      texts.touch(from)
      const name = tables.names.text(importAt(tables, from, row, 'imported'))
      const known = byFile.get(from)
      if (known) {
        if (name !== '' && !known.names.includes(name)) known.names.push(name)
      } else
        byFile.set(from, {
          path: tables.paths[from]!,
          line: placeOf(tables, from, importAt(tables, from, row, 'specStart')).line,
          names: name === '' ? [] : [name],
        })
    }
    return [...byFile.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Import edges between files, one per pair, with the number of imported names. */
  edges(): Map<number, Map<number, number>> {
    const { tables, links } = this.engine
    const edges = new Map<number, Map<number, number>>()
    for (let file = 0; file < tables.count; file++) {
      if (!tables.facts[file]) continue
      for (let row = 0; row < importCount(tables, file); row++) {
        for (const target of links.allTargets(file, row)) {
          if (target === file) continue
          let own = edges.get(file)
          if (!own) edges.set(file, (own = new Map()))
          own.set(target, (own.get(target) ?? 0) + 1)
        }
      }
    }
    return edges
  }

  graph(path?: string): GraphReport {
    const { tables } = this.engine
    const scope = cleanPath(path)
    const edges = this.edges()
    const dependents = new Map<number, number>()
    for (const targets of edges.values())
      for (const target of targets.keys()) dependents.set(target, (dependents.get(target) ?? 0) + 1)
    const inScope = (file: number) =>
      scope === '' || tables.paths[file] === scope || tables.paths[file]!.startsWith(`${scope}/`)
    const shown = new Set<number>()
    for (const [from, targets] of edges)
      for (const to of targets.keys()) if (inScope(from) || inScope(to)) shown.add(from).add(to)
    const files = [...shown].sort((a, b) => (tables.paths[a]! < tables.paths[b]! ? -1 : 1))
    const places = new Map(files.map((file, at) => [file, at]))
    const list: GraphReport['edges'] = []
    for (const from of files)
      for (const [to, names] of edges.get(from) ?? [])
        if (inScope(from) || inScope(to)) list.push({ from: places.get(from)!, to: places.get(to)!, names })
    const counts = [...dependents.values()].sort((a, b) => b - a)
    const percentile = counts[Math.floor(counts.length * HUB_PERCENTILE)] ?? Infinity
    const hubs = [...dependents]
      .filter(([file, count]) => inScope(file) && (count > HUB_DEPENDENTS || count >= percentile))
      .sort((a, b) => b[1] - a[1] || (tables.paths[a[0]]! < tables.paths[b[0]]! ? -1 : 1))
      .map(([file, count]) => ({ path: tables.paths[file]!, dependents: count }))
    const cycles = stronglyConnected(edges)
      .map((group) => group.map((file) => tables.paths[file]!).sort())
      .filter((group) => scope === '' || group.some((member) => member === scope || member.startsWith(`${scope}/`)))
      .sort((a, b) => b.length - a.length || (a[0]! < b[0]! ? -1 : 1))
    return {
      files: files.map((file) => tables.paths[file]!),
      edges: list,
      cycles,
      hubs,
      ...this.roots(edges, dependents, inScope),
    }
  }

  /** Entry points: by name, by manifest, or with no dependents but dependencies; orphans: with neither. */
  private roots(
    edges: Map<number, Map<number, number>>,
    dependents: Map<number, number>,
    inScope: (file: number) => boolean,
  ) {
    const { tables, resolver } = this.engine
    const named = new Set([
      ...resolver.named('package.json').flatMap((path) => resolver.entryFiles(path)),
      ...resolver.runFiles(),
    ])
    const entryPoints: string[] = []
    const orphans: string[] = []
    for (let file = 0; file < tables.count; file++) {
      const language = LANGUAGES[languageOf(tables.paths[file] ?? '')]
      if (!tables.facts[file] || !inScope(file) || !language || DATA_LANGUAGES.has(language.id)) continue
      const path = tables.paths[file]!
      const needed = dependents.has(file)
      const needs = edges.has(file)
      if (named.has(path) || (!needed && needs) || ENTRY_NAME.test(path.slice(path.lastIndexOf('/') + 1)))
        entryPoints.push(path)
      else if (!needed && !path.endsWith('.d.ts')) orphans.push(path)
    }
    return { entryPoints: entryPoints.sort(), orphans: orphans.sort() }
  }

  /** Who calls a function and whom it calls. */
  async calls(meaning: Meaning): Promise<Calls[]> {
    const { describer, finder } = this.engine
    const callers = new Map<number, { site: SymbolRef; offsets: number[]; confidence: Confidence }>()
    const uses = await finder.find([meaning])
    for (const use of uses) {
      if ((use.flags & USE_FLAG.call) === 0) continue
      const row = this.around(use.file, use.offset)
      if (row < 0) continue
      const key = symbolKey(use.file, row)
      const known = callers.get(key)
      if (known) known.offsets.push(use.offset)
      else callers.set(key, { site: { file: use.file, row }, offsets: [use.offset], confidence: use.confidence })
    }
    return meaning.symbols.map((symbol) => ({
      symbol: describer.symbol(symbol.file, symbol.row),
      callers: [...callers.values()].map((caller) =>
        this.site(caller.site, caller.site.file, caller.offsets, caller.confidence),
      ),
      callees: this.callees(symbol),
    }))
  }

  private site(symbol: SymbolRef, file: number, offsets: number[], confidence: Confidence): CallSite {
    const { tables, describer } = this.engine
    const lines = [...new Set(offsets.map((offset) => placeOf(tables, file, offset).line))]
    return { symbol: describer.symbol(symbol.file, symbol.row), lines, confidence }
  }

  /** Innermost function, method or class around an offset; else the top-level variable it stands in; -1 none. */
  around(file: number, offset: number): number {
    const { tables } = this.engine
    let row = innermost(tables, file, offset)
    while (row >= 0) {
      const kind = kindOf(tables, file, row)
      if (kind !== KIND.property && kind !== KIND['enum-member']) return row
      row = symbolAt(tables, file, row, 'container')
    }
    return -1
  }

  private callees({ file, row }: SymbolRef): CallSite[] {
    const { tables, links, receivers } = this.engine
    const facts = tables.facts[file]!
    const starts = tables.starts[file]!
    const from = symbolAt(tables, file, row, 'start')
    const to = symbolAt(tables, file, row, 'end')
    const found = new Map<number, { symbol: SymbolRef; offsets: number[] }>()
    const add = (symbol: SymbolRef | undefined, offset: number) => {
      if (!symbol) return
      const key = symbolKey(symbol.file, symbol.row)
      const known = found.get(key)
      if (known) known.offsets.push(offset)
      else found.set(key, { symbol, offsets: [offset] })
    }
    const isCall = (word: number) =>
      (word >>> POSITION_BITS) & USE_FLAG.call && (word & OFFSET_MASK) >= from && (word & OFFSET_MASK) < to
    for (let binding = 0; binding < facts[HEAD.bindings]!; binding++) {
      const at = starts[HEAD.bindings]! + binding * STRIDE.bindings
      const end = binding + 1 < facts[HEAD.bindings]! ? facts[at + STRIDE.bindings + BINDING.refs]! : facts[HEAD.refs]!
      for (let i = facts[at + BINDING.refs]!; i < end; i++) {
        const word = facts[starts[HEAD.refs]! + i]!
        if (!isCall(word)) continue
        const entity = links.entityOf(file, binding)
        const symbol = entity ? receivers.symbolsOf(entity)[0] : undefined
        const own = bindingAt(tables, file, binding, 'symbol')
        add(symbol ?? (own >= 0 ? { file, row: own } : undefined), word & OFFSET_MASK)
      }
    }
    const count = facts[HEAD.memberNames]!
    for (let i = 0; i < count; i++) {
      const at = starts[HEAD.memberNames]! + i * STRIDE.memberNames
      const end = i + 1 < count ? facts[at + STRIDE.memberNames + MEMBER_NAME.first]! : facts[HEAD.members]!
      for (let j = facts[at + MEMBER_NAME.first]!; j < end; j++) {
        const member = starts[HEAD.members]! + j * STRIDE.members
        const word = facts[member + MEMBER.position]!
        if (!isCall(word)) continue
        add(receivers.members(receivers.value(file, facts[member + MEMBER.hint]!), facts[at]!)[0], word & OFFSET_MASK)
      }
    }
    return [...found.values()].map(({ symbol, offsets }) => this.site(symbol, file, offsets, 'exact'))
  }
}
