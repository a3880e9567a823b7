import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openCommandDeps } from './command-deps.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codehound-command-deps-'))
  vi.stubEnv('XDG_DATA_HOME', join(folder, '.data'))
  vi.stubEnv('XDG_CACHE_HOME', join(folder, '.cache'))
  for (let i = 0; i < 60; i++) writeFileSync(join(folder, `f${i}.ts`), `export const f${i} = ${i}\n`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

// Symptom: in a home folder of 200,000 files the warning came when all of them had been read.
test.each([
  [20, 1],
  [2000, 0],
])('of a first index with more than %i files it is told once, while it is made', async (limit, times) => {
  const config = join(folder, '.config.yaml')
  writeFileSync(config, `limits: { max_files_warning: ${limit} }\n`)
  const told: string[] = []
  const first = await openCommandDeps(folder, config).openIndex(
    (_done, _total, phase) => void (phase === 'ready' && told.push('ready')),
    (most) => void told.push(`more than ${most}`),
  )
  await first.index.save()
  await first.close()
  expect(told).toEqual([...Array.from({ length: times }, () => `more than ${limit}`), 'ready'])
  const again = vi.fn()
  const second = await openCommandDeps(folder, config).openIndex(() => undefined, again)
  await second.close()
  expect(again).not.toHaveBeenCalled()
})
