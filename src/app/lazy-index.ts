// The index of an open application: opened when it is first wanted, closed with the application.
import { createHash } from 'node:crypto'
import { dirname, join, relative } from 'node:path'
import type { Config } from '../config/schema.ts'
import type { CodeIndex, IndexOptions } from '../index/code-index.ts'
import type { MapOptions } from '../index/map/repository-map.ts'

export interface LazyIndex {
  /** The index once it answers; undefined before. */
  current(): CodeIndex | undefined
  isOpening(): boolean
  /** The repository map of the state saved last, without opening the index; undefined when there is none. */
  storedMap(options: MapOptions): Promise<string | undefined>
  /** Opens it, once. Rejects when the root cannot be read. */
  open(onProgress?: IndexOptions['onProgress']): Promise<CodeIndex>
  /** The index with its first build done; undefined where it cannot be opened or was closed before. */
  whenReady(): Promise<CodeIndex | undefined>
  /** Calls with each warning of the index, past ones too; gives a function that ends it. */
  onWarning(listener: (text: string, lasts: boolean) => void): () => void
  close(): Promise<void>
}

/**
 * `database`: file of the workspace's store; the snapshot lies beside it. Undefined keeps nothing on disk. `cwd`: the start
 * folder, to which `project.scope: folder` narrows the index.
 */
export function lazyIndex(
  root: string,
  config: Config,
  database: string | undefined,
  watch: boolean,
  cwd = root,
): LazyIndex {
  let opening: Promise<CodeIndex> | undefined
  let opened: CodeIndex | undefined
  const warnings: [text: string, lasts: boolean][] = []
  const listeners = new Set<(text: string, lasts: boolean) => void>()
  const { project, watcher, limits } = config
  const scope = project.scope === 'folder' ? relative(root, cwd).replaceAll('\\', '/') : ''
  const file = scope === '' ? 'index.bin' : `index-${createHash('sha256').update(scope).digest('hex').slice(0, 12)}.bin`
  const snapshotPath = database === undefined ? undefined : join(dirname(database), file)
  const settings: IndexOptions = {
    root,
    ...(snapshotPath === undefined ? {} : { snapshotPath }),
    ...(scope === '' ? {} : { scope }),
    ignorePatterns: project.ignorePatterns,
    secretFiles: config.secrets.files,
    binaryExtensions: project.binaryExtensions,
    watch,
    debounceMs: watcher.debounceMs,
    maxFilesWarning: limits.maxFilesWarning,
    onWarning: (...warning) => {
      warnings.push(warning)
      for (const listener of listeners) listener(...warning)
    },
  }
  const open: LazyIndex['open'] = (onProgress) =>
    (opening ??= import('../index/code-index.ts').then(async ({ openIndex }) => {
      opened = await openIndex({ ...settings, ...(onProgress === undefined ? {} : { onProgress }) })
      return opened
    }))
  return {
    current: () => opened,
    isOpening: () => opening !== undefined,
    storedMap: async (options) => {
      if (snapshotPath === undefined) return undefined
      const { mapPathOf, storedMap } = await import('../index/map/stored-map.ts')
      return storedMap(mapPathOf(snapshotPath), settings, options)
    },
    open,
    whenReady: async () => {
      try {
        const index = await open()
        await index.ready()
        return index
      } catch {
        return undefined
      }
    },
    onWarning: (listener) => {
      for (const warning of warnings) listener(...warning)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      await opening?.then(
        (index) => index.close(),
        () => {},
      )
    },
  }
}
