import type { FactsWriter } from '../../facts-writer.ts'
import { EXPORT_KIND, IMPORT_KIND, USE_FLAG } from '../../kinds.ts'
import type { Captured, ImportMatch, Span } from './captures.ts'
import type { LanguageData } from './language-data.ts'

/** One thing an import brings. Empty names are not there. */
export interface ImportLeaf {
  spec: string
  specStart: number
  imported: string
  local: string
  nameStart: number
  kind: keyof typeof IMPORT_KIND
}

/**
 * Writes the imports of one file and binds the names they bring.
 *
 * @returns those names
 */
export function writeImports(data: LanguageData, found: Captured, text: string, out: FactsWriter): Set<string> {
  const locals = new Set<string>()
  const seen = new Set<string>()
  const reexports = data.reexports === undefined ? undefined : new RegExp(data.reexports, 'u')
  const skipped = new Set(found.skips.map((span) => span.start))
  for (const match of found.imports) {
    if (skipped.has(match.start)) continue
    // Two patterns may find the same one.
    const id = `${match.module?.start} ${match.names[0]?.start} ${match.local?.start}`
    if (match.module && seen.has(id)) continue
    seen.add(id)
    const passedOn = reexports?.test(text.slice(match.start, match.end)) ?? false
    for (const leaf of leavesOf(match, data, text)) {
      const spec = out.name(leaf.spec)
      const imported = out.name(leaf.imported)
      const local = out.name(leaf.local)
      const row = out.import(spec, imported, local, IMPORT_KIND[leaf.kind], leaf.nameStart, leaf.specStart)
      if (leaf.local !== '') {
        locals.add(leaf.local)
        out.bind(local, -1, row, leaf.nameStart)
        out.use(local, leaf.nameStart, USE_FLAG.importName)
      }
      if (!passedOn) continue
      if (leaf.kind === 'wildcard') out.export(0, 0, spec, EXPORT_KIND.star, leaf.nameStart, -1)
      else if (leaf.kind === 'named')
        out.export(local, imported, spec, EXPORT_KIND.from, leaf.nameStart, leaf.nameStart)
    }
  }
  writeScans(data, found, text, out)
  return locals
}

/** Links and the like that a regular expression finds in a run of text, for what the grammar does not take apart. */
function writeScans(data: LanguageData, found: Captured, text: string, out: FactsWriter): void {
  for (const { scan, start, end } of found.scans) {
    const source = data.scans?.[scan]
    if (source === undefined) continue
    for (const hit of text.slice(start, end).matchAll(new RegExp(source, 'gdu'))) {
      const [from, to] = hit.indices!.groups!['module']!
      const spec = unquoted(text, { start: start + from, end: start + to })
      if (spec.text !== '') out.import(out.name(spec.text), 0, 0, IMPORT_KIND.sideEffect, spec.start, spec.start)
    }
  }
}

function leavesOf(match: ImportMatch, data: LanguageData, text: string): ImportLeaf[] {
  const kind = match.kind as keyof typeof IMPORT_KIND
  const { module } = match
  if (kind === ('tree' as string) && module) return treeLeaves(data, module, text)
  const spec = module ? unquoted(text, module) : { text: match.implied ?? '', start: match.start }
  if (spec.text === '') return []
  if (!spec.text.startsWith('.')) spec.text = match.prefix + spec.text
  const base = { spec: spec.text, specStart: spec.start, kind }
  const local = match.local && text.slice(match.local.start, match.local.end)
  const name = match.names[0]
  if (kind === 'named' && name) {
    const imported = text.slice(name.start, name.end)
    return [{ ...base, imported, local: local ?? imported, nameStart: name.start }]
  }
  const nameStart = match.local?.start ?? spec.start
  if (kind === 'namespace') return [{ ...base, imported: '', local: local ?? lastWord(spec.text), nameStart }]
  return [{ ...base, imported: '', local: '', nameStart: spec.start }]
}

/** `a::{b, c as d, e::*}`: one leaf for each thing named. The spec of a leaf is its whole path. */
function treeLeaves(data: LanguageData, span: Span, text: string): ImportLeaf[] {
  const tree = data.importTree
  if (!tree) return []
  const leaves: ImportLeaf[] = []
  const pieces = new RegExp(`[{},]|[^{},]+`, 'gu')
  const source = text.slice(span.start, span.end)
  const prefixes: string[] = []
  let prefix = ''
  for (const piece of source.matchAll(pieces)) {
    const word = piece[0]
    if (word === '{') prefixes.push(prefix)
    else if (word === '}') prefixes.pop()
    if (word === '{' || word === '}' || word === ',') {
      if (word !== '{') prefix = prefixes.at(-1) ?? ''
      continue
    }
    const drop = tree.drop === undefined ? undefined : new RegExp(tree.drop, 'gu')
    const clean = drop ? word.replace(drop, (found) => ' '.repeat(found.length)) : word
    const start = span.start + piece.index + (clean.length - clean.trimStart().length)
    const [path = '', alias] = clean.trim().split(new RegExp(tree.alias, 'u'))
    const nested = source[piece.index + word.length] === '{'
    const full = prefix + path.replace(/\s+/gu, '')
    if (nested) prefix = full
    else if (path !== '') leaves.push(leafOf(full, alias?.trim(), start, path, tree))
  }
  return leaves
}

function leafOf(
  full: string,
  alias: string | undefined,
  start: number,
  written: string,
  tree: NonNullable<LanguageData['importTree']>,
): ImportLeaf {
  const at = full.lastIndexOf(tree.separator)
  const head = at < 0 ? '' : full.slice(0, at)
  const last = at < 0 ? full : full.slice(at + tree.separator.length)
  const inner = written.lastIndexOf(tree.separator)
  const nameStart = start + (inner < 0 ? 0 : inner + tree.separator.length)
  if (last === '*') return { spec: full, specStart: start, imported: '', local: '', nameStart, kind: 'wildcard' }
  if (last === 'self' && head !== '')
    return { spec: head, specStart: start, imported: '', local: alias ?? lastWord(head), nameStart, kind: 'namespace' }
  const local = alias === '_' ? '' : (alias ?? last)
  return { spec: full, specStart: start, imported: last, local, nameStart, kind: 'named' }
}

/** The last word of a path: what `import "a/b-c"` is called, where the file itself does not say. */
function lastWord(spec: string): string {
  return /[\p{L}_][\p{L}\p{N}_]*(?=[^\p{L}\p{N}_]*$)/u.exec(spec)?.[0] ?? ''
}

function unquoted(text: string, span: Span): { text: string; start: number } {
  const raw = text.slice(span.start, span.end)
  const quoted = /^(["'`])([\s\S]*)\1$/u.exec(raw)
  return quoted ? { text: quoted[2]!, start: span.start + 1 } : { text: raw, start: span.start }
}
