// Which file of the workspace an import means, after TypeScript's and Node's rules, over the files the index knows: no disk is
// touched but for manifests. What leads outside the workspace is a package or a builtin; it is not followed.
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import type { FileLookup } from './language.ts'
import { LANGUAGES, languageOf } from './languages.ts'
import { dirname, Manifests, normal, type PathMapping } from './manifests.ts'
import { allTargets, packageTargets } from './package-exports.ts'
import type { Tables } from './tables.ts'

/** Where an import leads when it is not a file: these stand in place of a file id. */
export const TARGET = { external: -1, builtin: -2, missing: -3 } as const

const SOURCE_EXTENSIONS = [
  '.ts',
  '.tsx',
  '.d.ts',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.json',
  '.vue',
  '.svelte',
]
/** What a written extension may stand for, first to last. */
const REWRITES: Record<string, string[]> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
  '.jsx': ['.tsx', '.d.ts', '.jsx'],
  '.mjs': ['.mts', '.d.mts', '.mjs'],
  '.cjs': ['.cts', '.d.cts', '.cjs'],
}
/** Files that run others by their path, besides package.json and the workflows of GitHub. */
const RUNNERS = ['Makefile', 'makefile', 'Dockerfile', '.gitlab-ci.yml', 'action.yml', 'azure-pipelines.yml']
/** A path of a program in a script. */
const RUN_PATH = /(?:[\w@.-]+\/)*[\w.-]+\.(?:[cm]?[jt]sx?|py|sh|rb|php|go|rs)\b/g
const BUILT_FOLDER = /^(?:dist|lib|build|out|esm|cjs|es)(?:\/(?:esm|cjs|es|src|types))?\//
const builtins = new Set(builtinModules)

export class Resolver implements FileLookup {
  private tables: Tables
  private manifests: Manifests
  private root: string
  private texts = new Map<string, string | undefined>()
  /** By the file or folder that imports, and spec. */
  private cache = new Map<string, Map<string, readonly number[]>>()
  private configs = new Map<string, PathMapping | undefined>()
  private folders: Map<string, string[]> | undefined
  private byName: Map<string, string[]> | undefined
  private packages: Map<string, string> | undefined

  constructor(tables: Tables, root: string) {
    this.tables = tables
    this.root = root
    this.manifests = new Manifests(root)
  }

  /** Forgets all it knows: after files came or went, or a manifest changed. */
  reset(): void {
    this.cache.clear()
    this.texts.clear()
    this.configs.clear()
    this.manifests.reset()
    this.folders = undefined
    this.byName = undefined
    this.packages = undefined
  }

  has(path: string): boolean {
    return this.tables.find(path) !== undefined
  }

  filesIn(folder: string): readonly string[] {
    this.folders ??= this.group((path) => dirname(path))
    return (this.folders.get(folder) ?? []).map((path) => path.slice(path.lastIndexOf('/') + 1))
  }

  named(baseName: string): readonly string[] {
    this.byName ??= this.group((path) => path.slice(path.lastIndexOf('/') + 1))
    return this.byName.get(baseName) ?? []
  }

  /** Text of a manifest (`go.mod`) of the workspace as it was when first asked for. */
  text(path: string): string | undefined {
    if (!this.texts.has(path)) this.texts.set(path, this.has(path) ? readText(join(this.root, path)) : undefined)
    return this.texts.get(path)
  }

  /** Gives, for a file, what an import spec in it means: file ids, or one TARGET. */
  from(path: string): (spec: string) => readonly number[] {
    const language = LANGUAGES[languageOf(path)]
    const folder = dirname(path)
    const find = language?.resolve
      ? (spec: string) => language.resolve!(spec, path, this).flatMap((target) => this.tables.find(target) ?? [])
      : (spec: string) => [this.module(spec, folder)]
    // A language with rules of its own may go by the file's name; the others go by its folder alone.
    const place = language?.resolve ? path : folder
    const cached = this.cache.get(place) ?? new Map<string, readonly number[]>()
    this.cache.set(place, cached)
    return (spec) => {
      const known = cached.get(spec)
      if (known) return known
      const found = find(spec)
      const targets = found.length > 0 ? found : [TARGET.external]
      cached.set(spec, targets)
      return targets
    }
  }

  /** Files that a package's manifest names as its ways in. */
  entryFiles(manifestPath: string): string[] {
    const manifest = this.manifests.package(manifestPath)
    if (!manifest) return []
    const fields = [...manifest.entries, ...allTargets(manifest.exports)]
    return [
      ...fields.flatMap((target) => this.inPackage(manifest.folder, target) ?? []),
      ...manifest.scripts.flatMap((script) => this.filesNamed(script, manifest.folder)),
    ]
  }

  /** Files that the workspace's build and CI files run by their path. */
  runFiles(): string[] {
    const paths = [...RUNNERS.flatMap((name) => this.named(name)), ...this.workflows()]
    return paths.flatMap((path) => {
      // A Makefile runs in its folder, CI at the root.
      const folder = path.startsWith('.') ? '' : dirname(path)
      return this.filesNamed(this.text(path) ?? '', folder)
    })
  }

  private workflows(): string[] {
    const folder = '.github/workflows'
    return this.filesIn(folder).map((name) => `${folder}/${name}`)
  }

  /** Files whose path, seen from a folder, stands in a text. */
  private filesNamed(text: string, folder: string): string[] {
    return [...text.matchAll(RUN_PATH)].flatMap(([path]) => {
      const target = normal(folder, path)
      return this.has(target) ? [target] : []
    })
  }

  private module(spec: string, folder: string): number {
    if (spec.startsWith('./') || spec.startsWith('../') || spec === '.' || spec === '..') {
      const found = this.file(normal(folder, spec))
      return found === undefined ? TARGET.missing : this.id(found)
    }
    if (spec.startsWith('node:') || builtins.has(spec)) return TARGET.builtin
    const found = this.mapped(spec, folder) ?? this.ownImport(spec, folder) ?? this.workspacePackage(spec)
    return found === undefined ? TARGET.external : this.id(found)
  }

  private id(path: string): number {
    return this.tables.find(path) ?? TARGET.missing
  }

  /** The file a path without certain extension stands for. */
  private file(path: string): string | undefined {
    const dot = path.lastIndexOf('.')
    const rewrites = dot > path.lastIndexOf('/') ? REWRITES[path.slice(dot)] : undefined
    if (rewrites) {
      const stem = path.slice(0, dot)
      for (const extension of rewrites) if (this.has(stem + extension)) return stem + extension
    }
    if (this.has(path)) return path
    for (const extension of SOURCE_EXTENSIONS) if (this.has(path + extension)) return path + extension
    const manifest = `${path === '' ? '' : `${path}/`}package.json`
    if (this.has(manifest)) {
      for (const entry of this.manifests.package(manifest)?.entries ?? []) {
        const found = this.inPackage(path, entry)
        if (found !== undefined) return found
      }
    }
    const index = path === '' ? 'index' : `${path}/index`
    for (const extension of SOURCE_EXTENSIONS) if (this.has(index + extension)) return index + extension
    return undefined
  }

  /** A target written in a manifest: itself, or the source it is built from. */
  private inPackage(folder: string, target: string): string | undefined {
    const direct = this.plainFile(normal(folder, target))
    if (direct !== undefined) return direct
    const inner = target.replace(/^\.\//, '')
    const bare = inner.replace(BUILT_FOLDER, '').replace(/\.d\.([cm]?)ts$/, '.$1js')
    return bare === inner
      ? undefined
      : (this.plainFile(normal(folder, `src/${bare}`)) ?? this.plainFile(normal(folder, bare)))
  }

  private plainFile(path: string): string | undefined {
    const dot = path.lastIndexOf('.')
    const stem = dot > path.lastIndexOf('/') ? path.slice(0, dot) : path
    if (this.has(path)) return path
    for (const extension of SOURCE_EXTENSIONS) if (this.has(stem + extension)) return stem + extension
    for (const extension of SOURCE_EXTENSIONS)
      if (this.has(`${path}/index${extension}`)) return `${path}/index${extension}`
    return undefined
  }

  /** tsconfig `paths` and `baseUrl` of the nearest configuration. */
  private mapped(spec: string, folder: string): string | undefined {
    const mapping = this.config(folder)
    if (!mapping) return undefined
    let best: { prefix: number; targets: string[]; star: string } | undefined
    for (const [pattern, targets] of mapping.paths) {
      const star = pattern.indexOf('*')
      const before = star < 0 ? pattern : pattern.slice(0, star)
      const after = star < 0 ? '' : pattern.slice(star + 1)
      const fits =
        star < 0
          ? spec === pattern
          : spec.startsWith(before) && spec.endsWith(after) && spec.length >= before.length + after.length
      if (fits && (!best || before.length > best.prefix))
        best = {
          prefix: before.length,
          targets,
          star: star < 0 ? '' : spec.slice(before.length, spec.length - after.length),
        }
    }
    for (const target of best?.targets ?? []) {
      const found = this.file(normal(mapping.base, target.replace('*', best!.star)))
      if (found !== undefined) return found
    }
    return mapping.baseUrl === undefined ? undefined : this.file(normal(mapping.baseUrl, spec))
  }

  private config(folder: string): PathMapping | undefined {
    if (this.configs.has(folder)) return this.configs.get(folder)
    const prefix = folder === '' ? '' : `${folder}/`
    let mapping: PathMapping | undefined
    for (const name of ['tsconfig.json', 'jsconfig.json'])
      if (!mapping && this.has(prefix + name)) mapping = this.manifests.mapping(prefix + name)
    if (!mapping && folder !== '') mapping = this.config(dirname(folder))
    this.configs.set(folder, mapping)
    return mapping
  }

  /** `#name` of the nearest package.json's `imports`. */
  private ownImport(spec: string, folder: string): string | undefined {
    if (!spec.startsWith('#')) return undefined
    for (let at = folder; ; at = dirname(at)) {
      const path = at === '' ? 'package.json' : `${at}/package.json`
      if (this.has(path)) {
        for (const target of packageTargets(this.manifests.package(path)?.imports, spec)) {
          const found = this.inPackage(at, target)
          if (found !== undefined) return found
        }
        return undefined
      }
      if (at === '') return undefined
    }
  }

  /** A package whose manifest lies in the workspace. */
  private workspacePackage(spec: string): string | undefined {
    const parts = spec.split('/')
    const name = spec.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!
    this.packages ??= new Map(
      this.named('package.json').map((path): [string, string] => [this.manifests.package(path)?.name ?? '', path]),
    )
    const path = name === '' ? undefined : this.packages.get(name)
    const manifest = path === undefined ? undefined : this.manifests.package(path)
    if (!manifest) return undefined
    const inner = spec.slice(name.length + 1)
    const targets = packageTargets(manifest.exports, inner === '' ? '.' : `./${inner}`)
    const fallbacks = inner === '' ? [...manifest.entries, './src/index', './index'] : [`./${inner}`, `./src/${inner}`]
    for (const target of [...targets, ...fallbacks]) {
      const found = this.inPackage(manifest.folder, target)
      if (found !== undefined) return found
    }
    return undefined
  }

  private group(keyOf: (path: string) => string): Map<string, string[]> {
    const groups = new Map<string, string[]>()
    const { tables } = this
    for (let id = 0; id < tables.count; id++) {
      if (!tables.alive(id)) continue
      const path = tables.paths[id]!
      const key = keyOf(path)
      const group = groups.get(key)
      if (group) group.push(path)
      else groups.set(key, [path])
    }
    return groups
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Name of the package an external spec is of: `@scope/name/x` is of `@scope/name`. */
export function packageOf(spec: string): string {
  const parts = spec.split('/')
  return spec.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!
}
