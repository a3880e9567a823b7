import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openIndex } from './code-index.ts'

test('a secret file is not in the index, also where an ignore file takes it in', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'index-secret-')))
  writeFileSync(join(root, '.gitignore'), '!.env.ts\n')
  writeFileSync(join(root, '.env.ts'), 'export const PLANTED = 1\n')
  writeFileSync(join(root, 'a.ts'), 'export const OPEN = 1\n')
  const index = await openIndex({ root, watch: false, secretFiles: [] })
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

test('a file that is secret now is in no answer from a snapshot of before, from the first question on', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'index-secret-')))
  const root = join(base, 'work')
  mkdirSync(root)
  writeFileSync(join(root, 'inner.ts'), 'export const PLANTED = 1\n')
  const options = { root, snapshotPath: join(base, 'index.bin'), watch: false }
  const before = await openIndex({ ...options, secretFiles: [] })
  await before.ready()
  expect(await before.definitions({ name: 'PLANTED' })).toHaveLength(1)
  await before.save()
  await before.close()
  const now = await openIndex({ ...options, secretFiles: ['inner.ts'] })
  try {
    expect(await now.definitions({ name: 'PLANTED' })).toEqual([])
    await now.ready()
    expect(now.status().source).toBe('scan')
    expect(await now.definitions({ name: 'PLANTED' })).toEqual([])
    expect(now.files()).toEqual([])
  } finally {
    await now.close()
    rmSync(base, { recursive: true })
  }
})
