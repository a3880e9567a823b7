import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createProtectedGuard } from '../protected/guard.ts'
import { openWorkspace } from '../workspace.ts'
import { type BlobStore, createMemoryBlobStore, openBlobStore } from './blob-store.ts'
import { changeHistory } from './change-history.ts'
import type { JournalEntry } from './journal-store.ts'
import { createMemoryJournalStore } from './memory-journal-store.ts'
import { collectJournal } from './retention.ts'

const sessionId = 's1'

function setUp(files: Record<string, string> = {}, git = false) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'journal-')))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const sh = (command: string): string => execFileSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' })
  if (git) sh('git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first')
  const store = createMemoryJournalStore()
  const blobs = openBlobStore(join(mkdtempSync(join(tmpdir(), 'blobs-')), 'journal'))
  const workspace = openWorkspace({ root, journal: { store, blobs }, durable: false })
  const journal = workspace.journal!
  /** Runs a command as the shell tool does. */
  const run = async (command: string) => {
    const watch = await journal.watchCommand({ sessionId, description: command })
    sh(command)
    return await watch.finish()
  }
  const write = (path: string, after: string | null) => workspace.apply([{ path, after }], { sessionId })
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  /** The journal as the next process opens it. */
  const reopen = () => openWorkspace({ root, journal: { store, blobs }, durable: false }).journal!
  return { root, sh, store, blobs, workspace, journal, run, write, read, reopen }
}

test('The last changes are undone and redone, newest first, and folders that were made go as well', async () => {
  const { write, journal, read, sh } = setUp({ 'a.txt': 'one\r\n' })
  await write('a.txt', 'two\r\n')
  await write('new/deep/b.txt', 'b')
  await write('a.txt', null)
  expect(journal.undo({ sessionId, count: 2 })).toMatchObject({ ok: true, paths: ['a.txt', 'new/deep/b.txt'] })
  expect(sh('ls')).toBe('a.txt\n')
  expect(read('a.txt')).toBe('two\r\n')
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true })
  expect(read('a.txt')).toBe('one\r\n')
  expect(journal.undo({ sessionId })).toMatchObject({ ok: false, code: 'NOTHING' })
  expect(journal.redo({ sessionId, count: 2 })).toMatchObject({ ok: true, paths: ['a.txt', 'new/deep/b.txt'] })
  expect(read('new/deep/b.txt')).toBe('b')
  expect(journal.redo({ sessionId })).toMatchObject({ ok: true, paths: ['a.txt'] })
  expect(sh('ls')).toBe('new\n')
  await write('c.txt', 'c')
  expect(journal.redo({ sessionId })).toMatchObject({ ok: false, code: 'NOTHING' })
})

test('Edits of files that other programs obey are undone and redone, and commands that run meanwhile keep both', async () => {
  const own = { '.vscode/settings.json': '{}\n', '.husky/pre-commit': 'npm test\n' }
  const { root, sh, journal, read, write, workspace } = setUp(own)
  const guard = createProtectedGuard({ roots: [root], keepFolder: `${root}-kept` })
  workspace.onChange(() => guard.accept())
  const command = guard.begin({ mounted: false })
  await write('.vscode/settings.json', '{ "a": 1 }\n')
  await write('.husky/pre-commit', 'npm run check\n')
  await write('.mcp.json', '{}\n')
  expect(journal.undo({ sessionId, count: 3 })).toMatchObject({ ok: true })
  expect([read('.vscode/settings.json'), read('.husky/pre-commit')]).toEqual(Object.values(own))
  expect(sh('ls -A')).not.toContain('.mcp.json')
  expect(journal.redo({ sessionId, count: 3 })).toMatchObject({ ok: true })
  expect(command.end()).toEqual([])
  expect(read('.vscode/settings.json')).toBe('{ "a": 1 }\n')
  expect([read('.husky/pre-commit'), read('.mcp.json')]).toEqual(['npm run check\n', '{}\n'])
})

test('Undo refuses where the user changed the file since, and shows the difference', async () => {
  const { root, journal, read, workspace } = setUp({ 'a.txt': 'one\n', 'b.txt': 'x\n' })
  await workspace.apply(
    [
      { path: 'a.txt', after: 'two\n' },
      { path: 'b.txt', after: 'y\n' },
    ],
    { sessionId },
  )
  writeFileSync(join(root, 'a.txt'), 'mine\n')
  const refused = journal.undo({ sessionId })
  expect(refused).toMatchObject({
    ok: false,
    code: 'CONFLICT',
    conflicts: [
      {
        path: 'a.txt',
        diff: {
          hunks: [
            {
              lines: [
                { kind: 'remove', text: 'two' },
                { kind: 'add', text: 'mine' },
              ],
            },
          ],
        },
      },
    ],
  })
  expect([read('a.txt'), read('b.txt')]).toEqual(['mine\n', 'y\n'])
  // A change between two of ours is the user's too, though the last state is ours.
  const other = setUp({ 'a.txt': '1\n' })
  await other.write('a.txt', '2\n')
  writeFileSync(join(other.root, 'a.txt'), 'mine\n')
  await other.write('a.txt', '3\n')
  expect(other.journal.undo({ sessionId, count: 2 })).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(other.journal.undo({ sessionId, count: 1 })).toMatchObject({ ok: true })
  expect(other.read('a.txt')).toBe('mine\n')
})

test.each([true, false])('What a command changed is undone byte for byte (git: %s)', async (git) => {
  const { root, sh, run, journal } = setUp(
    { 'a.txt': 'one\n', 'dir/b.txt': '\ufeffb\r\n', 'gone.txt': 'gone', 'run.sh': 'x', '.gitignore': 'out\n' },
    git,
  )
  writeFileSync(join(root, 'untracked.bin'), Buffer.from([0, 255, 1]))
  symlinkSync('a.txt', join(root, 'link'))
  const state =
    'find . -path ./.git -prune -o -printf "%p %y %m %l\\n" | sort; cat a.txt dir/b.txt gone.txt run.sh untracked.bin | sha256sum'
  const before = sh(state)
  const changed = await run(
    'echo more >> a.txt; printf c > dir/b.txt; rm gone.txt untracked.bin link; chmod 755 run.sh; mkdir -p n/m; echo n > n/m/f; ln -s /etc/passwd new-link; rm -r dir; echo file > dir; mkdir out; echo ignored > out/x; touch -d yesterday run.sh',
  )
  expect(changed?.entry).toMatchObject({ kind: 'command', notKept: [] })
  expect(changed?.paths.toSorted()).toEqual(
    ['a.txt', 'dir', 'dir/b.txt', 'gone.txt', 'link', 'n/m/f', 'new-link', 'run.sh', 'untracked.bin'].toSorted(),
  )
  const after = sh(state.replaceAll('cat a.txt dir/b.txt gone.txt run.sh untracked.bin', 'cat a.txt dir n/m/f run.sh'))
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true })
  sh('rm -r out')
  expect(sh(state)).toBe(before)
  expect(journal.redo({ sessionId })).toMatchObject({ ok: true })
  sh('mkdir out; echo ignored > out/x')
  expect(sh(state.replaceAll('cat a.txt dir/b.txt gone.txt run.sh untracked.bin', 'cat a.txt dir n/m/f run.sh'))).toBe(
    after,
  )
})

test('A command that changes nothing has no entry, and a commit is told, and not undone', async () => {
  const { run, sh, write, journal } = setUp({ 'a.txt': 'one\n' }, true)
  expect(await run('touch a.txt; cat a.txt; echo x > .git/description')).toBe(null)
  await write('a.txt', 'two\n')
  const commit = await run('git -c user.name=a -c user.email=a@b commit -qam second')
  expect(commit).toMatchObject({
    paths: [],
    git: [expect.stringMatching(/^commit \w{7} on \w+ "second" \(back: git reset --soft \w{7}\)$/)],
  })
  expect(journal.changes()).toMatchObject([{ kind: 'command', state: 'dropped' }, { kind: 'edit' }])
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true })
  expect(sh('git log --format=%s; git status --short')).toBe('second\nfirst\n M a.txt\n')
})

test('A branch switch by a command is put back as files, tracked contents coming from git', async () => {
  const { run, sh, journal, blobs } = setUp({ 'a.txt': 'one\n', 'b.txt': 'b\n' }, true)
  sh(
    'git checkout -qb other; echo two > a.txt; git rm -q b.txt; git -c user.name=a -c user.email=a@b commit -qam o; git checkout -q -',
  )
  await run('git checkout -q other')
  expect(blobs.sizes().size).toBe(4)
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true, paths: ['a.txt', 'b.txt'] })
  expect(sh('cat a.txt b.txt; git branch --show-current')).toBe('one\nb\nother\n')
})

test('Contents that git converts on checkout are put back as they were in the work tree', async () => {
  const { root, sh, run, journal } = setUp({ 'a.txt': 'one\ntwo\n', '.gitattributes': '*.txt text eol=crlf\n' }, true)
  sh('rm a.txt; git checkout -q a.txt')
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\r\ntwo\r\n')
  await run('echo three > a.txt')
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true })
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\r\ntwo\r\n')
})

test('A change of our own while a command runs is not taken for the command’s', async () => {
  const { sh, write, journal } = setUp({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
  const watch = await journal.watchCommand({ sessionId, description: 'server' })
  await write('a.txt', 'two\n')
  sh('echo c > b.txt')
  expect((await watch.finish())?.paths).toEqual(['b.txt'])
  expect(journal.undo({ sessionId, count: 2 })).toMatchObject({ ok: true })
  expect(sh('cat a.txt b.txt')).toBe('one\nb\n')
})

test('What a command changed while another one runs is told of it alone', async () => {
  const { sh, run, journal } = setUp({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
  const server = await journal.watchCommand({ sessionId, description: 'server' })
  await run('echo two > a.txt; echo new > c.txt')
  sh('echo c > b.txt')
  expect((await server.finish())?.paths).toEqual(['b.txt'])
  expect(journal.undo({ sessionId, count: 2 })).toMatchObject({ ok: true })
  expect(sh('cat *')).toBe('one\nb\n')
})

test('Many files changed by one command are one entry', async () => {
  const { run, journal, sh } = setUp({ 'a.txt': 'a' })
  await run('mkdir d; i=0; while [ $i -lt 1200 ]; do echo $i > d/$i; i=$((i+1)); done')
  expect(journal.changes({ sessionId })).toHaveLength(1)
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true, paths: { length: 1200 } })
  expect(sh('ls')).toBe('a.txt\n')
})

test('A file over 64 MiB is named, not kept, and never read', async () => {
  const { run, journal, write, sh } = setUp({ 'a.txt': 'a\n' })
  sh('truncate -s 3G old.bin')
  const changed = await run('echo b > a.txt; truncate -s 3G new.bin; echo x >> old.bin')
  expect(changed?.entry).toMatchObject({ files: [{ path: 'a.txt' }], notKept: ['old.bin', 'new.bin'] })
  expect(await write('old.bin', 'x')).toMatchObject({ ok: false, code: 'TOO_LARGE' })
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true, paths: ['a.txt'] })
})

test('What does not fit the copies of one command is named', async () => {
  const { root, sh, run } = setUp({ 'a.txt': 'a' })
  for (const name of ['b.bin', 'c.bin']) writeFileSync(join(root, name), Buffer.alloc(40 * 1024 * 1024, name))
  const changed = await run('echo x >> b.bin; echo x >> c.bin')
  expect(changed?.entry.files).toHaveLength(1)
  expect(changed?.entry.notKept).toHaveLength(1)
  sh('rm *.bin')
})

test('A workspace that holds the home folder is not watched, and says so', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'journal-')))
  const journalParts = { store: createMemoryJournalStore(), blobs: createMemoryBlobStore() }
  const { journal } = openWorkspace({ root, journal: journalParts, home: join(root, 'home/me') })
  expect(await journal!.watchCommand({})).toMatchObject({ unwatched: 'the workspace holds the home folder' })
})

test('Files with several links keep them, and a changed mode is put back', async () => {
  const { root, write, journal } = setUp({ 'a.txt': 'one\n' })
  linkSync(join(root, 'a.txt'), join(root, '..', `other-${Date.now()}`))
  chmodSync(join(root, 'a.txt'), 0o600)
  const inode = statSync(join(root, 'a.txt')).ino
  await write('a.txt', 'longer than before\n')
  await write('a.txt', 's')
  expect(journal.undo({ sessionId, count: 2 })).toMatchObject({ ok: true })
  expect(statSync(join(root, 'a.txt'))).toMatchObject({ ino: inode, nlink: 2, mode: 0o100600 })
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n')
})

test('A session goes back to before a message of the user; another session’s changes stay', async () => {
  const { workspace, journal, read } = setUp({ 'a.txt': '0', 'b.txt': '0' })
  const history = changeHistory(journal, sessionId, () => {})
  for (const [at, seq] of [1, 4, 9].entries()) {
    await history.beginRun(`r${at}`, seq)
    await workspace.apply([{ path: 'a.txt', after: `${at + 1}` }], { sessionId, runId: `r${at}` })
  }
  await workspace.apply([{ path: 'b.txt', after: '1' }], { sessionId: 's2' })
  expect(await history.rewind(4)).toMatchObject({ ok: true, paths: ['a.txt'] })
  expect([read('a.txt'), read('b.txt')]).toEqual(['1', '1'])
  expect(await history.rewind(20)).toMatchObject({ ok: true, paths: [] })
  expect(await history.undo(1)).toMatchObject({ ok: true, text: 'Undone: edit a.txt.' })
  expect(read('a.txt')).toBe('0')
})

test('A crash between the entry and the write leaves nothing half-done', async () => {
  const { root, write, workspace, reopen, store, read } = setUp({ 'a.txt': 'old content\n', 'b.txt': 'b\n' })
  await write('a.txt', 'new\n')
  await workspace.apply([{ path: 'b.txt', after: 'B\n' }], { sessionId: 'another' })
  const [second, first] = store.list()
  // Crashed before the write; the content is still the old one.
  store.update(first!.position, { state: 'pending' })
  writeFileSync(join(root, 'a.txt'), 'old content\n')
  // Crashed after the write, before the entry was marked.
  store.update(second!.position, { state: 'pending' })
  expect(await reopen().recover()).toMatchObject({ kept: [{ position: 2 }], reverted: [{ position: 1 }], unclear: [] })
  expect([read('a.txt'), read('b.txt')]).toEqual(['old content\n', 'B\n'])
  // Crashed in the middle of a write in place.
  store.update(first!.position, { state: 'pending' })
  writeFileSync(join(root, 'a.txt'), 'new content\n')
  expect(await reopen().recover()).toMatchObject({ reverted: [{ position: 1 }], unclear: [] })
  expect(read('a.txt')).toBe('old content\n')
  // Somebody else's content is left alone.
  store.update(first!.position, { state: 'pending' })
  writeFileSync(join(root, 'a.txt'), 'mine\n')
  expect(await reopen().recover()).toMatchObject({ unclear: ['a.txt'] })
  expect(read('a.txt')).toBe('mine\n')
})

test('What a command changed is recorded although codehound was killed while it ran', async () => {
  const { sh, journal, reopen } = setUp({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
  await journal.watchCommand({ sessionId, description: 'make' })
  sh('echo two > a.txt; echo new > c.txt')
  const again = reopen()
  expect(await again.recover()).toMatchObject({ kept: [{ description: 'make', state: 'done' }], reverted: [] })
  expect(again.undo({ sessionId })).toMatchObject({ ok: true, paths: ['a.txt', 'c.txt'] })
  expect(sh('cat *')).toBe('one\nb\n')
})

test('A new file whose entry was not finished can be undone after the recovery', async () => {
  const { sh, store, write, reopen } = setUp()
  await write('new.txt', 'x\n')
  const [{ files }] = store.list() as [JournalEntry]
  // As the entry was before the write: the umask had not decided yet.
  store.update(1, { state: 'pending', files: [{ ...files[0]!, after: { ...files[0]!.after!, mode: -1 } }] })
  const journal = reopen()
  expect(await journal.recover()).toMatchObject({ kept: [{ position: 1 }] })
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true })
  expect(sh('ls')).toBe('')
})

test('A left-over temporary file goes with the recovery of its entry', async () => {
  const { root, sh, store, write, reopen } = setUp({ 'a.txt': 'one\n' })
  await write('a.txt', 'two\n')
  store.update(1, { state: 'pending' })
  writeFileSync(join(root, '.a.txt.0123456789ab.codehound-tmp'), 'tw')
  expect(await reopen().recover()).toMatchObject({ kept: [{ position: 1 }] })
  expect(sh('ls -A')).toBe('a.txt\n')
})

test('Files that a changed ignore rule brings to light are not taken for new ones', async () => {
  const { run, journal, sh } = setUp({ '.gitignore': 'secret\nold\n', secret: 's', 'old/x': 'x' })
  // Older than what the clocks of the program and of the file system may differ by.
  await setTimeout(50)
  const changed = await run('rm .gitignore; echo more >> secret')
  expect(changed?.entry).toMatchObject({ files: [{ path: '.gitignore' }], notKept: ['secret'] })
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true, paths: ['.gitignore'] })
  expect(sh('cat secret old/x')).toBe('smore\nx')
})

test('A file as young as the command is not taken for new either, though by its times it may have been made by it', async () => {
  const { run, journal, sh } = setUp({ '.gitignore': 'old\n', 'old/x': 'x' })
  sh('touch old/x')
  const changed = await run('rm .gitignore')
  expect(changed?.entry.files.map(({ path }) => path)).toEqual(['.gitignore'])
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true, paths: ['.gitignore'] })
  expect(sh('cat old/x')).toBe('x')
})

test('A new file of a command that changes ignore rules as well goes with the undo', async () => {
  const { run, journal, sh } = setUp({ '.gitignore': 'secret\n', secret: 's', 'a/.gitignore': 'b\n' })
  await run('echo c > .gitignore; rm a/.gitignore; echo new > new; mkdir c; echo c > c/c')
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true })
  expect(sh('ls -A; cat .gitignore a/.gitignore')).toBe('.gitignore\na\nc\nsecret\nsecret\nb\n')
})

test('Old entries go by age and by quota, with their contents', async () => {
  const { store, blobs, write, journal } = setUp({ 'a.txt': 'a' })
  for (const size of [1000, 2000, 3000]) await write('a.txt', 'x'.repeat(size))
  expect(collectJournal(store, blobs, Date.now(), 5500)).toMatchObject({ entries: 2 })
  expect(journal.changes()).toHaveLength(1)
  expect(collectJournal(store, blobs, Date.now() + 31 * 24 * 3600 * 1000)).toMatchObject({ entries: 0 })
})

test('What a running command may need is not forgotten meanwhile', async () => {
  const { root, store, blobs, journal, read } = setUp({ 'a.txt': 'not in git' })
  const watch = await journal.watchCommand({ sessionId, description: 'make' })
  collectJournal(store, createLater(blobs), Date.now())
  writeFileSync(join(root, 'a.txt'), 'changed')
  await watch.finish()
  expect(journal.undo({ sessionId })).toMatchObject({ ok: true })
  expect(read('a.txt')).toBe('not in git')
})

/** The store an hour later: everything in it is old. */
function createLater(blobs: BlobStore): BlobStore {
  return {
    ...blobs,
    collect: (needed) => {
      vi.setSystemTime(Date.now() + 3_600_000)
      try {
        return blobs.collect(needed)
      } finally {
        vi.useRealTimers()
      }
    },
  }
}

test('A damaged content is not put back', async () => {
  const { write, journal, blobs, read, store } = setUp({ 'a.txt': 'a' })
  await write('a.txt', 'b')
  const { hash } = store.list()[0]!.files[0]!.before!
  blobs.get = (wanted) => (wanted === hash ? null : Buffer.from('b'))
  expect(journal.undo({ sessionId })).toMatchObject({ ok: false, code: 'IO_ERROR' })
  expect(read('a.txt')).toBe('b')
  expect(journal.changes()).toMatchObject([{ state: 'done' }])
})

test('Where nothing can be recorded nothing is changed, and a command is not watched', async () => {
  const { write, journal, blobs, read } = setUp({ 'a.txt': 'a' })
  blobs.put = () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  expect(await write('a.txt', 'b')).toMatchObject({ ok: false, code: 'DISK_FULL' })
  expect(read('a.txt')).toBe('a')
  expect(await journal.watchCommand({})).toMatchObject({ unwatched: expect.stringContaining('disk is full') })
})

test('The diff of an entry is read from the record', async () => {
  const { write, journal } = setUp({ 'a.txt': 'one\n' })
  await write('a.txt', 'two\n')
  const [entry] = journal.changes()
  expect(journal.diffOf(entry!)).toMatchObject([{ path: 'a.txt', change: 'modified', added: 1, removed: 1 }])
})
