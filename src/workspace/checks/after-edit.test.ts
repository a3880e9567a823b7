import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemoryBlobStore } from '../journal/blob-store.ts'
import { createMemoryJournalStore } from '../journal/memory-journal-store.ts'
import { openWorkspace } from '../workspace.ts'
import { createAfterEdit, type AfterEditOptions } from './after-edit.ts'
import { findChecks } from './find-checks.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-checks-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  chmodSync(join(root, path), mode)
}

function install(...programs: string[]): void {
  for (const program of programs) write(`node_modules/.bin/${program}`, '#!/bin/sh\n', 0o755)
}

const bin = (name: string): string => join(root, 'node_modules/.bin', name)
const { signal } = new AbortController()

function setUp(setting: AfterEditOptions['setting'], refusal?: string) {
  const journal = { store: createMemoryJournalStore(), blobs: createMemoryBlobStore() }
  const workspace = openWorkspace({ root, journal, durable: false, home: '/nowhere' })
  const environment = () => ({ PATH: process.env['PATH'] ?? '' })
  const after = createAfterEdit({ workspace, setting, sessionId: 's', environment, refusal: () => refusal })
  return { after, journal: workspace.journal! }
}

test('formatter, linter and type check are found in package.json, and take the files they know', () => {
  const devDependencies = { prettier: '3', eslint: '9', typescript: '5', oxlint: '1' }
  write('package.json', JSON.stringify({ devDependencies, scripts: { typecheck: 'tsc -b' } }))
  install('prettier', 'eslint', 'tsc')
  expect(findChecks(root, 'auto', ['a.md', '-b.ts'])).toEqual([
    {
      name: 'prettier',
      command: [bin('prettier'), '--write', '--ignore-unknown', '--log-level', 'warn', '--', './a.md', './-b.ts'],
    },
    { name: 'eslint', command: [bin('eslint'), '--', './-b.ts'] },
    { name: 'npm run typecheck', command: ['npm', 'run', '--silent', 'typecheck'] },
  ])
  expect(findChecks(root, 'auto', ['a.md']).map(({ name }) => name)).toEqual(['prettier'])
})

test('what is not installed is no check, nor is anything without package.json', () => {
  expect(findChecks(root, 'auto', ['a.ts'])).toEqual([])
  write('package.json', JSON.stringify({ devDependencies: { prettier: '3', typescript: '5' } }))
  install('tsc')
  expect(findChecks(root, 'auto', ['a.ts'])).toEqual([])
  write('tsconfig.json', '{}')
  expect(findChecks(root, 'auto', ['a.ts']).map(({ name }) => name)).toEqual(['tsc'])
})

test('a configured command gets the files where it says so, quoted', () => {
  expect(findChecks(root, ['lint {files}', 'make check'], ["it's.ts", '$(x).ts'])).toEqual([
    { name: 'lint {files}', command: `lint 'it'\\''s.ts' '$(x).ts'` },
    { name: 'make check', command: 'make check' },
  ])
  expect(findChecks(root, 'off', ['a.ts'])).toEqual([])
})

test('a finding is told once, and again when it is another', async () => {
  write('a.ts', 'bad 1\n')
  const { after } = setUp(['grep -n bad {files} >&2; ! grep -q bad {files}'])
  const first = await after(['a.ts'], signal)
  expect(first?.text).toContain('1:bad 1')
  expect(await after(['a.ts'], signal)).toBeUndefined()
  write('a.ts', 'bad 2\n')
  expect((await after(['a.ts'], signal))?.text).toContain('1:bad 2')
  write('a.ts', 'good\n')
  expect(await after(['a.ts'], signal)).toBeUndefined()
  write('a.ts', 'bad 2\n')
  expect((await after(['a.ts'], signal))?.text).toContain('1:bad 2')
})

test('what a formatter changes is told, and can be undone', async () => {
  write('a.ts', 'x\n')
  const { after, journal } = setUp(['echo formatted > {files}'])
  expect(await after(['a.ts'], signal)).toMatchObject({ changed: ['a.ts'], text: expect.stringContaining('a.ts') })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('formatted\n')
  expect(journal.undo({ sessionId: 's' })).toMatchObject({ ok: true, paths: ['a.ts'] })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('x\n')
})

test('in a folder that is not trusted nothing runs, and that is said once', async () => {
  const { after } = setUp(['touch ran'], 'the folder is not trusted')
  expect((await after(['a.ts'], signal))?.text).toContain('the folder is not trusted')
  expect(await after(['a.ts'], signal)).toBeUndefined()
})

test('a program that is not there is a finding', async () => {
  write('package.json', JSON.stringify({ devDependencies: { eslint: '9' } }))
  write('node_modules/.bin/eslint', '#!/nowhere/node\n', 0o755)
  expect((await setUp('auto').after(['a.ts'], signal))?.text).toMatch(/eslint/)
})
