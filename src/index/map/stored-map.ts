// What the repository map needs, kept beside the snapshot: the first request of the next start gets its map in milliseconds,
// without the index. Files that changed since are shown by their path alone, files that are gone are left out.
import { lstatSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { settingsKey, type IndexOptions } from '../code-index.ts'
import type { IndexView, Ranks } from '../view.ts'
import { isNamed, meansSymbol } from './mentions.ts'
import { liveSource, mapOf, mapOrder, type MapOptions, type MapSource } from './repository-map.ts'
import { symbolRows } from './symbol-rows.ts'
import { Slice } from '../slice.ts'

const FORMAT = 4
/** Files kept with their signatures, the most important ones; the rest by their paths. */
const MAX_RENDERED = 2_000

/** Where the material of a workspace's map lies, by its snapshot. */
export const mapPathOf = (snapshotPath: string): string => `${snapshotPath.replace(/\.bin$/, '')}-map.json`

const storedForm = z.object({
  format: z.literal(FORMAT),
  root: z.string(),
  /** settingsKey of the index it was made from. */
  key: z.string(),
  /**
   * Per file: path, size in bytes, modification time in ms, its lines on the map ('' for the path alone), the names of its
   * symbols that a conversation can mean, separated by blanks.
   */
  files: z.array(z.tuple([z.string(), z.number(), z.number(), z.string(), z.string()])),
  from: z.array(z.number()),
  to: z.array(z.number()),
  weight: z.array(z.number()),
})
type Stored = z.infer<typeof storedForm>

/** Size in bytes and modification time in ms of a file as the index read it. */
export type Stamp = (file: number) => { size: number; mtimeMs: number }

/** Writes the material of the map; rejects when the folder cannot be written, and then leaves nothing behind. */
export async function saveMap(
  path: string,
  settings: IndexOptions,
  view: IndexView,
  ranks: Ranks,
  stamp: Stamp,
): Promise<void> {
  const text = JSON.stringify(await materialOf(settings, view, ranks, stamp))
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await writeFile(temporary, text)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function materialOf(settings: IndexOptions, view: IndexView, ranks: Ranks, stamp: Stamp): Promise<Stored> {
  const source = liveSource(view, ranks)
  const order = mapOrder(source)
  const numbers = new Map(order.map((file, number) => [file, number]))
  const stored: Stored = {
    format: FORMAT,
    root: settings.root,
    key: settingsKey(settings),
    files: [],
    from: [],
    to: [],
    weight: [],
  }
  const { from, to, weight } = source.edges
  for (let i = 0; i < from.length; i++) {
    const start = numbers.get(from[i]!)
    const end = numbers.get(to[i]!)
    if (start === undefined || end === undefined) continue
    stored.from.push(start)
    stored.to.push(end)
    stored.weight.push(weight[i]!)
  }
  const slice = new Slice()
  for (const [number, file] of order.entries()) {
    const { size, mtimeMs } = stamp(file)
    const lines = number < MAX_RENDERED ? (source.lines(file) ?? '') : ''
    stored.files.push([view.path(file), size, mtimeMs, lines, namesOf(view, file)])
    if (slice.isOver) await slice.next()
  }
  return stored
}

function namesOf(view: IndexView, file: number): string {
  const path = view.path(file)
  const rows = symbolRows(view, file).filter(({ container, name }) => container < 0 && meansSymbol(name, path))
  return [...new Set(rows.map(({ name }) => name))].join(' ')
}

/** The map from the material kept, or undefined when there is none for this root and these settings that can be read. */
export async function storedMap(
  path: string,
  settings: IndexOptions,
  options: MapOptions,
): Promise<string | undefined> {
  let stored: Stored
  try {
    stored = storedForm.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
  const holds = stored.root === settings.root && stored.key === settingsKey(settings)
  return holds ? mapOf(sourceOf(stored), options) : undefined
}

function sourceOf({ root, files, from, to, weight }: Stored): MapSource {
  const inside = (file: number): boolean => file >= 0 && file < files.length
  const kept = from.flatMap((start, i) => (inside(start) && inside(to[i] ?? -1) ? [i] : []))
  return {
    fileCount: files.length,
    edges: {
      from: Int32Array.from(kept, (i) => from[i]!),
      to: Int32Array.from(kept, (i) => to[i]!),
      weight: Int32Array.from(kept, (i) => weight[i] ?? 1),
    },
    path: (file) => files[file]![0],
    isMapped: () => true,
    lines: (file) => {
      const [path, size, mtimeMs, lines] = files[file]!
      const now = lstatSync(`${root}/${path}`, { throwIfNoEntry: false })
      if (!now?.isFile()) return undefined
      return lines === '' || now.size !== size || now.mtimeMs !== mtimeMs ? path : lines
    },
    mentioned: (words) =>
      files.flatMap(([path, , , , names], file) =>
        isNamed(path, words) || names.split(' ').some((name) => words.has(name)) ? [file] : [],
      ),
  }
}
