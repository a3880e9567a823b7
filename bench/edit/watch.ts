// Measures watching a command for the journal: the look before and the one after, when nothing changed.
// Run: node bench/edit/watch.ts FOLDER; prints one JSON line, milliseconds, median of 7 (the first look apart).
import { createMemoryBlobStore } from '../../src/workspace/journal/blob-store.ts'
import { createMemoryJournalStore } from '../../src/workspace/journal/memory-journal-store.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'

const ROUNDS = 7
const root = process.argv[2] ?? '.'
const journal = { store: createMemoryJournalStore(), blobs: createMemoryBlobStore() }
const workspace = openWorkspace({ root, home: '/nowhere', journal })

const before: number[] = []
const after: number[] = []
for (let round = 0; round <= ROUNDS; round++) {
  const start = performance.now()
  const watch = await workspace.journal!.watchCommand({})
  const middle = performance.now()
  await watch.finish()
  before.push(middle - start)
  after.push(performance.now() - middle)
}
const median = (all: number[]): number =>
  Math.round(all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]! * 10) / 10
const first = Math.round(before[0]! * 10) / 10
process.stdout.write(`${JSON.stringify({ first, before: median(before.slice(1)), after: median(after.slice(1)) })}\n`)
