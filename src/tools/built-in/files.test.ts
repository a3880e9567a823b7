import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openToolBench, type BenchOptions, type ToolBench } from '../../../test/support/tool-bench.ts'

let bench: ToolBench
const open = (options: BenchOptions): ToolBench => (bench = openToolBench(options))
afterEach(() => bench.close())

test('read_file numbers lines and says how many there are', async () => {
  const { call } = open({ files: { 'src/a.ts': 'one\ntwo\nthree\n' } })
  const whole = await call('read_file', { path: 'src/a.ts' })
  expect(whole).toMatchObject({
    status: 'success',
    data: { path: 'src/a.ts', totalLines: 3, startLine: 1, endLine: 3 },
  })
  expect(whole.text).toMatch(/^src\/a\.ts \(3 lines, hash [0-9a-f]{12}\)\n1\| one\n2\| two\n3\| three$/)
  const part = await call('read_file', { path: 'src/a.ts', start_line: 2, end_line: 99 })
  expect((await call('read_file', { path: 'src/a.ts', start_line: 3, end_line: -1 })).text).toMatch(/\)\n3\| three$/)
  expect(part.text).toMatch(/\(lines 2-3 of 3, .*\)\n2\| two\n3\| three$/)
})

test('read_file says what is there when it is not what was asked', async () => {
  const { call } = open({ files: { 'src/parser.ts': 'x\n', empty: '', 'bin.dat': 'a\0b' } })
  expect(await call('read_file', { path: 'parser.ts' })).toMatchObject({
    status: 'failed',
    code: 'NOT_FOUND',
    text: expect.stringContaining('src/parser.ts'),
  })
  expect(await call('read_file', { path: 'src' })).toMatchObject({
    code: 'NOT_FOUND',
    text: expect.stringContaining('list_files'),
  })
  expect(await call('read_file', { path: '../x' })).toMatchObject({ code: 'PATH_OUTSIDE' })
  expect(await call('read_file', { path: 'bin.dat' })).toMatchObject({ code: 'NOT_UTF8' })
  expect(await call('read_file', { path: 'empty' })).toMatchObject({ status: 'success', text: 'empty is empty.' })
  expect(await call('read_file', { path: 'src/parser.ts', start_line: 7 })).toMatchObject({
    code: 'NOT_FOUND',
    text: expect.stringContaining('has 1 lines'),
  })
})

test('a file of 20 KB is delivered whole in a window of 128k and cut at line ends in one of 8k', async () => {
  const text = Array.from({ length: 500 }, (_, at) => `const value${at} = ${'x'.repeat(20)}`).join('\n')
  expect(text.length).toBeGreaterThan(18_000)
  let window = 128_000
  const { call } = open({ files: { 'big.ts': text }, window: () => window })
  const whole = await call('read_file', { path: 'big.ts' })
  expect(whole.truncated).toBeUndefined()
  expect(whole.text).toContain('500| ')
  window = 8_192
  const cut = await call('read_file', { path: 'big.ts', end_line: 499 })
  expect(cut.truncated).toBe(true)
  expect(cut.text.length).toBeLessThanOrEqual(6_553)
  expect(cut.text).toMatch(/… \d+ characters left out here\. Read that range with start_line and end_line …/)
  expect(cut.text).toContain('499| const value498')
})

test('list_files gives sizes, kinds and link targets and honours .gitignore', async () => {
  const { call, root } = open({
    files: { '.gitignore': 'out\n', 'a.ts': 'x', 'out/b.js': '', 'src/deep/c.ts': 'y'.repeat(2048) },
  })
  symlinkSync('a.ts', join(root, 'link'))
  expect((await call('list_files')).text).toBe('.gitignore  4 B\na.ts  1 B\nlink -> a.ts\nsrc/')
  expect((await call('list_files', { path: 'src', recursive: true })).text).toBe('src/deep/\nsrc/deep/c.ts  2.0 KB')
  expect((await call('Glob', { pattern: '**/*.ts' })).text).toBe('a.ts  1 B\nsrc/deep/c.ts  2.0 KB')
  expect(await call('list_files', { path: 'nowhere' })).toMatchObject({ code: 'NOT_FOUND' })
  expect((await call('list_files', { path: 'src/deap' })).text).toBe('src/deap does not exist. Nearest: src/deep.')
})

test('search_text gives path, line and text, counts all, and says when a pattern was taken as text', async () => {
  const { call } = open({
    files: { 'a.ts': 'let foo = 1\nbar\nFoo()\n', 'b/c.md': 'no\nfoo here\n', 'd.bin': 'foo\0' },
  })
  expect((await call('search_text', { query: 'foo' })).text).toBe(
    '3 matching lines in 2 files:\na.ts:1: let foo = 1\na.ts:3: Foo()\nb/c.md:2: foo here',
  )
  expect((await call('search_text', { query: 'foo', case_sensitive: true, glob: '*.ts' })).text).toBe(
    '1 matching line in 1 file:\na.ts:1: let foo = 1',
  )
  expect((await call('search_text', { query: 'Foo' })).text.split('\n')[0]).toBe(
    '3 matching lines in 2 files, 1 in this very case (case_sensitive: true gives those alone):',
  )
  expect((await call('grep', { pattern: 'f.o\\(', path: 'a.ts' })).text).toBe(
    '1 matching line in 1 file:\na.ts:3: Foo()',
  )
  expect((await call('search_text', { query: 'bar', context: 1 })).text).toBe(
    '1 matching line in 1 file:\na.ts-1- let foo = 1\na.ts:2: bar\na.ts-3- Foo()',
  )
  expect((await call('search_text', { query: 'b.*r' })).text).toContain('set regex: true')
  expect(await call('search_text', { query: 'x', path: 'nowhere' })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await call('search_text', { query: '(', regex: true })).toMatchObject({ code: 'FORMAT_ERROR' })
})
