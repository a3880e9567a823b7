// What package.json and tsconfig.json files of the workspace say about import resolution. Read from disk when first needed and
// kept until `reset`; a file that cannot be read or parsed counts as absent.
import { parseForeignJson } from '../lib/foreign-json.ts'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { posix } from 'node:path'

export interface PathMapping {
  /** Folder the targets are relative to. */
  base: string
  /** Pattern with at most one `*`, and its targets. */
  paths: [string, string[]][]
  /** `baseUrl`, under which bare specs are looked up; undefined when not set. */
  baseUrl: string | undefined
}

export interface PackageManifest {
  folder: string
  name: string
  exports: unknown
  imports: unknown
  entries: string[]
  /** What its scripts run. */
  scripts: string[]
}

const MAX_EXTENDS = 16

export class Manifests {
  private root: string
  private mappings = new Map<string, PathMapping | undefined>()
  private packages = new Map<string, PackageManifest | undefined>()

  constructor(root: string) {
    this.root = root
  }

  reset(): void {
    this.mappings.clear()
    this.packages.clear()
  }

  /** The mapping of a tsconfig file (relative path), its `extends` and `references` taken in. */
  mapping(path: string): PathMapping | undefined {
    if (!this.mappings.has(path)) this.mappings.set(path, this.readMapping(path, 0))
    return this.mappings.get(path)
  }

  package(path: string): PackageManifest | undefined {
    if (!this.packages.has(path)) this.packages.set(path, this.readPackage(path))
    return this.packages.get(path)
  }

  private readMapping(path: string, depth: number): PathMapping | undefined {
    const config = this.readJson(path)
    if (!config || depth > MAX_EXTENDS) return undefined
    const folder = dirname(path)
    const options = record(config['compilerOptions'])
    const baseUrl = typeof options['baseUrl'] === 'string' ? normal(folder, options['baseUrl']) : undefined
    const paths = Object.entries(record(options['paths'])).map(([key, targets]): [string, string[]] => [
      key,
      Array.isArray(targets) ? targets.filter((t) => typeof t === 'string') : [],
    ])
    if (paths.length > 0) return { base: baseUrl ?? folder, paths, baseUrl }
    const parents = [config['extends']].flat().filter((parent) => typeof parent === 'string')
    for (const parent of parents) {
      const target = this.extended(folder, parent)
      const inherited = target === undefined ? undefined : this.readMapping(target, depth + 1)
      if (inherited) return { ...inherited, ...(baseUrl !== undefined && { baseUrl }) }
    }
    // A file that only gathers projects: theirs count, the first that has any.
    const references = Array.isArray(config['references']) ? config['references'] : []
    for (const reference of references) {
      const to = record(reference)['path']
      if (typeof to !== 'string') continue
      const target = to.endsWith('.json') ? normal(folder, to) : posix.join(normal(folder, to), 'tsconfig.json')
      if (dirname(target) !== folder) continue
      const mapping = this.readMapping(target, depth + 1)
      if (mapping) return mapping
    }
    return baseUrl === undefined ? undefined : { base: baseUrl, paths: [], baseUrl }
  }

  private extended(folder: string, spec: string): string | undefined {
    if (spec.startsWith('.')) return normal(folder, spec.endsWith('.json') ? spec : `${spec}.json`)
    try {
      const require = createRequire(`${this.root}/${folder}/x.js`)
      return posix.relative(this.root, require.resolve(spec))
    } catch {
      return undefined
    }
  }

  private readPackage(path: string): PackageManifest | undefined {
    const manifest = this.readJson(path)
    if (!manifest) return undefined
    const entries = ['source', 'types', 'typings', 'module', 'main', 'browser']
      .map((key) => manifest[key])
      .filter((value) => typeof value === 'string')
    const bin = manifest['bin']
    const bins =
      typeof bin === 'string' ? [bin] : Object.values(record(bin)).filter((value) => typeof value === 'string')
    return {
      folder: dirname(path),
      name: typeof manifest['name'] === 'string' ? manifest['name'] : '',
      exports: manifest['exports'],
      imports: manifest['imports'],
      entries: [...entries, ...bins],
      scripts: Object.values(record(manifest['scripts'])).filter((value) => typeof value === 'string'),
    }
  }

  private readJson(path: string): Record<string, unknown> | undefined {
    try {
      return record(parseForeignJson(plainJson(readFileSync(`${this.root}/${path}`, 'utf8'))))
    } catch {
      return undefined
    }
  }
}

/** JSON without comments and trailing commas. */
export function plainJson(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_all, string: string | undefined) => string ?? '')
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_all, string: string | undefined) => string ?? '')
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

export function dirname(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

/** A path relative to a folder, both relative to the root; may begin with `..` when it leaves it. */
export function normal(folder: string, path: string): string {
  let base = folder
  let rest = path
  // Nearly all begin with one `./` or some `../` and have nothing more to resolve.
  if (rest.startsWith('./')) rest = rest.slice(2)
  else
    while (rest.startsWith('../') && base !== '') {
      rest = rest.slice(3)
      base = dirname(base)
    }
  if (rest !== '' && !UNTIDY.test(rest) && !base.startsWith('.')) return base === '' ? rest : `${base}/${rest}`
  const joined = posix.normalize(posix.join(folder === '' ? '.' : folder, path))
  return joined === '.' ? '' : joined.replace(/\/$/, '')
}

/** Empty or dotted segments, or a slash at an end. */
const UNTIDY = /(?:^|\/)\.{0,2}(?:\/|$)/
