import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from '../workspace.ts'

/** The user that owns nothing, on Debian and most others. */
const NOBODY = 65534
const isRoot = process.getuid?.() === 0

function setUp() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'write-')))
  const workspace = openWorkspace({ root })
  return {
    root,
    at: (name: string) => join(root, name),
    write: (path: string, after: string) => workspace.apply([{ path, after }]),
  }
}

test('A file is replaced as a whole: who has it open keeps the old one, and nothing is left beside it', async () => {
  const { root, at, write } = setUp()
  writeFileSync(at('a'), 'old')
  const before = statSync(at('a')).ino
  await write('a', 'new')
  expect(statSync(at('a')).ino).not.toBe(before)
  expect(readdirSync(root)).toEqual(['a'])
})

test('A file with several links is written in place, shorter and longer', async () => {
  const { at, write } = setUp()
  writeFileSync(at('a'), 'a long old content')
  linkSync(at('a'), at('b'))
  await write('a', 'new')
  expect(readFileSync(at('b'), 'utf8')).toBe('new')
  await write('b', 'longer than before')
  expect([readFileSync(at('a'), 'utf8'), statSync(at('a')).nlink]).toEqual(['longer than before', 2])
})

test.runIf(isRoot)('A file of another owner stays theirs', async () => {
  const { at, write } = setUp()
  writeFileSync(at('a'), 'old')
  chownSync(at('a'), NOBODY, NOBODY)
  chmodSync(at('a'), 0o640)
  await write('a', 'new')
  expect(statSync(at('a'))).toMatchObject({ uid: NOBODY, gid: NOBODY, mode: 0o100640 })
  expect(readFileSync(at('a'), 'utf8')).toBe('new')
})

test('A link is written through to its target inside the workspace and stays a link', async () => {
  const { at, write } = setUp()
  mkdirSync(at('real'))
  writeFileSync(at('real/a'), 'old')
  symlinkSync('real/a', at('link'))
  symlinkSync('real/new', at('dangling'))
  await write('link', 'new')
  await write('dangling', 'made')
  expect([readFileSync(at('real/a'), 'utf8'), readFileSync(at('real/new'), 'utf8')]).toEqual(['new', 'made'])
  expect(readdirSync(at('.'), { withFileTypes: true }).filter((each) => each.isSymbolicLink())).toHaveLength(2)
})

test('Set-user-id and other mode bits stay, a new file has those of the umask', async () => {
  const { at, write } = setUp()
  writeFileSync(at('a'), 'old')
  chmodSync(at('a'), 0o4751)
  await write('a', 'new')
  await write('fresh', 'x')
  expect(statSync(at('a')).mode & 0o7777).toBe(0o4751)
  expect(statSync(at('fresh')).mode & 0o777).toBe(0o666 & ~process.umask())
})

test('A name of 255 bytes can be written, one of 256 is a fault', async () => {
  const { at, write } = setUp()
  const name = 'é'.repeat(127) + 'x'
  expect(await write(name, 'x')).toMatchObject({ ok: true })
  expect(await write(name, 'y')).toMatchObject({ ok: true })
  expect(readFileSync(at(name), 'utf8')).toBe('y')
  expect(await write(`${name}x`, 'x')).toMatchObject({ ok: false, code: 'BAD_PATH' })
})

test('What stands in the way is a fault that says so', async () => {
  const { at, write } = setUp()
  writeFileSync(at('file'), 'x')
  mkdirSync(at('folder'))
  expect(await write('folder', 'x')).toMatchObject({ code: 'IS_DIRECTORY' })
  expect(await write('.', 'x')).toMatchObject({ code: 'IS_DIRECTORY' })
  expect(await write('file/below', 'x')).toMatchObject({ ok: false })
  expect(await write('/dev/null', 'x')).toMatchObject({ code: 'OUTSIDE_WORKSPACE' })
})
