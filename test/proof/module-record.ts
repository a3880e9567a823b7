// What a file imports and exports, as the parser's own record of the module has it, against the facts.
import { parseSync } from 'oxc-parser'
import { EXPORT, HEAD, IMPORT, sectionStart, STRIDE } from '../../src/index/facts.ts'
import { FactsWriter } from '../../src/index/facts-writer.ts'
import { EXPORT_KIND, IMPORT_KIND } from '../../src/index/kinds.ts'
import type { Extract, Source } from '../../src/index/language.ts'
import { langOf } from '../../src/index/languages/typescript/extract.ts'

/** What both can say of a module, one text for each import and export. */
type ModuleWords = Set<string>

/** What one of the two says alone, empty when they agree; undefined when the parser gives no record. */
export function moduleDifference(source: Source, extract: Extract): string | undefined {
  const theirs = recordOf(source)
  if (!theirs) return undefined
  const own = factsOf(source, extract)
  // Modules inside a module are in the facts only; an export of nothing is an import there.
  const mayHaveMore = /declare\s+(?:module|global)|export\s*(?:type\s*)?\{\s*\}\s*from/.test(source.text)
  const lost = [...theirs].filter((word) => !own.has(word))
  const made = mayHaveMore ? [] : [...own].filter((word) => !theirs.has(word))
  if (lost.length === 0 && made.length === 0) return ''
  return `only in the module's record: ${lost.join(' ')}; only in the facts: ${made.join(' ')}`.slice(0, 500)
}

function recordOf({ path, text }: Source): ModuleWords | undefined {
  const { module, errors } = parseSync(path, text, { lang: langOf(path) })
  if (errors.length > 0 || !module.hasModuleSyntax) return undefined
  const words: ModuleWords = new Set()
  for (const { moduleRequest, entries } of module.staticImports) {
    if (entries.length === 0) words.add(`import ${moduleRequest.value}`)
    for (const { importName, localName } of entries) {
      const what =
        (importName.kind as string) === 'Name'
          ? importName.name
          : (importName.kind as string) === 'Default'
            ? 'default'
            : '*'
      words.add(`import ${moduleRequest.value} ${what} ${localName.value}`)
    }
  }
  for (const { entries } of module.staticExports)
    for (const { exportName, moduleRequest, importName } of entries) {
      if ((importName.kind as string) === 'AllButDefault') words.add(`export * ${moduleRequest!.value}`)
      else words.add(`export ${(exportName.kind as string) === 'Default' ? 'default' : exportName.name}`)
    }
  return words
}

function factsOf(source: Source, extract: Extract): ModuleWords {
  const out = new FactsWriter()
  extract(source, out)
  out.endFile()
  const { facts } = out.takeBatch()
  const name = (id: number): string => out.names.text(id)
  const words: ModuleWords = new Set()
  const imports = sectionStart(facts, 'imports')
  for (let at = imports; at < imports + facts[HEAD.imports]! * STRIDE.imports; at += STRIDE.imports) {
    const [spec, imported, local] = [IMPORT.spec, IMPORT.imported, IMPORT.local].map((column) =>
      name(facts[at + column]!),
    )
    const kind = facts[at + IMPORT.kind]! & 255
    if (kind === IMPORT_KIND.sideEffect) words.add(`import ${spec}`)
    else if (local !== '' && kind <= IMPORT_KIND.namespace)
      words.add(`import ${spec} ${kind === IMPORT_KIND.namespace ? '*' : imported} ${local}`)
  }
  const exports = sectionStart(facts, 'exports')
  for (let at = exports; at < exports + facts[HEAD.exports]! * STRIDE.exports; at += STRIDE.exports) {
    const kind = facts[at + EXPORT.kind]! & 255
    if (kind === EXPORT_KIND.equals) continue
    if (kind === EXPORT_KIND.star) words.add(`export * ${name(facts[at + EXPORT.spec]!)}`)
    else words.add(`export ${name(facts[at + EXPORT.name]!)}`)
  }
  return words
}
