import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openIndex } from './code-index.ts'
import { MAX_TEXT_BYTES } from './file-state.ts'

test('a file that is too large to be read is said, a film is not', async () => {
  const root = mkdtempSync(join(tmpdir(), 'codehound-status-'))
  for (const name of ['all.log', 'film.mp4', 'whole.log']) {
    writeFileSync(join(root, name), '')
    truncateSync(join(root, name), MAX_TEXT_BYTES + 1)
  }
  writeFileSync(join(root, 'a.ts'), 'export const a = 1\n')
  const warnings = async (): Promise<string[]> => {
    const index = await openIndex({ root, watch: false, workers: 1, snapshotPath: join(root, '.kept/index.bin') })
    await index.ready()
    const { warnings } = index.status()
    await index.save()
    await index.close()
    return warnings
  }
  const said = ['Files over 256 MB are known by name only, to keep memory bounded: all.log and 1 more.']
  expect([await warnings(), await warnings()]).toEqual([said, said])
  rmSync(root, { recursive: true })
})
