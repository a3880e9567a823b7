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
  writeFileSync(join(folder, 'key'), '')
  symlinkSync(join(folder, 'key'), join(root, '.env'))
  expect(plan({ secretPaths: [join(root, '.env'), join(root, 'gone')], additionalRoots: ['/gone'] })).toEqual({
    writable: [root],
    readable: [],
    readOnly: [],
    pinned: [],
    secretFiles: [join(folder, 'key')],
    temp: '/t',
    home: join(folder, 'home'),
    gitConfig: undefined,
    network: false,
  })
})

test('every folder above a protected or secret file is pinned, outermost first', () => {
  mkdirSync(join(root, 'a', 'b', '.vscode'), { recursive: true })
  writeFileSync(join(root, 'a', 'b', '.vscode', 'tasks.json'), '')
  writeFileSync(join(root, 'a', '.env'), '')
  const places = { fixed: [join(root, 'a', 'b', '.vscode', 'tasks.json')], gitFolders: [] }
  expect(plan({ places, secretPaths: [join(root, 'a', '.env')] })).toMatchObject({
    readOnly: places.fixed,
    pinned: [join(root, 'a'), join(root, 'a', 'b'), join(root, 'a', 'b', '.vscode')],
  })
})

test("a linked worktree's git folders are writable", () => {
  const main = join(folder, 'main', '.git')
  const own = join(main, 'worktrees', 'work')
  mkdirSync(own, { recursive: true })
  for (const each of [main, own]) writeFileSync(join(each, 'HEAD'), 'ref: x')
  writeFileSync(join(root, '.git'), `gitdir: ${own}\n`)
  writeFileSync(join(own, 'gitdir'), `${join(root, '.git')}\n`)
  writeFileSync(join(own, 'commondir'), '../..\n')
  expect(plan().writable).toEqual([root, own, main])
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
