/** A tracked file as the index knows it. */
export interface IndexEntry {
  /** Blob that holds the content. */
  blob: string
  /** Time of last change when it was put into the index: seconds and nanoseconds. */
  mtimeSeconds: number
  mtimeNanoseconds: number
  /** The same of the last change of anything about the file, which no program can set. */
  ctimeSeconds: number
  ctimeNanoseconds: number
  inode: number
  /** Bytes, modulo 2³². */
  size: number
}

// One entry of `git ls-files -z -t --stage --debug`: "<tag> <mode> <blob> <stage>\t<path>\0" and five lines of what the
// index remembers of the file; "? <path>\0" for an untracked one.
const UNTRACKED = /\? ([^\0]+)\0/y
const TRACKED = /[A-Z] (\d{6}) ([0-9a-f]+) (\d)\t([^\0]+)\0(?: {2}[^\n]*\n)*/y
const DEBUG = / {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n(?:.*\n)*?.*\bino: (\d+)\n(?:.*\n)*? {2}size: (\d+)\t/

/**
 * Reads the listing; null stands for an untracked file, or a tracked one that is no regular file or of which nothing is known.
 * The form is for people and may change: what cannot be read ends the listing with an undefined.
 */
export function parseIndexListing(output: string): Map<string, IndexEntry | null> | undefined {
  const files = new Map<string, IndexEntry | null>()
  for (let at = 0; at < output.length;) {
    UNTRACKED.lastIndex = at
    const untracked = UNTRACKED.exec(output)
    if (untracked !== null) {
      files.set(untracked[1]!, null)
      at = UNTRACKED.lastIndex
      continue
    }
    TRACKED.lastIndex = at
    const tracked = TRACKED.exec(output)
    if (tracked === null) return undefined
    at = TRACKED.lastIndex
    const [block, mode, blob, stage, path] = tracked
    const isFile = mode!.startsWith('100') && stage === '0'
    files.set(path!, isFile ? entryOf(blob!, block.slice(block.indexOf('\0') + 1)) : null)
  }
  return files
}

function entryOf(blob: string, debug: string): IndexEntry | null {
  const found = DEBUG.exec(debug)
  if (found === null) return null
  const [ctimeSeconds, ctimeNanoseconds, mtimeSeconds, mtimeNanoseconds, inode, size] = found.slice(1).map(Number)
  return {
    blob,
    mtimeSeconds: mtimeSeconds!,
    mtimeNanoseconds: mtimeNanoseconds!,
    ctimeSeconds: ctimeSeconds!,
    ctimeNanoseconds: ctimeNanoseconds!,
    inode: inode!,
    size: size!,
  }
}
