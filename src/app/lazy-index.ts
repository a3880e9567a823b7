// The index of an open application: opened when it is first wanted, closed with the application.
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Config } from '../config/schema.ts'
import type { TextQuery, TextResult } from '../index/answers.ts'
import type { CodeIndex, IndexOptions } from '../index/code-index.ts'
import type { MapOptions } from '../index/map/repository-map.ts'
import type { IndexScope } from './index-scope.ts'
import type { LargeFolderQuestion } from './large-folder.ts'

type Progress = Parameters<NonNullable<IndexOptions['onProgress']>>[0]

export interface LazyIndex {
  /** The index once it answers; undefined before, and when the user does not want it. */
  current(): CodeIndex | undefined
  isOpening(): boolean
  /** The repository map of the state saved last, without opening the index; undefined when there is none. */
  storedMap(options: MapOptions): Promise<string | undefined>
  /** The answer to a text search without opening the index; undefined when it is to be opened. */
  searchSaved(query: TextQuery): Promise<TextResult | undefined>
  /** Opens it, once. Rejects when the root or the scope cannot be read, or no index is wanted. */
  open(onProgress?: (progress: Progress) => void): Promise<CodeIndex>
  /** Makes `open` try again after it was refused. */
  retry(): void
  /** The index with its first build done; undefined where it cannot be opened or was closed before. */
  whenReady(): Promise<CodeIndex | undefined>
  /** Calls with each warning of the index, past ones too; gives a function that ends it. */
  onWarning(listener: (text: string, lasts: boolean) => void): () => void
  /** As `whenReady`, but undefined at once while the user is being asked whether there is to be one. */
  unlessAsked(): Promise<CodeIndex | undefined>
  /** Why there is none, in words for the model; undefined when there is no reason but that it was not opened yet. */
  whyAbsent(): string | undefined
  close(): Promise<void>
}

export interface LazyIndexOptions {
  root: string
  config: Config
  /** File of the workspace's store; the snapshot lies beside it. Undefined keeps nothing on disk. */
  database: string | undefined
  watch: boolean
  scope: IndexScope
  /** Asked about a folder with very many files. Absent: they are all read. */
  large?: LargeFolderQuestion
  /** Told of every step of a first build. */
  onProgress?: (progress: Progress) => void
}

export function lazyIndex({ root, config, database, watch, scope, large, onProgress }: LazyIndexOptions): LazyIndex {
  let opening: Promise<CodeIndex> | undefined
  let opened: CodeIndex | undefined
  const warnings: [text: string, lasts: boolean][] = []
  const listeners = new Set<(text: string, lasts: boolean) => void>()
  let fault: string | undefined
  const { project, watcher, limits } = config
  const snapshotOf = (folder: string): string | undefined => {
    if (database === undefined) return undefined
    const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12)
    return join(dirname(database), folder === '' ? 'index.bin' : `index-${hash}.bin`)
  }
  const settingsOf = (folder: string): IndexOptions => {
    const snapshotPath = snapshotOf(folder)
    return {
      root,
      ...(snapshotPath === undefined ? {} : { snapshotPath }),
      ...(folder === '' ? {} : { scope: folder }),
      ignorePatterns: project.ignorePatterns,
      secretFiles: config.secrets.files,
      binaryExtensions: project.binaryExtensions,
      watch,
      debounceMs: watcher.debounceMs,
      onWarning: (...warning) => {
        warnings.push(warning)
        for (const listener of listeners) listener(...warning)
      },
    }
  }
  const maxFilesWarning = (): number => (large?.isAgreed() === true ? Number.POSITIVE_INFINITY : limits.maxFilesWarning)
  const start = async (alsoTold: typeof onProgress): Promise<CodeIndex> => {
    const { openIndex } = await import('../index/code-index.ts')
    const folder = scope.folder()
    const index = await openIndex({
      ...settingsOf(folder),
      maxFilesWarning: maxFilesWarning(),
      onProgress: (progress) => {
        onProgress?.(progress)
        alsoTold?.(progress)
      },
      ...(large && {
        onLarge: async (survey) => {
          const wanted = await large.ask(survey)
          if (typeof wanted === 'string') return wanted
          return { scope: wanted.folder, snapshotPath: snapshotOf(wanted.folder) }
        },
      }),
    })
    opened = index
    index.ready().catch(() => {
      if (!large?.isCancelled) return
      opened = undefined
      void index.close()
    })
    return index
  }
  const open: LazyIndex['open'] = (alsoTold) => {
    const refusal = large?.refusal()
    if (refusal) return Promise.reject(refusal)
    if (!opening) {
      fault = undefined
      opening = start(alsoTold)
      opening.catch((error: Error) => (fault = error.message))
    }
    return opening
  }
  const whenReady: LazyIndex['whenReady'] = async () => {
    try {
      const index = await open()
      await index.ready()
      return index
    } catch {
      return undefined
    }
  }
  return {
    current: () => opened,
    isOpening: () => opening !== undefined,
    storedMap: async (options) => {
      const { mapPathOf, storedMap } = await import('../index/map/stored-map.ts')
      try {
        const settings = settingsOf(scope.folder())
        return settings.snapshotPath && (await storedMap(mapPathOf(settings.snapshotPath), settings, options))
      } catch {
        // The scope is none: opening says so.
        return undefined
      }
    },
    searchSaved: async (query) => {
      const { searchSaved } = await import('../index/search/saved-search.ts')
      try {
        return await searchSaved({ ...settingsOf(scope.folder()), maxFilesWarning: maxFilesWarning() }, query)
      } catch {
        // Whatever it is, opening says it.
        return undefined
      }
    },
    open,
    retry: () => {
      if (!large?.isCancelled && fault === undefined) return
      if (large) large.isCancelled = false
      opening = undefined
    },
    whenReady,
    unlessAsked: () => {
      if (!large) return whenReady()
      const { promise, resolve } = Promise.withResolvers<CodeIndex | undefined>()
      const leaveWhenAsked = (): void => {
        if (large.current()) resolve(undefined)
      }
      const stop = large.onQuestion(leaveWhenAsked)
      leaveWhenAsked()
      void whenReady().then(resolve)
      return promise.finally(stop)
    },
    whyAbsent: () => large?.whyAbsent() ?? (fault === undefined ? undefined : `There is no code index: ${fault}`),
    onWarning: (listener) => {
      for (const warning of warnings) listener(...warning)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      large?.end()
      await opening?.then(
        (index) => index.close(),
        () => {},
      )
    },
  }
}
