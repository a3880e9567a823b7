import { afterEach, expect, test } from 'vitest'
import { openToolBench, type ToolBench } from '../../../test/support/tool-bench.ts'
import type { IndexStatus, SymbolInfo } from '../../index/answers.ts'
import { openIndex, type CodeIndex } from '../../index/code-index.ts'

let bench: ToolBench
afterEach(() => bench.close())

const symbol = (name: string, more: Partial<SymbolInfo> = {}): SymbolInfo => ({
  path: 'src/a.ts',
  line: 2,
  column: 17,
  name,
  qualifiedName: name,
  kind: 'function',
  startLine: 2,
  endLine: 3,
  signature: `function ${name}()`,
  visibility: 'public',
  exported: true,
  isDefault: false,
  async: false,
  static: false,
  readonly: false,
  abstract: false,
  ...more,
})

/** The queries these tests ask; the index itself has its own tests. */
function playIndex(more: Partial<CodeIndex>, state: IndexStatus['state'] = 'ready'): CodeIndex {
  const status = { state, files: 9, indexed: 4, watcher: 'off' } as IndexStatus
  return {
    generation: 1,
    status: () => status,
    ready: () => Promise.resolve(),
    similarNames: () => ['parseFile', 'parseLine'],
    similarPaths: () => ['src/a.ts'],
    ...more,
  } as CodeIndex
}
const open = (index: CodeIndex | undefined): ToolBench => {
  const files = { 'src/a.ts': '// head\nexport function parse() {\n}\nclass A {}\n' }
  bench = openToolBench({ files, index: () => index, registry: { index: true } })
  return bench
}

test('without an index the tools that read it are not advertised, and say what to use when they are called', async () => {
  const { call } = open(undefined)
  expect(await call('get_structure')).toMatchObject({
    code: 'INDEX_NOT_READY',
    text: expect.stringContaining('search_text'),
  })
  await bench.close()
  bench = openToolBench()
  expect(bench.registry.advertised(128_000).map(({ name }) => name)).not.toContain('find_definition')
})

test('get_function shows the numbered lines, and the file counts as read there', async () => {
  const { call, read } = open(
    playIndex({
      symbolSource: (_path, name) => Promise.resolve(name === 'parse' ? [{ symbol: symbol('parse'), text: '' }] : []),
      outline: () => Promise.resolve({ symbols: [{ symbol: symbol('parse'), children: [] }] } as never),
    }),
  )
  expect((await call('get_function', { path: 'src/a.ts', name: 'parse' })).text).toBe(
    'src/a.ts:2-3 parse\n2| export function parse() {\n3| }',
  )
  expect((await call('edit_lines', { path: 'src/a.ts', start: 3, end: 3, content: '  return 1\n}' })).status).toBe(
    'success',
  )
  expect(read('src/a.ts')).toContain('{\n  return 1\n}')
  expect((await call('get_function', { path: 'src/a.ts', name: 'print' })).text).toBe(
    'src/a.ts has no "print". It defines: parse.',
  )
  expect((await call('get_class', { path: 'src/a.ts', name: 'parse' })).text).toBe(
    'parse in src/a.ts is a function, at line 2. Read it with read_file.',
  )
})

test('find_definition gives place, kind and signature, or the nearest names', async () => {
  const { call } = open(
    playIndex({
      definitions: (query) =>
        Promise.resolve('name' in query && query.name === 'parse' ? [symbol('parse', { doc: 'Parses.' })] : []),
    }),
  )
  expect((await call('find_definition', { symbol: 'parse' })).text).toBe(
    'src/a.ts:2-3 exported function: function parse() — Parses.',
  )
  expect((await call('find_definition', { name: 'prase' })).text).toContain('Nearest names: parseFile, parseLine.')
})

test('find_references leaves the declaration out and marks what is not certain', async () => {
  const at = (line: number, more: object) =>
    ({ path: 'src/b.ts', line, column: 1, text: 'parse(x)', kind: 'call', confidence: 'exact', ...more }) as never
  const { call } = open(
    playIndex({
      references: () =>
        Promise.resolve({
          definitions: [symbol('parse')],
          references: [at(1, { kind: 'declaration' }), at(3, { inside: 'main' }), at(5, { confidence: 'possible' })],
        }),
    }),
  )
  expect((await call('find_references', { symbol: 'parse' })).text).toBe(
    'src/a.ts:2-3 exported function: function parse()\n2 references in 1 file:\nsrc/b.ts:3: parse(x) (call in main)\nsrc/b.ts:5: parse(x) (call, possible)',
  )
})

test('find_references says which of several definitions each use means', async () => {
  // Symptom: a rename of one of two functions of a name could not be made from the answer.
  const at = (path: string, line: number) =>
    ({ path, line, column: 1, text: 'parse(x)', kind: 'call', confidence: 'exact' }) as never
  const [first, second, third] = [at('src/b.ts', 3), at('src/c.ts', 4), at('src/d.ts', 5)]
  const { call } = open(
    playIndex({
      references: (query) =>
        Promise.resolve({
          definitions: [symbol('parse'), symbol('parse', { path: 'src/z.ts' })],
          references: 'name' in query ? [first, first, second, third] : query.path === 'src/a.ts' ? [first] : [second],
        }),
    }),
  )
  expect((await call('find_references', { symbol: 'parse' })).text.split('\n').slice(2)).toEqual([
    '4 references in 3 files.',
    'of src/a.ts:2: 2',
    'src/b.ts:3: parse(x) (call)',
    'of src/z.ts:2: 1',
    'src/c.ts:4: parse(x) (call)',
    'which one is not certain: 1',
    'src/d.ts:5: parse(x) (call)',
  ])
})

test('a member is shown with what it belongs to', async () => {
  const size = symbol('size', { qualifiedName: 'Box.size', kind: 'getter', exported: false, signature: 'get size()' })
  const { call } = open(playIndex({ definitions: () => Promise.resolve([size]) }))
  expect((await call('find_definition', { symbol: 'size' })).text).toBe('src/a.ts:2-3 getter of Box: get size()')
})

test('structure, dependencies, dependents, complexity and todos are lines with places', async () => {
  const file = { path: 'src/a.ts', loc: 9, nesting: 2, imports: 1, score: 7 }
  const { call } = open(
    playIndex(
      {
        structure: () =>
          Promise.resolve({
            name: '',
            path: '',
            kind: 'folder',
            size: 0,
            children: [
              { name: 'src', path: 'src', kind: 'folder', size: 0, omitted: 3 },
              { name: 'a.ts', path: 'a.ts', kind: 'file', size: 1, outline: 'parse, A' },
            ],
          }),
        dependencies: () =>
          Promise.resolve([
            { spec: './b', kind: 'internal', target: 'src/b.ts', line: 1, names: ['b'], typeOnly: true },
            { spec: 'zod', kind: 'external', target: 'zod', line: 2, names: [], typeOnly: false },
          ]),
        dependents: (path) => Promise.resolve(path === 'src/a.ts' ? [] : undefined),
        complexity: () => Promise.resolve({ files: [file], functions: [{ ...file, name: 'parse', line: 2 }] }),
        todos: () => Promise.resolve([{ path: 'src/a.ts', line: 4, column: 1, tag: 'FIXME', text: 'slow' }]),
      },
      'building',
    ),
  )
  const building = '\n(The index is still being built: 4 of 9 files so far; more may come.)'
  expect((await call('get_structure')).text).toBe(`./\n  src/  (3 files)\n  a.ts  parse, A${building}`)
  expect((await call('get_dependencies', { path: 'src/a.ts' })).text).toBe(
    `1: src/b.ts: b (types only)\n2: zod (external)${building}`,
  )
  expect((await call('get_dependents', { path: 'src/a.ts' })).text).toBe(`No file imports src/a.ts.${building}`)
  expect(await call('get_dependents', { path: 'src/x.ts' })).toMatchObject({
    code: 'NOT_FOUND',
    text: expect.stringContaining('Nearest: src/a.ts.'),
  })
  expect((await call('get_complexity')).text).toBe(
    `Files:\n7  src/a.ts  9 LOC, nesting 2, 1 imports\nFunctions:\n7  src/a.ts:2 parse  9 LOC, nesting 2${building}`,
  )
  expect((await call('get_todos')).text).toBe(`src/a.ts:4: FIXME slow${building}`)
})

test('a real index answers what was asked, also right after an edit and a command', async () => {
  let index: CodeIndex | undefined
  bench = openToolBench({
    files: {
      'src/parse.ts':
        "import { read } from './read.ts'\nexport function parse(text: string): string {\n  // TODO: be faster\n  return read(text)\n}\nexport class Box {\n  open(): number {\n    return 1\n  }\n}\n",
      'src/read.ts': 'export const read = (text: string): string => text.trim()\n',
    },
    index: () => index,
    journal: true,
  })
  index = await openIndex({ root: bench.root, watch: false, workers: 1 })
  try {
    await index.ready()
    const text = async (name: string, args: object): Promise<string> => (await bench.call(name, { ...args })).text
    expect(await text('get_structure', {})).toBe('./\n  src/\n    parse.ts  parse, Box\n    read.ts  read')
    expect(await text('get_function', { path: 'src/parse.ts', name: 'Box.open' })).toBe(
      'src/parse.ts:7-9 Box.open\n7|   open(): number {\n8|     return 1\n9|   }',
    )
    expect(await text('get_todos', {})).toBe('src/parse.ts:3: TODO: be faster')
    expect(await text('get_dependents', { path: 'src/read.ts' })).toBe('src/parse.ts:1: read')
    const references = async (): Promise<string | undefined> =>
      (await text('find_references', { symbol: 'read' })).split('\n')[1]
    expect(await references()).toBe('2 references in 1 file:')
    await bench.call('write_file', { path: 'src/new.ts', content: "import { read } from './read.ts'\nread('')\n" })
    expect(await references()).toBe('4 references in 2 files:')
    await bench.call('shell_exec', { command: 'rm src/new.ts' })
    expect(await references()).toBe('2 references in 1 file:')
  } finally {
    await index.close()
  }
})

test('search by meaning finds a function whose name shares no word with the question', async () => {
  const files = {
    'src/a.ts':
      '/** Takes the last change of a file back. */\nexport function revert(path: string) {\n  return restore(path)\n}\n',
    'src/b.ts': 'export class Brush {\n  paint(colour: string) {\n    return colour\n  }\n}\n',
  }
  let index: CodeIndex | undefined
  bench = openToolBench({ files, index: () => index, registry: { index: true } })
  index = await openIndex({ root: bench.workspace.root, watch: false })
  await index.ready()
  const found = await bench.call('search_semantic', { query: 'how are file changes taken back' })
  const member = await bench.call('search_semantic', { query: 'paint colour', top_k: 1 })
  await index.close()
  expect(member.text).toMatch(/^src\/b\.ts:2-4 \([\d.]+\) in Brush: paint\(colour: string\)\n/)
  expect(found).toMatchObject({ status: 'success', data: { ranking: 'offline' } })
  expect(found.text.split('\n')[0]).toMatch(/^src\/a\.ts:2-4 .*revert/)
})
