// Finds the files of a workspace: a walk in slices, so that the main thread is never held long. Symlinks are listed, not followed.
// A folder that cannot be read is left out and counted; the walk never throws for one.
import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import type { IgnoreRules } from './ignore-rules.ts'

/** Longest stretch of synchronous work, in milliseconds, before others have a turn. */
const SLICE_MS = 12

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
  binaryExtensions: ReadonlySet<string>
  signal?: AbortSignal
  /** Called for every file as it is found. `target` is set for symlinks. */
  found(path: string, kind: EntryKind, target: string | undefined): void
}

export function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') ? path.slice(dot).toLowerCase() : ''
}

/** Walks the workspace; gives the number of folders that could not be read. Rejects when aborted, or when the root cannot be read. */
export async function scan(options: ScanOptions): Promise<{ unreadable: number }> {
  const folders = [options.scope]
  let unreadable = 0
  let until = performance.now() + SLICE_MS
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    options.signal?.throwIfAborted()
    if (!scanFolder(options, folder, folders)) {
      if (folder === options.scope) throw new Error(`The folder ${options.root} cannot be read.`)
      unreadable++
    }
    if (performance.now() > until) {
      await new Promise((resolve) => setImmediate(resolve))
      until = performance.now() + SLICE_MS
    }
  }
  return { unreadable }
}

/** Reports the files of one folder and adds its folders to `folders`; false when it cannot be read. */
export function scanFolder(options: ScanOptions, folder: string, folders: string[]): boolean {
  let entries
  try {
    entries = readdirSync(`${options.root}/${folder}`, { withFileTypes: true })
  } catch {
    return false
  }
  options.rules.holds(
    folder,
    entries.map(({ name }) => name),
  )
  const prefix = folder === '' ? '' : `${folder}/`
  for (const entry of entries) {
    const path = prefix + entry.name
    if (entry.isDirectory()) {
      if (!options.rules.ignores(path, true)) folders.push(path)
    } else if (entry.isSymbolicLink()) {
      if (!options.rules.ignores(path, false)) options.found(path, 'symlink', linkTarget(`${options.root}/${path}`))
    } else if (entry.isFile() && !options.rules.ignores(path, false)) {
      options.found(path, options.binaryExtensions.has(extensionOf(entry.name)) ? 'binary' : 'file', undefined)
    }
  }
  return true
}

function linkTarget(path: string): string {
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
