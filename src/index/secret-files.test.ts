import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openIndex } from './code-index.ts'

test('a secret file is not in the index, also where an ignore file takes it in', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'index-secret-')))
  writeFileSync(join(root, '.gitignore'), '!.env.ts\n')
  writeFileSync(join(root, '.env.ts'), 'export const PLANTED = 1\n')
  writeFileSync(join(root, 'a.ts'), 'export const OPEN = 1\n')
  const index = await openIndex({ root, watch: false, isSecret: (path) => path.startsWith('.env') })
  try {
    await index.ready()
    expect(index.files()).not.toContain('.env.ts')
    expect(index.files()).toContain('a.ts')
    expect(await index.definitions({ name: 'PLANTED' })).toEqual([])
    writeFileSync(join(root, '.env.ts'), 'export const PLANTED = 2\n')
    await index.changed(['.env.ts'])
    expect((await index.searchText({ query: 'PLANTED' })).total).toBe(0)
  } finally {
    await index.close()
    rmSync(root, { recursive: true })
  }
})
