import { expect, test, vi } from 'vitest'
import type { CodeIndex } from '../index/code-index.ts'
import type { IndexView, Ranks } from '../index/view.ts'
import { ProjectMap } from './project-map.ts'
import type { MapIndex } from './project-map.ts'

const WINDOW = 128_000
const settings = { tokens: 1000, waitMs: 20 }

const noEdges = { from: new Int32Array(), to: new Int32Array(), weight: new Int32Array() }
/** An index that knows no file: its map is empty. */
const emptyView = {
  fileCount: 0,
  importEdges: () => noEdges,
} as unknown as IndexView
const ranks: Ranks = { fileEdges: noEdges, symbolEdges: noEdges, symbolRanks: new Float64Array() }

function fakeIndex({ stored, ready = Promise.resolve() }: { stored?: string; ready?: Promise<void> } = {}) {
  let opening = false
  const whenReady = vi.fn(async () => {
    opening = true
    await ready
    return { ranked: () => Promise.resolve({ view: emptyView, ranks }) } as unknown as CodeIndex
  })
  const storedMap = vi.fn(() => Promise.resolve(stored))
  return { isOpening: () => opening, whenReady, storedMap } satisfies MapIndex
}

test('a message of a hundred thousand names is heard', () => {
  const map = new ProjectMap(fakeIndex({}), settings)
  expect(() => map.hear('some_name '.repeat(200_000))).not.toThrow()
})

test('a map from before is in the first prompt without opening the index, once', async () => {
  const index = fakeIndex({ stored: 'src/a.ts' })
  const map = new ProjectMap(index, settings)
  map.hear('look at parse_url in src/net.ts')
  expect(await map.forPrompt(WINDOW)).toContain('src/a.ts')
  expect(index.storedMap).toHaveBeenCalledWith({
    tokens: 1000,
    mentioned: expect.arrayContaining(['parse_url', 'src/net.ts']) as string[],
  })
  expect(await map.forPrompt(WINDOW)).toBeUndefined()
  expect(await map.forResult()).toBeUndefined()
  expect(index.whenReady).not.toHaveBeenCalled()
  map.busy()
})

test('the index is opened while the model is waited for, not while a call runs', async () => {
  vi.useFakeTimers()
  try {
    const index = fakeIndex()
    const map = new ProjectMap(index, settings)
    expect(await map.forPrompt(WINDOW)).toBeUndefined()
    map.busy()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(index.whenReady).not.toHaveBeenCalled()
    map.waiting()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(index.whenReady).toHaveBeenCalledTimes(1)
  } finally {
    vi.useRealTimers()
  }
})

test('a window too small for a map gets none', async () => {
  const index = fakeIndex({ stored: 'src/a.ts' })
  const map = new ProjectMap(index, settings)
  expect(await map.forPrompt(1000)).toBeUndefined()
  expect(index.storedMap).not.toHaveBeenCalled()
  map.busy()
})

test('an index that is opening but not ready in time is not waited for longer, and what was kept stands in', async () => {
  const index = fakeIndex({ stored: 'src/kept.ts', ready: new Promise(() => {}) })
  void index.whenReady()
  const map = new ProjectMap(index, settings)
  expect(await map.forPrompt(WINDOW)).toContain('src/kept.ts')
})
