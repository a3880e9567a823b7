import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { StreamMask } from '../secrets/stream-mask.ts'

/** What is kept of one stream in memory. */
export interface CapturedStream {
  /** The whole output, or its head and tail with a line between them that counts the bytes left out. */
  text: string
  /** Bytes the stream carried, kept or not. */
  bytes: number
  /** True when `text` lacks bytes from the middle. */
  truncated: boolean
}

export type StreamName = 'stdout' | 'stderr'

export interface CaptureOptions {
  /** Bytes of each stream kept in memory: half as head, half as tail. */
  memoryBytes: number
  /** Where everything goes, both streams in order of arrival, once a stream passes `memoryBytes`. */
  overflowFile: string | undefined
  /** Bytes written to the file at most. */
  diskBytes: number
  onOutput: ((stream: StreamName, text: string) => void) | undefined
  /** Takes secrets out of a stream before it is kept, written or told. One for each stream. */
  hide?: (() => StreamMask) | undefined
}

class StreamCapture {
  bytes = 0
  #decoder = new StringDecoder('utf8')
  #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  readonly #half: number

  constructor(memoryBytes: number) {
    this.#half = Math.max(1, Math.floor(memoryBytes / 2))
  }

  /** Takes one chunk and returns the text it completes. */
  add(chunk: Buffer): string {
    this.bytes += chunk.length
    let rest = chunk
    if (this.#headBytes < this.#half) {
      const taken = rest.subarray(0, this.#half - this.#headBytes)
      this.#head.push(taken)
      this.#headBytes += taken.length
      rest = rest.subarray(taken.length)
    }
    if (rest.length > 0) {
      this.#tail.push(rest)
      this.#tailBytes += rest.length
      while (this.#tailBytes - this.#tail[0]!.length >= this.#half) this.#tailBytes -= this.#tail.shift()!.length
    }
    return this.#decoder.write(chunk)
  }

  finish(): CapturedStream {
    const head = Buffer.concat(this.#head)
    const joined = Buffer.concat(this.#tail)
    const tail = joined.subarray(Math.max(0, joined.length - this.#half))
    const left = this.bytes - head.length - tail.length
    if (left === 0) return { text: Buffer.concat([head, tail]).toString('utf8'), bytes: this.bytes, truncated: false }
    const [before, after] = [cutBack(head), cutForward(tail)]
    const omitted = this.bytes - before.length - after.length
    return {
      text: `${before.toString('utf8')}\n… ${omitted} bytes left out …\n${after.toString('utf8')}`,
      bytes: this.bytes,
      truncated: true,
    }
  }
}

/** Drops a UTF-8 sequence that the cut left without its end. */
function cutBack(bytes: Buffer): Buffer {
  let start = bytes.length - 1
  while (start > 0 && bytes.length - start < 4 && (bytes[start]! & 0xc0) === 0x80) start--
  const lead = bytes[start] ?? 0
  const wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return bytes.length - start < wanted ? bytes.subarray(0, start) : bytes
}

/** Drops a UTF-8 sequence that the cut left without its start. */
function cutForward(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++
  return bytes.subarray(start)
}

/** Both streams of one process: head and tail in memory, everything on disk once that is not enough. */
export class Capture {
  readonly #options: CaptureOptions
  readonly #streams: Record<StreamName, StreamCapture>
  readonly #hiding: Partial<Record<StreamName, { decoder: StringDecoder; mask: StreamMask }>> = {}
  #pending: Buffer[] = []
  #file: number | undefined
  #written = 0
  #diskFull = false

  constructor(options: CaptureOptions) {
    this.#options = options
    this.#streams = { stdout: new StreamCapture(options.memoryBytes), stderr: new StreamCapture(options.memoryBytes) }
    if (!options.hide) return
    for (const name of ['stdout', 'stderr'] as const)
      this.#hiding[name] = { decoder: new StringDecoder('utf8'), mask: options.hide() }
  }

  add(name: StreamName, chunk: Buffer): void {
    const hiding = this.#hiding[name]
    this.#take(name, hiding ? Buffer.from(hiding.mask.push(hiding.decoder.write(chunk))) : chunk)
  }

  #take(name: StreamName, chunk: Buffer): void {
    if (chunk.length === 0) return
    const stream = this.#streams[name]
    const text = stream.add(chunk)
    if (this.#options.overflowFile !== undefined) this.#keep(chunk, stream.bytes > this.#options.memoryBytes)
    if (text !== '') this.#options.onOutput?.(name, text)
  }

  #keep(chunk: Buffer, over: boolean): void {
    if (this.#file === undefined && !over) {
      this.#pending.push(chunk)
      return
    }
    if (this.#file === undefined) {
      const path = this.#options.overflowFile!
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
      this.#file = openSync(path, flags, 0o600)
      for (const earlier of this.#pending) this.#write(earlier)
      this.#pending = []
    }
    this.#write(chunk)
  }

  #write(chunk: Buffer): void {
    const room = this.#options.diskBytes - this.#written
    const part = chunk.length <= room ? chunk : chunk.subarray(0, room)
    if (part.length < chunk.length) this.#diskFull = true
    let offset = 0
    while (offset < part.length) offset += writeSync(this.#file!, part, offset)
    this.#written += part.length
  }

  finish(): { stdout: CapturedStream; stderr: CapturedStream; file?: OutputFile } {
    for (const name of ['stdout', 'stderr'] as const) {
      const hiding = this.#hiding[name]
      if (hiding) this.#take(name, Buffer.from(hiding.mask.push(hiding.decoder.end()) + hiding.mask.end()))
    }
    const kept = { stdout: this.#streams.stdout.finish(), stderr: this.#streams.stderr.finish() }
    if (this.#file === undefined) return kept
    closeSync(this.#file)
    this.#file = undefined
    const { overflowFile } = this.#options
    return { ...kept, file: { path: overflowFile!, bytes: this.#written, complete: !this.#diskFull } }
  }
}

/** Where the whole output lies. `complete` is false when it passed the limit on disk and its end is missing. */
export interface OutputFile {
  path: string
  bytes: number
  complete: boolean
}
