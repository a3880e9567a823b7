import { appendFileSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openIndex, type CodeIndex } from './code-index.ts'

let root = ''
let index: CodeIndex
async function indexOf(text: string): Promise<string> {
  root = mkdtempSync(join(tmpdir(), 'codehound-texts-'))
  const file = join(root, 'a.ts')
  writeFileSync(file, text)
  index = await openIndex({ root, watch: false, workers: 1 })
  await index.ready()
  return file
}
afterEach(async () => {
  await index.close()
  rmSync(root, { recursive: true })
})

const found = async (query: string): Promise<string[]> => {
  const { matches } = await index.searchText({ query, caseSensitive: true })
  return matches.map(({ line, text }) => `${line}: ${text}`)
}
/** Writes other text of the same length, later than the text before. */
function rewrite(file: string, text: string): void {
  const { size, mtimeMs } = statSync(file)
  writeFileSync(file, text)
  expect(statSync(file).size).toBe(size)
  utimesSync(file, new Date(), new Date(mtimeMs + 2000))
}
const one = 'export const first = 1\n'
const two = 'export const other = 2\n'

test.each([
  ['before it was read', false],
  ['after it was read', true],
])('what was written over with as many bytes %s is found as it is now', async (_when, readBefore) => {
  const file = await indexOf(one + two)
  if (readBefore) expect(await found('other')).toEqual(['2: export const other = 2'])
  rewrite(file, two + one)
  expect(await found('other')).toEqual(['1: export const other = 2'])
  const { references } = await index.references({ name: 'first' })
  expect(references.map(({ line, text }) => `${line}: ${text}`)).toEqual(['2: export const first = 1'])
})

test('a text that was looked for in vain is found at a second look', async () => {
  await indexOf(`${one}// wxyz xyzw\n`)
  // Its runs of three bytes are all there, so that the file is read.
  expect(await found('wxyzw')).toEqual([])
  expect(await found('xyzw')).toEqual(['2: // wxyz xyzw'])
  expect(await found('wxyzw')).toEqual([])
})

test('what was added to a file before it was read is found', async () => {
  const file = await indexOf(one + two)
  appendFileSync(file, 'other = 3\n')
  expect(await found('other')).toEqual(['2: export const other = 2', '3: other = 3'])
})

test('a file that became shorter, or went away, is given as it is', async () => {
  const file = await indexOf(one + two)
  writeFileSync(file, two)
  expect(await found('other')).toEqual(['1: export const other = 2'])
  rmSync(file)
  expect(await found('other')).toEqual([])
})

test.each([
  ['small', 0],
  ['large', 300_000],
  ['very large', 5_000_000],
])('a %s text is read without its byte order mark, in the letters of its encoding', async (_size, padding) => {
  await indexOf(`\uFEFFexport const größe = 1 // ${'x'.repeat(padding)}\nexport const naïve = größe\n`)
  expect(await found('naïve')).toEqual(['2: export const naïve = größe'])
  const { matches } = await index.searchText({ query: 'export const größe', caseSensitive: true })
  expect(matches.map(({ line, column }) => `${line}:${column}`)).toEqual(['1:1'])
})
