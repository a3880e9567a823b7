// No file, however broken or large, hangs or ends the run: each is kept with what could be read of it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openIndex, type CodeIndex } from '../../src/index/code-index.ts'
import fc from '../support/property.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'codehound-hostile-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function withIndex<T>(use: (index: CodeIndex) => Promise<T>): Promise<T> {
  const index = await openIndex({ root, watch: false, workers: 1 })
  try {
    await index.ready()
    return await use(index)
  } finally {
    await index.close()
  }
}
const deep = (open: string, close: string, n: number): string => open.repeat(n) + close.repeat(n)

test('odd and huge files are kept, and their neighbours read as ever', { timeout: 120_000 }, async () => {
  const files: Record<string, string | Buffer> = {
    'line.ts': `export const long = "${'x'.repeat(100_000_000)}"\n`,
    'arrays.ts': `export const a = ${deep('[', ']', 200_000)}\n`,
    'blocks.ts': `export function f() ${deep('{', '}', 100_000)}\n`,
    'open.ts': '('.repeat(300_000),
    'not.ts': `export const n = ${'!'.repeat(300_000)}1\n`,
    'types.ts': `type T = ${'Array<'.repeat(50_000)}string${'>'.repeat(50_000)}\n`,
    'jsx.tsx': `export const x = ${'<a>'.repeat(30_000)}\n`,
    'chain.ts': `export const c = a${'.b()'.repeat(60_000)}\n`,
    'ternary.js': `export const t = ${'a?b:'.repeat(60_000)}c\n`,
    'json.json': deep('[', ']', 300_000),
    'yaml.yaml': Array.from({ length: 5000 }, (_, i) => `${' '.repeat(i)}k:`).join('\n'),
    'nul.ts': 'export const a = 1\0\n',
    'late-nul.ts': `${'// filler\n'.repeat(1000)}\0\nexport const late = 1\n`,
    'surrogate.ts': Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]),
    'escaped.ts': 'export const lone = "\\ud800"\n',
    'bom.ts': '\uFEFFexport const bom = 1\n',
    'return.ts': 'export const cr = 1\rexport const two = 2\r\nexport const three = 3\u2028export const four = 4\n',
    'template.ts': 'export const t = `${`${`${',
    'comment.ts': '/* '.repeat(100_000),
    'regex.ts': `export const r = /${'('.repeat(50_000)}/\n`,
    'names.ts': `export const ${'n'.repeat(500_000)} = 1\n`,
    'ring-a.ts': "export * from './ring-b.ts'\nexport class A extends B {}\nimport { B } from './ring-b.ts'\n",
    'ring-b.ts': "export * from './ring-a.ts'\nexport class B extends A {}\nimport { A } from './ring-a.ts'\n",
    'conflict.ts': '<<<<<<< HEAD\nexport const mine = 1\n=======\nexport const theirs = 2\n>>>>>>> other\n',
    'empty.ts': '',
    'good.ts': "import { mine } from './conflict.ts'\nexport function good(): number {\n  return mine\n}\n",
  }
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content)
  await withIndex(async (index) => {
    expect(index.files()).toEqual(Object.keys(files).sort())
    const { indexed, state, warnings, notUtf8, binary } = index.status()
    expect({ indexed, state, warnings }).toEqual({ indexed: index.files().length, state: 'ready', warnings: [] })
    expect({ notUtf8, binary }).toEqual({ notUtf8: 1, binary: 1 })
    const lines = async (name: string): Promise<string[]> =>
      (await index.definitions({ name })).map(({ path, line }) => `${path}:${line}`)
    expect(await lines('good')).toEqual(['good.ts:2'])
    expect(await lines('bom')).toEqual(['bom.ts:1'])
    expect(await lines('three')).toEqual(['return.ts:2'])
    expect((await index.references({ name: 'A.missing' })).references).toEqual([])
    expect((await index.graph()).cycles).toEqual([['ring-a.ts', 'ring-b.ts']])
    expect((await index.searchText({ query: 'export const long' })).total).toBe(1)
  })
})

const PIECES = [
  'export ',
  'default ',
  'class A ',
  'extends B ',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '<',
  '>',
  '=>',
  '`',
  '${',
  "'",
  '"',
  '/',
  '/*',
  '*/',
  '//',
  '\n',
  '@d ',
  'async ',
  'function* f',
  'import ',
  'from ',
  '* as n ',
  'type T',
  'enum E ',
  'namespace N ',
  'declare ',
  '#x',
  '?.',
  '...',
  '\u{1F600}',
  '\uD800',
  '\0',
  ':',
  ';',
  '=',
  'get ',
  'static ',
  'case ',
  'if ',
  '<div ',
  '</',
  '/>',
  '&',
  '0x',
  '\\u{',
  'let ',
  'using ',
]

test('no text makes reading a file throw, hang, or answer places outside it', { timeout: 120_000 }, async () => {
  mkdirSync(join(root, 'src'))
  const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(''))
  const extension = fc.constantFrom('.ts', '.tsx', '.js', '.json', '.yaml', '.d.ts')
  const batch = fc.array(fc.tuple(text, extension), { minLength: 40, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(batch, async (files) => {
      rmSync(join(root, 'src'), { recursive: true })
      mkdirSync(join(root, 'src'))
      files.forEach(([content, end], i) => writeFileSync(join(root, `src/${i}${end}`), content))
      await withIndex(async (index) => {
        expect(index.status()).toMatchObject({ state: 'ready', indexed: files.length, warnings: [] })
        for (const path of index.files()) {
          const outline = await index.outline(path)
          const last = outline?.lines ?? 0
          const check = (entries: NonNullable<typeof outline>['symbols']): void => {
            for (const { symbol, children } of entries) {
              expect(symbol.startLine).toBeGreaterThan(0)
              expect(symbol.endLine).toBeGreaterThanOrEqual(symbol.startLine)
              expect(symbol.endLine).toBeLessThanOrEqual(Math.max(1, last + 1))
              check(children)
            }
          }
          if (outline) check(outline.symbols)
        }
        await index.references({ name: 'A' })
        await index.ranked()
      })
    }),
    { numRuns: Number(process.env['RUNS'] ?? 6), interruptAfterTimeLimit: 90_000 },
  )
})

// Symptom: two such files took 19 seconds and 4.4 GB, now and then, and one of them was given up.
test('imports without names beside imports with names are read as what they are', async () => {
  for (let i = 0; i < 60; i++) {
    const heads = Array.from({ length: 1 + (i % 7) }, (_, at) => `import "core-js/modules/es.array.${at}";\n`)
    writeFileSync(join(root, `head${i}.js`), heads.join(''))
    writeFileSync(join(root, `big${i}.ts`), `import { a, b, c, d } from './x${i}'\n`.repeat(1 + (i % 5)))
  }
  await withIndex(async (index) => {
    const { files, parsed, references } = index.status()
    expect({ files, parsed }).toEqual({ files: 120, parsed: 120 })
    expect(references).toBeLessThan(1000)
    const edges = await index.dependencies('head6.js')
    expect(edges?.map(({ spec }) => spec)).toEqual(
      Array.from({ length: 7 }, (_, at) => `core-js/modules/es.array.${at}`),
    )
  })
})

// Symptom: a file of 30,000 imports ended the whole process: the parser's memory for them grows with their square.
test('a file of very many imports is kept as one with a fault, and the others are read', async () => {
  const line = (i: number): string => `import { a${i} } from './m'\nexport { a${i} as b${i} }\n`
  writeFileSync(join(root, 'many.ts'), Array.from({ length: 30_000 }, (_, i) => line(i)).join(''))
  writeFileSync(join(root, 'dense.js'), `${'import"a";'.repeat(40)}\n`.repeat(125))
  writeFileSync(join(root, 'm.ts'), 'export const a1 = 1\n')
  await withIndex(async (index) => {
    const { parsed, parseErrors } = index.status()
    expect({ parsed, parseErrors }).toEqual({ parsed: 3, parseErrors: 2 })
    expect(await index.definitions({ name: 'a1' })).toMatchObject([{ path: 'm.ts', startLine: 1 }])
    const { total } = await index.searchText({ query: 'as b29999' })
    expect(total).toBe(1)
  })
})

// Symptom: each name that no barrel has was looked for on every way through them; a question about uses never ended.
test('barrels that all give out each other are walked once for a name', async () => {
  const all = Array.from({ length: 60 }, (_, i) => `export * from './r${i}'\n`).join('')
  for (let i = 0; i < 60; i++)
    writeFileSync(
      join(root, `r${i}.ts`),
      `${all}export const v${i} = 1\nimport { v${(i + 7) % 60}, no${i} } from './r${(i + 3) % 60}'\nv${(i + 7) % 60}; no${i}\n`,
    )
  await withIndex(async (index) => {
    const { references } = await index.references({ name: 'v7' })
    expect(references.map(({ path, line }) => `${path}:${line}`)).toEqual(['r0.ts:62', 'r0.ts:63', 'r7.ts:61'])
  })
})
