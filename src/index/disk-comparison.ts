// Compares what the tables know with what lies on the disk: which files came, which went, and which are to be read again because
// their size or time differs. Folders that stand as they were listed are not listed again: see folder-times.ts.
import { isAbsolute, relative } from 'node:path'
import { FolderTimes } from './folder-times.ts'
import { IGNORE_FILES, IgnoreRules } from './ignore-rules.ts'
import { FILE_STATE } from './file-state.ts'
import {
  BINARY_EXTENSIONS,
  extensionOf,
  linkTarget,
  scan,
  scanAgain,
  statEntry,
  type EntryKind,
  type ScanOptions,
} from './scan.ts'
import { Slice } from './slice.ts'
import type { Tables } from './tables.ts'
import { createSecretFileRule } from '../workspace/secrets/secret-files.ts'

/** Of IndexOptions, where they are explained. */
export interface DiskOptions {
  root: string
  scope?: string
  ignorePatterns?: readonly string[]
  secretFiles?: readonly string[]
  binaryExtensions?: readonly string[]
  settledMs?: number
  signal?: AbortSignal
}

/** Takes in what the comparison finds. */
export interface Taker {
  /** Gives the id of a file that has to be read, else -1. */
  enter: (path: string, kind: EntryKind, target: string | undefined) => number
  remove: (id: number) => void
}

type Found = Pick<ScanOptions, 'found' | 'pause'>

export class DiskComparison {
  /** Of the last comparison of everything. */
  unreadableFolders = 0
  /** Folders whose lists were taken anew and need not be again while they stay as they are. */
  settledFolders = 0
  private newFolder = false
  private tables: Tables
  private options: DiskOptions
  private taker: Taker
  private rules: IgnoreRules
  private times: FolderTimes
  private binary: ReadonlySet<string>

  constructor(tables: Tables, options: DiskOptions, taker: Taker) {
    this.tables = tables
    this.options = options
    this.taker = taker
    const secretRule = options.secretFiles && createSecretFileRule(options.secretFiles)
    this.rules = new IgnoreRules(
      options.root,
      options.ignorePatterns,
      secretRule && ((path) => secretRule(path) !== null),
      tables.ignoreStamps,
    )
    this.times = new FolderTimes(options.root, options.settledMs)
    this.binary = new Set(options.binaryExtensions ?? BINARY_EXTENSIONS)
  }

  /** Reports every file there is. Rejects when it is aborted or the root cannot be read. */
  async walkAll(what: Found): Promise<void> {
    this.unreadableFolders = await this.walk(what)
  }

  private walk(what: Found & { scope?: string }): Promise<number>
  private walk(what: Found, folders: readonly string[]): Promise<number | undefined>
  /** See `scan` and `scanAgain`. */
  private async walk(what: Found, folders?: readonly string[]): Promise<number | undefined> {
    const { root, scope = '', signal } = this.options
    const { rules, times, binary: binaryExtensions } = this
    const known = this.tables.folders
    const options = { root, scope, rules, times, folders: known, binaryExtensions, ...(signal && { signal }), ...what }
    try {
      return await (folders ? scanAgain(options, folders) : scan(options))
    } catch (error) {
      // Lists of folders with others that nobody looked into prove nothing.
      known.clear()
      throw error
    }
  }

  /** Whether a folder came since it was last asked. */
  takeNewFolder(): boolean {
    const { newFolder } = this
    this.newFolder = false
    return newFolder
  }

  /**
   * Compares every file with the disk. Folders are listed again where their time moved, all of them where an ignore file did, or
   * `anew`. Gives the files to read: new ones, and those of another size or time.
   */
  async compareAll(anew = false): Promise<Set<number>> {
    return (!anew && (await this.compareKnown())) || (await this.compareAnew())
  }

  private async compareAnew(): Promise<Set<number>> {
    const { tables } = this
    this.rules.reset()
    tables.folders.clear()
    const seen = new Set<number>()
    const toRead = new Set<number>()
    this.unreadableFolders = await this.walk({ found: this.entryTaker(seen, toRead) })
    for (let id = 0; id < tables.count; id++) if (tables.alive(id) && !seen.has(id)) this.taker.remove(id)
    return toRead
  }

  /** As `compareAnew` where most folders are as they were listed; undefined where that cannot be told from them. */
  private async compareKnown(): Promise<Set<number> | undefined> {
    const { tables, rules, times } = this
    if (tables.folders.size === 0 || !rules.areCurrent(this.options.scope)) return undefined
    const slice = new Slice()
    const standing = new Set<string>()
    const moved: string[] = []
    for (const [folder, listed] of tables.folders) {
      const time = times.of(folder)
      if (time === undefined) {
        if (folder === (this.options.scope ?? '')) return undefined
        rules.forget(folder)
        tables.folders.delete(folder)
      } else if (time === listed) standing.add(folder)
      else moved.push(folder)
      if (slice.isOver) await slice.next()
    }
    const seen = new Set<number>()
    const toRead = new Set<number>()
    const unreadable = await this.walk({ found: this.entryTaker(seen, toRead) }, moved)
    if (unreadable === undefined) return undefined
    this.unreadableFolders = unreadable
    this.settledFolders += moved.filter((folder) => tables.folders.get(folder)! >= 0).length
    // Neighbours are mostly of one folder.
    let folder: string | undefined
    let stands = false
    for (let id = 0; id < tables.count; id++) {
      if (!tables.alive(id) || seen.has(id)) continue
      const path = tables.paths[id]!
      const end = Math.max(0, path.lastIndexOf('/'))
      if (end !== folder?.length || !path.startsWith(folder)) {
        folder = path.slice(0, end)
        stands = standing.has(folder)
      }
      if (!stands) this.taker.remove(id)
      // Of which kind a file is says its name, which matters only when it changed.
      else if (tables.states[id] !== FILE_STATE.symlink && !this.isSame(id, 'file', undefined))
        this.takeEntry(path, this.binary.has(extensionOf(path)) ? 'binary' : 'file', undefined, toRead)
      if (slice.isOver) await slice.next()
    }
    return toRead
  }

  /** Notes what a scan finds: which files it saw, and which of them have to be read. */
  private entryTaker(seen: Set<number>, toRead: Set<number>): ScanOptions['found'] {
    return (path, kind, target) => {
      this.takeEntry(path, kind, target, toRead)
      seen.add(this.tables.add(path))
    }
  }

  private isSame(id: number, kind: EntryKind, target: string | undefined): boolean {
    const { tables } = this
    const state = tables.states[id]
    if (kind === 'symlink') return state === FILE_STATE.symlink && tables.links.get(id) === target
    if (state === FILE_STATE.symlink || state === FILE_STATE.pending) return false
    const stat = statEntry(`${this.options.root}/${tables.paths[id]}`)
    return stat !== undefined && stat.size === tables.sizes[id] && stat.mtimeMs === tables.times[id]
  }

  /**
   * Compares paths that may have changed, appeared or gone (relative or absolute), whole folders too. `hasRules`: an ignore file
   * is among them, after which everything is to be compared anew.
   */
  async compare(paths: readonly string[]): Promise<{ toRead: Set<number>; hasRules: boolean }> {
    const { root } = this.options
    const toRead = new Set<number>()
    let hasRules = false
    for (const given of new Set(paths)) {
      const path = (isAbsolute(given) ? relative(root, given) : given).split('\\').join('/').replace(/\/$/, '')
      if (path === '' || path.startsWith('..')) continue
      if (IGNORE_FILES.includes(path.slice(path.lastIndexOf('/') + 1))) hasRules = true
      await this.compareOne(path, toRead)
    }
    return { toRead, hasRules }
  }

  private async compareOne(path: string, toRead: Set<number>): Promise<void> {
    const { tables } = this
    const { root, scope } = this.options
    this.rules.forget(path)
    const stat = statEntry(`${root}/${path}`)
    const isFolder = stat !== undefined && !stat.isFile && !stat.isSymlink
    const inScope = !scope || path === scope || path.startsWith(`${scope}/`)
    if (!stat || !inScope || this.rules.ignoresDeep(path, isFolder)) {
      for (const id of this.under(path)) this.taker.remove(id)
      return
    }
    if (isFolder) {
      const known = this.under(path)
      if (known.length === 0) this.newFolder = true
      for (const id of known)
        if (tables.paths[id] === path || !statEntry(`${root}/${tables.paths[id]}`)) this.taker.remove(id)
      const found: ScanOptions['found'] = (inner, kind, target) => this.takeEntry(inner, kind, target, toRead)
      await this.walk({ found, scope: path }).catch(() => undefined)
      return
    }
    for (const id of this.under(path)) if (tables.paths[id] !== path) this.taker.remove(id)
    const kind: EntryKind = stat.isSymlink ? 'symlink' : this.binary.has(extensionOf(path)) ? 'binary' : 'file'
    this.takeEntry(path, kind, stat.isSymlink ? linkTarget(`${root}/${path}`) : undefined, toRead)
  }

  private takeEntry(path: string, kind: EntryKind, target: string | undefined, toRead: Set<number>): void {
    const known = this.tables.find(path)
    if (known !== undefined && this.isSame(known, kind, target)) return
    const id = this.taker.enter(path, kind, target)
    if (id >= 0) toRead.add(id)
  }

  /** Ids of the live files at a path or under it as a folder. */
  private under(path: string): number[] {
    const { tables } = this
    const exact = tables.find(path)
    const prefix = path.endsWith('/') ? path : `${path}/`
    const found = exact === undefined ? [] : [exact]
    for (let id = 0; id < tables.count; id++)
      if (tables.alive(id) && tables.paths[id]!.startsWith(prefix)) found.push(id)
    return found
  }
}
