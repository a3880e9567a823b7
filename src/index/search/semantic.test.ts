import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openIndex, type CodeIndex } from '../code-index.ts'
import { SemanticSearch } from './semantic.ts'

let root: string
let index: CodeIndex
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'codehound-semantic-'))
  for (let i = 0; i < 30; i++)
    writeFileSync(join(root, `f${i}.ts`), `/** Paints box ${i}. */\nexport function p${i}() {}\n`)
  index = await openIndex({ root, watch: false, workers: 1 })
  await index.ready()
})
afterEach(async () => {
  await index.close()
  rmSync(root, { recursive: true })
})

// Symptom: the first search of a large repository on a busy machine ended with its call's time, and so did the next.
test('a search that has no time answers from what was read, and says what was not', async () => {
  const search = new SemanticSearch(index)
  expect(await search.search('paint a box', 50, -1)).toEqual([])
  expect(search.unread).toBe(30)
  expect(await search.search('paint a box', 50)).toHaveLength(30)
  expect(search.unread).toBe(0)
})

test('names, comments, paths and what a member stands in all count, names most', async () => {
  const files: Record<string, string> = {
    'invoice.ts': 'export class Invoice {\n  total() { return 1 }\n}\n',
    'named.ts': 'export function sendInvoices() {}\n',
    'told.ts': '/** Sends every invoice. */\nexport function run() {}\n',
    'body.ts': 'export function walk(): void {\n  const invoice = 1\n  void invoice\n}\n',
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
  await index.changed(Object.keys(files))
  const found = await new SemanticSearch(index).search('sending an invoice', 10)
  expect(found.map(({ name }) => name)).toEqual(['sendInvoices', 'run', 'Invoice', 'total', 'walk'])
  expect(found.find(({ name }) => name === 'total')).toMatchObject({
    path: 'invoice.ts',
    startLine: 2,
    inside: 'Invoice',
  })
})

test('a change is found at the next search', async () => {
  const search = new SemanticSearch(index)
  expect(await search.search('gravel', 5)).toEqual([])
  writeFileSync(join(root, 'f3.ts'), '/** Shovels gravel. */\nexport function p3() {}\n')
  await index.changed(['f3.ts'])
  expect((await search.search('gravel', 5)).map(({ path }) => path)).toEqual(['f3.ts'])
})
