import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../files/text-format.ts'
import { openWorkspace } from '../workspace.ts'
import { openBlobStore } from './blob-store.ts'
import { createMemoryJournalStore } from './memory-journal-store.ts'

const CANARY = 'hunter2-canary'

function setUp() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'seal-')))
  const [folder, keyFile] = [join(base, 'blobs'), join(base, 'state/journal.key')]
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'seal-root-')))
  const store = createMemoryJournalStore()
  const open = () =>
    openWorkspace({ root, journal: { store, blobs: openBlobStore(folder, keyFile) }, durable: false, home: '/nowhere' })
  const sh = (command: string) => execFileSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' })
  const run = async (command: string, journal = open().journal!) => {
    const watch = await journal.watchCommand({ description: 'a command' })
    sh(command)
    return await watch.finish()
  }
  /** Every byte and every name below a folder. */
  const everything = (): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((each) => (each.isFile() ? `${each.name} ${readFileSync(join(each.parentPath, each.name), 'latin1')}` : ''))
      .join('\n')
  const close = (): void => [base, root].forEach((each) => rmSync(each, { recursive: true }))
  return { root, folder, keyFile, store, open, sh, run, everything, close }
}

test('What a secret file holds is nowhere in the journal in plain, nor its hash, and undo and redo put it back', async () => {
  const { root, keyFile, store, open, sh, run, everything, close } = setUp()
  sh(`printf 'KEY=${CANARY}\\n' > .env; chmod 600 .env; echo a > a.txt`)
  const { journal } = open()
  await run(`printf 'KEY=${CANARY}-2\\n' > .env; cp .env .env.local; echo b > a.txt`, journal)
  const stored = everything() + JSON.stringify(store.list())
  expect(stored).not.toContain(CANARY)
  for (const text of [`KEY=${CANARY}\n`, `KEY=${CANARY}-2\n`]) expect(stored).not.toContain(sha256(text))
  expect(JSON.stringify(journal!.changes().map((entry) => journal!.diffOf(entry)))).not.toContain(CANARY)
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  expect(statSync(keyFile).size).toBe(32)
  const again = open().journal!
  expect(again.undo()).toMatchObject({ ok: true })
  expect(readFileSync(join(root, '.env'), 'utf8')).toBe(`KEY=${CANARY}\n`)
  expect(statSync(join(root, '.env')).mode & 0o777).toBe(0o600)
  expect(again.redo()).toMatchObject({ ok: true })
  expect(readFileSync(join(root, '.env.local'), 'utf8')).toBe(`KEY=${CANARY}-2\n`)
  close()
})

test('Without its key, or under another, undo of a secret file changes nothing and says why', async () => {
  const { root, keyFile, open, sh, run, close } = setUp()
  sh(`echo ${CANARY} > .env; echo a > a.txt`)
  await run('echo x > .env; echo b > a.txt')
  rmSync(keyFile)
  for (const makeKey of [false, true]) {
    if (makeKey) writeFileSync(keyFile, Buffer.alloc(32, 7))
    const refused = open().journal!.undo()
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('journal.key') })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('b\n')
  }
  expect(statSync(keyFile).mode & 0o777).not.toBe(0)
  close()
})

test('A sealed content that was changed on disk is not put back', async () => {
  const { folder, root, store, open, sh, run, close } = setUp()
  sh(`echo ${CANARY} > .env`)
  await run('echo x > .env')
  const { hash } = store.list()[0]!.files[0]!.before!
  const file = join(folder, hash.slice(0, 2), hash)
  const bytes = readFileSync(file)
  for (const at of [0, 15, bytes.length - 1]) {
    const flipped = Buffer.from(bytes)
    flipped[at]! ^= 1
    writeFileSync(file, flipped)
    expect(open().journal!.undo()).toMatchObject({ ok: false })
    expect(readFileSync(join(root, '.env'), 'utf8')).toBe('x\n')
  }
  close()
})

test('Where no key can be made a secret file is named as not kept', async () => {
  const { keyFile, sh, run, everything, close } = setUp()
  sh(`echo ${CANARY} > .env; echo a > a.txt; mkdir -p ${keyFile}`)
  const changed = await run(`echo ${CANARY}2 > .env; echo b > a.txt`)
  expect(changed?.entry).toMatchObject({ files: [{ path: 'a.txt' }], notKept: ['.env'] })
  expect(everything()).not.toContain(CANARY)
  close()
})

test('Plain copies of an earlier version are sealed at the next start, and those nobody needs are gone', async () => {
  const { root, folder, store, open, sh, everything, close } = setUp()
  sh(`echo new > .env; echo public > b.txt`)
  const plain = openBlobStore(folder)
  const put = (text: string) => {
    plain.put(sha256(text), Buffer.from(text), false)
    sh(`touch -d '1 hour ago' ${join(folder, sha256(text).slice(0, 2), sha256(text))}`)
    return { hash: sha256(text), mode: 0o644, kept: true }
  }
  const files = [
    { path: '.env', before: put(`${CANARY}\n`), after: put('new\n') },
    { path: 'b.txt', before: put('before\n'), after: put('public\n') },
  ]
  put(`${CANARY} copied before a command`)
  store.append({ kind: 'command', description: 'old', state: 'done', files, made: [], notKept: [], time: Date.now() })
  chmodSync(root, 0o755)
  const journal = open().journal!
  await journal.recover()
  expect(everything()).not.toContain(CANARY)
  expect(JSON.stringify(store.list())).not.toContain(sha256(`${CANARY}\n`))
  expect(journal.undo()).toMatchObject({ ok: true, paths: ['.env', 'b.txt'] })
  expect(sh('cat .env b.txt')).toBe(`${CANARY}\nbefore\n`)
  close()
})
