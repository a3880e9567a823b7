import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cacheFolder, dataFolder, privateFolder, workspaceDatabaseFile, workspaceId } from './data-folder.ts'
import { openGlobalStore } from './sqlite/global-store.ts'
import { StoreError } from './store-error.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codehound-data-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.runIf(process.platform === 'linux')('folders follow XDG, and a relative XDG path counts as none', () => {
  expect(dataFolder({ XDG_DATA_HOME: '/x/data', HOME: '/home/me' })).toBe('/x/data/codehound')
  expect(dataFolder({ XDG_DATA_HOME: 'data', HOME: '/home/me' })).toBe('/home/me/.local/share/codehound')
  expect(cacheFolder({ XDG_CACHE_HOME: '/x/cache', HOME: '/home/me' })).toBe('/x/cache/codehound')
  expect(cacheFolder({ HOME: '/home/me' })).toBe('/home/me/.cache/codehound')
})

test('the folder of a workspace is named by its path and closed to others', () => {
  const file = workspaceDatabaseFile(join(folder, 'data'), '/work/app', 'user')
  expect(file).toBe(join(folder, 'data', 'workspaces', workspaceId('/work/app'), 'workspace.db'))
  expect(workspaceId('/work/app/')).toBe(workspaceId('/work/app'))
  expect(workspaceId('/work/app')).toMatch(/^[0-9a-f]{16}$/)
  for (const made of [join(file, '..'), join(folder, 'data', 'workspaces'), join(folder, 'data')])
    expect(statSync(made).mode & 0o777).toBe(0o700)
})

test('a store inside the project stays out of git, and rules beside it do not', () => {
  mkdirSync(join(folder, '.codehound'))
  writeFileSync(join(folder, '.codehound', '.gitignore'), '*.tmp\n')
  workspaceDatabaseFile('/nowhere', folder, 'workspace')
  expect(workspaceDatabaseFile('/nowhere', folder, 'workspace')).toBe(join(folder, '.codehound', 'workspace.db'))
  expect(readFileSync(join(folder, '.codehound', '.gitignore'), 'utf8')).toBe('*.tmp\nworkspace.db*\n.gitignore\n')
})

test('a store inside the project is never written through a link that came with it', () => {
  mkdirSync(join(folder, '.codehound'))
  writeFileSync(join(folder, 'precious'), 'mine\n')
  for (const name of ['.gitignore', 'workspace.db']) {
    symlinkSync(join(folder, 'precious'), join(folder, '.codehound', name))
    expect(() => workspaceDatabaseFile('/nowhere', folder, 'workspace')).toThrow(`${name} is a symbolic link`)
    rmSync(join(folder, '.codehound', name))
  }
  expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('mine\n')
})

test('a folder that cannot be made is an error that says what to do', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => privateFolder(join(folder, 'file', 'data'))).toThrow(StoreError)
  expect(() => privateFolder(join(folder, 'file', 'data'))).toThrow(/cannot create the folder .*data \(ENOTDIR\)/)
})

test('the global store knows workspaces, trust and facts, and makes no file before it is used', () => {
  const file = join(folder, 'data', 'codehound.db')
  const store = openGlobalStore(file, { now: () => 5 })
  expect(() => statSync(file)).toThrow(/ENOENT/)
  expect(store.touchWorkspace('/work/app', 'git')).toBe(workspaceId('/work/app'))
  store.close()

  const later = openGlobalStore(file, { now: () => 9 })
  later.touchWorkspace('/work/app', 'codehound')
  later.touchWorkspace('/work/other', 'cwd')
  expect(later.workspaces()).toEqual([
    { id: workspaceId('/work/other'), root: '/work/other', detectedBy: 'cwd', createdAt: 9, lastActive: 9 },
    { id: workspaceId('/work/app'), root: '/work/app', detectedBy: 'codehound', createdAt: 5, lastActive: 9 },
  ])
  expect(later.isTrusted(folder)).toBe(false)
  later.setTrusted(folder, true)
  later.setTrusted(folder, true)
  expect([later.isTrusted(folder), later.isTrusted(join(folder, 'data'))]).toEqual([true, false])
  later.setTrusted(folder, false)
  expect(later.isTrusted(folder)).toBe(false)
  expect(later.getFact('toolFormat:a/b')).toBeUndefined()
  later.setFact('toolFormat:a/b', 'xml')
  later.setFact('toolFormat:a/b', 'native')
  expect(later.getFact('toolFormat:a/b')).toBe('native')
  later.close()
})
