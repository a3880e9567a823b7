import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSessionStore } from '../../src/store/sqlite/session-store.ts'
import { sessionStoreContract } from './session-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'codehound-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

sessionStoreContract('SQLite', () => openSessionStore(join(folder, `${++files}.db`)))
sessionStoreContract('SQLite in memory', () => openSessionStore(':memory:'))
