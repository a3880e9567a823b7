import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TextResult } from '../index/answers.ts'
import { openIndex } from '../index/code-index.ts'
import { run, type IndexDeps, type IndexGit, type IndexRequest } from './index-commands.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-commands-')))
  const files = {
    'src/a.ts':
      "/*---\n * Copyright (c) Somebody. Licensed under the MIT License.\n *---*/\nimport { b } from './deep/b.ts'\nexport const a = b\n// TODO: soon\n",
    'src/deep/b.ts':
      '/** Joins two words. */\nexport function b(x: string): string\nexport function b(x: number): string\nexport function b(x: unknown) {\n  return String(x)\n}\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
})
afterEach(() => rmSync(root, { recursive: true }))

let pages: string[] = []

async function ask(
  request: IndexRequest,
  cwd = root,
  more: Partial<IndexDeps> = {},
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  pages = []
  const code = await run(request, {
    stdout: { write: (text) => void (out += text) },
    stderr: { write: (text) => void (err += text) },
    cwd,
    page: () => Promise.resolve(),
    openPage: (html) => {
      pages.push(html)
      return Promise.resolve({ file: '/tmp/graph.html', shown: pages.length > 1 })
    },
    terminal: undefined,
    openIndex: async () => {
      const index = await openIndex({ root, watch: false, workers: 1 })
      await index.ready()
      const git: IndexGit = {
        authors: (places: unknown[]) => Promise.resolve(places.map(() => 'Ann')),
        churnSince: (revision) =>
          Promise.resolve(
            revision === 'v1'
              ? { ok: true, commits: new Map([['src/a.ts', 2]]) }
              : { ok: false, code: 'GIT_FAILED', message: 'no git here' },
          ),
      }
      return { index, git, close: () => index.close() }
    },
    ...more,
  })
  return { code, out, err }
}

test('a file is named from the root, from the folder one is in, or whole', async () => {
  const answer = { code: 0, out: '    4  src/deep/b.ts internal: b\n', err: '' }
  expect(await ask({ action: 'deps', path: 'src/a.ts' })).toEqual(answer)
  expect(await ask({ action: 'deps', path: './src/a.ts' })).toEqual(answer)
  expect(await ask({ action: 'deps', path: 'a.ts' }, join(root, 'src'))).toEqual(answer)
  expect(await ask({ action: 'deps', path: '../a.ts' }, join(root, 'src/deep'))).toEqual(answer)
  expect(await ask({ action: 'deps', path: 'src/a.ts' }, join(root, 'src/deep'))).toEqual(answer)
  expect(await ask({ action: 'deps', path: join(root, 'src/a.ts') }, '/')).toEqual(answer)
})

test('what is not there has exit code 1, and what is near is named', async () => {
  expect(await ask({ action: 'deps', path: 'src/aa.ts' })).toEqual({
    code: 1,
    out: '',
    err: 'The index has no file src/aa.ts. Nearest: src/a.ts.\n',
  })
  expect(await ask({ action: 'def', name: 'missing', json: true })).toMatchObject({ code: 1, out: 'null\n' })
  expect(await ask({ action: 'search', query: 'b(', limit: 9 }, '/')).toMatchObject({ code: 0 })
  await expect(ask({ action: 'search', query: 'b(', regex: true, limit: 9 })).rejects.toThrow(
    'Invalid regular expression',
  )
  await expect(ask({ action: 'map', words: [], tokens: 500, since: 'x' })).rejects.toThrow('no git here')
})

test('a todo says its tag once, with its author', async () => {
  expect((await ask({ action: 'todos' })).out).toBe('src/a.ts:6 TODO: soon  Ann\n')
})

test('the licence of a file is no comment of what follows it', async () => {
  expect((await ask({ action: 'def', name: 'a' })).out).toBe('src/a.ts:5 constant export const a = b\n')
  expect((await ask({ action: 'def', name: 'b' })).out).toContain('Joins two words.')
})

test('search by meaning names a function with overloads once', async () => {
  const { out } = await ask({ action: 'search', query: 'join words', semantic: true, limit: 5 })
  expect(out.split('\n').filter((line) => line.includes('function b'))).toHaveLength(1)
})

test('where the system does not watch, `index --watch` looks at the disk itself, until it is interrupted', async () => {
  let out = ''
  const others = process.listeners('SIGTERM')
  const running = run(
    { action: 'index', watch: true, json: true },
    {
      stdout: { write: (text) => void (out += text) },
      stderr: { write: () => undefined },
      cwd: root,
      page: () => Promise.resolve(),
      openPage: () => Promise.reject(new Error('not asked for')),
      terminal: undefined,
      openIndex: async ({ watch }) => {
        expect(watch).toBe(true)
        const index = await openIndex({ root, watch: false, workers: 1 })
        await index.ready()
        return { index, git: {} as IndexGit, close: () => index.close() }
      },
    },
  )
  await expect.poll(() => out, { timeout: 30_000 }).toContain('"state":"ready"')
  writeFileSync(join(root, 'src/new.ts'), 'export const fresh = 1\n')
  await expect.poll(() => out, { timeout: 30_000 }).toContain('"paths":["src/new.ts"]')
  for (const listener of process.listeners('SIGTERM')) if (!others.includes(listener)) listener('SIGTERM')
  expect(await running).toBe(0)
})

test('what stands alone is told from what is not there', async () => {
  // Symptom: "The index has no file src/alone.ts" about a file that imports nothing, and "no file ." in an empty folder.
  writeFileSync(join(root, 'src/alone.ts'), 'export const alone = 1\n')
  writeFileSync(join(root, 'notes.md'), '# Notes\n')
  const graph = { action: 'graph', format: 'mermaid' } as const
  expect(await ask({ ...graph, path: 'src/alone.ts' })).toMatchObject({
    code: 1,
    err: 'No file of src/alone.ts imports another, or is imported.\n',
  })
  expect(await ask({ ...graph, path: 'src/none.ts' })).toMatchObject({
    code: 1,
    err: expect.stringMatching('has no file') as string,
  })
  expect(await ask({ action: 'complexity', path: 'notes.md', limit: 9 })).toMatchObject({
    code: 1,
    err: 'There is no code in notes.md to measure.\n',
  })
  rmSync(join(root, 'src'), { recursive: true })
  expect(await ask(graph)).toMatchObject({ code: 1, err: 'No file here imports another, or is imported.\n' })
})

test('files that changed are shown by commits and complexity, and those that nobody needs', async () => {
  writeFileSync(join(root, 'src/alone.ts'), 'export const alone = 1\n')
  const since: IndexRequest = { action: 'map', words: [], tokens: 500, since: 'v1' }
  expect((await ask(since)).out).toBe(
    'commits  complexity  file\n      2           1  src/a.ts\n\nimported by nothing, and importing nothing:\nsrc/alone.ts\n',
  )
  expect(JSON.parse((await ask({ ...since, json: true })).out)).toMatchObject({
    changed: [{ path: 'src/a.ts', commits: 2 }],
    orphans: ['src/alone.ts'],
  })
})

test('the graph is JSON, or a page whose names are no markup', async () => {
  const odd = 'src/<img src=x onerror=alert(1)>.ts'
  mkdirSync(dirname(join(root, odd)), { recursive: true })
  writeFileSync(join(root, odd), "import { b } from './deep/b.ts'\nb('')\n")
  const graph = { action: 'graph', format: 'mermaid' } as const
  expect(JSON.parse((await ask({ ...graph, json: true })).out)).toMatchObject({
    files: [odd, 'src/a.ts', 'src/deep/b.ts'],
  })
  expect(await ask({ ...graph, open: true })).toEqual({
    code: 0,
    out: '/tmp/graph.html\n',
    err: 'No browser could be started; open the file yourself.\n',
  })
  expect(pages[0]).toContain('src/deep/b.ts')
  expect(pages[0]).not.toContain('<img')
})

test('search by meaning stays in the folder and the glob it is given', async () => {
  const search = { action: 'search', query: 'join words', semantic: true, limit: 5 } as const
  expect((await ask({ ...search, path: 'src/deep' })).out).toContain('src/deep/b.ts:2')
  expect(await ask({ ...search, path: 'src/a.ts' })).toMatchObject({ code: 1 })
  expect(await ask({ ...search, glob: '*.md' })).toMatchObject({ code: 1 })
})

test('a text search opens no index where what is kept on disk answers it, and says the same', async () => {
  const request: IndexRequest = { action: 'search', query: 'export', path: 'deep', context: 1, limit: 9 }
  const here = join(root, 'src')
  const usual = await ask(request, here)
  expect(usual).toMatchObject({ code: 0, err: '' })
  const asked: unknown[] = []
  const answering = (found: TextResult | undefined): Partial<IndexDeps> => ({
    searchSaved: (_front, query) => {
      asked.push(query(root))
      return Promise.resolve(found)
    },
  })
  const index = await openIndex({ root, watch: false, workers: 1 })
  await index.ready()
  const query = { query: 'export', path: 'src/deep', context: 1, limit: 9 }
  const found = await index.searchText(query)
  await index.close()
  const openNone = { openIndex: () => Promise.reject(new Error('opened')) }
  expect(await ask(request, here, { ...answering(found), ...openNone })).toEqual(usual)
  expect(await ask(request, here, answering(undefined))).toEqual(usual)
  expect(asked).toEqual([query, query])
  const none: TextResult = { matches: [], total: 0, files: 0 }
  expect(await ask({ ...request, json: true }, here, { ...answering(none), ...openNone })).toMatchObject({
    code: 1,
    out: 'null\n',
  })
  // By meaning only the index knows.
  await expect(ask({ ...request, semantic: true }, here, { ...answering(found), ...openNone })).rejects.toThrow(
    'opened',
  )
})
