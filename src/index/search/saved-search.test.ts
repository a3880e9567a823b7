import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { TextQuery, TextResult } from '../answers.ts'
import { openIndex, type IndexOptions } from '../code-index.ts'
import { SAVE_FILES } from '../limits.ts'
import { searchSaved } from './saved-search.ts'

const FILES: Readonly<Record<string, string>> = {
  'a/one.ts': '\n\nexport const first = 1\n  export const second = first\n// first and last\n',
  'a/two.md': '# Größe\n\nThe first of all.\r\nfirst\r\n',
  'b/deep/three.py': 'def first():\n    return "second"\n',
  'b/data.bin': 'first',
  'b/end.txt': 'no line ends here: first',
  'secret/.gitignore': 'hidden.txt\n',
  'secret/hidden.txt': 'first\n',
}
const QUERIES: readonly TextQuery[] = [
  { query: 'first', caseSensitive: true },
  { query: 'FIRST' },
  { query: 'first$', regex: true },
  { query: 'export const \\w+', regex: true, context: 1 },
  { query: 'first', caseSensitive: true, path: 'a' },
  { query: 'first', caseSensitive: true, glob: '*.{md,txt}' },
  { query: 'first', caseSensitive: true, limit: 2 },
  { query: 'größe', caseSensitive: false },
  { query: 'no such text', caseSensitive: true },
  { query: '(', regex: true },
  { query: '' },
]
const store = mkdtempSync(join(tmpdir(), 'codehound-saved-search-store-'))
const snapshotPath = join(store, 'index.bin')
const textPath = join(store, 'index-text.bin')
let root = ''
const settings = (): IndexOptions => ({ root, watch: false, workers: 1, settledMs: 0 })
const saved = (query: TextQuery, more: Partial<IndexOptions> = {}): Promise<TextResult | undefined> =>
  searchSaved({ ...settings(), snapshotPath, ...more }, query)

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'codehound-saved-search-'))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  symlinkSync('one.ts', join(root, 'a/link.ts'))
  const index = await openIndex({ ...settings(), snapshotPath })
  await index.ready()
  await index.save()
  await index.close()
})
afterEach(() => rmSync(root, { recursive: true }))
afterAll(() => rmSync(store, { recursive: true }))

/** Answers of an index that is made anew, which needs no saved one. */
async function fresh(): Promise<TextResult[]> {
  const index = await openIndex(settings())
  await index.ready()
  const results = await Promise.all(QUERIES.map((query) => index.searchText(query)))
  await index.close()
  return results
}
const allSaved = (): Promise<(TextResult | undefined)[]> => Promise.all(QUERIES.map((query) => saved(query)))

test('the answers are those of the index', async () => {
  expect(await allSaved()).toEqual(await fresh())
})

const at = (path: string): string => join(root, path)
test.each<[string, () => void]>([
  ['was added to', () => appendFileSync(at('a/one.ts'), 'a new first\n')],
  [
    'was written over with as many bytes',
    () => {
      writeFileSync(at('a/one.ts'), FILES['a/one.ts']!.replace('first and last', 'last and first'))
      utimesSync(at('a/one.ts'), new Date(), new Date(Date.now() + 5000))
    },
  ],
  [
    'came, in a folder that came with it',
    () => {
      mkdirSync(at('new/inner'), { recursive: true })
      writeFileSync(at('new/inner/four.ts'), 'first of four\n')
    },
  ],
  ['came beside others', () => writeFileSync(at('b/deep/five.rs'), 'fn first() {}\n')],
  ['went', () => rmSync(at('a/two.md'))],
  ['went with its folder', () => rmSync(at('b'), { recursive: true })],
  ['is no text any more', () => writeFileSync(at('a/two.md'), Buffer.from([0, 1, ...Buffer.from('first')]))],
  ['is no UTF-8 any more', () => writeFileSync(at('a/two.md'), Buffer.from([0xff, ...Buffer.from('first')]))],
  [
    'became a link',
    () => {
      rmSync(at('a/two.md'))
      symlinkSync('one.ts', at('a/two.md'))
    },
  ],
  [
    'was a link',
    () => {
      rmSync(at('a/link.ts'))
      writeFileSync(at('a/link.ts'), 'first in place of a link\n')
    },
  ],
  ['is left out by an ignore file that came', () => writeFileSync(at('.gitignore'), 'two.md\n')],
  ['is taken in by an ignore file that changed', () => writeFileSync(at('secret/.gitignore'), 'nothing-here\n')],
])('a file that %s is found as it is now', async (_what, change) => {
  const before = await allSaved()
  change()
  const wanted = await fresh()
  expect(wanted).not.toEqual(before)
  expect(await allSaved()).toEqual(wanted)
})

test('many changed files are a matter of the index, which keeps them', async () => {
  for (let i = 0; i < SAVE_FILES - 1; i++) writeFileSync(at(`b/${i}.txt`), 'first\n')
  expect((await saved(QUERIES[0]!))?.files).toBe(4 + SAVE_FILES - 1)
  writeFileSync(at('b/last.txt'), 'first\n')
  expect(await saved(QUERIES[0]!)).toBeUndefined()
})

test('there is no answer without what was saved for this root and these settings', async () => {
  const query = QUERIES[0]!
  expect(await saved(query, { scope: 'a' })).toBeUndefined()
  expect(await saved(query, { ignorePatterns: ['*.md'] })).toBeUndefined()
  expect(await saved(query, { snapshotPath: join(store, 'other.bin') })).toBeUndefined()
  expect(await saved(query, { maxFilesWarning: 3 })).toBeUndefined()
  expect(await searchSaved(settings(), query)).toBeUndefined()
  const whole = readFileSync(textPath)
  // A snapshot of the whole index in its place, a cut one, one with a changed byte.
  writeFileSync(textPath, readFileSync(snapshotPath))
  expect(await saved(query)).toBeUndefined()
  writeFileSync(textPath, whole.subarray(0, -8))
  expect(await saved(query)).toBeUndefined()
  whole[whole.length - 3]! ^= 1
  writeFileSync(textPath, whole)
  expect(await saved(query)).toBeUndefined()
})

test('what was saved for searches is no snapshot', async () => {
  writeFileSync(snapshotPath, readFileSync(textPath))
  const index = await openIndex({ ...settings(), snapshotPath })
  await index.ready()
  expect(index.status().source).toBe('scan')
  await index.close()
})
