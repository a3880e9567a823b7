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
test('a search that has no time answers from what was read, and the next goes on', async () => {
  const search = new SemanticSearch(index)
  expect(await search.search('paint a box', 50, -1)).toEqual([])
  expect(search.unread).toBe(30)
  expect(await search.search('paint a box', 50)).toHaveLength(30)
  expect(search.unread).toBe(0)
})
