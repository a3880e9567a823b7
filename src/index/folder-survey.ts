// Counts the files of a large workspace by folder while they are found, so that somebody can say what of it is worth an index.
import { languageOf } from './languages.ts'

/** Folders deeper than this are counted with the one above them. */
const MAX_DEPTH = 3
/** Files that make the folder they lie in a project of its own. */
const MANIFESTS = new Set(
  'package.json deno.json tsconfig.json Cargo.toml go.mod pyproject.toml setup.py requirements.txt pom.xml build.gradle build.gradle.kts composer.json Gemfile CMakeLists.txt Makefile'.split(
    ' ',
  ),
)

export interface FolderCount {
  /** Relative to the root. */
  path: string
  files: number
}

interface Count {
  files: number
  /** Files in a language the index reads. */
  code: number
  isProject: boolean
}

/** Share of its outer folder that a folder must have to be offered, and from which on it is the same choice. */
const LEAST_SHARE = 0.05
const SAME_SHARE = 0.95

/** Whether a folder is offered beside the one around it: what is small enough as a whole is offered as a whole. */
function isWorthIt({ files, isProject }: Count, outer: Count, large: number): boolean {
  if (outer.files <= large) return false
  return isProject || (files >= outer.files * LEAST_SHARE && files <= outer.files * SAME_SHARE)
}

export class FolderSurvey {
  files = 0
  /** False once the whole workspace has been walked. */
  isCounting = true
  private folders = new Map<string, Count>()

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path)
  }

  /** Takes in a file that was found; its path is relative to the root. */
  add(path: string): void {
    this.files++
    const code = languageOf(path) >= 0 ? 1 : 0
    const last = path.lastIndexOf('/')
    let depth = 0
    for (let slash = path.indexOf('/'); slash >= 0 && depth < MAX_DEPTH; slash = path.indexOf('/', slash + 1)) {
      depth++
      const folder = path.slice(0, slash)
      let count = this.folders.get(folder)
      if (!count) this.folders.set(folder, (count = { files: 0, code: 0, isProject: false }))
      count.files++
      count.code += code
      if (slash === last && MANIFESTS.has(path.slice(slash + 1))) count.isProject = true
    }
  }

  /** Files found so far in a folder; undefined when they are not counted apart. */
  filesIn(folder: string): number | undefined {
    return folder === '' ? this.files : this.folders.get(folder)?.files
  }

  /**
   * Folders that an index could be made of, the likeliest first: projects, then by what the index can read of them, hidden ones
   * last. Of a folder with more than `large` files those inside it that count are offered too.
   */
  likely(large: number, most: number): FolderCount[] {
    const found: [path: string, count: Count][] = []
    for (const [path, count] of this.folders) {
      const slash = path.lastIndexOf('/')
      const outer = slash < 0 ? undefined : this.folders.get(path.slice(0, slash))
      if (outer === undefined || isWorthIt(count, outer, large)) found.push([path, count])
    }
    const rank = (path: string, { isProject, files }: Count): number =>
      (/(?:^|\/)\./.test(path) ? 4 : 0) + (files > large ? 2 : 0) + (isProject ? 0 : 1)
    return found
      .sort(([a, x], [b, y]) => rank(a, x) - rank(b, y) || y.code - x.code || y.files - x.files || (a < b ? -1 : 1))
      .slice(0, most)
      .map(([path, { files }]) => ({ path, files }))
  }
}
