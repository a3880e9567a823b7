// Finds the files of a workspace: a walk in slices, so that the main thread is never held long. Symlinks are listed, not followed.
// A folder that cannot be read is left out and counted; the walk never throws for one.
import { lstatSync, readdirSync, readlinkSync, type Dirent } from 'node:fs'
import type { FolderTimes } from './folder-times.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import { Slice } from './slice.ts'

/** In place of a folder's time. */
export const UNREADABLE = -1

export const BINARY_EXTENSIONS: readonly string[] = [
  ...'.png .jpg .jpeg .gif .bmp .ico .webp .avif .tif .tiff .psd .pdf .zip .gz .tgz .bz2 .xz .7z .rar .jar .war .class'.split(
    ' ',
  ),
  ...'.woff .woff2 .ttf .otf .eot .mp3 .mp4 .wav .ogg .webm .mov .avi .mkv .flac .exe .dll .so .dylib .a .o .obj .lib'.split(
    ' ',
  ),
  ...'.bin .dat .db .sqlite .wasm .node .pyc .pyo .pack .idx .ds_store'.split(' '),
]

export type EntryKind = 'file' | 'symlink' | 'binary'

export interface ScanOptions {
  root: string
  /** Folder under the root to stay in, '' for all. */
  scope: string
  rules: IgnoreRules
  times: FolderTimes
  /** Takes in at which time of its own each folder was listed: NaN where that proves nothing, UNREADABLE when it could not be. */
  folders: Map<string, number>
  binaryExtensions: ReadonlySet<string>
  signal?: AbortSignal
  /** Waited for between two slices; what it throws ends the walk. */
  pause?: () => Promise<void> | undefined
  /** Called for every file as it is found. `target` is set for symlinks. */
  found: (path: string, kind: EntryKind, target: string | undefined) => void
}

export function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') ? path.slice(dot).toLowerCase() : ''
}

/** Walks the workspace; gives the number of folders that could not be read. Rejects when aborted, or when the root cannot be read. */
export async function scan(options: ScanOptions): Promise<number> {
  const next = [options.scope]
  let unreadable = 0
  const slice = new Slice()
  for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
    options.signal?.throwIfAborted()
    const entries = list(options, folder)
    if (entries) next.push(...report(options, folder, entries))
    else unreadable++
    if (!slice.isOver) continue
    await slice.next()
    await options.pause?.()
  }
  return unreadable
}

/**
 * As `scan`, of some folders and of those in them that were not known. Gives undefined when a list shows that others are concerned
 * too: an ignore file came, or a folder can no longer be read.
 */
export async function scanAgain(options: ScanOptions, folders: readonly string[]): Promise<number | undefined> {
  const known = new Map(options.folders)
  const next = [...folders]
  let unreadable = 0
  const slice = new Slice()
  for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
    options.signal?.throwIfAborted()
    const entries = list(options, folder)
    if (entries?.some(({ name }) => options.rules.isNew(folder, name))) return undefined
    if (!entries && (known.get(folder) ?? UNREADABLE) !== UNREADABLE) return undefined
    if (entries) next.push(...report(options, folder, entries).filter((inner) => !known.has(inner)))
    else unreadable++
    if (slice.isOver) await slice.next()
  }
  return unreadable
}

/** What a folder holds; undefined when it cannot be read, which must not be so of the one the walk begins with. */
function list(options: ScanOptions, folder: string): Dirent[] | undefined {
  const time = options.times.beforeListing(folder)
  try {
    const entries = readdirSync(`${options.root}/${folder}`, { withFileTypes: true })
    options.folders.set(folder, time)
    return entries
  } catch {
    if (folder === options.scope) throw new Error(`The folder ${options.root} cannot be read.`)
    options.folders.set(folder, UNREADABLE)
    return undefined
  }
}

/** Reports the files of a folder; gives its folders. */
function report({ root, rules, binaryExtensions, found }: ScanOptions, folder: string, entries: Dirent[]): string[] {
  rules.holds(
    folder,
    entries.map(({ name }) => name),
  )
  const folders: string[] = []
  const prefix = folder === '' ? '' : `${folder}/`
  for (const entry of entries) {
    const path = prefix + entry.name
    if (entry.isDirectory()) {
      if (!rules.ignores(path, true)) folders.push(path)
    } else if (entry.isSymbolicLink()) {
      if (!rules.ignores(path, false)) found(path, 'symlink', linkTarget(`${root}/${path}`))
    } else if (entry.isFile() && !rules.ignores(path, false)) {
      found(path, binaryExtensions.has(extensionOf(entry.name)) ? 'binary' : 'file', undefined)
    }
  }
  return folders
}

export function linkTarget(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Size and time of an entry itself, or undefined when it is gone. */
export function statEntry(
  path: string,
): { size: number; mtimeMs: number; isFile: boolean; isSymlink: boolean } | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  return { size: stat.size, mtimeMs: stat.mtimeMs, isFile: stat.isFile(), isSymlink: stat.isSymbolicLink() }
}
