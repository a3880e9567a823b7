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

/** What kind of place a member's name stands at, for lists of what went wrong; `?` for other places. */
export function placeKind(node: ts.Node): 'access' | 'index' | 'key' | 'attribute' | 'pattern' | '?' {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return 'access'
  if (ts.isElementAccessExpression(parent) || ts.isLiteralTypeNode(parent)) return 'index'
  if (ts.isObjectLiteralElement(parent) && !ts.isJsxAttribute(parent)) return 'key'
  if (ts.isJsxAttribute(parent)) return 'attribute'
  return ts.isBindingElement(parent) ? 'pattern' : '?'
}

/**
 * Whether the service itself has no type for what a member's name is looked up in: a receiver that is `any`, mostly because a
 * package is not installed in the corpus. What it says of such a place is no answer.
 */
export function isUntold({ checker }: Oracle, node: ts.Node): boolean {
  const { parent } = node
  const isAny = (type: ts.Type | undefined) => type !== undefined && (type.flags & ts.TypeFlags.Any) !== 0
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent))
    return isAny(checker.getTypeAtLocation(parent.expression))
  if (ts.isBindingElement(parent)) return isAny(checker.getTypeAtLocation(parent.parent))
  if (ts.isJsxAttribute(parent)) {
    const props = checker.getContextualType(parent.parent)
    return props === undefined || isAny(props)
  }
  if (!ts.isObjectLiteralElement(parent) || !ts.isObjectLiteralExpression(parent.parent)) return false
  const expected = checker.getContextualType(parent.parent)
  if (expected) return isAny(expected) || (expected.isIntersection() && expected.types.some(isAny))
  for (let at: ts.Node = parent.parent; ; at = at.parent) {
    if (ts.isCallExpression(at.parent) || ts.isNewExpression(at.parent))
      return at !== at.parent.expression && isAny(checker.getTypeAtLocation(at.parent.expression))
    if (ts.isStatement(at.parent) && !ts.isReturnStatement(at.parent) && !ts.isBlock(at.parent)) return false
    if (ts.isSourceFile(at.parent)) return false
  }
}

/** The token at an offset; undefined where none is (a name in a comment). */
export function tokenAt(source: ts.SourceFile, offset: number): ts.Node | undefined {
  const find = (node: ts.Node): ts.Node => {
    const inner = ts.forEachChild(node, (child) =>
      child.getStart(source) <= offset && offset < child.end ? find(child) : undefined,
    )
    return inner ?? node
  }
  const found = find(source)
  return found === source ? undefined : found
}
