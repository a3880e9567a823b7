import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWorkspace } from '../workspace/workspace.ts'
import { Instructions } from './instructions.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-instructions-')))
  const files = {
    'AGENTS.md': 'root',
    'CLAUDE.md': 'root',
    'a/AGENTS.md': 'of a',
    'a/b/CLAUDE.md': 'of b',
    'a/b/.codehound/rules/style.md': 'style of b',
    'a/b/c.ts': '',
    'd/e.ts': '',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
})
afterEach(() => rmSync(root, { recursive: true }))

const open = (start = ''): Instructions => new Instructions(openWorkspace({ root }), start)
const from = (text: string | undefined): string[] =>
  [...(text ?? '').matchAll(/from="(.*?)"/g)].map(([, path]) => path!)

test('files from the root to the start folder are told at the start, a copy for another agent once', async () => {
  expect(from(await open().forPrompt(8_192))).toEqual(['AGENTS.md'])
  expect(from(await open('a').forPrompt(8_192))).toEqual(['AGENTS.md', 'a/AGENTS.md'])
})

test('deeper ones come with the first call that touches their folder, whether by a file in it or by itself', async () => {
  // Symptom: a search in a/b brought the rules of a only.
  const [byFile, byFolder] = [open(), open()]
  await byFile.forPrompt(8_192)
  await byFolder.forPrompt(8_192)
  const deep = ['a/AGENTS.md', 'a/b/CLAUDE.md', 'a/b/.codehound/rules/style.md']
  expect(from(await byFile.forPaths(['d/e.ts', 'a/b/c.ts']))).toEqual(deep)
  expect(await byFile.forPaths(['a/b/c.ts', 'a/b', 'a'])).toBeUndefined()
  expect(from(await byFolder.forPaths(['a/b']))).toEqual(deep)
  expect(await byFolder.forPaths(['./a/b/c.ts', 'a/b/', join(root, 'a/b'), '.', 'gone/away', '../x'])).toBeUndefined()
})

test('what is over its share of the window is cut, the nearest last', async () => {
  writeFileSync(join(root, 'AGENTS.md'), 'r'.repeat(3_000))
  writeFileSync(join(root, 'CLAUDE.md'), '')
  writeFileSync(join(root, 'a/AGENTS.md'), 'a'.repeat(2_000))
  const text = (await open('a').forPrompt(8_192))!
  expect(text).toContain('a'.repeat(2_000))
  expect(text).toContain(`${'r'.repeat(1_276)}\n[… cut; read_file AGENTS.md shows the rest]`)
})
