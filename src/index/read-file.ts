// Reads one file for the index and says what it is. Never throws for a file: a fault is one of the states.
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { FILE_STATE, MAX_TEXT_BYTES } from './file-state.ts'

/** A NUL within so many bytes makes a file binary, as git has it (buffer_is_binary in xdiff-interface.c). */
const BINARY_PROBE = 8000

export interface ReadResult {
  state: number
  size: number
  mtimeMs: number
  /** SHA-256 of the bytes on disk; empty when they were not read. */
  hash: Uint8Array
  /** Valid UTF-8 without a byte order mark; valid until the next read. Empty unless text. */
  bytes: Uint8Array
}

let room = Buffer.allocUnsafeSlow(1 << 20)
const NOTHING = new Uint8Array(0)

export function readForIndex(path: string): ReadResult {
  let handle: number
  try {
    handle = openSync(path, 'r')
  } catch {
    return { state: FILE_STATE.unreadable, size: 0, mtimeMs: 0, hash: NOTHING, bytes: NOTHING }
  }
  try {
    const stat = fstatSync(handle)
    const result = {
      state: FILE_STATE.text as number,
      size: stat.size,
      mtimeMs: stat.mtimeMs,
      hash: NOTHING,
      bytes: NOTHING,
    }
    if (!stat.isFile()) return { ...result, state: FILE_STATE.unreadable }
    if (stat.size > MAX_TEXT_BYTES) return { ...result, state: FILE_STATE.binary }
    if (stat.size > room.length) room = Buffer.allocUnsafeSlow(stat.size)
    let length = 0
    while (length < stat.size) {
      const read = readSync(handle, room, length, stat.size - length, length)
      if (read === 0) break
      length += read
    }
    let bytes = room.subarray(0, length)
    result.hash = hash('sha256', bytes, 'buffer')
    const nul = bytes.indexOf(0)
    if (nul >= 0 && nul < BINARY_PROBE) result.state = FILE_STATE.binary
    else if (!isUtf8(bytes)) result.state = FILE_STATE.notUtf8
    else {
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3)
      return { ...result, bytes }
    }
    return result
  } catch {
    return { state: FILE_STATE.unreadable, size: 0, mtimeMs: 0, hash: NOTHING, bytes: NOTHING }
  } finally {
    closeSync(handle)
  }
}

/** Gives memory back after a very large file. */
export function shrinkRoom(): void {
  if (room.length > 16 << 20) room = Buffer.allocUnsafeSlow(1 << 20)
}
