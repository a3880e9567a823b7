import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openIndex } from './code-index.ts'

const texts: Record<string, [text: string, lines: number]> = {
  'ended.ts': ['export const a = 1\nexport const b = 2\n', 2],
  'open.ts': ['export const a = 1\nexport const b = 2', 2],
  'blank.ts': ['export const a = 1\n\n', 2],
  'empty.ts': ['', 0],
  'wide.ts': ["export const a = 'ü'\nexport const b = 2\n", 2],
  'ended.py': ['a = 1\nb = 2\n', 2],
  'plain.txt': ['one\ntwo\n', 2],
}

test('a file has as many lines as an editor shows, parsed or not', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'index-lines-')))
  for (const [path, [text]] of Object.entries(texts)) writeFileSync(join(root, path), text)
  const index = await openIndex({ root, watch: false })
  try {
    await index.ready()
    for (const [path, [, lines]] of Object.entries(texts))
      expect({ path, lines: (await index.outline(path))?.lines }).toEqual({ path, lines })
  } finally {
    await index.close()
    rmSync(root, { recursive: true })
  }
})
