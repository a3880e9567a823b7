import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ProtectedPlaces } from './find.ts'

/** One protected path as it stands. */
export interface Kept {
  kind: 'file' | 'folder' | 'link' | 'git-folder' | 'other'
  /** Permission bits. */
  mode: number
  /** Changes whenever the path does; nobody can set it back. */
  key: string
  /** A file's bytes or a link's target; undefined for what is too large to keep. */
  content?: Buffer
}

/** By absolute path, folders before what lies in them. */
export type Snapshot = Map<string, Kept>

/** Contents kept of one file, and entries of all folders together; past them a change is told and not put back. */
const MAX_FILE_BYTES = 1024 * 1024
const MAX_ENTRIES = 5_000

/** Looks at every protected path; contents are taken from `earlier` where the path is as it was. */
export function takeSnapshot(places: ProtectedPlaces, earlier: Snapshot = new Map()): Snapshot {
  const snapshot: Snapshot = new Map()
  for (const folder of places.gitFolders) {
    const stats = lstatSync(folder, { throwIfNoEntry: false })
    if (stats) snapshot.set(folder, { kind: 'git-folder', mode: stats.mode & 0o7777, key: `${stats.dev}.${stats.ino}` })
  }
  const open = [...places.fixed].reverse()
  for (let path = open.pop(); path !== undefined && snapshot.size < MAX_ENTRIES; path = open.pop()) {
    const kept = look(path, earlier.get(path))
    if (!kept) continue
    snapshot.set(path, kept)
    if (kept.kind !== 'folder') continue
    for (const name of namesIn(path)) if (!isSample(path, name)) open.push(join(path, name))
  }
  return snapshot
}

/** Git runs hooks by their exact names. */
function isSample(folder: string, name: string): boolean {
  return name.endsWith('.sample') && folder.endsWith('/hooks')
}

export function look(path: string, earlier?: Kept): Kept | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stats) return undefined
  const mode = Number(stats.mode & 0o7777n)
  // The entries of a folder are looked at themselves.
  if (stats.isDirectory()) return { kind: 'folder', mode, key: `${mode}` }
  const key = `${stats.dev}.${stats.ino}.${stats.ctimeNs}.${stats.size}`
  if (earlier?.key === key) return earlier
  try {
    if (stats.isSymbolicLink()) return { kind: 'link', mode, key, content: Buffer.from(readlinkSync(path)) }
    if (!stats.isFile()) return { kind: 'other', mode, key }
    if (stats.size > MAX_FILE_BYTES) return { kind: 'file', mode, key }
    return { kind: 'file', mode, key, content: readFileSync(path) }
  } catch {
    return { kind: 'other', mode, key }
  }
}

/** True when two looks show the same: kind, mode and content, whatever the times. */
export function isSame(a: Kept, b: Kept): boolean {
  if (a.kind !== b.kind) return false
  if (a.key === b.key) return true
  if (a.kind === 'git-folder') return false
  if (a.content === undefined || b.content === undefined) return false
  return a.content.equals(b.content) && (a.kind === 'link' || a.mode === b.mode)
}

/** Makes a path as it was; its place is free and the folder above it is there. Throws what the file system says. */
export function makeAgain(path: string, { kind, mode, content }: Kept): boolean {
  if (kind === 'folder') {
    mkdirSync(path, { mode })
  } else if (kind === 'link' && content) {
    symlinkSync(content.toString(), path)
    return true
  } else if (kind === 'file' && content) {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
    const file = openSync(path, flags, mode)
    try {
      for (let at = 0; at < content.length; at += writeSync(file, content, at)) continue
    } finally {
      closeSync(file)
    }
  } else return false
  chmodSync(path, mode)
  return true
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
