// The workers of the index: hands out jobs, and replaces a worker that has been on one file for too long.
// Answers come in any order. A file that stops a worker is asked for again as text only; if it stops one again it is given up.
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import type { ReadAnswer, ReadJob, WorkerSetup } from './worker-protocol.ts'

/** More do not help: the disk and the main thread's merging bound the rest. */
const MAX_WORKERS = 4
/** Parsers are recursive; see MAX_DEPTH in shallow.ts. Only what is used takes memory. */
const WORKER_STACK_MB = 64
/** The default (three times 16 or 32 MB) is filled before the first collection, and stays taken. */
const WORKER_YOUNG_MB = 12
/**
 * Longest time for one file, in milliseconds, by the clock and by the processor time of the whole process: a machine that is busy
 * with other things gives a worker little of it. The slowest real file known takes 200.
 */
export const FILE_TIME_LIMIT_MS = 10_000
/** By the clock alone: for a file that is waited for without work, as on a network folder that does not answer. */
const FILE_WAIT_LIMIT_MS = 120_000
const CHECK_INTERVAL_MS = 1_000
/** A worker without work for so long is ended: it holds 30 MB, and starts again in 50 ms. */
const IDLE_LIMIT_MS = 5_000
/** With more jobs of heavy engines waiting than this, every worker loads them. */
const MANY_HEAVY_JOBS = 12

interface Seat {
  worker: Worker
  heartbeat: Int32Array<SharedArrayBuffer>
  jobs: ReadJob[]
  seenBegun: number
  /** When its present file was begun, by the clock and by the process's processor time, in milliseconds. */
  since: number
  processorSince: number
  /** Since when it has nothing to do; undefined while it has. */
  idleSince: number | undefined
}

export interface PoolEvents {
  /** `worker` numbers the name table the answer's names belong to. */
  answer(answer: ReadAnswer, worker: number): void
  /** A file that stopped its worker twice. */
  lost(job: ReadJob, file: number): void
}

export class Pool {
  private seats = new Map<number, Seat>()
  private nextSeat = 0
  private light: ReadJob[] = []
  private heavy: ReadJob[] = []
  private timer: NodeJS.Timeout | undefined
  private closed = false
  private workers: number | undefined
  private most: number | undefined
  private events: PoolEvents

  constructor(events: PoolEvents, workers?: number) {
    this.events = events
    this.workers = workers
  }

  private get limit(): number {
    return (this.most ??= Math.max(1, Math.min(this.workers ?? cpus().length, MAX_WORKERS)))
  }

  /** Starts the workers before there is work, so that they load meanwhile. */
  warm(): void {
    while (this.seats.size < this.limit) this.addSeat()
  }

  /** Ends workers that have nothing to do: after thousands of files each holds some 100 MB that nobody needs. */
  async rest(): Promise<void> {
    const idle = [...this.seats].filter(([, seat]) => seat.jobs.length === 0)
    for (const [number] of idle) this.seats.delete(number)
    await Promise.all(idle.map(([, seat]) => seat.worker.terminate()))
  }

  /** After `close` nothing is taken any more. */
  send(job: ReadJob): void {
    if (this.closed) return
    this.queueOf(job).push(job)
    this.pump()
  }

  /** Jobs not answered yet. */
  get pending(): number {
    let count = this.light.length + this.heavy.length
    for (const seat of this.seats.values()) count += seat.jobs.length
    return count
  }

  /** Drops jobs that no worker has begun. */
  cancel(): void {
    this.light = []
    this.heavy = []
  }

  /** Ends the workers; jobs under way are lost. */
  async close(): Promise<void> {
    this.closed = true
    clearInterval(this.timer)
    const seats = [...this.seats.values()]
    this.seats.clear()
    await Promise.all(seats.map((seat) => seat.worker.terminate()))
  }

  private pump(): void {
    while (this.seats.size < this.limit && this.seats.size < this.pending) this.addSeat()
    let sent = true
    while (sent) {
      sent = false
      let isFirst = true
      for (const seat of this.seats.values()) {
        // Two at a time: one being read, one waiting, so that a worker never idles.
        if (seat.jobs.length < 2) sent = this.give(seat, isFirst || this.heavy.length > MANY_HEAVY_JOBS) || sent
        isFirst = false
      }
    }
  }

  private give(seat: Seat, takesHeavy: boolean): boolean {
    const job = (takesHeavy ? this.heavy.shift() : undefined) ?? this.light.shift()
    if (!job) return false
    if (seat.jobs.length === 0) beginFile(seat)
    seat.idleSince = undefined
    seat.jobs.push(job)
    // Only work under way keeps the process alive.
    seat.worker.ref()
    // A thread's port has no origin.
    // eslint-disable-next-line unicorn/require-post-message-target-origin
    seat.worker.postMessage(job)
    return true
  }

  private addSeat(): Seat {
    const heartbeat = new Int32Array(new SharedArrayBuffer(8))
    const setup: WorkerSetup = { heartbeat }
    // Loaded when there is work: a search that reads no file anew is over sooner without.
    const threads = process.getBuiltinModule('node:worker_threads')
    const worker = new threads.Worker(workerUrl(), {
      workerData: setup,
      resourceLimits: { stackSizeMb: WORKER_STACK_MB, maxYoungGenerationSizeMb: WORKER_YOUNG_MB },
    })
    const number = this.nextSeat++
    const now = Date.now()
    const seat: Seat = {
      worker,
      heartbeat,
      jobs: [],
      seenBegun: 0,
      since: now,
      processorSince: processorTime(),
      idleSince: now,
    }
    this.seats.set(number, seat)
    worker.on('message', (answer: ReadAnswer) => {
      const at = seat.jobs.findIndex((job) => job.id === answer.id)
      if (at < 0 || !this.seats.has(number)) return
      seat.jobs.splice(at, 1)
      beginFile(seat)
      this.events.answer(answer, number)
      this.pump()
      if (seat.jobs.length > 0) return
      worker.unref()
      seat.idleSince = Date.now()
    })
    worker.on('error', () => this.replace(number))
    worker.unref()
    this.timer ??= setInterval(() => this.check(), CHECK_INTERVAL_MS).unref()
    return seat
  }

  private check(): void {
    for (const [number, seat] of this.seats) {
      const begun = Atomics.load(seat.heartbeat, 1)
      if (begun !== seat.seenBegun || seat.jobs.length === 0) {
        seat.seenBegun = begun
        beginFile(seat)
      } else if (isOverTime(seat)) this.replace(number)
      if (seat.idleSince !== undefined && Date.now() - seat.idleSince > IDLE_LIMIT_MS) {
        this.seats.delete(number)
        void seat.worker.terminate()
      }
    }
    if (this.seats.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** Ends a worker that hangs or died; its files are asked for again, the one it was on as text only. */
  private replace(number: number): void {
    const seat = this.seats.get(number)
    if (!seat || this.closed) return
    this.seats.delete(number)
    const file = Atomics.load(seat.heartbeat, 0) - 1
    void seat.worker.terminate()
    const [job] = seat.jobs
    if (job && file >= 0) {
      if (job.textOnly[file] === 1) {
        this.events.lost(job, file)
        job.paths[file] = ''
      } else job.textOnly[file] = 1
    }
    for (const waiting of seat.jobs) this.queueOf(waiting).unshift(waiting)
    this.pump()
  }

  private queueOf(job: ReadJob): ReadJob[] {
    return job.heavy ? this.heavy : this.light
  }
}

function beginFile(seat: Seat): void {
  seat.since = Date.now()
  seat.processorSince = processorTime()
}

function isOverTime({ since, processorSince }: Seat): boolean {
  const waited = Date.now() - since
  return (
    waited > FILE_WAIT_LIMIT_MS ||
    (waited > FILE_TIME_LIMIT_MS && processorTime() - processorSince > FILE_TIME_LIMIT_MS)
  )
}

/** Of all threads of this process, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The worker's code: beside this module from source; in the bundle one file beside cli.js, chunks being one folder down. */
function workerUrl(): URL {
  const here = import.meta.url
  if (here.endsWith('.ts')) return new URL('./worker.ts', here)
  return new URL(
    fileURLToPath(here).includes('/chunks/') || here.includes('/chunks/') ? '../index-worker.js' : './index-worker.js',
    here,
  )
}
