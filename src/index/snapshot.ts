// The index on disk: one flat file with a header, a checksum and the tables as they stand in memory.
// A file that is truncated, damaged, of another format or of another workspace is as if it were not there. Written beside and
// renamed, so that a crash or another process leaves a whole one.
import { isAscii } from 'node:buffer'
import { readSync } from 'node:fs'
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { NameTable } from './names.ts'
import { HASH_BYTES } from './file-state.ts'
import { Tables } from './tables.ts'

/** Raised whenever the meaning of a word in the tables changes; older files are then rebuilt. */
export const SNAPSHOT_FORMAT = 5
const MAGIC = 0x58494843
/** Words: magic, format, length of the header text, checksum of what follows, total length (low, high). */
const PREFIX_BYTES = 24
/** Bytes checked or written in one go before others have a turn. */
const SLICE_BYTES = 8 * 1024 * 1024
const ALIGN = 8

interface Header {
  root: string
  /** Settings that change what is indexed. */
  key: string
  files: number
  sections: { name: string; start: number; length: number }[]
  links: [number, string][]
  /** Tables.folders; null for NaN. */
  folders: [string, number | null][]
  ignoreStamps: [string, string][]
}

type Part = { name: string; views: Uint8Array[] }

/** Writes the tables; rejects when the disk is full or the folder cannot be written, and then leaves nothing behind. */
export async function saveSnapshot(path: string, root: string, key: string, tables: Tables): Promise<void> {
  const parts = partsOf(tables)
  const { folders, ignoreStamps, links } = tables
  const header: Header = {
    root,
    key,
    files: tables.count,
    sections: [],
    links: [...links],
    folders: [...folders],
    ignoreStamps: [...ignoreStamps],
  }
  const room = headerRoom(header, parts)
  const views: Uint8Array[] = []
  let at = PREFIX_BYTES + room
  for (const part of parts) {
    const length = part.views.reduce((sum, view) => sum + view.length, 0)
    header.sections.push({ name: part.name, start: at, length })
    views.push(...part.views)
    const padding = (ALIGN - (length % ALIGN)) % ALIGN
    if (padding > 0) views.push(new Uint8Array(padding))
    at += length + padding
  }
  const text = Buffer.alloc(room, 32)
  text.write(JSON.stringify(header))
  views.unshift(text)
  let checksum = 0
  for (const chunk of chunks(views)) {
    for (const view of chunk) checksum = crc32(view, checksum)
    await pause()
  }
  const prefix = Uint32Array.of(MAGIC, SNAPSHOT_FORMAT, room, checksum, at >>> 0, Math.floor(at / 2 ** 32))
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.${Date.now().toString(36)}.tmp`
  try {
    const file = await open(temporary, 'w')
    try {
      await writeFully(file, [new Uint8Array(prefix.buffer)])
      for (const chunk of chunks(views)) await writeFully(file, chunk)
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

function partsOf(tables: Tables): Part[] {
  const { count } = tables
  const names = tables.names.data()
  const paths = tables.paths.map((path) => Buffer.from(path))
  const pathEnds = new Int32Array(count)
  const factEnds = new Float64Array(count)
  const facts: Uint8Array[] = []
  let pathEnd = 0
  let factEnd = 0
  for (let id = 0; id < count; id++) {
    pathEnd += paths[id]!.length
    pathEnds[id] = pathEnd
    const own = tables.facts[id]
    if (own) facts.push(bytesOf(own))
    factEnd += own?.length ?? 0
    factEnds[id] = factEnd
  }
  return [
    { name: 'nameBytes', views: [names.bytes] },
    { name: 'nameEnds', views: [bytesOf(names.ends)] },
    { name: 'nameSlots', views: [bytesOf(names.slots)] },
    { name: 'paths', views: paths },
    { name: 'pathEnds', views: [bytesOf(pathEnds)] },
    { name: 'states', views: [tables.states.slice(0, count)] },
    { name: 'sizes', views: [bytesOf(tables.sizes.slice(0, count))] },
    { name: 'times', views: [bytesOf(tables.times.slice(0, count))] },
    { name: 'hashes', views: [tables.hashes.slice(0, count * HASH_BYTES)] },
    { name: 'factEnds', views: [bytesOf(factEnds)] },
    { name: 'facts', views: facts },
  ]
}

/** Bytes to set aside for the header text: its length is known only once all places are. */
function headerRoom(header: Header, parts: Part[]): number {
  const sections = parts.map(({ name }) => ({ name, start: Number.MAX_SAFE_INTEGER, length: Number.MAX_SAFE_INTEGER }))
  const length = Buffer.byteLength(JSON.stringify({ ...header, sections }))
  return Math.ceil(length / ALIGN) * ALIGN
}

/** Reads a snapshot; undefined when there is none that can be trusted. */
export async function loadSnapshot(path: string, root: string, key: string): Promise<Tables | undefined> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    const { size } = await file.stat()
    if (size < PREFIX_BYTES) return undefined
    const whole = Buffer.allocUnsafeSlow(size)
    // A small one is there sooner than another thread could begin.
    const isSmall = size <= SLICE_BYTES && readSync(file.fd, whole, 0, size, 0) === size
    const checksum = isSmall ? crc32(whole.subarray(PREFIX_BYTES)) : await readWhole(file, whole)
    return checksum === undefined ? undefined : parse(whole, checksum, root, key)
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

/** Reads a file into its room; gives the checksum of what follows the prefix, made while the next stretch is read. */
async function readWhole(file: FileHandle, whole: Buffer): Promise<number | undefined> {
  const readTo = async (from: number): Promise<number | undefined> => {
    const to = Math.min(from + SLICE_BYTES, whole.length)
    for (let at = from; at < to;) {
      const { bytesRead } = await file.read(whole, at, to - at, at)
      if (bytesRead === 0) return undefined
      at += bytesRead
    }
    return to
  }
  let checksum = 0
  let end = await readTo(0)
  for (let start = PREFIX_BYTES; start < whole.length;) {
    if (end === undefined) return undefined
    const next = readTo(end)
    checksum = crc32(whole.subarray(start, end), checksum)
    start = end
    end = await next
  }
  return checksum
}

function parse(whole: Buffer, found: number, root: string, key: string): Tables | undefined {
  const [magic, format, room, checksum, low, high] = new Uint32Array(whole.buffer, 0, PREFIX_BYTES / 4)
  if (magic !== MAGIC || format !== SNAPSHOT_FORMAT || low! + high! * 2 ** 32 !== whole.length) return undefined
  if (found !== checksum) return undefined
  const header = JSON.parse(whole.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + room!)) as Header
  if (header.root !== root || header.key !== key) return undefined
  return tablesOf(whole, header)
}

function tablesOf(whole: Buffer, header: Header): Tables {
  const section = (name: string) => header.sections.find((candidate) => candidate.name === name)!
  const bytes = (name: string) => whole.subarray(section(name).start, section(name).start + section(name).length)
  const words = (name: string) => new Int32Array(whole.buffer, section(name).start, section(name).length / 4)
  const doubles = (name: string) => new Float64Array(whole.buffer, section(name).start, section(name).length / 8)
  const tables = new Tables(
    new NameTable({ bytes: bytes('nameBytes'), ends: words('nameEnds'), slots: words('nameSlots') }),
  )
  const pathBytes = bytes('paths')
  // Nearly always plain ASCII, and then decoded at once.
  const allPaths = isAscii(pathBytes) ? pathBytes.toString('latin1') : undefined
  const pathEnds = words('pathEnds')
  const factEnds = doubles('factEnds')
  const facts = words('facts')
  const states = bytes('states')
  const sizes = doubles('sizes')
  const times = doubles('times')
  let pathStart = 0
  let factStart = 0
  for (let id = 0; id < header.files; id++) {
    tables.add(allPaths?.slice(pathStart, pathEnds[id]) ?? pathBytes.toString('utf8', pathStart, pathEnds[id]))
    pathStart = pathEnds[id]!
    if (factEnds[id]! > factStart) tables.setFacts(id, facts.subarray(factStart, factEnds[id]))
    factStart = factEnds[id]!
    tables.setStat(id, states[id]!, sizes[id]!, times[id]!)
  }
  tables.hashes.set(bytes('hashes'))
  for (const [id, target] of header.links) tables.links.set(id, target)
  for (const [path, time] of header.folders) tables.folders.set(path, time ?? Number.NaN)
  tables.ignoreStamps = new Map(header.ignoreStamps)
  return tables
}

function bytesOf(view: Int32Array | Float64Array): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}

function* chunks(views: Uint8Array[]): Generator<Uint8Array[]> {
  let chunk: Uint8Array[] = []
  let size = 0
  for (const view of views) {
    chunk.push(view)
    size += view.length
    // writev takes at most 1,024 buffers (IOV_MAX).
    if (size < SLICE_BYTES && chunk.length < 1000) continue
    yield chunk
    chunk = []
    size = 0
  }
  if (chunk.length > 0) yield chunk
}

async function writeFully(file: FileHandle, views: Uint8Array[]): Promise<void> {
  const filled = views.filter((view) => view.length > 0)
  if (filled.length === 0) return
  const wanted = filled.reduce((sum, view) => sum + view.length, 0)
  const { bytesWritten } = await file.writev(filled)
  if (bytesWritten === wanted) return
  // A short write: the rest as one buffer.
  const rest = Buffer.concat(filled).subarray(bytesWritten)
  for (let at = 0; at < rest.length;) at += (await file.write(rest, at)).bytesWritten
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
