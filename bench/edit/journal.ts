// Measures the journal: overhead of each edit less the fsyncs, undo of the last of many entries, disk use against the quota, and
// watching a command. Run: node bench/edit/journal.ts [entries] [bytes of a file] (default 10,000 and 8,000); prints one JSON line.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/store/sqlite/database.ts'
import { createJournalStore } from '../../src/store/sqlite/journal-store.ts'
import { workspaceMigrations } from '../../src/store/sqlite/migrations/workspace.ts'
import { createSessionStore } from '../../src/store/sqlite/session-store.ts'
import { openBlobStore } from '../../src/workspace/journal/blob-store.ts'
import { JOURNAL_QUOTA_BYTES } from '../../src/workspace/journal/retention.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'

const ENTRIES = Number(process.argv[2] ?? 10_000)
/** Files the edits go round, of about the size of a source file. */
const FILES = 200
const FILE_BYTES = Number(process.argv[3] ?? 8_000)
/** Edits between two looks at the disk. */
const LOOK_EVERY = 500

const base = mkdtempSync(join(tmpdir(), 'codehound-journal-'))
try {
  process.stdout.write(`${JSON.stringify(await measure())}\n`)
} finally {
  rmSync(base, { recursive: true })
}

async function measure() {
  const body = 'const value = compute(input)\n'.repeat(FILE_BYTES / 29)
  for (const folder of ['plain', 'kept']) {
    mkdirSync(join(base, folder))
    for (let at = 0; at < FILES; at++) writeFileSync(join(base, folder, `f${at}.ts`), body)
  }
  const database = openDatabase(join(base, 'workspace.db'), workspaceMigrations)
  const session = createSessionStore(database).create({
    title: 't',
    type: 'CHAT',
    workspaceId: 'w',
    root: base,
    model: 'a/b',
  })
  const store = createJournalStore(database)
  const blobs = openBlobStore(join(base, 'blobs'))
  const plain = openWorkspace({ root: join(base, 'plain'), durable: false })
  const kept = openWorkspace({ root: join(base, 'kept'), journal: { store, blobs }, durable: false })
  const journal = kept.journal!
  const storedBytes = (): number => [...blobs.sizes().values()].reduce((sum, size) => sum + size, 0)
  const [without, with_]: [number[], number[]] = [[], []]
  let peakBytes = 0
  for (let at = 0; at < ENTRIES; at++) {
    const change = { path: `f${at % FILES}.ts`, after: `${body}// ${at}\n` }
    without.push(await timed(() => plain.apply([change])))
    with_.push(await timed(() => kept.apply([change], { sessionId: session.id })))
    if (at % LOOK_EVERY === 0) peakBytes = Math.max(peakBytes, storedBytes())
  }
  const undo: number[] = []
  for (let at = 0; at < 20; at++) undo.push(await timed(() => journal.undo({ sessionId: session.id })))
  const watch: number[] = []
  for (let at = 0; at < 5; at++) {
    watch.push(
      await timed(async () => {
        const watching = await journal.watchCommand({ sessionId: session.id })
        await watching.finish()
      }),
    )
  }
  const stored = storedBytes()
  const collect = await timed(() => journal.collect())
  database.close()
  return {
    entries: ENTRIES,
    editMs: { without: stats(without), with: stats(with_) },
    overheadMs: round(stats(with_).p50 - stats(without).p50),
    undoMs: stats(undo),
    watchMs: { files: FILES, ...stats(watch) },
    storedMiB: {
      peak: round(peakBytes / 2 ** 20),
      end: round(stored / 2 ** 20),
      collected: round(storedBytes() / 2 ** 20),
    },
    quotaMiB: JOURNAL_QUOTA_BYTES / 2 ** 20,
    collectMs: round(collect),
  }
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function stats(samples: number[]): { p50: number; p95: number; max: number } {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share: number): number => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
  return { p50: at(0.5), p95: at(0.95), max: at(1) }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
