// Answers about symbols: definitions, references, source text.
import type { Reference, References, SourceSpan, SymbolInfo, SymbolQuery } from './answers.ts'
import type { Engine } from './engine.ts'
import { cleanPath } from './file-answers.ts'
import type { FoundUse } from './find-references.ts'
import { SYMBOL_FLAG, USE_FLAG } from './kinds.ts'
import type { Meaning } from './lookup.ts'
import { flagsOf, innermost, offsetOf, placeOf, symbolAt } from './rows.ts'

export class SymbolAnswers {
  private engine: Engine
  constructor(engine: Engine) {
    this.engine = engine
  }

  async definitions(query: SymbolQuery): Promise<SymbolInfo[]> {
    const meanings = await this.engine.lookup.find(query)
    return meanings.flatMap((meaning) => this.describe(meaning)).sort(byWeight)
  }

  private describe(meaning: Meaning): SymbolInfo[] {
    const { describer } = this.engine
    if (meaning.local)
      return [this.unlisted(meaning.local.file, meaning.local.name, meaning.local.declared, 'variable')]
    if (meaning.property) {
      const { file, name, offset } = meaning.property
      return [this.unlisted(file, name, offset, 'property')]
    }
    return meaning.symbols.map(({ file, row }) => describer.symbol(file, row))
  }

  /** A parameter, local variable or property of a literal, which has no row of its own. */
  private unlisted(file: number, nameId: number, offset: number, kind: 'variable' | 'property'): SymbolInfo {
    const { tables, describer } = this.engine
    const name = tables.names.text(nameId)
    const place = placeOf(tables, file, Math.max(0, offset))
    return {
      name,
      qualifiedName: name,
      kind,
      path: tables.paths[file]!,
      ...place,
      startLine: place.line,
      endLine: place.line,
      signature: describer.lineText(file, Math.max(0, offset)),
      visibility: 'public',
      exported: false,
      isDefault: false,
      async: false,
      static: false,
      readonly: false,
      abstract: false,
    }
  }

  async references(query: SymbolQuery): Promise<References> {
    const { finder, lookup } = this.engine
    const meanings = await lookup.find(query)
    const references = (await finder.find(meanings)).map((use) => this.reference(use))
    references.sort((a, b) => (a.path === b.path ? a.line - b.line || a.column - b.column : a.path < b.path ? -1 : 1))
    return { definitions: meanings.flatMap((meaning) => this.describe(meaning)).sort(byWeight), references }
  }

  private reference(use: FoundUse): Reference {
    const { tables, describer } = this.engine
    const inside = innermost(tables, use.file, use.offset)
    return {
      path: tables.paths[use.file]!,
      ...placeOf(tables, use.file, use.offset),
      text: describer.lineText(use.file, use.offset),
      kind: kindOfUse(use.flags),
      confidence: use.confidence,
      ...(inside >= 0 &&
        symbolAt(tables, use.file, inside, 'nameStart') !== use.offset && {
          inside: describer.qualifiedName(use.file, inside),
        }),
    }
  }

  source(path: string, name: string): SourceSpan[] {
    const { tables, lookup, describer, texts } = this.engine
    const file = tables.find(cleanPath(path))
    if (file === undefined) return []
    return lookup.named(name, cleanPath(path)).flatMap(({ file: at, row }) => {
      if (at !== file) return []
      const text = texts.text(file) ?? ''
      return [
        {
          symbol: describer.symbol(file, row),
          text: text.slice(symbolAt(tables, file, row, 'start'), symbolAt(tables, file, row, 'end')),
        },
      ]
    })
  }

  at(path: string, line: number): SymbolInfo | undefined {
    const { tables, describer, texts } = this.engine
    const file = tables.find(cleanPath(path))
    if (file === undefined || !tables.facts[file]) return undefined
    texts.touch(file)
    // The last character of the line: a declaration that begins on it counts.
    const row = innermost(
      tables,
      file,
      Math.max(offsetOf(tables, file, line, 1), offsetOf(tables, file, line + 1, 1) - 2),
    )
    return row < 0 || flagsOf(tables, file, row) & SYMBOL_FLAG.parameterProperty
      ? undefined
      : describer.symbol(file, row)
  }
}

function kindOfUse(flags: number): Reference['kind'] {
  if (flags & USE_FLAG.declaration) return 'declaration'
  if (flags & USE_FLAG.importName) return 'import'
  if (flags & USE_FLAG.exportName) return 'export'
  if (flags & USE_FLAG.call) return 'call'
  if (flags & USE_FLAG.write) return 'write'
  return flags & USE_FLAG.type ? 'type' : 'read'
}

/** What is exported and stands at the top of a file before what does not; then by path and line. */
function byWeight(a: SymbolInfo, b: SymbolInfo): number {
  const weight = (symbol: SymbolInfo) => (symbol.exported ? 0 : 2) + (symbol.qualifiedName === symbol.name ? 0 : 1)
  return weight(a) - weight(b) || (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1)
}
