// Which paths the index leaves out: .gitignore at every level, .git/info/exclude, .codehoundignore, built-in and configured
// patterns. The nearest file that says something about a path decides; within a level .codehoundignore wins over .gitignore.
// Does not read the user's git configuration; `git check-ignore` is the oracle of its property test.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** Left out unless an ignore file takes them back in. */
export const BUILT_IN_IGNORES: readonly string[] = ['node_modules', 'dist', 'build', '.git', '*.min.js']
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.codehoundignore']

interface Level {
  /** Folder the patterns stand in, relative to the root with `/` at its end; `''` is the root. */
  prefix: string
  /** Put before a path that is to be tested by patterns of a folder above the root. */
  above: string
  rules: Ignore
}

export class IgnoreRules {
  private root: string
  private base: Level[]
  private cache = new Map<string, Level[]>()
  private never: (path: string) => boolean

  /** `never`: files that no ignore file takes in, such as those that hold secrets. */
  constructor(
    root: string,
    patterns: readonly string[] = BUILT_IN_IGNORES,
    never: (path: string) => boolean = () => false,
  ) {
    this.root = root
    this.never = never
    this.base = [{ prefix: '', above: '', rules: made([...patterns]) }, ...levelsAbove(root)]
  }

  /** Forgets what was read from ignore files. */
  reset(): void {
    this.cache.clear()
    this.base = [this.base[0]!, ...levelsAbove(this.root)]
  }

  /** Forgets what was read in a folder and under it, as the folder went, came or was exchanged. */
  forget(folder: string): void {
    // Who stands in the cache stands there with all folders above.
    if (!this.cache.has(folder)) return
    for (const known of this.cache.keys())
      if (known === folder || known.startsWith(`${folder}/`)) this.cache.delete(known)
  }

  /** Whether an entry of a folder that is itself not left out is left out. Paths relative to the root. */
  ignores(path: string, isFolder: boolean): boolean {
    if (!isFolder && this.never(path)) return true
    const slash = path.lastIndexOf('/')
    const levels = this.levels(slash < 0 ? '' : path.slice(0, slash))
    for (let i = levels.length - 1; i >= 0; i--) {
      const { prefix, above, rules } = levels[i]!
      const verdict = rules.test(above + path.slice(prefix.length) + (isFolder ? '/' : ''))
      if (verdict.ignored) return true
      if (verdict.unignored) return false
    }
    return false
  }

  /** As `ignores`, for a path whose folders are not known to be taken in. */
  ignoresDeep(path: string, isFolder = false): boolean {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
      if (this.ignores(path.slice(0, slash), true)) return true
    return this.ignores(path, isFolder)
  }

  /** Says what a folder holds, for whoever has read it: without an ignore file among it none is looked for. */
  holds(folder: string, names: readonly string[]): void {
    if (this.cache.has(folder) || IGNORE_FILES.some((name) => names.includes(name))) return
    this.cache.set(folder, this.outer(folder))
  }

  private outer(folder: string): Level[] {
    const slash = folder.lastIndexOf('/')
    return folder === '' ? this.base : this.levels(slash < 0 ? '' : folder.slice(0, slash))
  }

  private levels(folder: string): Level[] {
    const known = this.cache.get(folder)
    if (known) return known
    const outer = this.outer(folder)
    const own = readLevel(join(this.root, folder), folder === '' ? '' : `${folder}/`, '')
    const levels = own.length > 0 ? [...outer, ...own] : outer
    this.cache.set(folder, levels)
    return levels
  }
}

function made(patterns: string | string[]): Ignore {
  return ignore({ allowRelativePaths: true }).add(patterns)
}

function readLevel(folder: string, prefix: string, above: string): Level[] {
  const levels: Level[] = []
  for (const name of IGNORE_FILES) {
    let text: string
    try {
      text = readFileSync(join(folder, name), 'utf8')
    } catch {
      continue
    }
    levels.push({ prefix, above, rules: made(text) })
  }
  return levels
}

/** Ignore files that count though they stand above the root, as it lies inside a git work tree, and the tree's own excludes. */
function levelsAbove(root: string): Level[] {
  let top = root
  while (!existsSync(join(top, '.git'))) {
    const up = dirname(top)
    if (up === top) return []
    top = up
  }
  const levels: Level[] = []
  const inner = relative(top, root).split('\\').join('/')
  try {
    const exclude = readFileSync(join(top, '.git/info/exclude'), 'utf8')
    levels.push({ prefix: '', above: inner === '' ? '' : `${inner}/`, rules: made(exclude) })
  } catch {
    // A fresh or linked work tree has none.
  }
  if (inner === '') return levels
  const parts = inner.split('/')
  for (let i = 0; i < parts.length; i++)
    levels.push(...readLevel(join(top, ...parts.slice(0, i)), '', `${parts.slice(i).join('/')}/`))
  return levels
}
