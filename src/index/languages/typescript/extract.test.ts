// What the TypeScript engine reads beyond names and lines, which bench/index/definitions.ts compares with the compiler.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moduleDifference } from '../../../../test/proof/module-record.ts'
import { openIndex } from '../../code-index.ts'
import { loadExtractor } from './extract.ts'

async function docsOf(text: string): Promise<Record<string, string | undefined>> {
  const root = mkdtempSync(join(tmpdir(), 'codehound-extract-'))
  writeFileSync(join(root, 'a.ts'), text)
  const index = await openIndex({ root, watch: false, workers: 1 })
  try {
    await index.ready()
    const { symbols = [] } = (await index.outline('a.ts')) ?? {}
    const members = symbols.flatMap(({ children }) => children)
    return Object.fromEntries([...symbols, ...members].map(({ symbol: { name, doc } }) => [name, doc]))
  } finally {
    await index.close()
    rmSync(root, { recursive: true })
  }
}

// Symptom: in a file of plain ASCII no symbol had its doc comment, so search by meaning found nothing.
test.each([
  ['ASCII', ''],
  ['other signs', '// \u00E9\u{1F600}\n'],
])('a doc comment belongs to the declaration behind it, in a file of %s', async (_what, head) => {
  expect(
    await docsOf(
      `${head}/** At the start. */\nexport function first() {}\nfunction plain() {} // trailing\n// one\n// two\nconst second = () => 1\n` +
        '/* before */\n/** Of the class. */\nexport default class Third {\n  /** Of the method. */\n  method() {}\n  bare() {}\n}\n',
    ),
  ).toEqual({
    first: 'At the start.',
    plain: undefined,
    second: 'one two',
    Third: 'Of the class.',
    method: 'Of the method.',
    bare: undefined,
  })
})

test('a file with a syntax error is kept with what stands around it', async () => {
  // Symptom: while a file was being edited its outline was empty, and whoever imported it imported nothing.
  const root = mkdtempSync(join(tmpdir(), 'codehound-extract-'))
  writeFileSync(join(root, 'b.ts'), "import { half } from './a.ts'\nhalf()\n")
  writeFileSync(
    join(root, 'a.ts'),
    '/** Half. */\nexport function half() {\n  if (a {\n    // TODO: finish\n  }\n  ready()\n}\nfunction ready() {}\n',
  )
  const index = await openIndex({ root, watch: false, workers: 1 })
  await index.ready()
  const outline = await index.outline('a.ts')
  expect(outline).toMatchObject({ parseError: true, lines: 8 })
  expect(outline!.symbols.map(({ symbol }) => [symbol.name, symbol.startLine, symbol.endLine, symbol.doc])).toEqual([
    ['half', 2, 7, 'Half.'],
    ['ready', 8, 8, undefined],
  ])
  const { references } = await index.references({ name: 'half' })
  expect(references.filter(({ kind }) => kind === 'call')).toMatchObject([{ path: 'b.ts', line: 2 }])
  expect(await index.todos()).toMatchObject([{ path: 'a.ts', line: 4, text: 'TODO: finish' }])
  expect(index.status().parseErrors).toBe(1)
  await index.close()
  rmSync(root, { recursive: true })
})

test('an import of a module that is exported at once is an export', async () => {
  // Symptom: who imported the name found nothing.
  const text = "export import a = require('./x.ts')\nimport b = require('./x.ts')\nexport type { b }\n"
  const { extract } = await loadExtractor()
  expect(moduleDifference({ path: 'a.ts', bytes: Buffer.from(text), text }, extract)).toBe('')
})

test('a constructor parameter that takes an object apart declares no property, and what follows is read', async () => {
  // Symptom: the name of the property was read from a node that has none.
  expect(
    Object.keys(
      await docsOf('class A {\n  constructor(private { x }: B, public [y] = z, readonly w = 1) {}\n  m() {}\n}\n'),
    ),
  ).toEqual(['A', 'constructor', 'w', 'm'])
})
