import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { IndexFront } from '../commands/index-commands.ts'
import { openCommandDeps } from './command-deps.ts'

let base: string
let folder: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'codehound-command-deps-'))
  folder = join(base, 'work')
  mkdirSync(folder)
  vi.stubEnv('XDG_DATA_HOME', join(base, 'data'))
  vi.stubEnv('XDG_CACHE_HOME', join(base, 'cache'))
  for (let i = 0; i < 60; i++) writeFileSync(join(folder, `f${i}.ts`), `export const f${i} = ${i}\n`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(base, { recursive: true })
})

const told: string[] = []
const open = (config: string, more: Partial<IndexFront> = {}) =>
  openCommandDeps(folder, config).openIndex({
    onProgress: (_done, _total, phase) => void (phase === 'ready' && told.push('ready')),
    yes: false,
    warn: (text) => void told.push(text),
    ...more,
  })
const limited = (limit: number): string => {
  told.length = 0
  const config = join(base, 'config.yaml')
  writeFileSync(config, `limits: { max_files_warning: ${limit} }\n`)
  return config
}
const WARNING =
  'More than 20 files are here, and the code index reads all of them. --yes says that this is meant; project.scope narrows the index to one folder.'

// Symptom: in a home folder of 200,000 files the warning came when all of them had been read.
test.each([
  [20, false, [WARNING, 'ready']],
  [20, true, ['ready']],
  [2000, false, ['ready']],
])(
  'of a first index with more than %i files it is told once, while it is made (--yes: %s)',
  async (limit, yes, all) => {
    const config = limited(limit)
    const first = await open(config, { yes })
    expect(first.index.status()).toMatchObject({ parsed: 60, warnings: all.slice(0, -1) })
    await first.index.save()
    await first.close()
    expect(told).toEqual(all)
    const second = await open(config)
    await second.close()
    expect(told.slice(all.length)).toEqual(['ready'])
  },
)

test('who can be asked is asked while files are counted, and the answer is remembered', async () => {
  const config = limited(20)
  mkdirSync(join(folder, 'inner'))
  writeFileSync(join(folder, 'inner/g.ts'), 'export const g = 1\n')
  const asked: unknown[] = []
  const first = await open(config, {
    ask: (question) => {
      // Nothing is read before there is an answer, so it can take its time.
      const look = setInterval(() => {
        const now = question.current()
        if (now?.isCounting !== false) return
        clearInterval(look)
        asked.push(now)
        expect(() => question.answer({ kind: 'folder', path: 'nowhere' })).toThrow('which is not there')
        expect(() => question.answer({ kind: 'folder', path: '/etc' })).toThrow('outside of this workspace')
        asked.push(question.answer({ kind: 'folder', path: 'inner' }))
      }, 1)
    },
  })
  expect(first.index.files()).toEqual(['inner/g.ts'])
  await first.close()
  expect(asked).toEqual([
    { files: 61, isCounting: false, limit: 20, folders: [{ path: 'inner', files: 1 }] },
    'The code index keeps to inner/. Remembered for the next start; `codehound index --ask` asks anew.',
  ])
  const second = await open(config, { ask: () => expect.unreachable() })
  expect(second.index.status()).toMatchObject({ files: 1, scope: 'inner' })
  await second.close()
  const third = await open(config, { anew: true, ask: (question) => void question.answer({ kind: 'all' }) })
  expect(third.index.status().files).toBe(61)
  await third.close()
})

test('a cancel makes no index, and is asked about again', async () => {
  const config = limited(20)
  for (let start = 0; start < 2; start++)
    await expect(open(config, { ask: (question) => void question.answer({ kind: 'none' }) })).rejects.toMatchObject({
      message: 'No code index was made: more than 20 files are here, and you did not want them read.',
      exitCode: 130,
    })
})

test('a text search is answered from what was saved, a first one and one of a large folder by the index', async () => {
  const config = limited(2000)
  const front: IndexFront = { onProgress: () => undefined, yes: false, warn: (text) => void told.push(text) }
  const find = (file: string) =>
    openCommandDeps(folder, file).searchSaved(front, (root) => ({ query: `f7 = 7`, path: root === folder ? '' : 'no' }))
  expect(await find(config)).toBeUndefined()
  const deps = openCommandDeps(folder, config)
  expect(await deps.searchSaved(front, () => ({ query: 'f7 = 7' }))).toBeUndefined()
  const { index, close } = await deps.openIndex(front)
  await index.save()
  await close()
  expect(await find(config)).toMatchObject({ total: 1, matches: [{ path: 'f7.ts', line: 1 }] })
  expect(await find(limited(20))).toBeUndefined()
})
