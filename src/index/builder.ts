// Fills the tables: scans the workspace, has files read by the workers, takes their answers in.
// A file's row changes in one step, when its answer arrives; until then queries see what was there before.
import { isAbsolute, relative } from 'node:path'
import { FolderTimes } from './folder-times.ts'
import { IGNORE_FILES, IgnoreRules } from './ignore-rules.ts'
import { FolderSurvey } from './folder-survey.ts'
import { isHeavy } from './languages.ts'
import { Pool } from './pool.ts'
import { FILE_STATE, HASH_BYTES } from './read-file.ts'
import {
  BINARY_EXTENSIONS,
  extensionOf,
  linkTarget,
  scan,
  scanAgain,
  Slice,
  statEntry,
  type EntryKind,
  type ScanOptions,
} from './scan.ts'
import { remapNames, type Tables } from './tables.ts'
import type { ReadAnswer, ReadJob } from './worker-protocol.ts'
import { createSecretFileRule } from '../workspace/secrets/secret-files.ts'

/** Files per job: small enough that progress shows and both workers end together, large enough that messages cost nothing. */
const JOB_FILES = 48
/** Files counted while somebody decides whether so many are wanted; behind them the walk waits too. */
const MOST_COUNTED = 250_000

export interface BuilderOptions {
  root: string
  scope?: string
  ignorePatterns?: readonly string[]
  secretFiles?: readonly string[]
  binaryExtensions?: readonly string[]
  workers?: number
  settledMs?: number
  signal?: AbortSignal
  onProgress?: (progress: { phase: 'scan' | 'parse' | 'ready'; done: number; total: number }) => void
  /** Files of a first build that are too many to be read unasked. */
  maxFilesWarning: number
  /** Asked once when a first build finds more: files are counted but not read until it resolves; it rejects to end the build. */
  onLarge?: (survey: FolderSurvey) => Promise<void>
}

export interface BuilderEvents {
  /** A file's facts are about to be replaced or dropped. */
  replacing(file: number): void
}

interface Waiting {
  ids: number[]
  done: () => void
}

export class Builder {
  readonly tables: Tables
  readonly rules: IgnoreRules
  private times: FolderTimes
  readonly faults = new Set<string>()
  unreadableFolders = 0
  /** Folders whose lists were taken anew and need not be again while they stay as they are. */
  settledFolders = 0
  /** Files whose rows changed since `takeChanges`, and whether files came or went. */
  private changedFiles = new Set<number>()
  private shape = false
  private newFolder = false
  private options: BuilderOptions
  private events: BuilderEvents
  private binary: ReadonlySet<string>
  private pool: Pool
  private jobs = new Map<number, Waiting>()
  private remaps = new Map<number, number[]>()
  private nextJob = 0
  private closed = false

  constructor(tables: Tables, options: BuilderOptions, events: BuilderEvents = { replacing: () => undefined }) {
    this.tables = tables
    this.options = options
    this.events = events
    const secretRule = options.secretFiles && createSecretFileRule(options.secretFiles)
    this.rules = new IgnoreRules(
      options.root,
      options.ignorePatterns,
      secretRule && ((path) => secretRule(path) !== null),
      tables.ignoreStamps,
    )
    this.times = new FolderTimes(options.root, options.settledMs)
    this.binary = new Set(options.binaryExtensions ?? BINARY_EXTENSIONS)
    this.pool = new Pool(
      { answer: (answer, worker) => this.take(answer, worker), lost: (job, file) => this.lose(job, file) },
      options.workers,
    )
  }

  warm(): void {
    this.pool.warm()
  }

  /** Gives the memory of a large build back. */
  async rest(): Promise<void> {
    await this.pool.rest()
    if (this.jobs.size === 0) this.remaps.clear()
  }

  /** Ends what is under way: reads that wait are given up, with the files as they were before. */
  async close(): Promise<void> {
    this.closed = true
    await this.pool.close()
    for (const job of this.jobs.values()) job.done()
    this.jobs.clear()
  }

  /** Reads the whole workspace. Rejects when it is aborted or the root cannot be read; what was read until then stays. */
  async buildAll(): Promise<void> {
    const { signal, onProgress, onLarge, maxFilesWarning } = this.options
    let done = 0
    let total = 0
    let found = 0
    const large = new Decision(signal)
    const batches: [number[], number[]] = [[], []]
    const jobs: Promise<void>[] = []
    const send = (which: 0 | 1) => {
      const ids = batches[which]
      batches[which] = []
      const readAll = async (): Promise<void> => {
        if (!(await large.isYes())) return
        await this.read(ids)
        done += ids.length
        onProgress?.({ phase: 'parse', done, total })
      }
      jobs.push(readAll())
    }
    const cancel = () => this.pool.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      this.unreadableFolders = await this.walk({
        pause: () => large.pause(),
        found: (path, kind, target) => {
          const id = this.addEntry(path, kind, target)
          found++
          large.survey?.add(path)
          if (onLarge && found > maxFilesWarning) large.ask(onLarge, this.tables.paths)
          if (id < 0) return
          total++
          const which = isHeavy(path) ? 1 : 0
          batches[which].push(id)
          if (batches[which].length === JOB_FILES) send(which)
        },
      })
      await large.scanned()
      if (batches[1].length > 0) send(1)
      if (batches[0].length > 0) send(0)
      onProgress?.({ phase: 'scan', done, total })
      await Promise.race([Promise.all(jobs), aborted(signal)])
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  private walk(what: Pick<ScanOptions, 'found' | 'pause'> & { scope?: string }): Promise<number>
  private walk(what: Pick<ScanOptions, 'found'>, folders: readonly string[]): Promise<number | undefined>
  /** See `scan` and `scanAgain`. */
  private async walk(what: Pick<ScanOptions, 'found'>, folders?: readonly string[]): Promise<number | undefined> {
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

  /** Enters a found path; gives its id when it has to be read. */
  addEntry(path: string, kind: EntryKind, target: string | undefined): number {
    const { tables } = this
    const id = tables.add(path)
    if (tables.states[id] === FILE_STATE.gone) this.shape = true
    if (kind === 'file') {
      if (tables.states[id] === FILE_STATE.gone) tables.states[id] = FILE_STATE.pending
      return id
    }
    const stat = statEntry(`${this.options.root}/${path}`)
    this.replace(id, undefined)
    tables.setStat(id, kind === 'symlink' ? FILE_STATE.symlink : FILE_STATE.binary, stat?.size ?? 0, stat?.mtimeMs ?? 0)
    if (target !== undefined) tables.links.set(id, target)
    return -1
  }

  /** Has files read; resolves when the tables hold them. */
  async read(ids: number[]): Promise<void> {
    if (this.closed) return
    const { root } = this.options
    const id = this.nextJob++
    const names = ids.map((file) => this.tables.paths[file]!)
    const job: ReadJob = {
      id,
      paths: names.map((name) => `${root}/${name}`),
      names,
      textOnly: new Uint8Array(ids.length),
      heavy: isHeavy(names[0] ?? ''),
    }
    await new Promise<void>((resolve) => {
      this.jobs.set(id, { ids, done: resolve })
      this.pool.send(job)
    })
  }

  /** What changed since it was last asked. */
  takeChanges(): { files: number[]; shape: boolean } {
    const changes = { files: [...this.changedFiles], shape: this.shape }
    this.changedFiles.clear()
    this.shape = false
    return changes
  }

  /** Whether a folder came since it was last asked. */
  takeNewFolder(): boolean {
    const { newFolder } = this
    this.newFolder = false
    return newFolder
  }

  private replace(id: number, facts: Int32Array | undefined): void {
    this.events.replacing(id)
    this.tables.setFacts(id, facts)
    this.changedFiles.add(id)
  }

  private remove(id: number): void {
    this.events.replacing(id)
    this.tables.remove(id)
    this.changedFiles.add(id)
    this.shape = true
  }

  /**
   * Compares every file with the disk and takes in what differs: new, gone, and those of another size or time. Folders are listed
   * again where their time moved, all of them where an ignore file did, or `anew`.
   */
  async refresh(anew = false): Promise<void> {
    const toRead = (!anew && (await this.refreshKnown())) || (await this.refreshAll())
    await this.readAll([...toRead])
  }

  private async refreshAll(): Promise<Set<number>> {
    const { tables } = this
    this.rules.reset()
    tables.folders.clear()
    const seen = new Set<number>()
    const toRead = new Set<number>()
    this.unreadableFolders = await this.walk({ found: this.entryTaker(seen, toRead) })
    for (let id = 0; id < tables.count; id++) if (tables.alive(id) && !seen.has(id)) this.remove(id)
    return toRead
  }

  /** As `refreshAll` where most folders are as they were listed; undefined where that cannot be told from them. */
  private async refreshKnown(): Promise<Set<number> | undefined> {
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
    for (let id = 0; id < tables.count; id++) {
      if (!tables.alive(id) || seen.has(id)) continue
      const path = tables.paths[id]!
      if (!standing.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))))) this.remove(id)
      else if (tables.states[id] !== FILE_STATE.symlink)
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

  private async readAll(ids: number[]): Promise<void> {
    const jobs: Promise<void>[] = []
    for (const heavy of [true, false]) {
      const own = ids.filter((id) => isHeavy(this.tables.paths[id]!) === heavy)
      for (let at = 0; at < own.length; at += JOB_FILES) jobs.push(this.read(own.slice(at, at + JOB_FILES)))
    }
    await Promise.all(jobs)
  }

  /**
   * Takes in paths that may have changed, appeared or gone (relative or absolute), whole folders too.
   *
   * @returns whether an ignore file is among them, after which a refresh is due
   */
  async update(paths: readonly string[]): Promise<boolean> {
    const { root } = this.options
    const toRead = new Set<number>()
    let ignores = false
    for (const given of new Set(paths)) {
      const path = (isAbsolute(given) ? relative(root, given) : given).split('\\').join('/').replace(/\/$/, '')
      if (path === '' || path.startsWith('..')) continue
      if (IGNORE_FILES.includes(path.slice(path.lastIndexOf('/') + 1))) ignores = true
      await this.updateOne(path, toRead)
    }
    await this.readAll([...toRead])
    return ignores
  }

  private async updateOne(path: string, toRead: Set<number>): Promise<void> {
    const { tables } = this
    const { root, scope } = this.options
    this.rules.forget(path)
    const stat = statEntry(`${root}/${path}`)
    const isFolder = stat !== undefined && !stat.isFile && !stat.isSymlink
    const inScope = !scope || path === scope || path.startsWith(`${scope}/`)
    if (!stat || !inScope || this.rules.ignoresDeep(path, isFolder)) {
      for (const id of this.under(path)) this.remove(id)
      return
    }
    if (isFolder) {
      const known = this.under(path)
      if (known.length === 0) this.newFolder = true
      for (const id of known)
        if (tables.paths[id] === path || !statEntry(`${root}/${tables.paths[id]}`)) this.remove(id)
      const found: ScanOptions['found'] = (inner, kind, target) => this.takeEntry(inner, kind, target, toRead)
      await this.walk({ found, scope: path }).catch(() => undefined)
      return
    }
    for (const id of this.under(path)) if (tables.paths[id] !== path) this.remove(id)
    const kind: EntryKind = stat.isSymlink ? 'symlink' : this.binary.has(extensionOf(path)) ? 'binary' : 'file'
    this.takeEntry(path, kind, stat.isSymlink ? linkTarget(`${root}/${path}`) : undefined, toRead)
  }

  private takeEntry(path: string, kind: EntryKind, target: string | undefined, toRead: Set<number>): void {
    const known = this.tables.find(path)
    if (known !== undefined && this.isSame(known, kind, target)) return
    const id = this.addEntry(path, kind, target)
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

  private take(answer: ReadAnswer, worker: number): void {
    const job = this.jobs.get(answer.id)
    let remap = this.remaps.get(worker)
    if (!remap) this.remaps.set(worker, (remap = []))
    this.tables.names.addAll(answer.batch.names, remap)
    for (const fault of answer.faults) this.faults.add(fault)
    if (!job) return
    this.jobs.delete(answer.id)
    const { facts, ends } = answer.batch
    let start = 0
    job.ids.forEach((id, i) => {
      const own = facts.subarray(start, ends[i])
      start = ends[i]!
      this.takeFile(id, own, remap, answer, i)
    })
    job.done()
  }

  private takeFile(id: number, facts: Int32Array, remap: number[], answer: ReadAnswer, i: number): void {
    const { tables } = this
    const state = answer.states[i]!
    if (state === FILE_STATE.unreadable && !statEntry(`${this.options.root}/${tables.paths[id]}`)) {
      this.remove(id)
      return
    }
    const hash = answer.hashes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES)
    // Touched, but the same: its facts stand.
    const same =
      tables.states[id] === state &&
      tables.hash(id).every((byte, at) => byte === hash[at]) &&
      answer.sizes[i] === tables.sizes[id]
    tables.setStat(id, state, answer.sizes[i]!, answer.times[i]!)
    if (same && state !== FILE_STATE.pending) return
    tables.hashes.set(hash, id * HASH_BYTES)
    tables.links.delete(id)
    const isText = state === FILE_STATE.parsed || state === FILE_STATE.text
    if (isText) remapNames(facts, remap)
    this.replace(id, isText ? facts : undefined)
  }

  /** A file that no worker survives: known by name only. */
  private lose(job: ReadJob, file: number): void {
    const ids = this.jobs.get(job.id)?.ids
    if (ids) this.faults.add(`${job.names[file]} could not be read in time and is left out.`)
  }
}

/** Whether the files of a large folder are to be read: yes while nobody was asked. */
class Decision {
  survey: FolderSurvey | undefined
  private made: Promise<void> | undefined
  private refusal: { reason: unknown } | undefined
  private readonly signal: AbortSignal | undefined

  constructor(signal: AbortSignal | undefined) {
    this.signal = signal
  }

  ask(onLarge: (survey: FolderSurvey) => Promise<void>, found: readonly string[]): void {
    if (this.survey) return
    this.survey = new FolderSurvey(found)
    this.made = Promise.race([onLarge(this.survey), aborted(this.signal)]).catch((reason: unknown) => {
      this.refusal = { reason }
    })
  }

  async isYes(): Promise<boolean> {
    await this.made
    return this.refusal === undefined
  }

  /** Holds the walk when enough has been counted to decide; throws once the answer is no. */
  async pause(): Promise<void> {
    if (this.survey && this.survey.files >= MOST_COUNTED) await this.made
    if (this.refusal) throw this.refusal.reason
  }

  /** Everything is counted; resolves when the files are to be read. */
  async scanned(): Promise<void> {
    if (this.survey) this.survey.isCounting = false
    await this.made
    if (this.refusal) throw this.refusal.reason
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    if (signal?.aborted) reject(signal.reason as Error)
  })
}
