import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

export interface KeptPart {
  text: string
  /** Byte to read on from. */
  nextOffset: number
  totalBytes: number
}

/** Outputs of commands that were too long for their result, kept for `shell_output`. One per session. */
export class KeptOutput {
  readonly #files = new Map<string, { path: string; offset: number }>()
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Where the output of a call goes when it is long. */
  fileFor(callId: string): string {
    return join(this.#folder, `${callId.replaceAll(/[^\w-]/g, '_').slice(0, 80)}.log`)
  }

  /** Gives a file an id: `out1`, `out2`, … */
  keep(path: string): string {
    const id = `out${this.#files.size + 1}`
    this.#files.set(id, { path, offset: 0 })
    return id
  }

  /** The next `bytes` of an output, to the end of a line where there is one; undefined for an unknown id. */
  read(id: string, bytes: number): KeptPart | undefined {
    const file = this.#files.get(id)
    if (!file) return undefined
    const handle = openSync(file.path, 'r')
    try {
      const totalBytes = fstatSync(handle).size
      const buffer = Buffer.alloc(Math.min(bytes, Math.max(0, totalBytes - file.offset)))
      const count = readSync(handle, buffer, 0, buffer.length, file.offset)
      const end = file.offset + count < totalBytes ? wholeLines(buffer, count) : count
      file.offset += end
      return { text: buffer.toString('utf8', 0, end), nextOffset: file.offset, totalBytes }
    } finally {
      closeSync(handle)
    }
  }

  ids(): string[] {
    return [...this.#files.keys()]
  }
}

/** Bytes up to the last line end; without one, up to a whole character. */
function wholeLines(buffer: Buffer, count: number): number {
  const line = buffer.lastIndexOf(0x0a, count - 1)
  if (line >= 0) return line + 1
  let end = count
  while (end > 1 && (buffer[end]! & 0xc0) === 0x80) end--
  return end
}
