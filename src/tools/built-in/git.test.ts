import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openToolBench, type ToolBench } from '../../../test/support/tool-bench.ts'

let bench: ToolBench
afterEach(() => bench.close())

function git(...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: bench.root,
    encoding: 'utf8',
  })
}

function openRepository(): ToolBench {
  bench = openToolBench({ files: { 'a.txt': 'one\n', 'sub/b.txt': 'two\n' }, trusted: () => true })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 't')
  git('config', 'user.email', 't@example.org')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  return bench
}

test('git_status and git_diff show the state of the tree and of the index', async () => {
  const { call, write } = openRepository()
  expect((await call('git_status')).text).toBe('On main\nNothing is changed.')
  write('a.txt', 'one\nmore\n')
  write('new file.txt', 'x')
  expect((await call('git_status')).text).toBe('On main\n M a.txt\n?? new file.txt')
  expect((await call('git_diff')).text).toContain('@@ -1 +1,2 @@\n one\n+more')
  expect((await call('git_diff', { path: 'sub' })).text).toContain('Nothing is changed that is not staged in sub.')
  git('add', 'a.txt')
  expect((await call('git_diff', { staged: true })).text).toContain('+more')
  expect((await call('git_diff', { staged: true })).status).toBe('success')
})

test('git_commit commits the named files and only these, and gives the id', async () => {
  const { call, write, judged } = openRepository()
  write('a.txt', 'changed\n')
  write('sub/b.txt', 'changed\n')
  write('c.txt', 'new\n')
  const result = await call('git_commit', { message: 'fix(a): change it', files: ['a.txt', 'c.txt'] })
  expect(result).toMatchObject({
    status: 'success',
    data: { files: ['a.txt', 'c.txt'], commit: git('rev-parse', 'HEAD').trim() },
  })
  expect(judged.at(-1)).toEqual({ kind: 'tool', tool: 'git_commit', effect: 'write', paths: ['a.txt', 'c.txt'] })
  expect(git('show', '--name-only', '--format=%s', 'HEAD').trim().split('\n')).toEqual([
    'fix(a): change it',
    '',
    'a.txt',
    'c.txt',
  ])
  expect(git('status', '--short').trim()).toBe('M sub/b.txt')
  expect(await call('git_commit', { message: 'x' })).toMatchObject({
    code: 'NO_CHANGE',
    text: expect.stringContaining('nothing is staged'),
  })
  expect(await call('git_commit', { message: 'x', files: ['a.txt'] })).toMatchObject({ code: 'NO_CHANGE' })
  expect(await call('git_commit', { message: 'x', files: ['../a.txt'] })).toMatchObject({ code: 'PATH_OUTSIDE' })
})

test('a commit that a hook stops is a failure with what the hook said', async () => {
  const { call, write, root } = openRepository()
  writeFileSync(join(root, '.git/hooks/pre-commit'), '#!/bin/sh\necho no tests >&2\nexit 1\n', { mode: 0o755 })
  write('a.txt', 'changed\n')
  expect(await call('git_commit', { message: 'x', files: ['a.txt'] })).toMatchObject({
    status: 'failed',
    code: 'TOOL_ERROR',
    text: expect.stringContaining('no tests'),
  })
})

test('a look runs no program that the repository names', async () => {
  const { call, write, root } = openRepository()
  for (const [key, value] of [
    ['core.fsmonitor', 'touch PWNED; false'],
    ['diff.external', 'touch PWNED; false'],
    ['core.pager', 'touch PWNED; cat'],
    ['diff.x.textconv', 'touch PWNED; cat'],
  ])
    git('config', key!, value!)
  write('.gitattributes', '* diff=x\n')
  write('a.txt', 'changed\n')
  await call('git_status')
  expect((await call('git_diff')).text).toContain('+changed')
  expect((await bench.workspace.list('.')) satisfies object).not.toMatchObject({
    entries: expect.arrayContaining([expect.objectContaining({ path: 'PWNED' })]),
  })
  expect(root).toBe(bench.root)
})

test('without a repository it is said so', async () => {
  const { call, root } = openRepository()
  rmSync(join(root, '.git'), { recursive: true })
  expect(await call('git_status')).toMatchObject({ status: 'failed', code: 'NO_GIT' })
})
