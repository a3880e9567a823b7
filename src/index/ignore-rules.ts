// Which paths the index leaves out: .gitignore at every level, .git/info/exclude, .codehoundignore, built-in and configured
// patterns. The nearest file that says something about a path decides; within a level .codehoundignore wins over .gitignore.
// Does not read the user's git configuration; `git check-ignore` is the oracle of its property test.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** Left out unless an ignore file takes them back in. */
export const BUILT_IN_IGNORES: readonly string[] = ['node_modules', 'dist', 'build', '.git', '*.min.js']
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.codehoundignore']

/** In place of a stamp: not there; there, whatever it is like. */
const NONE = ''
const THERE = 'there'

interface Level {
  /** Folder the patterns stand in, relative to the root with `/` at its end; `''` is the root. */
  prefix: string
  /** Put before a path that is to be tested by patterns of a folder above the root. */
  above: string
  rules: Ignore
}

export class IgnoreRules {
  private root: string
  private patterns: Level
  /** What is said outside the folders of the root; undefined until it is asked for. */
  private base: Level[] | undefined
  /** What the files looked like that were read, or looked for above the root. */
  private stamps: Map<string, string>
  private cache = new Map<string, Level[]>()
  private never: (path: string) => boolean

  /**
   * `never`: files that no ignore file takes in, such as those that hold secrets. `stamps`: those of the ignore files by which the
   * workspace was scanned before; it is kept up with what is read.
   */
  constructor(
    root: string,
    patterns: readonly string[] = BUILT_IN_IGNORES,
    never: (path: string) => boolean = () => false,
    stamps = new Map<string, string>(),
  ) {
    this.root = root
    this.never = never
    this.stamps = stamps
    this.patterns = { prefix: '', above: '', rules: made([...patterns]) }
  }

  /** Forgets what was read from ignore files. */
  reset(): void {
    this.cache.clear()
    this.stamps.clear()
    this.base = undefined
  }

  /**
   * Whether the ignore files by which a folder was scanned say what they said, and none came above it. One that came in it shows in
   * the list of where it stands (`isNew`).
   */
  areCurrent(scope = ''): boolean {
    for (const [path, stamp] of this.stamps)
      if (stamp === THERE ? !existsSync(path) : stampOf(path) !== stamp) return false
    const above = scope === '' ? [] : scope.split('/').map((_part, i, parts) => parts.slice(0, i).join('/'))
    return !above.some((folder) =>
      IGNORE_FILES.some((name) => this.isNew(folder, name) && existsSync(join(this.root, folder, name))),
    )
  }

  /** Whether an ignore file among the names of a folder has not been read. */
  isNew(folder: string, name: string): boolean {
    return IGNORE_FILES.includes(name) && !this.stamps.has(join(this.root, folder, name))
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
    if (folder !== '') return this.levels(slash < 0 ? '' : folder.slice(0, slash))
    return (this.base ??= [this.patterns, ...this.levelsAbove()])
  }

  private levels(folder: string): Level[] {
    const known = this.cache.get(folder)
    if (known) return known
    const outer = this.outer(folder)
    const own = this.readLevel(join(this.root, folder), folder === '' ? '' : `${folder}/`, '')
    const levels = own.length > 0 ? [...outer, ...own] : outer
    this.cache.set(folder, levels)
    return levels
  }

  private readLevel(folder: string, prefix: string, above: string, isOutside = false): Level[] {
    return IGNORE_FILES.flatMap((name) => {
      const text = this.read(join(folder, name), isOutside)
      return text === undefined ? [] : [{ prefix, above, rules: made(text) }]
    })
  }

  /** Ignore files that count though they stand above the root, as it lies inside a git work tree, and the tree's own excludes. */
  private levelsAbove(): Level[] {
    let top = this.root
    while (!this.exists(join(top, '.git'))) {
      const up = dirname(top)
      if (up === top) return []
      top = up
    }
    const levels: Level[] = []
    const inner = relative(top, this.root).split('\\').join('/')
    // A fresh or linked work tree has none.
    const exclude = this.read(join(top, '.git/info/exclude'), true)
    if (exclude !== undefined) levels.push({ prefix: '', above: inner === '' ? '' : `${inner}/`, rules: made(exclude) })
    if (inner === '') return levels
    const parts = inner.split('/')
    for (let i = 0; i < parts.length; i++)
      levels.push(...this.readLevel(join(top, ...parts.slice(0, i)), '', `${parts.slice(i).join('/')}/`, true))
    return levels
  }

  private exists(path: string): boolean {
    const exists = existsSync(path)
    this.stamps.set(path, exists ? THERE : NONE)
    return exists
  }

  /** `isOutside`: no list of a folder would show that it came. */
  private read(path: string, isOutside: boolean): string | undefined {
    const stamp = stampOf(path)
    // What was scanned by an older one stays known by that.
    if (!this.stamps.has(path) && (isOutside || stamp !== NONE)) this.stamps.set(path, stamp)
    if (stamp === NONE) return undefined
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return undefined
    }
  }
}

function made(patterns: string | string[]): Ignore {
  return ignore({ allowRelativePaths: true }).add(patterns)
}

function stampOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat ? `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : NONE
  } catch {
    return NONE
  }
}
