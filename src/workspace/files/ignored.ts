import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ignore } from 'ignore'

export interface IgnoreRules {
  /** Whether git would leave the path out; `relative` has `/` and no trailing slash. */
  ignores(relative: string, isFolder: boolean): boolean
}

/** Folders that are never listed whatever `.gitignore` says. */
const NEVER_LISTED = new Set(['.git', '.hg', '.svn'])

/**
 * The ignore rules of a root: `.gitignore` of every folder on the way, `.git/info/exclude`, and `extra` patterns
 * (`project.ignorePatterns`). Rules are read once per folder, when first asked for. `contents` stands for the files it
 * has, by their path below the root, as they were at another time.
 */
export async function loadIgnoreRules(
  root: string,
  extra: string[] = [],
  contents: ReadonlyMap<string, string> = new Map(),
): Promise<IgnoreRules> {
  const { ignorePatterns } = await import('../../lib/ignore-patterns.ts')
  const byFolder = new Map<string, Ignore | null>()
  const known = new Map<string, boolean>()

  function rulesOf(folder: string): Ignore | null {
    const cached = byFolder.get(folder)
    if (cached !== undefined) return cached
    const own = join(folder, '.gitignore')
    const texts = [contents.get(own) ?? readOrEmpty(join(root, own))]
    if (folder === '') texts.unshift(readOrEmpty(join(root, '.git/info/exclude')), extra.join('\n'))
    const text = texts.filter(Boolean).join('\n')
    const rules = text === '' ? null : ignorePatterns(text)
    byFolder.set(folder, rules)
    return rules
  }

  /** The nearest folder with an opinion decides; one above is asked only when it has none. */
  function judged(relative: string, isFolder: boolean): boolean {
    const parts = relative.split('/')
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const rules = rulesOf(parts.slice(0, depth).join('/'))
      if (rules === null) continue
      const verdict = rules.checkIgnore(parts.slice(depth).join('/') + (isFolder ? '/' : ''))
      if (verdict.ignored) return true
      if (verdict.unignored) return false
    }
    return false
  }

  function ignores(relative: string, isFolder: boolean): boolean {
    const parts = relative.split('/')
    if (NEVER_LISTED.has(parts.at(-1)!)) return true
    const parent = parts.slice(0, -1).join('/')
    // git never looks into an ignored folder, so nothing below can be taken back in.
    if (parent !== '' && folderIgnored(parent)) return true
    return isFolder ? folderIgnored(relative) : judged(relative, false)
  }

  function folderIgnored(folder: string): boolean {
    const cached = known.get(folder)
    if (cached !== undefined) return cached
    const parent = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : ''
    const name = folder.slice(parent === '' ? 0 : parent.length + 1)
    const verdict = NEVER_LISTED.has(name) || (parent !== '' && folderIgnored(parent)) || judged(folder, true)
    known.set(folder, verdict)
    return verdict
  }

  return { ignores }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
