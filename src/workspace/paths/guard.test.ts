import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { factsOf, type FsFacts } from './facts.ts'
import { createPathGuard } from './guard.ts'

function folders(): { root: string; outside: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'guard-')))
  mkdirSync(join(base, 'root'))
  mkdirSync(join(base, 'outside'))
  return { root: join(base, 'root'), outside: join(base, 'outside') }
}

function guardOf(root: string, additionalRoots: string[] = []) {
  return createPathGuard({ root, additionalRoots, facts: factsOf(root) })
}

function verdict(result: { ok: boolean; code?: string; relative?: string }): string {
  return result.ok ? `ok ${result.relative}` : result.code!
}

/** A file system that folds case and Unicode forms as APFS does, over a list of existing paths. */
function foldingFacts(existing: string[]): FsFacts {
  const fold = (path: string): string => path.normalize('NFC').toLowerCase()
  const real = new Map(existing.map((path) => [fold(path), path]))
  return {
    separator: '/',
    caseInsensitive: true,
    foldsUnicode: true,
    windowsNames: false,
    procFd: false,
    realpath: (path) => real.get(fold(path)) ?? null,
    readlink: () => null,
    names: (folder) => {
      const prefix = `${fold(folder)}/`
      const below = existing.filter((path) => fold(path).startsWith(prefix))
      return below.map((path) => path.slice(prefix.length)).filter((name) => !name.includes('/'))
    },
  }
}

test('Every way out of the workspace is refused, every way in it has one name', () => {
  const { root, outside } = folders()
  mkdirSync(join(root, 'src'))
  writeFileSync(join(outside, 'file'), '')
  symlinkSync(outside, join(root, 'out'))
  symlinkSync('../../outside/new', join(root, 'src/dangling'))
  symlinkSync('src', join(root, 'in'))
  symlinkSync('loop', join(root, 'loop'))
  const guard = guardOf(root)
  const cases: Record<string, string> = {
    '.': 'ok .',
    './src//a.ts': 'ok src/a.ts',
    'src/../src/a.ts': 'ok src/a.ts',
    [`${root}/src/a.ts`]: 'ok src/a.ts',
    'in/a.ts': 'ok in/a.ts',
    'new/deep/file': 'ok new/deep/file',
    '..': 'OUTSIDE_WORKSPACE',
    '../outside/file': 'OUTSIDE_WORKSPACE',
    'src/../../outside/file': 'OUTSIDE_WORKSPACE',
    [`${root}-other/x`]: 'OUTSIDE_WORKSPACE',
    '/etc/passwd': 'OUTSIDE_WORKSPACE',
    '/dev/null': 'OUTSIDE_WORKSPACE',
    '/proc/self/environ': 'OUTSIDE_WORKSPACE',
    '~/.bashrc': 'OUTSIDE_WORKSPACE',
    'out/file': 'OUTSIDE_WORKSPACE',
    'out/new/file': 'OUTSIDE_WORKSPACE',
    'src/dangling': 'OUTSIDE_WORKSPACE',
    'loop/x': 'BAD_PATH',
    'src/a\0.ts': 'BAD_PATH',
    '': 'BAD_PATH',
    ' ': 'BAD_PATH',
  }
  expect(Object.fromEntries(Object.keys(cases).map((path) => [path, verdict(guard.resolve(path, 'write'))]))).toEqual(
    cases,
  )
})

test('What git and codehound run is not written, however its name is spelled', () => {
  const { root } = folders()
  mkdirSync(join(root, '.git/hooks'), { recursive: true })
  symlinkSync('.git/hooks', join(root, 'harmless'))
  const guard = guardOf(root)
  const spelled = ['.git/config', 'sub/.git/hooks/x', '.GIT/config', '.g\u200cit/config', '.git. /config', 'harmless/x']
  for (const path of [...spelled, '.codehound/config.yaml']) {
    expect([path, verdict(guard.resolve(path, 'write'))]).toEqual([path, 'PROTECTED_PATH'])
  }
  expect(verdict(guard.resolve('.git/config', 'read'))).toBe('ok .git/config')
  expect(verdict(guard.resolve('.codehound/notes/a.md', 'write'))).toBe('ok .codehound/notes/a.md')
  expect(verdict(guard.resolve('.gitignore', 'write'))).toBe('ok .gitignore')
})

test('An added root is reached by its absolute path only', () => {
  const { root, outside } = folders()
  const guard = guardOf(root, [outside])
  expect(guard.resolve(`${outside}/x`, 'write')).toEqual({
    ok: true,
    absolute: `${outside}/x`,
    relative: `${outside}/x`,
    real: `${outside}/x`,
    root: outside,
  })
  expect(verdict(guard.resolve(`${outside}2/x`, 'write'))).toBe('OUTSIDE_WORKSPACE')
})

test('A decomposed name on disk is found by its composed spelling', () => {
  const { root } = folders()
  writeFileSync(join(root, 'cafe\u0301.md'), '')
  expect(verdict(guardOf(root).resolve('caf\u00e9.md', 'read'))).toBe('ok cafe\u0301.md')
})

test('A folder that differs from the root in Unicode form only is another folder where the file system says so', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'guard-')))
  mkdirSync(join(base, 'caf\u00e9'))
  mkdirSync(join(base, 'cafe\u0301'))
  symlinkSync(join(base, 'cafe\u0301'), join(base, 'caf\u00e9/link'))
  const guard = guardOf(join(base, 'caf\u00e9'))
  expect(verdict(guard.resolve(join(base, 'cafe\u0301/x'), 'write'))).toBe('OUTSIDE_WORKSPACE')
  expect(verdict(guard.resolve('link/x', 'write'))).toBe('OUTSIDE_WORKSPACE')
})

test('Where case does not count, a path gets the letters on disk, and the root may be spelled otherwise', () => {
  const facts = foldingFacts(['/', '/Users', '/Users/Me', '/Users/Me/Src', '/Users/Me/Src/App.ts', '/Users/Mex'])
  const guard = createPathGuard({ root: '/Users/Me', additionalRoots: [], facts })
  expect(verdict(guard.resolve('src/APP.TS', 'write'))).toBe('ok Src/App.ts')
  expect(verdict(guard.resolve('/users/ME/SRC/new.ts', 'write'))).toBe('ok Src/new.ts')
  expect(verdict(guard.resolve('/users/mex/a', 'write'))).toBe('OUTSIDE_WORKSPACE')
  expect(verdict(guard.resolve('.Git/hooks/x', 'write'))).toBe('PROTECTED_PATH')
})

test('Windows names that are no files are refused', () => {
  const windows: FsFacts = {
    separator: '\\',
    caseInsensitive: true,
    foldsUnicode: false,
    windowsNames: true,
    procFd: false,
    realpath: (path) => (['c:\\', 'c:\\work'].includes(path.toLowerCase()) ? path : null),
    readlink: () => null,
    names: () => [],
  }
  const guard = createPathGuard({ root: 'C:\\work', additionalRoots: [], facts: windows })
  const cases: Record<string, string> = {
    'src/a.ts': 'ok src/a.ts',
    'src\\a.ts': 'ok src/a.ts',
    'c:/WORK/a.ts': 'ok a.ts',
    'src/NUL': 'BAD_PATH',
    'aux.ts': 'BAD_PATH',
    'com1.log': 'BAD_PATH',
    'a.ts:stream': 'BAD_PATH',
    'a.ts.': 'BAD_PATH',
    'C:a.ts': 'BAD_PATH',
    '\\\\?\\C:\\work\\a.ts': 'BAD_PATH',
    '\\\\server\\share\\a': 'BAD_PATH',
    'D:\\a': 'OUTSIDE_WORKSPACE',
    '..\\a': 'OUTSIDE_WORKSPACE',
    'git~1\\config': 'PROTECTED_PATH',
  }
  expect(Object.fromEntries(Object.keys(cases).map((path) => [path, verdict(guard.resolve(path, 'write'))]))).toEqual(
    cases,
  )
})
