import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openIndex, type CodeIndex } from './code-index.ts'

let root = ''
let index: CodeIndex
async function indexOf(files: Record<string, string>): Promise<void> {
  root = mkdtempSync(join(tmpdir(), 'codehound-refs-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  index = await openIndex({ root, watch: false, workers: 1 })
  await index.ready()
}
afterEach(async () => {
  await index.close()
  rmSync(root, { recursive: true })
})

// Symptom: of two classes with a member of one name, a use of the second was given as "same name only".
test('a use that surely belongs to one of several members of a name is exact', async () => {
  await indexOf({
    'a.ts': 'export class A { close() {} }\n',
    'b.ts': 'export class B { close() {} }\n',
    'use.ts':
      "import { B } from './b.ts'\nexport const end = (b: B, other: any) => {\n  b.close()\n  other.close()\n}\n",
  })
  const { definitions, references } = await index.references({ name: 'close' })
  expect(definitions.map(({ path }) => path)).toEqual(['a.ts', 'b.ts'])
  expect(references.map(({ path, line, confidence }) => `${path}:${line} ${confidence}`)).toEqual([
    'a.ts:1 exact',
    'b.ts:1 exact',
    'use.ts:3 exact',
    'use.ts:4 likely',
  ])
})

test('of one of two members of a name a use of the other is none, and an unknown receiver is possible', async () => {
  await indexOf({
    'a.ts': 'export class A { close() {} }\n',
    'b.ts': 'export class B { close() {} }\n',
    'use.ts':
      "import { B } from './b.ts'\nexport const end = (b: B, other: any) => {\n  b.close()\n  other.close()\n}\n",
  })
  const { references } = await index.references({ name: 'A.close' })
  expect(references.map(({ path, line, confidence }) => `${path}:${line} ${confidence}`)).toEqual([
    'a.ts:1 exact',
    'use.ts:4 possible',
  ])
})

test('what a class overrides and what implements it are one member', async () => {
  await indexOf({
    'a.ts':
      'export interface Shape { area(): number }\nexport class Box implements Shape { area() { return 1 } }\nexport class Cube extends Box { area() { return 2 } }\n',
    'use.ts':
      "import { Cube, type Shape } from './a.ts'\nexport const sum = (shape: Shape) => shape.area() + new Cube().area()\n",
  })
  const { references } = await index.references({ name: 'Box.area' })
  expect(references.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual([
    'a.ts:1:26',
    'a.ts:2:37',
    'a.ts:3:33',
    'use.ts:2:44',
    'use.ts:2:64',
  ])
})

test('a name that stands for a whole module is declared by its import', async () => {
  await indexOf({
    'shapes.ts': 'export const area = 1\n',
    'all.ts': "export * as shapes from './shapes.ts'\n",
    'use.ts':
      "import * as own from './shapes.ts'\nimport { shapes } from './all.ts'\nimport { z } from 'zod'\nexport const sum = own.area + shapes.area + z\n",
  })
  const places = async (column: number): Promise<string[]> =>
    (await index.definitions({ path: 'use.ts', line: 4, column })).map(
      ({ path, line, column }) => `${path}:${line}:${column}`,
    )
  expect(await places(20)).toEqual(['use.ts:1:13'])
  expect(await places(31)).toEqual(['use.ts:2:10'])
  expect(await places(45)).toEqual(['use.ts:3:10'])
  expect(await places(24)).toEqual(['shapes.ts:1:14'])
})

test.each(['deep.ts', 'first.ts', 'second.ts'])(
  'a ring of re-exports is followed to its end, asked from %s first',
  async (from) => {
    await indexOf({
      'deep.ts': 'export const found = 1\n',
      'first.ts': "export * from './second.ts'\nexport * from './deep.ts'\n",
      'second.ts': "export * from './first.ts'\n",
      // Read before the others: its imports are the first that are looked up.
      'a.ts': `import { found } from './${from}'\nimport { missing } from './${from}'\nfound\nmissing\n`,
      'b.ts': "import { found } from './second.ts'\nimport { found as again } from './first.ts'\nfound + again\n",
    })
    const { references } = await index.references({ name: 'found', path: 'deep.ts' })
    expect(references.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'a.ts:1',
      'a.ts:3',
      'b.ts:1',
      // The name, and what it is called here.
      'b.ts:2',
      'b.ts:2',
      'b.ts:3',
      'b.ts:3',
      'deep.ts:1',
    ])
  },
)

test.each([
  ['größe', 14],
  ['größe', 18],
  ['𝒳', 14],
])('a name with letters beyond ASCII, %s, is asked about at each of its letters (column %i)', async (name, column) => {
  await indexOf({
    'a.ts': `export const ${name} = 1, b = 2\n`,
    'use.ts': `import * as all from './a.ts'\nexport const c = all.${name} + all.b\n`,
  })
  const places = async (at: number): Promise<string[]> => {
    const { references } = await index.references({ path: 'a.ts', line: 1, column: at })
    return references.map(({ path, line }) => `${path}:${line}`)
  }
  expect(await places(column)).toEqual(['a.ts:1', 'use.ts:2'])
  // Behind it stands no name.
  expect(await places(14 + name.length)).toEqual([])
  // Once all uses are resolved.
  await index.calls({ name })
  await index.graph()
  expect(await places(column)).toEqual(['a.ts:1', 'use.ts:2'])
})
