// The index of one workspace while it lives: opened from its snapshot or built, kept equal to the disk, asked, saved, closed.
// One change is taken in after the other; queries run in between and see one state each. What queries promise stands in
// code-index.ts.
import type {
  GraphReport,
  IndexStatus,
  References,
  SourceSpan,
  SymbolInfo,
  SymbolQuery,
  TextQuery,
  TextResult,
} from './answers.ts'
import { Builder } from './builder.ts'
import { settingsKey, type CodeIndex, type IndexOptions, type Narrowing } from './code-index.ts'
import type { FolderSurvey } from './folder-survey.ts'
import { BUILT_IN_IGNORES } from './ignore-rules.ts'
import { countStatus, tooLargeWarning } from './status.ts'
import { networkFileSystem } from './network-folder.ts'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'
import { StateAnswers } from './state-answers.ts'
import { Tables } from './tables.ts'
import type { IndexView } from './view.ts'
import { Watcher } from './watcher.ts'
import { MAX_FILES_WARNING, MAX_RETRIES, SAVE_FILES, SAVE_FOLDERS } from './limits.ts'
import { plural } from '../lib/plural.ts'

/** With the watcher off, the disk is compared at most this often, in milliseconds. */
const STAT_PASS_MS = 1_000
/** Quiet after which the snapshot is written, in milliseconds. */
const SAVE_AFTER_MS = 10_000
/** Quiet after a question about uses, in milliseconds, after which all uses are resolved: a single one ends before. */
const LINK_AFTER_MS = 100
/** Linux watches each folder by itself; other systems watch a whole tree, with what comes into it. */
const WATCHES_FOLDERS = process.platform === 'linux'

export class LiveIndex implements CodeIndex {
  readonly root: string
  private options: IndexOptions
  private tables!: Tables
  private builder!: Builder
  private answers!: StateAnswers
  private watcher: Watcher | undefined
  private startingToWatch: Promise<void> | undefined
  /** Whoever was asked wants all files of a large folder, or the index of one inside it. */
  private wanted: 'all' | Narrowing | undefined
  private state: IndexStatus['state'] = 'building'
  private source: IndexStatus['source'] = 'scan'
  private watcherState: IndexStatus['watcher'] = 'off'
  private closing = false
  private closed: Promise<void> | undefined
  private ending = new AbortController()
  private warnings: string[] = []
  private listeners = new Set<(paths: readonly string[], generation: number) => void>()
  private first: Promise<void>
  /** The changes under way: each waits for the one before. */
  private work: Promise<unknown> = Promise.resolve()
  private checkedAt = 0
  private unsaved = 0
  private saveTimer: NodeJS.Timeout | undefined
  private linkTimer: NodeJS.Timeout | undefined

  static open(options: IndexOptions): LiveIndex {
    return new LiveIndex(options)
  }

  private constructor(options: IndexOptions) {
    const { signal } = options
    this.options = {
      ...options,
      signal: signal ? AbortSignal.any([signal, this.ending.signal]) : this.ending.signal,
    }
    this.root = options.root.replace(/\/$/, '')
    this.use(new Tables())
    this.first = this.begin()
    // Whoever asks `ready` gets the fault; nobody has to.
    this.first.catch(() => undefined)
  }

  private use(tables: Tables): void {
    const { onLarge, ...options } = this.options
    const answers = new StateAnswers(tables, this.root)
    this.tables = tables
    this.answers = answers
    this.builder = new Builder(
      tables,
      {
        ...options,
        root: this.root,
        maxFilesWarning: this.maxFiles,
        ...(onLarge && { onLarge: (survey) => this.decide(survey) }),
      },
      { replacing: (file) => answers.engine.beforeChange([file]) },
    )
  }

  private get maxFiles(): number {
    return this.options.maxFilesWarning ?? MAX_FILES_WARNING
  }

  private async decide(survey: FolderSurvey): Promise<void> {
    const wanted = await this.options.onLarge?.(survey)
    if (wanted === 'unasked') return this.warnOfSize()
    this.wanted = wanted
    if (wanted !== 'all') throw new Error('The index is made of a folder inside this one.')
  }

  private warnOfSize(): void {
    const most = this.maxFiles.toLocaleString('en')
    this.warn(
      `More than ${most} files are here, and the code index reads all of them. --yes says that this is meant; project.scope narrows the index to one folder.`,
      true,
    )
  }

  /** Starts anew with one folder. */
  private async narrow({ scope, snapshotPath }: Narrowing): Promise<void> {
    await this.builder.close()
    const { onLarge: _asked, snapshotPath: _old, ...kept } = this.options
    this.options = { ...kept, scope, ...(snapshotPath === undefined ? {} : { snapshotPath }) }
    // So many are in there as were said to be.
    this.wanted = 'all'
    this.use(new Tables())
    return this.begin()
  }

  private async begin(): Promise<void> {
    const { snapshotPath, signal, onProgress } = this.options
    const loaded = snapshotPath ? await loadSnapshot(snapshotPath, this.root, settingsKey(this.options)) : undefined
    signal?.throwIfAborted()
    if (loaded) {
      this.source = 'snapshot'
      await this.builder.close()
      signal?.throwIfAborted()
      this.use(loaded)
      await this.builder.refresh()
    } else {
      this.builder.warm()
      try {
        await this.builder.buildAll()
      } catch (error) {
        if (typeof this.wanted !== 'object' || this.closing) throw error
        return await this.narrow(this.wanted)
      }
      await this.builder.rest()
    }
    // Closed while it was read: nothing is to be watched or saved any more.
    if (this.closing) return
    const { files } = this.builder.takeChanges()
    this.answers.engine.reset()
    this.unsaved += files.length
    if (this.builder.disk.settledFolders >= SAVE_FOLDERS) this.unsaved += SAVE_FILES
    this.checkedAt = performance.now()
    this.state = 'ready'
    if (this.tables.count > this.maxFiles && this.wanted !== 'all') this.warnOfSize()
    onProgress?.({ phase: 'ready', done: this.tables.count, total: this.tables.count })
    const { unreadableFolders } = this.builder.disk
    if (unreadableFolders > 0)
      this.warn(`${plural(unreadableFolders, 'folder')} could not be read; what is inside is left out.`)
    this.scheduleSave()
    // Until the watcher runs, questions look at the disk themselves.
    if (this.options.watch !== false) this.startingToWatch = this.startWatching()
  }

  private async startWatching(): Promise<void> {
    const network = networkFileSystem(this.root)
    if (network !== undefined) {
      this.warn(
        `The folder is on a network file system (${network}), which does not tell of all changes; they are looked for at each question instead.`,
        true,
      )
      return
    }
    const watcher = new Watcher(this.options.debounceMs ?? 500, {
      changed: (paths) => void this.takeInSeen(paths, watcher),
      failed: (reason) => {
        this.watcherState = 'failed'
        this.warn(`Files cannot be watched (${reason}); changes are looked for at each question instead.`)
      },
    })
    this.watcher = watcher
    // Of a large workspace what lies outside of the scope is not worth a watch of its own.
    const { scope = '' } = this.options
    const watched = scope === '' ? this.root : `${this.root}/${scope}`
    if (!(await watcher.start(watched, this.options.ignorePatterns ?? BUILT_IN_IGNORES)) || this.closing) return
    this.watcherState = 'watching'
    // What changed before the watcher ran.
    await this.takeIn(undefined)
  }

  /** Takes in what the watcher saw; sees to it that new folders are watched too. */
  private async takeInSeen(paths: readonly string[] | undefined, watcher: Watcher): Promise<void> {
    await this.takeIn(paths)
    const isNew = this.builder.disk.takeNewFolder() || paths === undefined
    if (!isNew || !WATCHES_FOLDERS || this.closing || this.watcherState !== 'watching') return
    // Meanwhile questions look at the disk themselves.
    this.watcherState = 'off'
    const renewing = async (): Promise<void> => {
      if (!(await watcher.renew()) || this.closing) return
      this.watcherState = 'watching'
      await this.takeIn(undefined)
    }
    this.startingToWatch = renewing()
    await this.startingToWatch
  }

  /** Takes in changed paths, or compares everything; resolves when queries see it. */
  private takeIn(paths: readonly string[] | undefined): Promise<number> {
    const run = async (): Promise<number> => {
      if (this.closing) return 0
      try {
        const ignores = paths === undefined ? false : await this.builder.update(paths)
        if (paths === undefined || ignores) await this.builder.refresh(ignores)
      } catch (error) {
        // It was closed meanwhile, or the folder is gone: what is known of it stays.
        if (!this.closing) this.warn(`Changes could not be taken in: ${(error as Error).message}`)
        return 0
      }
      const { files, shape } = this.builder.takeChanges()
      this.checkedAt = performance.now()
      if (files.length === 0) return 0
      this.answers.engine.afterChange(files, shape)
      this.unsaved += files.length
      this.scheduleSave()
      const changed = files.map((file) => this.tables.paths[file]!)
      for (const listener of this.listeners) listener(changed, this.tables.generation)
      return files.length
    }
    const next = this.work.then(run, run)
    this.work = next.catch(() => undefined)
    return next
  }

  /** Each warning is said once. */
  private warn(text: string, lasts = false): void {
    if (this.warnings.includes(text)) return
    this.warnings.push(text)
    this.options.onWarning?.(text, lasts)
  }

  private scheduleSave(): void {
    if (!this.options.snapshotPath || this.unsaved === 0) return
    clearTimeout(this.saveTimer)
    this.saveTimer = setTimeout(() => void this.save(), SAVE_AFTER_MS).unref()
  }

  async save(): Promise<void> {
    const { snapshotPath } = this.options
    clearTimeout(this.saveTimer)
    if (!snapshotPath || this.state !== 'ready') return
    const run = async () => {
      this.unsaved = 0
      try {
        await saveSnapshot(snapshotPath, this.root, settingsKey(this.options), this.tables)
        const { sizes, times } = this.tables
        const stamp = (file: number) => ({ size: sizes[file]!, mtimeMs: times[file]! })
        const settings = { ...this.options, root: this.root }
        const { saveForSearch } = await import('./search/saved-search.ts')
        await saveForSearch(snapshotPath, settings, this.tables)
        // Not through `ask`, which would wait for this.
        await this.answers.engine.link()
        const { mapPathOf, saveMap } = await import('./map/stored-map.ts')
        const { view } = this.answers
        await saveMap(mapPathOf(snapshotPath), settings, view, await view.ranks(), stamp)
      } catch (error) {
        this.warn(
          `The index could not be saved to ${snapshotPath}: ${error instanceof Error ? error.message : String(error)}`,
        )
      }
    }
    this.work = this.work.then(run, run)
    await this.work
  }

  /** Whoever closes it waits for the end, also who is not the first. */
  close(): Promise<void> {
    return (this.closed ??= this.end())
  }

  private async end(): Promise<void> {
    // What is being read is not waited for; what is known by now is worth keeping.
    this.closing = true
    this.ending.abort(new Error('The index was closed.'))
    clearTimeout(this.saveTimer)
    clearTimeout(this.linkTimer)
    await this.builder.close()
    await this.startingToWatch
    await this.watcher?.close()
    await this.first.catch(() => undefined)
    await this.work
    if (this.unsaved >= SAVE_FILES) await this.save()
    this.state = 'closed'
  }

  ready(): Promise<void> {
    return this.first
  }

  async watching(): Promise<void> {
    await this.first
    await this.startingToWatch
  }

  get generation(): number {
    return this.tables.generation
  }

  status(): IndexStatus {
    const counts = countStatus(this.tables)
    const tooLarge = tooLargeWarning(this.tables, this.options.binaryExtensions)
    const { scope } = this.options
    return {
      ...counts,
      state: this.state,
      generation: this.tables.generation,
      watcher: this.watcherState,
      warnings: [...this.warnings, ...this.builder.faults, ...(tooLarge === undefined ? [] : [tooLarge])],
      source: this.source,
      ...(scope ? { scope } : {}),
    }
  }

  async changed(paths: readonly string[]): Promise<void> {
    await this.takeIn(paths)
  }

  refresh(): Promise<number> {
    return this.takeIn(undefined)
  }

  onChange(listener: (paths: readonly string[], generation: number) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Runs a query on a state that agrees with the disk in every file of its answer. */
  private async ask<T>(run: () => T | Promise<T>, link = true): Promise<T> {
    if (this.state === 'ready' && this.watcherState !== 'watching' && performance.now() - this.checkedAt > STAT_PASS_MS)
      await this.takeIn(undefined)
    else await this.work
    for (let retry = 0; ; retry++) {
      if (link) await this.answers.engine.link()
      const { generation } = this.tables
      const { result, files } = await this.answers.engine.texts.collect(async () => run())
      if (retry >= MAX_RETRIES || this.state !== 'ready') return result
      // A long query lets changes in.
      if (this.tables.generation !== generation) continue
      const stale = this.answers.engine.texts.stale(files)
      if (stale.length === 0) return result
      await this.takeIn(stale)
    }
  }

  /** As `ask`, about uses: the first answer about a state does not wait until everything is resolved, later ones find it so. */
  private async askUses<T>(run: () => Promise<T>): Promise<T> {
    const answer = await this.ask(async () => {
      await this.answers.engine.useIndex.prepare()
      return run()
    }, false)
    if (!this.answers.engine.useIndex.isBuilt && !this.closing) {
      const { signal } = this.options
      this.linkTimer ??= setTimeout(() => {
        this.linkTimer = undefined
        this.answers.engine.link(signal).catch(() => undefined)
      }, LINK_AFTER_MS).unref()
    }
    return answer
  }

  definitions(query: SymbolQuery): Promise<SymbolInfo[]> {
    // Imports are followed from where the question stands; who uses what needs not be known.
    return this.ask(() => this.answers.symbols.definitions(query), false)
  }
  references(query: SymbolQuery): Promise<References> {
    return this.askUses(() => this.answers.symbols.references(query))
  }
  symbolSource(path: string, name: string): Promise<SourceSpan[]> {
    return this.ask(() => this.answers.symbols.source(path, name), false)
  }
  symbolAt(path: string, line: number): Promise<SymbolInfo | undefined> {
    return this.ask(() => this.answers.symbols.at(path, line), false)
  }
  outline(path: string) {
    return this.ask(() => this.answers.files.outline(path), false)
  }
  calls(query: SymbolQuery) {
    return this.askUses(() => this.answers.calls(query))
  }
  dependencies(path: string) {
    return this.ask(() => this.answers.graphs.dependencies(path), false)
  }
  dependents(path: string) {
    return this.ask(() => this.answers.graphs.dependents(path))
  }
  graph(path?: string): Promise<GraphReport> {
    return this.ask(() => this.answers.graphs.graph(path))
  }
  complexity(path?: string) {
    return this.ask(() => this.answers.files.complexity(path), false)
  }
  todos(path?: string) {
    return this.ask(() => this.answers.files.todos(path), false)
  }
  structure(path?: string, depth?: number) {
    return this.ask(() => this.answers.files.structure(path, depth), false)
  }
  searchText(query: TextQuery): Promise<TextResult> {
    return this.ask(() => this.answers.searchText(query), false)
  }
  async ranked() {
    return this.ask(async () => {
      const { view } = this.answers
      return { view, ranks: await view.ranks() }
    })
  }

  similarNames(name: string, limit = 5): string[] {
    return this.answers.similarNames(name, limit)
  }
  similarPaths(path: string, limit = 5): string[] {
    return this.answers.similarPaths(path, limit)
  }
  files(): string[] {
    return this.answers.paths()
  }
  view(): IndexView {
    return this.answers.view
  }
}
