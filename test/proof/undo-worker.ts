// Works on a place of test/proof/undo.ts until it is killed: node undo-worker.ts BASE SESSION undo | command SCRIPT
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { openDatabase } from '../../src/store/sqlite/database.ts'
import { createJournalStore } from '../../src/store/sqlite/journal-store.ts'
import { workspaceMigrations } from '../../src/store/sqlite/migrations/workspace.ts'
import { openBlobStore } from '../../src/workspace/journal/blob-store.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'

const [base, sessionId, kind, script] = process.argv.slice(2) as [
  string,
  string,
  'undo' | 'command',
  string | undefined,
]
const root = join(base, 'work')
const store = createJournalStore(openDatabase(join(base, 'workspace.db'), workspaceMigrations))
const blobs = openBlobStore(join(base, 'blobs'), join(base, 'state/journal.key'))
const { journal } = openWorkspace({ root, journal: { store, blobs }, home: '/nowhere' })
if (kind === 'command') {
  const watch = await journal!.watchCommand({ sessionId })
  process.stdout.write('ready\n')
  spawnSync('sh', ['-c', script!], { cwd: root, stdio: 'ignore', env: { ...process.env, HOME: base } })
  await watch.finish()
}
if (kind === 'undo') {
  process.stdout.write('ready\n')
  for (let round = 0; ; round++) {
    journal!.undo({ sessionId, count: 1 + (round % 3) })
    if (round % 2 === 1) journal!.redo({ sessionId, count: 1 + (round % 4) })
  }
}
