// Contents of files for answers and for search, kept in a bounded cache and checked against the disk by size and time.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isAscii } from 'node:buffer'
import { FILE_STATE } from './file-state.ts'
import { statEntry } from './scan.ts'
import type { Tables } from './tables.ts'

/** Memory of the texts kept at most, in bytes; those of 10,000 usual files. */
const CACHE_BYTES = 128 * 1024 * 1024

interface Kept {
  text: string
  /** What the text takes, in bytes: V8 holds plain ASCII as one byte per character, else two. */
  room: number
  size: number
  time: number
}

interface Loaded {
  bytes: Buffer
  size: number
  time: number
}

/** Files below this size are read into one buffer, in bytes. */
const REUSED_BYTES = 4 * 1024 * 1024
let reused = Buffer.allocUnsafeSlow(256 * 1024)

const decoder = new TextDecoder()

/** Text without its byte order mark. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

export class Texts {
  private tables: Tables
  private root: string
  /** By file id, least recently used first. Decoded: a search that reads every text spends less on it than on decoding. */
  private kept = new Map<number, Kept>()
  private total = 0
  /** Files that were read once for their bytes alone. */
  private glanced = new Set<number>()
  /** Files the answers under way were made from. */
  private watchers = new Set<Set<number>>()

  constructor(tables: Tables, root: string) {
    this.tables = tables
    this.root = root
  }

  /** Runs a query and gives the files its answer was made from. Queries that run side by side see each other's files too. */
  async collect<T>(run: () => Promise<T>): Promise<{ result: T; files: Set<number> }> {
    const files = new Set<number>()
    this.watchers.add(files)
    try {
      return { result: await run(), files }
    } finally {
      this.watchers.delete(files)
    }
  }

  touch(file: number): void {
    for (const files of this.watchers) files.add(file)
  }

  /** Those of the files that differ from what the tables hold of them, as paths. */
  stale(files: Iterable<number>): string[] {
    const { tables } = this
    const stale: string[] = []
    for (const file of files) {
      const path = tables.paths[file]!
      const stat = statEntry(`${this.root}/${path}`)
      const known = tables.alive(file)
      if (stat ? !known || stat.size !== tables.sizes[file] || stat.mtimeMs !== tables.times[file] : known)
        stale.push(path)
    }
    return stale
  }

  /** Bytes of a text file as they are on disk now, without the byte order mark; undefined when it is gone or no text. */
  bytes(file: number): Buffer | undefined {
    this.touch(file)
    return this.load(file)?.bytes
  }

  /** The file's text; undefined when it is gone or no text. */
  text(file: number): string | undefined {
    this.touch(file)
    return this.read(file)
  }

  /**
   * As `read`, but perhaps undefined too for a text without `part` in it, which is UTF-8. At the first look at a file its bytes
   * are searched, and decoded only when the part is there: a program that asks once does not decode what it found nothing in.
   */
  readHolding(file: number, part: Buffer): string | undefined {
    if (this.kept.has(file) || this.glanced.has(file)) return this.read(file)
    this.glanced.add(file)
    const loaded = this.loadKnown(file) ?? this.load(file)
    return loaded?.bytes.includes(part) ? this.decode(file, loaded) : undefined
  }

  /** As `text`, for a file that the answer may turn out not to be made from: who uses it calls `touch`. */
  read(file: number): string | undefined {
    const { tables } = this
    const kept = this.kept.get(file)
    if (kept && kept.size === tables.sizes[file] && kept.time === tables.times[file] && this.isText(file)) {
      this.kept.delete(file)
      this.kept.set(file, kept)
      return kept.text
    }
    this.drop(file)
    const loaded = this.loadKnown(file) ?? this.load(file)
    return loaded && this.decode(file, loaded)
  }

  private decode(file: number, { bytes, size, time }: Loaded): string {
    const plain = isAscii(bytes)
    const text = plain ? bytes.toString('latin1') : decoder.decode(bytes)
    this.keep(file, { text, room: plain ? text.length : 2 * text.length, size, time })
    return text
  }

  clear(): void {
    this.kept.clear()
    this.glanced.clear()
    this.total = 0
  }

  private isText(file: number): boolean {
    const state = this.tables.states[file]
    return state === FILE_STATE.parsed || state === FILE_STATE.text
  }

  /**
   * As `load` without asking for size and time, into a buffer that the next one uses again: half of its cost. Undefined when the
   * file has not the size the tables know. One that changed within its size counts as what they know, and is found by
   * `stale` as soon as an answer is made from it.
   */
  private loadKnown(file: number): Loaded | undefined {
    const { tables } = this
    const size = tables.sizes[file]!
    if (size >= REUSED_BYTES || !this.isText(file)) return undefined
    if (size >= reused.length) reused = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(size + 1)))
    let handle: number
    try {
      handle = openSync(`${this.root}/${tables.paths[file]}`, 'r')
    } catch {
      return undefined
    }
    try {
      // One byte more, which says that it has grown.
      if (readSync(handle, reused, 0, size + 1, null) !== size) return undefined
      return { bytes: withoutMark(reused.subarray(0, size)), size, time: tables.times[file]! }
    } catch {
      return undefined
    } finally {
      closeSync(handle)
    }
  }

  private load(file: number): Loaded | undefined {
    if (!this.isText(file)) return undefined
    let handle: number
    try {
      handle = openSync(`${this.root}/${this.tables.paths[file]}`, 'r')
    } catch {
      return undefined
    }
    try {
      const stat = fstatSync(handle)
      const whole = Buffer.allocUnsafeSlow(stat.size)
      const length = stat.size === 0 ? 0 : readSync(handle, whole, 0, stat.size, 0)
      return { bytes: withoutMark(whole.subarray(0, length)), size: stat.size, time: stat.mtimeMs }
    } catch {
      return undefined
    } finally {
      closeSync(handle)
    }
  }

  private keep(file: number, kept: Kept): void {
    this.kept.set(file, kept)
    this.total += kept.room
    for (const oldest of this.kept.keys()) {
      if (this.total <= CACHE_BYTES) return
      if (oldest !== file) this.drop(oldest)
    }
  }

  private drop(file: number): void {
    const kept = this.kept.get(file)
    if (!kept) return
    this.kept.delete(file)
    this.total -= kept.room
  }
}
