// Text search for a program that asks once: from what it needs of the index, kept beside the snapshot in a fifth of its room. What
// changed on the disk since then is read here. The index itself is to be asked where so much changed that it is worth keeping,
// or where it has something to say.
import type { TextQuery, TextResult } from '../answers.ts'
import { settingsKey, type IndexOptions } from '../code-index.ts'
import { DiskComparison } from '../disk-comparison.ts'
import { HEAD, HEAD_WORDS } from '../facts.ts'
import { FILE_STATE } from '../file-state.ts'
import { loadSnapshot, saveSnapshot } from '../snapshot.ts'
import { statEntry, type EntryKind } from '../scan.ts'
import { Tables } from '../tables.ts'
import { Texts } from '../texts.ts'
import { MAX_FILES_WARNING, MAX_RETRIES, SAVE_FILES, SAVE_FOLDERS } from '../limits.ts'
import { searchText } from './text-search.ts'

/** Where that lies, by the snapshot. */
const pathOf = (snapshotPath: string): string => `${snapshotPath.replace(/\.bin$/, '')}-text.bin`
/** The form is that of a snapshot; one is not to be taken for the other. */
const keyOf = (settings: IndexOptions): string => `text ${settingsKey(settings)}`

/** Writes it; rejects as `saveSnapshot` does. */
export function saveForSearch(snapshotPath: string, settings: IndexOptions, tables: Tables): Promise<void> {
  const own = new Tables()
  for (let id = 0; id < tables.count; id++) {
    own.add(tables.paths[id]!)
    own.setStat(id, tables.states[id]!, tables.sizes[id]!, tables.times[id]!)
    const facts = tables.facts[id]
    const start = tables.starts[id]?.[HEAD.grams] ?? 0
    if (facts) own.setFacts(id, factsOf(facts.subarray(start, start + facts[HEAD.grams]!)))
  }
  own.links = tables.links
  own.folders = tables.folders
  own.ignoreStamps = tables.ignoreStamps
  return saveSnapshot(pathOf(snapshotPath), settings.root, keyOf(settings), own)
}

/** Facts of a text of which only the filter is known: its lines but the first are counted when they are shown. */
function factsOf(filter: Int32Array): Int32Array {
  const facts = new Int32Array(HEAD_WORDS + 1 + filter.length)
  facts[HEAD.lines] = 1
  facts[HEAD.grams] = filter.length
  facts.set(filter, HEAD_WORDS + 1)
  return facts
}

/** The answer that `searchText` of the index gives, or undefined where the index itself is to be asked. */
export async function searchSaved(options: IndexOptions, query: TextQuery): Promise<TextResult | undefined> {
  const root = options.root.replace(/\/$/, '')
  const settings = { ...options, root }
  const { snapshotPath, maxFilesWarning = MAX_FILES_WARNING } = options
  const tables = snapshotPath && (await loadSnapshot(pathOf(snapshotPath), root, keyOf(settings)))
  if (!tables) return undefined
  const texts = new Texts(tables, root)
  const taker = new Taker(tables, root)
  const disk = new DiskComparison(tables, settings, taker)
  for (let retry = 0; ; retry++) {
    await taker.read(await disk.compareAll())
    if (taker.changed.size >= SAVE_FILES || disk.settledFolders >= SAVE_FOLDERS) return undefined
    if (disk.unreadableFolders > 0 || tables.count > maxFilesWarning) return undefined
    const { result, files } = await texts.collect(() => searchText({ tables, texts }, query))
    if (retry >= MAX_RETRIES || texts.stale(files).length === 0) return result
  }
}

/** Takes in what changed, as far as a text search needs it. */
class Taker {
  readonly changed = new Set<number>()
  private readonly tables: Tables
  private readonly root: string

  constructor(tables: Tables, root: string) {
    this.tables = tables
    this.root = root
  }

  /** See `Taker` of disk-comparison.ts. */
  enter(path: string, kind: EntryKind, target: string | undefined): number {
    const { tables } = this
    const id = tables.add(path)
    this.changed.add(id)
    if (kind === 'file') {
      if (!tables.alive(id)) tables.states[id] = FILE_STATE.pending
      return id
    }
    const stat = statEntry(`${this.root}/${path}`)
    tables.setFacts(id, undefined)
    tables.setStat(id, kind === 'symlink' ? FILE_STATE.symlink : FILE_STATE.binary, stat?.size ?? 0, stat?.mtimeMs ?? 0)
    if (target !== undefined) tables.links.set(id, target)
    return -1
  }

  remove(id: number): void {
    this.changed.add(id)
    this.tables.remove(id)
  }

  async read(files: ReadonlySet<number>): Promise<void> {
    if (files.size === 0 || files.size >= SAVE_FILES) return
    const { readForIndex } = await import('../read-file.ts')
    for (const id of files) {
      const { state, size, mtimeMs } = readForIndex(`${this.root}/${this.tables.paths[id]}`)
      this.tables.setStat(id, state, size, mtimeMs)
      // Without a filter it is always looked into.
      this.tables.setFacts(id, state === FILE_STATE.text ? factsOf(new Int32Array(0)) : undefined)
    }
  }
}
