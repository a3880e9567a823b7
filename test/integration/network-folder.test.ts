import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openIndex } from '../../src/index/code-index.ts'
import { networkFileSystem } from '../../src/index/network-folder.ts'

const onLinux = test.runIf(process.platform === 'linux')

onLinux('a network file system is told by its number', () => {
  expect([0x6969, -11317950, 0x01021997].map((type) => networkFileSystem('/x', () => type))).toEqual([
    'NFS',
    'CIFS',
    '9p',
  ])
  expect(networkFileSystem('/x', () => 0xef53)).toBeUndefined()
  expect(networkFileSystem(tmpdir())).toBeUndefined()
  expect(networkFileSystem('/does/not/exist')).toBeUndefined()
})

vi.mock('../../src/index/network-folder.ts', async (original) => {
  const real = await original<{ networkFileSystem: typeof networkFileSystem }>()
  return {
    networkFileSystem: (folder: string, typeOf?: (path: string) => number) =>
      folder.includes('mounted') ? 'NFS' : real.networkFileSystem(folder, typeOf),
  }
})

onLinux('a workspace on a network file system is looked at with each question, and says so', async () => {
  const root = mkdtempSync(join(tmpdir(), 'codehound-mounted-'))
  writeFileSync(join(root, 'a.ts'), 'export const a = 1\n')
  const index = await openIndex({ root, workers: 1 })
  await index.watching()
  expect(index.status()).toMatchObject({
    watcher: 'off',
    warnings: [
      'The folder is on a network file system (NFS), which does not tell of all changes; they are looked for at each question instead.',
    ],
  })
  writeFileSync(join(root, 'b.ts'), 'export const b = 1\n')
  await expect.poll(async () => (await index.definitions({ name: 'b' })).length, { timeout: 30_000 }).toBe(1)
  await index.close()
  rmSync(root, { recursive: true })
})
