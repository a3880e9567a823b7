import { type Dirent, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fault, faultOfError, type Fault } from '../fault.ts'
import { factsOf } from '../paths/facts.ts'
import type { PathGuard } from '../paths/guard.ts'
import { loadIgnoreRules } from './ignored.ts'
import { nearestPaths } from './nearest-paths.ts'
import { TEMPORARY_SUFFIX } from './write-file.ts'

export interface ListEntry {
  /** Relative to the root, with `/`. */
  path: string
  kind: 'file' | 'folder' | 'link' | 'other'
  /** Bytes; 0 for anything but a file. */
  size: number
  /** What a link points to, as written in the link. */
  target?: string
}

export interface Listing {
  ok: true
  entries: ListEntry[]
  /** More entries exist than `limit`. */
  truncated: boolean
}

export interface ListOptions {
  /** Default false. */
  recursive?: boolean
  /** A glob: with a `/` it is matched against the path, else against the name. */
  pattern?: string
  /** Entries at most; default 10,000. */
  limit?: number
  /** Lists what `.gitignore` leaves out as well; default false. */
  withIgnored?: boolean
  /** Further ignore patterns (`project.ignorePatterns`). */
  ignorePatterns?: string[]
}

const DEFAULT_LIMIT = 10_000

/** Lists a folder, sorted by name, folders' contents after the folder; links are named and never followed. */
export async function listFolder(guard: PathGuard, path: string, options: ListOptions = {}): Promise<Listing | Fault> {
  const at = guard.resolve(path, 'read')
  if (!at.ok) return at
  const stats = statSync(at.real, { throwIfNoEntry: false })
  if (stats === undefined) {
    const near = nearestPaths(at, factsOf(at.root))
    const hint = near.length > 0 ? `Nearest: ${near.join(', ')}.` : 'Use list_files on ".".'
    return fault('NOT_FOUND', `${at.relative} does not exist. ${hint}`)
  }
  if (!stats.isDirectory()) return fault('NOT_A_FILE', `${at.relative} is a file. Use read_file to see it.`)
  const limit = options.limit ?? DEFAULT_LIMIT
  const matches =
    options.pattern === undefined ? () => true : (await import('../../lib/glob.ts')).globMatcher(options.pattern)
  const rules = options.withIgnored === true ? null : await loadIgnoreRules(at.root, options.ignorePatterns)
  const entries: ListEntry[] = []
  let truncated = false

  // Rules and paths are those of the place the folder really lies in.
  const base = at.real === at.root ? '' : at.real.slice(at.root.length + 1).replaceAll('\\', '/')
  const shown = at.relative === '.' ? '' : at.relative

  function walk(below: string): void {
    const names = readdirSync(join(at.ok ? at.real : '', below), { withFileTypes: true })
    for (const each of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (truncated) return
      const inner = below === '' ? each.name : `${below}/${each.name}`
      const ruled = base === '' ? inner : `${base}/${inner}`
      if (each.name.endsWith(TEMPORARY_SUFFIX) || rules?.ignores(ruled, each.isDirectory()) === true) continue
      if (matches(inner)) {
        if (entries.length >= limit) {
          truncated = true
          return
        }
        entries.push(entryOf(each, shown === '' ? inner : `${shown}/${inner}`))
      }
      if (each.isDirectory() && options.recursive === true) walkQuietly(inner)
    }
  }

  /** A folder below that cannot be read is an entry without contents, not the end of the listing. */
  function walkQuietly(below: string): void {
    try {
      walk(below)
    } catch (error) {
      faultOfError(error, below)
    }
  }

  try {
    walk('')
  } catch (error) {
    return faultOfError(error, at.relative)
  }
  return { ok: true, entries, truncated }
}

function entryOf(each: Dirent, path: string): ListEntry {
  const full = join(each.parentPath, each.name)
  if (each.isSymbolicLink()) return { path, kind: 'link', size: 0, target: targetOf(full) }
  if (each.isDirectory()) return { path, kind: 'folder', size: 0 }
  if (!each.isFile()) return { path, kind: 'other', size: 0 }
  return { path, kind: 'file', size: lstatSync(full, { throwIfNoEntry: false })?.size ?? 0 }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '?'
  }
}
