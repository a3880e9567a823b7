// The TypeScript 5.9 language service over the files of a corpus: the oracle for references and definitions at use.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5'

export interface Oracle {
  service: ts.LanguageService
  program: ts.Program
  checker: ts.TypeChecker
}

/** Loads a corpus; `paths` are relative to `root`. Settings: those of the root's tsconfig.json where it has any. */
export function loadOracle(root: string, paths: string[]): Oracle {
  const names = paths.map((path) => join(root, path))
  const options: ts.CompilerOptions = {
    ...rootOptions(root),
    allowJs: true,
    noEmit: true,
    skipLibCheck: true,
    jsx: ts.JsxEmit.Preserve,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    experimentalDecorators: true,
    types: [],
    maxNodeModuleJsDepth: 0,
  }
  const snapshots = new Map<string, ts.IScriptSnapshot>()
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => names,
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const known = snapshots.get(name)
      if (known) return known
      if (!existsSync(name) || !statSync(name).isFile()) return undefined
      const made = ts.ScriptSnapshot.fromString(readFileSync(name, 'utf8').replace(/^\uFEFF/, ''))
      snapshots.set(name, made)
      return made
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (name) => ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
    readDirectory: (...given) => ts.sys.readDirectory(...given),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
  }
  const service = ts.createLanguageService(host)
  const program = service.getProgram()!
  return { service, program, checker: program.getTypeChecker() }
}

function rootOptions(root: string): ts.CompilerOptions {
  for (const name of ['tsconfig.json', 'src/tsconfig.json']) {
    const path = join(root, name)
    if (!existsSync(path)) continue
    const read = ts.readConfigFile(path, (name) => ts.sys.readFile(name))
    const { options } = ts.parseJsonConfigFileContent(
      read.config ?? {},
      { ...ts.sys, readDirectory: () => [] },
      join(path, '..'),
    )
    const { baseUrl, paths, pathsBasePath } = options
    return {
      ...(baseUrl !== undefined && { baseUrl }),
      ...(paths && { paths }),
      ...(pathsBasePath !== undefined && { pathsBasePath }),
    }
  }
  return {}
}

/** A repeatable choice of `count` items (Mulberry32, seed 1). */
export function sample<T>(items: T[], count: number): T[] {
  let state = 1
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const pool = [...items]
  const chosen: T[] = []
  while (chosen.length < count && pool.length > 0) {
    const at = Math.floor(random() * pool.length)
    chosen.push(pool[at]!)
    pool[at] = pool.at(-1)!
    pool.pop()
  }
  return chosen
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
