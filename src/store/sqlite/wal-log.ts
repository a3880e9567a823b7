import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

// The write-ahead log, https://www.sqlite.org/fileformat2.html#the_write_ahead_log: a header, then frames of one page each. A
// reader stops at the first frame whose checksum is wrong and takes what stands before it as all there is.
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC = 0x377f0682
/** Longer than the write of a frame takes. */
const WRITE_MS = 50

/**
 * Whether transactions that were ended stand in the log behind a damaged frame: SQLite passes over them without a word.
 * Reads the log once, and only when there is one, which is after a crash or beside another process.
 */
export function lostFromLog(file: string): boolean {
  if (!isLogLost(file)) return false
  // Another process may be in the middle of a write.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITE_MS)
  return isLogLost(file)
}

function isLogLost(file: string): boolean {
  let handle: number
  try {
    handle = openSync(`${file}-wal`, 'r')
  } catch {
    return false
  }
  try {
    const { size } = fstatSync(handle)
    return size > HEADER_BYTES && hasLostFrames(handle, size)
  } catch {
    return false
  } finally {
    closeSync(handle)
  }
}

function hasLostFrames(handle: number, size: number): boolean {
  const header = Buffer.alloc(HEADER_BYTES)
  readSync(handle, header, 0, HEADER_BYTES, 0)
  const magic = header.readUInt32BE(0)
  const isBig = magic === MAGIC + 1
  const pageBytes = header.readUInt32BE(8)
  if ((magic !== MAGIC && !isBig) || pageBytes < 512 || pageBytes > 65_536 || (pageBytes & (pageBytes - 1)) !== 0)
    return true
  let sum = checksum(header.subarray(0, 24), [0, 0], isBig)
  if (sum[0] !== header.readUInt32BE(24) || sum[1] !== header.readUInt32BE(28)) return true
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  const frame = Buffer.alloc(frameBytes)
  let isWhole = true
  for (let at = HEADER_BYTES; at + frameBytes <= size; at += frameBytes) {
    if (!isWhole) {
      // Frames behind the damaged one: of this log when they bear its salt, ended when they say how large the file is then.
      readSync(handle, frame, 0, FRAME_HEADER_BYTES, at)
      if (isOfThisLog(frame, header) && frame.readUInt32BE(4) > 0) return true
      continue
    }
    readSync(handle, frame, 0, frameBytes, at)
    sum = checksum(frame.subarray(FRAME_HEADER_BYTES), checksum(frame.subarray(0, 8), sum, isBig), isBig)
    if (isOfThisLog(frame, header) && sum[0] === frame.readUInt32BE(16) && sum[1] === frame.readUInt32BE(20)) continue
    isWhole = false
    // A frame that a crash left half-written stands at the end of what was written and ends no transaction that returned.
    if (isOfThisLog(frame, header) && frame.readUInt32BE(4) > 0) return true
  }
  return false
}

function isOfThisLog(frame: Buffer, header: Buffer): boolean {
  return frame.compare(header, 16, 24, 8, 16) === 0
}

/** The running checksum of the format, over words of 32 bits. */
function checksum(bytes: Buffer, [first, second]: [number, number], isBig: boolean): [number, number] {
  let s0 = first
  let s1 = second
  if (isBig) bytes = Buffer.from(bytes).swap32()
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  for (let i = 0; i < words.length; i += 2) {
    s0 = (s0 + words[i]! + s1) | 0
    s1 = (s1 + words[i + 1]! + s0) | 0
  }
  return [s0 >>> 0, s1 >>> 0]
}
