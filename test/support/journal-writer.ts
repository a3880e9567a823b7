// Edits the files of a workspace for ever, to be killed: node test/support/journal-writer.ts ROOT DATABASE BLOBS SESSION
import { openDatabase } from '../../src/store/sqlite/database.ts'
import { createJournalStore } from '../../src/store/sqlite/journal-store.ts'
import { workspaceMigrations } from '../../src/store/sqlite/migrations/workspace.ts'
import { openBlobStore } from '../../src/workspace/journal/blob-store.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'

const [root, database, blobs, sessionId] = process.argv.slice(2) as [string, string, string, string]
const store = createJournalStore(openDatabase(database, workspaceMigrations))
const workspace = openWorkspace({ root, journal: { store, blobs: openBlobStore(blobs) } })
process.stdout.write('ready\n')
for (let round = 0; ; round++) {
  // Long enough to be written in several steps where it is written in place.
  const text = (name: string): string => `${name} ${round}\n`.repeat(20_000)
  await workspace.apply(
    [
      { path: 'plain.txt', after: text('plain') },
      { path: 'linked.txt', after: text('linked') },
      { path: `new/${round % 3}.txt`, after: round % 2 === 0 ? text('new') : `small ${round}\n` },
    ],
    { sessionId },
  )
  if (round % 4 === 3) workspace.journal!.undo({ sessionId, count: 2 })
}
