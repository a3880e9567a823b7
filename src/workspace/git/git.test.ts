import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSecretFileRule } from '../secrets/secret-files.ts'
import { openGit } from './git.ts'
import { parseIndexListing } from './index-entries.ts'

const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgSign=false']

function repository(files: Record<string, string>): { root: string; sh: (...args: string[]) => string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'git-')))
  const sh = (...args: string[]): string => execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' })
  sh('init', '-q', '-b', 'main')
  sh('config', 'user.name', 'A')
  sh('config', 'user.email', 'a@example.com')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  if (Object.keys(files).length > 0) {
    sh('add', '-A')
    sh('commit', '-q', '-m', 'first')
  }
  return { root, sh }
}

function git(root: string) {
  return openGit({ root, secretRule: createSecretFileRule() })
}

test('The state of a work tree is told by paths relative to the workspace, also in a folder of it', async () => {
  const { root, sh } = repository({ 'a.txt': 'a\n', 'sub/b c.txt': 'b\n', 'sub/d.txt': 'd d d\nd\nd\n' })
  writeFileSync(join(root, 'a.txt'), 'changed\n')
  writeFileSync(join(root, 'sub/é\n.txt'), 'new\n')
  sh('mv', 'sub/d.txt', 'sub/moved.txt')
  expect(await git(root).status()).toMatchObject({
    branch: 'main',
    head: sh('rev-parse', 'HEAD').trim(),
    entries: [
      { path: 'a.txt', index: '.', workTree: 'M' },
      { path: 'sub/moved.txt', from: 'sub/d.txt', index: 'R', workTree: '.' },
      { path: 'sub/é\n.txt', index: '?', workTree: '?' },
    ],
  })
  const below = git(join(root, 'sub'))
  expect(await below.status()).toMatchObject({ entries: [{ path: 'moved.txt', from: 'd.txt' }, { path: 'é\n.txt' }] })
  const listed = await below.listed()
  expect(listed.ok && listed.paths.toSorted()).toEqual(['b c.txt', 'moved.txt', 'é\n.txt'])
})

test('A diff leaves secret files out and names them', async () => {
  const { root, sh } = repository({ 'a.txt': 'a\n', '.env': 'KEY=1\n' })
  writeFileSync(join(root, 'a.txt'), 'b\n')
  writeFileSync(join(root, '.env'), 'KEY=planted\n')
  const shown = await git(root).diff()
  expect(shown).toMatchObject({ ok: true, hidden: ['.env'], text: expect.stringContaining('+b\n') })
  expect(JSON.stringify(shown)).not.toContain('planted')
  sh('mv', '.env', 'renamed.txt')
  sh('add', '-A')
  const staged = await git(root).diff({ staged: true, path: 'a.txt' })
  expect(staged).toMatchObject({ hidden: [], text: expect.stringContaining('+b\n') })
})

test('Only the named files are committed; a path is never a pattern', async () => {
  const { root, sh } = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  writeFileSync(join(root, 'a.txt'), 'A\n')
  writeFileSync(join(root, 'b.txt'), 'B\n')
  writeFileSync(join(root, '*.txt'), 'star\n')
  sh('add', 'b.txt')
  const made = await git(root).commit({ message: 'two\n\nwords', files: ['a.txt', '*.txt'], trusted: false })
  expect(made).toEqual({ ok: true, id: sh('rev-parse', 'HEAD').trim(), files: ['*.txt', 'a.txt'] })
  expect(sh('status', '--porcelain')).toBe('M  b.txt\n')
  expect(await git(root).commit({ message: 'x', files: ['a.txt'], trusted: false })).toMatchObject({
    code: 'GIT_FAILED',
  })
  expect(await git(root).log({ limit: 1 })).toMatchObject({ commits: [{ author: 'A', subject: 'two' }] })
  expect(await git(root).churn(30)).toMatchObject({
    commits: new Map([
      ['a.txt', 2],
      ['*.txt', 1],
      ['b.txt', 1],
    ]),
  })
})

test('Nothing of a hostile repository runs on a read or an untrusted commit', async () => {
  const { root, sh } = repository({ 'a.txt': 'a\n', '.gitattributes': '*.txt filter=evil diff=evil\n' })
  const trap = join(root, '..', `trap-${Date.now()}`)
  const evil = `sh -c 'touch ${trap}; cat'`
  for (const key of [
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'diff.evil.textconv',
    'diff.evil.command',
  ]) {
    sh('config', key, evil)
  }
  for (const key of ['core.fsmonitor', 'core.pager', 'core.editor', 'diff.external', 'gpg.program', 'core.sshCommand'])
    sh('config', key, evil)
  sh('config', 'filter.evil.required', 'true')
  sh('config', 'log.showSignature', 'true')
  sh('config', 'commit.gpgSign', 'true')
  for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'post-index-change', 'prepare-commit-msg']) {
    writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch ${trap}\n`)
    chmodSync(join(root, '.git/hooks', hook), 0o755)
  }
  writeFileSync(join(root, 'a.txt'), 'changed\n')
  const safe = git(root)
  const results = [
    await safe.status(),
    await safe.diff(),
    await safe.diff({ against: 'HEAD' }),
    await safe.log(),
    await safe.churn(10),
    await safe.head(),
    await safe.branch(),
    await safe.workTree(),
    await safe.listed(),
    await safe.commit({ message: 'm', files: ['a.txt'], trusted: false }),
  ]
  expect(results.map((each) => each.ok)).toEqual(results.map(() => true))
  expect(existsSync(trap)).toBe(false)
  expect(await safe.diff({ against: '--output=/tmp/x' })).toMatchObject({ ok: false })
})

test('A repository without commits, a detached head, and no repository at all are told apart', async () => {
  const empty = repository({})
  expect(await git(empty.root).status()).toMatchObject({ branch: 'main', head: null, entries: [] })
  expect(await git(empty.root).head()).toEqual({ ok: true, id: null })
  expect(await git(empty.root).log()).toEqual({ ok: true, commits: [] })
  const { root, sh } = repository({ a: 'a' })
  sh('checkout', '-q', '--detach')
  expect(await git(root).branch()).toEqual({ ok: true, branch: null })
  renameSync(join(root, '.git'), join(root, 'not-git'))
  expect(await git(root).status()).toMatchObject({ ok: false, code: 'NO_GIT' })
})

test('A missing git binary is a fault, not a crash', async () => {
  const { root } = repository({ a: 'a' })
  const path = process.env['PATH']
  process.env['PATH'] = '/nonexistent'
  try {
    expect(await git(root).status()).toMatchObject({ ok: false, code: 'NO_GIT' })
  } finally {
    process.env['PATH'] = path
  }
})

test('The files of the work tree come with what the index knows of them, and contents by their blobs', async () => {
  const { root } = repository({ 'a b.txt': 'content\n', 'sub/é\n.txt': 'a\n\nb' })
  writeFileSync(join(root, 'untracked'), '')
  symlinkSync('a b.txt', join(root, 'link'))
  execFileSync('git', ['add', 'link'], { cwd: root })
  const tree = await git(root).workTree()
  if (!tree.ok) throw new Error(tree.message)
  expect([...tree.files.keys()].toSorted()).toEqual(['a b.txt', 'link', 'sub/é\n.txt', 'untracked'])
  expect([tree.files.get('untracked'), tree.files.get('link')]).toEqual([null, null])
  const entry = tree.files.get('a b.txt')!
  const stats = statSync(join(root, 'a b.txt'))
  expect(entry).toMatchObject({ size: 8, inode: stats.ino, mtimeSeconds: Math.floor(stats.mtimeMs / 1000) })
  const [a, b] = [entry.blob, tree.files.get('sub/é\n.txt')!.blob]
  expect(await git(root).blobs([a, '0'.repeat(40), b, a])).toEqual({
    ok: true,
    contents: new Map([
      [a, Buffer.from('content\n')],
      [b, Buffer.from('a\n\nb')],
    ]),
  })
  expect(parseIndexListing('H something else entirely\n')).toBe(undefined)
})
