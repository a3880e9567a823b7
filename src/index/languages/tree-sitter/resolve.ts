// Finds the files of the workspace that an import means, by the rules in a language's data; see ImportRule for what they say.
// Reads no disk and knows no language. Does not promise to know search paths that are set outside the workspace.
import type { FileLookup } from '../../language.ts'
import type { ImportRule, LanguageData } from './language-data.ts'
import { manifestFolders } from './manifests.ts'

/** @returns paths of files, or an empty list for what is not in the workspace */
export type Resolve = (spec: string, from: string, files: FileLookup) => readonly string[]

interface Place {
  from: string
  files: FileLookup
  rule: ImportRule
}

/** Compiles the import rules of a language. */
export function compileResolver(data: Pick<LanguageData, 'imports' | 'indexFiles'>): Resolve {
  const rules = (data.imports ?? []).map((rule) => ({ rule, match: new RegExp(rule.match, 'u') }))
  const indexFiles = new Set(data.indexFiles)
  return (spec, from, files) => {
    for (const { rule, match } of rules) {
      const groups = match.exec(spec)?.groups
      if (groups === undefined) continue
      const place = { from, files, rule }
      const found =
        rule.from === 'manifest'
          ? inManifests(spec, place)
          : inFolders(segmentsOf(groups['path'] ?? '', rule), stepsUp(groups['up'], rule), place, indexFiles)
      if (found.length > 0) return found
    }
    return []
  }
}

function inFolders(segments: string[], up: number, place: Place, indexFiles: Set<string>): readonly string[] {
  const { rule } = place
  const least = rule.least ?? 1
  for (let trim = 0; trim <= (rule.trim ?? 0); trim++)
    for (let skip = 0; skip <= (rule.skip ?? 0) && segments.length - trim - skip >= least; skip++) {
      const path = segments.slice(skip, segments.length - trim)
      const found = rule.from === 'anywhere' ? anywhere(path, place) : inBases(path, up, place, indexFiles)
      if (found.length > 0) return found
    }
  return []
}

function inBases(path: string[], up: number, place: Place, indexFiles: Set<string>): readonly string[] {
  for (const base of basesOf(place, indexFiles)) {
    const folder = climb(base, up)
    if (folder === undefined) continue
    for (const below of place.rule.below ?? [''])
      for (const template of place.rule.files) {
        const found = filesAt(folder, [...below.split('/'), ...path], template, place)
        if (found.length > 0) return found
      }
  }
  return []
}

function basesOf({ from, files, rule }: Place, indexFiles: Set<string>): string[] {
  const folder = folderOf(from)
  if (rule.from === 'file') return [folder]
  if (rule.from === 'module') {
    const base = from.slice(folder === '' ? 0 : folder.length + 1)
    const dot = base.lastIndexOf('.')
    return [indexFiles.has(base) ? folder : join(folder, dot < 0 ? base : base.slice(0, dot))]
  }
  const bases: string[] = []
  for (let at: string | undefined = folder; at !== undefined; at = climb(at, 1)) {
    const here = at
    if (rule.from === 'marker') {
      if (rule.markers?.some((marker) => files.has(join(here, marker)))) return [here]
    } else if (!rule.notIn?.some((name) => files.has(join(here, name)))) bases.push(here)
  }
  return bases
}

/** Files that end in the path, wherever they are. */
function anywhere(path: string[], { from, files, rule }: Place): readonly string[] {
  for (const template of rule.files)
    for (const below of rule.below ?? ['']) {
      const wanted = normalized([...below.split('/'), ...template.replace('{path}', path.join('/')).split('/')])
      if (wanted === undefined || wanted === '') continue
      const named = files.named(wanted.slice(wanted.lastIndexOf('/') + 1))
      const fits = named.filter((file) => file === wanted || file.endsWith(`/${wanted}`))
      if (fits.length > 0) return [nearest(fits, from)]
    }
  return []
}

function inManifests(spec: string, place: Place): readonly string[] {
  for (const { prefix, folder } of manifestFolders(place.rule.manifest!, place.files)) {
    if (!spec.startsWith(prefix)) continue
    const separator = place.rule.separator ?? '/'
    const rest = spec.slice(prefix.length)
    // `github.com/a/bc` is not below `github.com/a/b`.
    if (rest !== '' && !prefix.endsWith(separator) && !rest.startsWith(separator)) continue
    const segments = segmentsOf(rest, place.rule)
    for (let trim = 0; trim <= Math.min(place.rule.trim ?? 0, segments.length); trim++)
      for (const template of place.rule.files) {
        const found = filesAt(folder, segments.slice(0, segments.length - trim), template, place)
        if (found.length > 0) return found
      }
  }
  return []
}

function filesAt(folder: string, path: string[], template: string, { files, rule }: Place): readonly string[] {
  const whole = normalized([...folder.split('/'), ...path])
  if (whole === undefined) return []
  const file = normalized(template.replace('{path}', whole).split('/'))!
  const star = file.lastIndexOf('*')
  if (star < 0) return file !== '' && files.has(file) ? [file] : []
  const within = folderOf(file)
  const ending = file.slice(star + 1)
  const except = rule.except === undefined ? undefined : new RegExp(rule.except, 'u')
  return files
    .filesIn(within)
    .filter((name) => name.endsWith(ending) && !except?.test(name))
    .map((name) => join(within, name))
}

function segmentsOf(path: string, rule: ImportRule): string[] {
  return path.split(rule.separator ?? '/').filter((segment) => segment !== '')
}

function stepsUp(text: string | undefined, rule: ImportRule): number {
  if (text === undefined) return 0
  const steps = rule.upWord === undefined ? text.length : text.split(rule.upWord).length - 1
  return Math.max(0, steps - (rule.upLess ?? 0))
}

/** The path that most of its folders has in common with another. */
function nearest(paths: readonly string[], from: string): string {
  let best = paths[0]!
  let most = -1
  for (const path of [...paths].sort()) {
    let shared = 0
    for (let i = 0; i < path.length && path[i] === from[i]; i++) if (path[i] === '/') shared++
    if (shared < most || (shared === most && path.length >= best.length)) continue
    most = shared
    best = path
  }
  return best
}

/** Takes `.` and `..` out; undefined when the path leaves the workspace. */
function normalized(segments: string[]): string | undefined {
  const out: string[] = []
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') out.push(segment)
    else if (out.pop() === undefined) return undefined
  }
  return out.join('/')
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

function climb(folder: string, steps: number): string | undefined {
  let at = folder
  for (let i = 0; i < steps; i++) {
    if (at === '') return undefined
    at = folderOf(at)
  }
  return at
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
