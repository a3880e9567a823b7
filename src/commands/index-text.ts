// Answers of the index as text for a terminal: place first, so that editors and terminals can open it.
import type {
  Dependency,
  Dependent,
  FileComplexity,
  FunctionComplexity,
  IndexStatus,
  Outline,
  OutlineEntry,
  References,
  SymbolInfo,
  TextResult,
  Todo,
} from '../index/answers.ts'
import type { SemanticHit } from '../index/search/semantic.ts'

export interface Paint {
  place(text: string): string
  dim(text: string): string
  strong(text: string): string
}

export function paint(colour: boolean): Paint {
  const style = (on: number, off: number) => (text: string) => (colour ? `\u001B[${on}m${text}\u001B[${off}m` : text)
  return { place: style(36, 39), dim: style(2, 22), strong: style(1, 22) }
}

/** Control characters of the repository's texts are shown, not obeyed. */
const safe = (text: string): string =>
  text.replaceAll(
    // eslint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )

const at = ({ path, line }: { path: string; line: number }): string => safe(`${path}:${line}`)

export const pathsText = (paths: readonly string[]): string => paths.map(safe).join(', ')

export function statusText(status: IndexStatus): string {
  const {
    files,
    parsed,
    textOnly,
    binary,
    notUtf8,
    symlinks,
    parseErrors,
    symbols,
    references,
    watcher,
    source,
    warnings,
    scope,
  } = status
  const rest = Object.entries({
    'text only': textOnly,
    binary,
    'not UTF-8': notUtf8,
    symlinks,
    'with syntax faults': parseErrors,
  })
    .filter(([, n]) => n > 0)
    .map(([what, n]) => `${n.toLocaleString('en')} ${what}`)
  return [
    `${files.toLocaleString('en')} files, ${parsed.toLocaleString('en')} parsed${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`,
    `${symbols.toLocaleString('en')} symbols, ${references.toLocaleString('en')} references`,
    `from ${source === 'snapshot' ? 'the snapshot' : 'a scan'}, watcher ${watcher}`,
    ...(scope === undefined ? [] : [`${safe(scope)}/ alone; codehound index --ask asks anew`]),
    ...warnings.map((warning) => `warning: ${warning}`),
  ].join('\n')
}

export function outlineText(
  { path, language, lines, imports, symbols, parseError, textOnly }: Outline,
  paint: Paint,
): string {
  const entry = ({ symbol, children }: OutlineEntry, depth: number): string[] => [
    `${paint.dim(`${symbol.startLine}-${symbol.endLine}`.padEnd(11))}${'  '.repeat(depth)}${safe(symbol.signature)}`,
    ...children.flatMap((child) => entry(child, depth + 1)),
  ]
  const marks = `${parseError ? ', with a syntax fault' : ''}${textOnly ? ', as text only' : ''}`
  return [
    `${paint.strong(safe(path))} ${paint.dim(`${language}, ${lines} lines${marks}`)}`,
    ...(imports.length > 0 ? [paint.dim(`imports ${imports.map(safe).join(', ')}`)] : []),
    ...symbols.flatMap((each) => entry(each, 0)),
  ].join('\n')
}

export function definitionsText(found: SymbolInfo[], paint: Paint): string {
  return found
    .map((symbol) => {
      const doc = symbol.doc === undefined ? '' : `\n    ${paint.dim(safe(symbol.doc.split('\n')[0] ?? ''))}`
      return `${paint.place(at(symbol))} ${paint.dim(symbol.kind)} ${safe(symbol.signature)}${doc}`
    })
    .join('\n')
}

export function referencesText({ definitions, references }: References, paint: Paint): string {
  const sure = { exact: '', likely: ' (likely)', possible: ' (same name only)' }
  const files = new Set(references.map(({ path }) => path)).size
  return [
    definitionsText(definitions, paint),
    ...references.map(
      (each) =>
        `${paint.place(at(each))} ${safe(each.text)}${paint.dim(`${each.inside === undefined ? '' : `  in ${each.inside}`}${sure[each.confidence]}`)}`,
    ),
    paint.dim(`${references.length} references in ${files} files`),
  ].join('\n')
}

export function dependenciesText(found: Dependency[], paint: Paint): string {
  return found
    .map(
      ({ spec, kind, target, line, names, typeOnly }) =>
        `${String(line).padStart(5)}  ${paint.place(safe(kind === 'internal' ? target : spec))}${paint.dim(` ${kind}${typeOnly ? ', types only' : ''}${names.length > 0 ? `: ${names.join(', ')}` : ''}`)}`,
    )
    .join('\n')
}

export function dependentsText(found: Dependent[], paint: Paint): string {
  return found
    .map((each) => `${paint.place(at(each))}${paint.dim(each.names.length > 0 ? ` ${each.names.join(', ')}` : '')}`)
    .join('\n')
}

export function complexityText(
  { files, functions }: { files: FileComplexity[]; functions: FunctionComplexity[] },
  paint: Paint,
): string {
  const row = ({ score, loc, nesting, imports }: FileComplexity, name: string): string =>
    `${String(score).padStart(5)} ${String(loc).padStart(6)} ${String(nesting).padStart(8)} ${String(imports).padStart(8)}  ${name}`
  const head = 'score  lines  nesting  imports'
  return [
    paint.strong(`${head}  file`),
    ...files.map((file) => row(file, paint.place(safe(file.path)))),
    ...(functions.length > 0
      ? [
          '',
          paint.strong(`${head}  function`),
          ...functions.map((each) => row(each, `${paint.place(at(each))} ${safe(each.name)}`)),
        ]
      : []),
  ].join('\n')
}

export function todosText(found: (Todo & { author?: string })[], paint: Paint): string {
  return found
    .map(
      (todo) =>
        `${paint.place(at(todo))} ${safe(todo.text).replace(todo.tag, (tag) => paint.strong(tag))}${todo.author === undefined ? '' : paint.dim(`  ${safe(todo.author)}`)}`,
    )
    .join('\n')
}

export function searchText({ matches, total, files }: TextResult, paint: Paint): string {
  const lines = matches.flatMap((match) => [
    ...(match.before ?? []).map((text, i, all) =>
      paint.dim(`${safe(match.path)}-${match.line - all.length + i}- ${safe(text)}`),
    ),
    `${paint.place(at(match))}: ${safe(match.text)}`,
    ...(match.after ?? []).map((text, i) => paint.dim(`${safe(match.path)}-${match.line + 1 + i}- ${safe(text)}`)),
  ])
  const more = total > matches.length ? `, ${matches.length} shown (--limit)` : ''
  return [...lines, paint.dim(`${total} matching lines in ${files} files${more}`)].join('\n')
}

export function semanticText(found: SemanticHit[], paint: Paint): string {
  return [
    ...found.map(
      (hit) =>
        `${paint.place(safe(`${hit.path}:${hit.startLine}`))} ${paint.dim(hit.score.toFixed(2))} ${safe(hit.signature)}${hit.doc === undefined ? '' : `\n    ${paint.dim(safe(hit.doc))}`}`,
    ),
    paint.dim('ranked offline, by words and importance'),
  ].join('\n')
}

export function churnText(
  changed: { path: string; commits: number; score: number; risk: number }[],
  orphans: readonly string[],
): string {
  return [
    'commits  complexity  file',
    ...changed.map((row) => `${String(row.commits).padStart(7)}  ${String(row.score).padStart(10)}  ${safe(row.path)}`),
    ...(orphans.length === 0 ? [] : ['', 'imported by nothing, and importing nothing:', ...orphans.map(safe)]),
  ].join('\n')
}
