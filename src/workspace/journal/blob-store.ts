// Contents by their sha256, one file each. Promises: what `get` returns is what was put, checked by its hash; a content is stored
// once; a crash leaves at most a temporary file; what is secret lies sealed (seal.ts). Does not know who needs what: `collect` is
// told.

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../files/text-format.ts'
import { createSeal, isSealedName, type Seal } from './seal.ts'

export interface BlobStore {
  /** The name a content is stored under: its sha256, or of a secret one a keyed hash. Null when there is no key to seal it with. */
  nameOf(bytes: Uint8Array, secret: boolean): string | null
  /** Whether this was sealed with a key that is not here. */
  lacksKey(hash: string): boolean
  /** Stores bytes under their name; with `durable` the disk has them on return. Throws what the file system throws. */
  put(hash: string, bytes: Uint8Array, durable: boolean): void
  has(hash: string): boolean
  /** Null when it is not there, or damaged. */
  get(hash: string): Buffer | null
  /** Hash and size in bytes of everything stored. */
  sizes(): Map<string, number>
  /** Deletes what is not in `needed` and was not stored within the last seconds, or minutes where others store too; returns the bytes freed. */
  collect(needed: ReadonlySet<string>): number
  /** Bytes stored since this was opened. */
  written(): number
  /** Milliseconds since 1970 of the last collection by anyone; 0 before the first. */
  collectedAt(): number
  /** Whether another living process stores contents here too. */
  shared(): boolean
  /** Whether contents of secret files that were once stored in plain are gone from here; `markSealed` says so. */
  isSealed(): boolean
  markSealed(): void
}

// Another process may have stored a content whose entry is not written yet, also one that began just now.
const GRACE_MS = 10 * 60 * 1000
const GRACE_ALONE_MS = 5000

/** What this process left to say that it is at work. */
const marks = new Set<string>()

function removeMarks(): void {
  for (const mark of marks) rmSync(mark, { force: true })
}

/** Opens the contents in a folder; `keyFile` has the key of the sealed ones, and without it none is kept. */
export function openBlobStore(folder: string, keyFile?: string): BlobStore {
  const seal: Seal | undefined = keyFile === undefined ? undefined : createSeal(keyFile)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let written = 0
  let claimed = false
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash)

  /** Asked of the disk each time: another process may have collected it. */
  function has(hash: string): boolean {
    const stats = statSync(pathOf(hash), { throwIfNoEntry: false })
    if (stats === undefined) return false
    // It may be old and needed by nobody: say that it is wanted again.
    if (Date.now() - stats.mtimeMs > GRACE_MS / 2) utimesSync(pathOf(hash), new Date(), new Date())
    return true
  }

  function put(hash: string, bytes: Uint8Array, durable: boolean): void {
    claim()
    if (has(hash)) return
    const path = pathOf(hash)
    mkdirSync(join(folder, hash.slice(0, 2)), { recursive: true, mode: 0o700 })
    const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`
    const fd = openSync(temporary, 'wx', 0o600)
    try {
      const stored = isSealedName(hash) ? seal!.close(hash, bytes) : bytes
      for (let at = 0; at < stored.length;) at += writeSync(fd, stored, at, stored.length - at, at)
      if (durable) fsyncSync(fd)
    } catch (error) {
      unlinkSync(temporary)
      throw error
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, path)
    written += bytes.length
  }

  function get(hash: string): Buffer | null {
    try {
      const bytes = readFileSync(pathOf(hash))
      if (isSealedName(hash)) return seal?.open(hash, bytes) ?? null
      return sha256(bytes) === hash ? bytes : null
    } catch {
      return null
    }
  }

  function* files(): Generator<{ name: string; path: string }> {
    for (const part of readdirSync(folder)) {
      if (!/^[0-9a-f]{2}$/.test(part)) continue
      for (const name of readdirSync(join(folder, part))) yield { name, path: join(folder, part, name) }
    }
  }

  function sizes(): Map<string, number> {
    const found = new Map<string, number>()
    for (const { name, path } of files()) {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats !== undefined && !name.endsWith('.tmp')) found.set(name, stats.size)
    }
    return found
  }

  /** Leaves word that this process is at work here, for `shared` of others. */
  function claim(): void {
    if (claimed) return
    claimed = true
    const mark = join(folder, `process-${process.pid}`)
    writeFileSync(mark, '')
    if (marks.size === 0) process.once('exit', removeMarks)
    marks.add(mark)
  }

  function shared(): boolean {
    const others = readdirSync(folder).flatMap((name) => /^process-(\d+)$/.exec(name)?.[1] ?? [])
    return others.some((id) => {
      if (Number(id) === process.pid || isAlive(Number(id))) return Number(id) !== process.pid
      rmSync(join(folder, `process-${id}`), { force: true })
      return false
    })
  }

  function collect(needed: ReadonlySet<string>): number {
    let freed = 0
    const grace = shared() ? GRACE_MS : GRACE_ALONE_MS
    writeFileSync(join(folder, 'collected'), '')
    for (const { name, path } of files()) {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats === undefined || needed.has(name) || Date.now() - stats.mtimeMs < grace) continue
      unlinkSync(path)
      freed += stats.size
    }
    return freed
  }

  const collectedAt = (): number => statSync(join(folder, 'collected'), { throwIfNoEntry: false })?.mtimeMs ?? 0

  const sealedMark = join(folder, 'sealed')
  return {
    nameOf: (bytes, secret) => (secret ? (seal?.nameOf(bytes) ?? null) : sha256(bytes)),
    lacksKey: (hash) => isSealedName(hash) && seal?.hasKeyOf(hash) !== true,
    put,
    has,
    get,
    sizes,
    collect,
    written: () => written,
    collectedAt,
    shared,
    isSealed: () => statSync(sealedMark, { throwIfNoEntry: false }) !== undefined,
    markSealed: () => writeFileSync(sealedMark, ''),
  }
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Contents that end with the process (`--ephemeral`). */
export function createMemoryBlobStore(): BlobStore {
  const blobs = new Map<string, Buffer>()
  let written = 0
  return {
    // Nothing of it reaches a disk.
    nameOf: (bytes) => sha256(bytes),
    lacksKey: () => false,
    isSealed: () => true,
    markSealed: () => undefined,
    put(hash, bytes) {
      if (blobs.has(hash)) return
      blobs.set(hash, Buffer.from(bytes))
      written += bytes.length
    },
    has: (hash) => blobs.has(hash),
    get: (hash) => blobs.get(hash) ?? null,
    sizes: () => new Map([...blobs].map(([hash, bytes]) => [hash, bytes.length])),
    collect(needed) {
      let freed = 0
      for (const [hash, bytes] of blobs) {
        if (needed.has(hash)) continue
        blobs.delete(hash)
        freed += bytes.length
      }
      return freed
    },
    written: () => written,
    collectedAt: () => Date.now(),
    shared: () => false,
  }
}
