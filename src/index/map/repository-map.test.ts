import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openIndex } from '../code-index.ts'
import type { CodeIndex, IndexOptions } from '../code-index.ts'
import { repositoryMap } from './repository-map.ts'
import { mapPathOf, storedMap } from './stored-map.ts'

const CHARS_PER_TOKEN = 4
let base: string
let root: string
let snapshotPath: string
let index: CodeIndex | undefined

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** 60 files that import `core.ts`, one that nobody imports. */
function writeProject(): void {
  write(
    'src/core.ts',
    'export function connect(url: string): Link {\n  return open(url)\n}\nfunction open(url: string) {}\n',
  )
  for (let i = 0; i < 60; i++)
    write(
      `src/part${i}.ts`,
      `import { connect } from './core.ts'\nexport const part${i} = (n: number) => connect(String(n))\n`,
    )
  write('src/zebra.ts', 'export class Zebra {\n  stripes() {}\n}\n')
  write('README.md', '# Project\n')
}

async function opened(more: Partial<IndexOptions> = {}): Promise<CodeIndex> {
  index = await openIndex({ root, snapshotPath, watch: false, workers: 1, ...more })
  await index.ready()
  return index
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'codehound-map-'))
  root = join(base, 'work')
  snapshotPath = join(base, 'kept', 'index.bin')
  mkdirSync(root)
})

afterEach(async () => {
  await index?.close()
  index = undefined
  rmSync(base, { recursive: true, force: true })
})

test('files that others need come first, with what they offer and without bodies', async () => {
  writeProject()
  const map = await repositoryMap(await opened(), { tokens: 60 })
  expect(map).toContain('src/core.ts\n  function connect(url: string): Link')
  expect(map).not.toContain('return')
  expect(map).not.toContain('function open')
  expect(map).not.toContain('README.md')
  expect(map).toMatch(/… \d+ more files$/)
})

test.for([40, 100, 300, 700])('a map of %d tokens fills its budget to a tenth and no further', async (tokens) => {
  writeProject()
  const map = await repositoryMap(await opened(), { tokens })
  expect(map.length).toBeLessThanOrEqual(tokens * CHARS_PER_TOKEN)
  // One entry is at most 20 tokens here, which is more than a tenth of the smallest budgets.
  expect(map.length).toBeGreaterThanOrEqual(Math.min(tokens * 0.9, tokens - 20) * CHARS_PER_TOKEN)
})

test('what the conversation names is nearer, by file and by symbol; the same words give the same bytes', async () => {
  writeProject()
  const live = await opened()
  const map = (...mentioned: string[]): Promise<string> => repositoryMap(live, { tokens: 60, mentioned })
  expect(await map()).not.toContain('zebra')
  expect(await map('zebra.ts')).toContain('src/zebra.ts\n  class Zebra')
  expect(await map('Zebra')).toContain('src/zebra.ts')
  expect(await map('Zebra')).toBe(await map('Zebra'))
})

test('the words of every request name no symbol, helpers of tests are not meant, and a folder names its files', async () => {
  // Symptom: "fix the failing test" put test files with `const fix` and `const failing` on the map.
  writeProject()
  write('src/zoo/pen.test.ts', 'const fix = () => 1\nconst grazing = () => 2\n')
  write('src/zoo/gnu.ts', 'export function herd() {}\nexport function findHerd() {}\nexport function fix() {}\n')
  const live = await opened()
  await live.save()
  const map = async (...mentioned: string[]): Promise<string> => {
    const options = { tokens: 60, mentioned }
    const made = await repositoryMap(live, options)
    expect(await storedMap(mapPathOf(snapshotPath), { root }, options)).toBe(made)
    return made
  }
  expect(await map('fix', 'function', 'grazing')).not.toMatch(/zoo/)
  expect(await map('herd')).toContain('src/zoo/gnu.ts')
  expect(await map('findHerd')).toContain('src/zoo/gnu.ts')
  expect(await map('src/zoo')).toMatch(/gnu\.ts[^]*pen\.test\.ts/)
  expect(await map('src')).not.toContain('gnu')
})

test('the kept map is the one of the index, until a file changes or goes', async () => {
  writeProject()
  const live = await opened()
  await live.save()
  const path = mapPathOf(snapshotPath)
  for (const mentioned of [[], ['Zebra'], ['part7.ts']]) {
    const options = { tokens: 200, mentioned }
    expect(await storedMap(path, { root }, options)).toBe(await repositoryMap(live, options))
  }
  write('src/core.ts', 'export const other = 1\n')
  rmSync(join(root, 'src/zebra.ts'))
  const later = await storedMap(path, { root }, { tokens: 200, mentioned: ['Zebra'] })
  expect(later).toContain('src/core.ts')
  expect(later).not.toContain('connect(url')
  expect(later).not.toContain('zebra')
})

test('a kept map does not show what other settings leave out, such as files that are secret now', async () => {
  writeProject()
  await (await opened({ secretFiles: [] })).save()
  const kept = (settings: Partial<IndexOptions>) =>
    storedMap(mapPathOf(snapshotPath), { root, ...settings }, { tokens: 200, mentioned: ['Zebra'] })
  expect(await kept({ secretFiles: [] })).toContain('zebra')
  expect(await kept({ secretFiles: ['zebra.ts'] })).toBeUndefined()
  expect(await kept({ secretFiles: [], ignorePatterns: ['src'] })).toBeUndefined()
})

test('a kept map that is damaged, of another folder or missing is none', async () => {
  writeProject()
  await (await opened()).save()
  const path = mapPathOf(snapshotPath)
  const options = { tokens: 200 }
  expect(await storedMap(path, { root: '/elsewhere' }, options)).toBeUndefined()
  const text = readFileSync(path, 'utf8')
  for (const damaged of [text.slice(0, text.length / 2), '{}', '', text.replace('"format":4', '"format":0')]) {
    writeFileSync(path, damaged)
    expect(await storedMap(path, { root }, options)).toBeUndefined()
  }
  rmSync(path)
  expect(await storedMap(path, { root }, options)).toBeUndefined()
})

test('of a file that offers more than is shown, what the others use is shown', async () => {
  const names = Array.from({ length: 30 }, (_unused, i) => `offer${i}`)
  write('src/many.ts', names.map((name) => `export function ${name}() {}\n`).join(''))
  write(
    'src/user.ts',
    "import { offer17, offer29 } from './many.ts'\nexport const all = () => [offer17(), offer29()]\n",
  )
  write('src/other.ts', "import * as many from './many.ts'\nexport const more = () => many.offer29()\n")
  const map = await repositoryMap(await opened(), { tokens: 400 })
  expect(map).toMatch(/function offer0\(\)[^]*function offer17\(\)[^]*function offer29\(\)[^]*… 18 more/)
  expect(map).not.toContain('offer12(')
})

test('what everybody uses without importing it is not what matters', async () => {
  // Symptom: the typings of one extension were first on the map, since they declare setTimeout.
  writeProject()
  write('types/timers.d.ts', 'declare function tick(): void\n')
  for (let i = 0; i < 30; i++) write(`src/user${i}.ts`, 'export const run = () => [tick(), tick(), tick()]\n')
  expect(await repositoryMap(await opened(), { tokens: 60 })).not.toContain('timers.d.ts')
})
