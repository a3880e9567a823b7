import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../config/load-config.ts'
import { forgetScope, IndexScope, type ScopeOptions } from './index-scope.ts'

let base: string
let root: string
const facts = new Map<string, string>()
const store = {
  getFact: (key: string) => facts.get(key),
  setFact: (key: string, value: string) => void facts.set(key, value),
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-scope-')))
  root = join(base, 'work')
  mkdirSync(join(root, 'packages/app'), { recursive: true })
  mkdirSync(join(root, 'folder'))
  mkdirSync(join(base, 'other'))
  facts.clear()
})
afterEach(() => rmSync(base, { recursive: true }))

const file = (): string => join(root, '.codehound/config.yaml')
const configure = (text: string): void => {
  mkdirSync(join(root, '.codehound'), { recursive: true })
  writeFileSync(file(), text)
}
/** As the next start has it, in a folder that is not trusted. */
const scopeOf = async (more: Partial<ScopeOptions> = {}): Promise<IndexScope> => {
  const loaded = await loadConfig({ env: { HOME: join(base, 'home') }, workspaceRoot: root })
  expect(loaded.warnings).toEqual([])
  return new IndexScope({ root, detectedBy: 'git', cwd: root, loaded, facts: store, ...more })
}

test.each([
  ['repository', '', true],
  ['folder', 'packages', true],
  ['packages/app', 'packages/app', true],
  ['./folder', 'folder', true],
  ['packages/', 'packages', true],
  ['.', '', true],
])('project.scope: %s in an untrusted workspace covers "%s"', async (value, folder, isAnswer) => {
  configure(`project: { scope: ${value} }\n`)
  const scope = await scopeOf({ cwd: join(root, 'packages') })
  expect([scope.folder(), scope.isAnswered()]).toEqual([folder, isAnswer])
})

test.each([
  ['../other', 'outside'],
  ['/etc', 'outside'],
  ['link', 'leads outside'],
  ['packages/../../other', 'outside'],
  ['nowhere', 'not there'],
  ['file.ts', 'no folder'],
])('project.scope: %s is refused, as it is %s', async (value, why) => {
  symlinkSync(join(base, 'other'), join(root, 'link'))
  writeFileSync(join(root, 'file.ts'), '')
  configure(`project: { scope: ${value} }\n`)
  const scope = await scopeOf()
  expect(() => scope.folder()).toThrow(`project.scope names ${JSON.stringify(value)}, which`)
  expect(() => scope.folder()).toThrow(why)
})

test('in a repository the folder is kept in its configuration, whose comments stay', async () => {
  configure('# ours\ndisplay: { theme: none }\n')
  const scope = await scopeOf()
  expect(scope.keepFolder('packages/app')).toContain('Kept as project.scope in .codehound/config.yaml')
  expect(readFileSync(file(), 'utf8')).toBe('# ours\ndisplay: { theme: none }\nproject:\n  scope: packages/app\n')
  expect([(await scopeOf()).folder(), facts.size]).toEqual(['packages/app', 0])
  expect(scope.keepFolder('folder')).toContain('Kept')
  expect((await scopeOf({ cwd: join(root, 'packages') })).folder()).toBe('folder')
  forgetScope(root, store)
  expect((await scopeOf()).folder()).toBe('')
})

// A `.codehound/` there would make one workspace of all the projects in it.
test("in a folder that is no repository it is kept among the user's data", async () => {
  const scope = await scopeOf({ detectedBy: 'cwd' })
  expect(scope.keepFolder('packages')).toContain('Remembered')
  expect(() => readFileSync(file())).toThrow('ENOENT')
  const next = await scopeOf({ detectedBy: 'cwd' })
  expect([next.folder(), next.isAnswered()]).toEqual(['packages', true])
  expect(next.remembered()).toEqual({ folder: 'packages' })
  rmSync(join(root, 'packages'), { recursive: true })
  expect([next.folder(), next.isAnswered()]).toEqual(['', false])
  expect(next.remembered()).toBeUndefined()
  next.keepAll()
  expect(next.remembered()).toBe('all')
  expect(
    new IndexScope({ ...(scope as unknown as { options: ScopeOptions }).options, facts: undefined }).keepFolder('x'),
  ).toBe('This holds for this session.')
})

test('a configuration that is a link is not written through', async () => {
  mkdirSync(join(root, '.codehound'))
  writeFileSync(join(base, 'mine.yaml'), 'model: a/b\n')
  symlinkSync(join(base, 'mine.yaml'), file())
  const loaded = await loadConfig({ env: { HOME: join(base, 'home') } })
  const scope = new IndexScope({ root, detectedBy: 'codehound', cwd: root, loaded, facts: store })
  expect(scope.keepFolder('packages')).toContain('Remembered')
  expect(readFileSync(join(base, 'mine.yaml'), 'utf8')).toBe('model: a/b\n')
})

test('that all files are wanted is remembered, and forgotten', async () => {
  const scope = await scopeOf()
  expect(scope.isAnswered()).toBe(false)
  scope.keepAll()
  expect((await scopeOf()).isAnswered()).toBe(true)
  forgetScope(root, store)
  expect((await scopeOf()).isAnswered()).toBe(false)
})
