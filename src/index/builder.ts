// Fills the tables: scans the workspace, has files read by the workers, takes their answers in.
// A file's row changes in one step, when its answer arrives; until then queries see what was there before.
import { DiskComparison, type DiskOptions } from './disk-comparison.ts'
import { FolderSurvey } from './folder-survey.ts'
import { isHeavy } from './languages.ts'
import { Pool } from './pool.ts'
import { FILE_STATE, HASH_BYTES } from './file-state.ts'
import { statEntry, type EntryKind } from './scan.ts'
import { remapNames, type Tables } from './tables.ts'
import type { ReadAnswer, ReadJob } from './worker-protocol.ts'

/** Files per job: small enough that progress shows and both workers end together, large enough that messages cost nothing. */
const JOB_FILES = 48
/** Files counted while somebody decides whether so many are wanted; behind them the walk waits too. */
const MOST_COUNTED = 250_000

export interface BuilderOptions extends DiskOptions {
  workers?: number
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
  readonly disk: DiskComparison
  readonly faults = new Set<string>()
  /** Files whose rows changed since `takeChanges`, and whether files came or went. */
  private changedFiles = new Set<number>()
  private shape = false
  private options: BuilderOptions
  private events: BuilderEvents
  private pool: Pool
  private jobs = new Map<number, Waiting>()
  private remaps = new Map<number, number[]>()
  private nextJob = 0
  private closed = false

  constructor(tables: Tables, options: BuilderOptions, events: BuilderEvents = { replacing: () => undefined }) {
    this.tables = tables
    this.options = options
    this.events = events
    this.disk = new DiskComparison(tables, options, {
      enter: (path, kind, target) => this.enter(path, kind, target),
      remove: (id) => this.remove(id),
    })
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
      await this.disk.walkAll({
        pause: () => large.pause(),
        found: (path, kind, target) => {
          const id = this.enter(path, kind, target)
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

  /** Enters a found path; gives its id when it has to be read, else -1. */
  private enter(path: string, kind: EntryKind, target: string | undefined): number {
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

  /** Takes in whatever differs on the disk: see DiskComparison. */
  async refresh(anew = false): Promise<void> {
    await this.readAll(await this.disk.compareAll(anew))
  }

  /**
   * Takes in paths that may have changed, appeared or gone (relative or absolute), whole folders too.
   *
   * @returns whether an ignore file is among them, after which a refresh is due
   */
  async update(paths: readonly string[]): Promise<boolean> {
    const { toRead, hasRules } = await this.disk.compare(paths)
    await this.readAll(toRead)
    return hasRules
  }

  private async readAll(ids: Iterable<number>): Promise<void> {
    const all = [...ids]
    const jobs: Promise<void>[] = []
    for (const heavy of [true, false]) {
      const own = all.filter((id) => isHeavy(this.tables.paths[id]!) === heavy)
      for (let at = 0; at < own.length; at += JOB_FILES) jobs.push(this.read(own.slice(at, at + JOB_FILES)))
    }
    await Promise.all(jobs)
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
