import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { churnSince, lineAuthors } from './authors.ts'

let root: string
const sh = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
const write = (path: string, text: string): void => writeFileSync(join(root, path), text)
const commit = (name: string): void => {
  sh('add', '-A')
  sh(
    '-c',
    `user.name=${name}`,
    '-c',
    'user.email=a@example.com',
    '-c',
    'commit.gpgSign=false',
    'commit',
    '-q',
    '-m',
    'x',
  )
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'authors-')))
  sh('init', '-q', '-b', 'main')
  write('a b.ts', 'one\ntwo\n')
  write('c.ts', 'three\n')
  commit('Ann')
  write('a b.ts', 'one\ntwo and a half\n')
  commit('Ben')
  write('a b.ts', 'one\ntwo and a half\nnot committed\n')
  write('new.ts', 'new\n')
})
afterEach(() => rmSync(root, { recursive: true }))

const places = [
  { path: 'c.ts', line: 1 },
  { path: 'a b.ts', line: 3 },
  { path: 'a b.ts', line: 2 },
  { path: 'new.ts', line: 1 },
  { path: 'a b.ts', line: 1 },
]

test('each line has the author of its last commit, in the order asked for', async () => {
  expect(await lineAuthors(root, places)).toEqual(['Ann', undefined, 'Ben', undefined, 'Ann'])
  expect(await lineAuthors(root, [])).toEqual([])
})

test('where there is no time, or no repository, nobody is named', async () => {
  expect(await lineAuthors(root, places, { timeMs: 0 })).toEqual(places.map(() => undefined))
  rmSync(join(root, '.git'), { recursive: true })
  expect(await lineAuthors(root, places)).toEqual(places.map(() => undefined))
})

test('commits since a revision are counted by file', async () => {
  expect(await churnSince(root, 'HEAD~1')).toEqual({ ok: true, commits: new Map([['a b.ts', 1]]) })
  expect(await churnSince(root, 'HEAD')).toEqual({ ok: true, commits: new Map() })
  expect(await churnSince(root, '@~1')).toEqual(await churnSince(root, 'HEAD~1'))
  const how = 'Give a commit, a tag or a branch; `git log --oneline` and `git branch --all` list them.'
  const none = (message: string) => ({ ok: false, code: 'GIT_FAILED', message })
  expect(await churnSince(root, '--all')).toEqual(none(`There is no revision "--all" in this repository. ${how}`))
  execFileSync('git', ['-C', root, 'tag', 'v1.0'])
  expect(await churnSince(root, 'v1.00')).toEqual(
    none(`There is no revision "v1.00" in this repository. Did you mean v1.0? ${how}`),
  )
  // A file is none, though git would say that it is ambiguous.
  expect(await churnSince(root, 'gone.ts')).toEqual(none(`There is no revision "gone.ts" in this repository. ${how}`))
  rmSync(join(root, '.git'), { recursive: true })
  execFileSync('git', ['-C', root, 'init', '-q'])
  expect(await churnSince(root, 'HEAD')).toEqual(
    none('The repository has no commit yet, so nothing has changed since one.'),
  )
})
