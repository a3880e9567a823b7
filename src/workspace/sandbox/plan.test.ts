import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlan } from './plan.ts'
import { createSecretScan } from './secret-scan.ts'

let folder: string
let root: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-plan-')))
  root = join(folder, 'work')
  mkdirSync(root)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const plan = (more: Partial<Parameters<typeof makePlan>[0]> = {}) =>
  makePlan({ root, home: join(folder, 'home'), temp: '/t', network: false, secretPaths: [], ...more })

test('a plan names only what exists, by its real path', () => {
  mkdirSync(join(folder, 'home', '.ssh'), { recursive: true })
  writeFileSync(join(folder, 'home', '.netrc'), '')
  writeFileSync(join(folder, 'key'), '')
  symlinkSync(join(folder, 'key'), join(root, '.env'))
  expect(plan({ secretPaths: [join(root, '.env'), join(root, 'gone')], additionalRoots: ['/gone'] })).toEqual({
    writable: [root],
    readOnly: [],
    secretFolders: [join(folder, 'home', '.ssh')],
    secretFiles: [join(folder, 'home', '.netrc'), join(folder, 'key')],
    temp: '/t',
    home: join(folder, 'home'),
    network: false,
  })
})

test("a linked worktree's git folders are writable, their hooks are not", () => {
  const main = join(folder, 'main', '.git')
  const own = join(main, 'worktrees', 'work')
  mkdirSync(join(main, 'hooks'), { recursive: true })
  mkdirSync(own, { recursive: true })
  for (const each of [main, own]) writeFileSync(join(each, 'HEAD'), 'ref: x')
  writeFileSync(join(root, '.git'), `gitdir: ${own}\n`)
  writeFileSync(join(own, 'gitdir'), `${join(root, '.git')}\n`)
  writeFileSync(join(own, 'commondir'), '../..\n')
  expect(plan()).toMatchObject({ writable: [root, own, main], readOnly: [join(main, 'hooks')] })
})

test('a .git file that names a folder which does not name it back opens nothing', () => {
  mkdirSync(join(folder, 'home'))
  writeFileSync(join(folder, 'home', 'HEAD'), '')
  writeFileSync(join(root, '.git'), `gitdir: ${join(folder, 'home')}\n`)
  expect(plan().writable).toEqual([root])
})

test('secret files are found at any depth, and again after every change', () => {
  mkdirSync(join(root, 'a', 'node_modules'), { recursive: true })
  writeFileSync(join(root, 'a', '.env'), '')
  writeFileSync(join(root, 'a', 'node_modules', '.env'), '')
  const scan = createSecretScan([root], (path) => path.endsWith('.env'))
  expect(scan()).toEqual([join(root, 'a', '.env')])
  writeFileSync(join(root, 'a', 'b.env'), '')
  expect(scan().toSorted()).toEqual([join(root, 'a', '.env'), join(root, 'a', 'b.env')])
  renameSync(join(root, 'a'), join(root, 'c'))
  expect(scan().toSorted()).toEqual([join(root, 'c', '.env'), join(root, 'c', 'b.env')])
  rmSync(join(root, 'c', '.env'))
  expect(scan()).toEqual([join(root, 'c', 'b.env')])
})
