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
  expect(await churnSince(root, '--all')).toMatchObject({
    ok: false,
    message: expect.stringContaining('not a revision') as string,
  })
})
