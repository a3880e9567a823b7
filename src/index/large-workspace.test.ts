import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIndex, type IndexOptions } from './code-index.ts'
import type { FolderSurvey } from './folder-survey.ts'

const FOLDERS = 2_000

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'codehound-large-'))
  for (let i = 0; i < FOLDERS; i++) {
    mkdirSync(join(root, `d${i}`))
    writeFileSync(join(root, `d${i}/a.ts`), `export const a${i} = ${i}\n`)
  }
})
afterAll(() => rmSync(root, { recursive: true }))

/** An index of the folders that waits for its answer, and what gives it. */
async function asked(first: (survey: FolderSurvey) => void = () => {}) {
  const question = Promise.withResolvers<FolderSurvey>()
  const answer = Promise.withResolvers<Awaited<ReturnType<NonNullable<IndexOptions['onLarge']>>>>()
  const index = await openIndex({
    root,
    watch: false,
    workers: 1,
    maxFilesWarning: 1,
    onLarge: (survey) => {
      first(survey)
      question.resolve(survey)
      return answer.promise
    },
  })
  return { index, survey: await question.promise, answer }
}

test('while it is asked files are counted and not read, and the walk holds when enough are counted', async () => {
  const { index, survey, answer } = await asked((counts) => (counts.files = 10_000_000))
  await sleep(200)
  expect([survey.isCounting, index.status().parsed]).toEqual([true, 0])
  answer.resolve('all')
  await index.ready()
  expect(index.status()).toMatchObject({ state: 'ready', parsed: FOLDERS, warnings: [] })
  expect(survey.isCounting).toBe(false)
  await index.close()
})

test('narrowed, the same index is one of a folder, and finds what came there meanwhile', async () => {
  const { index, survey, answer } = await asked()
  await expect.poll(() => survey.isCounting, { timeout: 20_000 }).toBe(false)
  expect(survey.files).toBe(FOLDERS)
  writeFileSync(join(root, 'd7/b.ts'), 'export const b = 1\n')
  answer.resolve({ scope: 'd7', snapshotPath: undefined })
  await index.ready()
  expect(index.status()).toMatchObject({ scope: 'd7', files: 2, warnings: [] })
  expect((await index.definitions({ name: 'b' })).map(({ path }) => path)).toEqual(['d7/b.ts'])
  await index.changed(['d8/a.ts'])
  expect(index.files()).toEqual(['d7/a.ts', 'd7/b.ts'])
  await index.close()
  rmSync(join(root, 'd7/b.ts'))
})

test('refused or closed while it is asked, the index ends', async () => {
  const refused = await asked()
  refused.answer.reject(new Error('No, thank you.'))
  await expect(refused.index.ready()).rejects.toThrow('No, thank you.')
  await refused.index.close()

  const left = await asked()
  await left.index.close()
  await expect(left.index.ready()).rejects.toThrow('The index was closed.')
  expect(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort')).toEqual([])
})

test('where nobody is asked all is read, with one warning', async () => {
  const { index, answer } = await asked()
  answer.resolve('unasked')
  await index.ready()
  expect(index.status().warnings).toEqual([expect.stringContaining('More than 1 files are here')])
  expect(index.status().parsed).toBe(FOLDERS)
  await index.close()
})
