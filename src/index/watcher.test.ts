import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openIndex } from './code-index.ts'
import { Watcher } from './watcher.ts'

const patient = { timeout: 30_000 }

test('a watcher that is closed while it starts does not watch', async () => {
  // Symptom: `codehound run` printed its answer and never ended.
  const folder = mkdtempSync(join(tmpdir(), 'codehound-watcher-'))
  const seen: unknown[] = []
  const watcher = new Watcher(50, { changed: (paths) => seen.push(paths), failed: (reason) => seen.push(reason) })
  const started = watcher.start(folder, [])
  await watcher.close()
  expect(await started).toBe(false)
  writeFileSync(join(folder, 'a'), 'x')
  await sleep(300)
  expect(seen).toEqual([])
  rmSync(folder, { recursive: true })
})

test('an index that is closed at any moment of its opening stays closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'codehound-watcher-'))
  writeFileSync(join(folder, 'a.ts'), 'export const a = 1\n')
  for (const delay of [0, 1, 5, 20, 60, 150]) {
    const index = await openIndex({ root: folder, workers: 1 })
    await sleep(delay)
    await index.close()
    await sleep(100)
    expect([delay, index.status().state]).toEqual([delay, 'closed'])
  }
  rmSync(folder, { recursive: true })
})

test('whoever closes an index waits for its end, also the second', async () => {
  // Symptom: progress was told behind the error of an index that was cancelled.
  const folder = mkdtempSync(join(tmpdir(), 'codehound-watcher-'))
  writeFileSync(join(folder, 'a.ts'), 'export const a = 1\n')
  const index = await openIndex({ root: folder, workers: 1 })
  const first = index.close()
  await index.close()
  expect(index.status().state).toBe('closed')
  await first
  rmSync(folder, { recursive: true })
})

test('the end of watching is quiet when the system refuses it', async () => {
  // Symptom: "Unable to remove watcher: Invalid argument" after a good answer, and exit code 1.
  const folder = mkdtempSync(join(tmpdir(), 'codehound-watcher-'))
  const watcher = new Watcher(50, { changed: () => undefined, failed: () => undefined })
  expect(await watcher.start(folder, [])).toBe(true)
  const { subscription } = watcher as unknown as { subscription: { unsubscribe(): Promise<void> } }
  const unsubscribe = subscription.unsubscribe.bind(subscription)
  subscription.unsubscribe = async () => {
    await unsubscribe()
    throw new Error('Unable to remove watcher: Invalid argument')
  }
  await expect(watcher.close()).resolves.toBeUndefined()
  rmSync(folder, { recursive: true })
})

test('an index closed while it reads ends at once, and starts nothing more', async () => {
  // Symptom: after the answer of a run in a large folder the program read on to the end of the folder.
  const folder = mkdtempSync(join(tmpdir(), 'codehound-watcher-'))
  for (let i = 0; i < 400; i++) {
    mkdirSync(join(folder, `d${i}`))
    for (let j = 0; j < 10; j++) writeFileSync(join(folder, `d${i}/${j}.ts`), `export const a${j} = ${i}\n`.repeat(50))
  }
  const seen: number[] = []
  const index = await openIndex({ root: folder, onProgress: ({ done }) => void seen.push(done) })
  const ready = index.ready().then(
    () => 'ready',
    (error: Error) => error.message,
  )
  while (seen.length === 0 || seen.at(-1) === 0) await sleep(1)
  await index.close()
  const { length } = seen
  expect(await ready).toBe('The index was closed.')
  expect(index.status()).toMatchObject({ state: 'closed', warnings: [] })
  expect(index.status().indexed).toBeLessThan(4000)
  await sleep(300)
  expect(seen.length).toBe(length)
  expect(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort')).toEqual([])
  rmSync(folder, { recursive: true })
})

test('a folder that goes away while it is indexed leaves what was known, and a warning', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'codehound-watcher-'))
  writeFileSync(join(folder, 'a.ts'), 'export const a = 1\n')
  const index = await openIndex({ root: folder, watch: false, workers: 1 })
  await index.ready()
  rmSync(folder, { recursive: true })
  expect(await index.refresh()).toBe(0)
  expect(index.status().warnings).toEqual([`Changes could not be taken in: The folder ${folder} cannot be read.`])
  await index.close()
})

test('files in folders that came all at once are watched', async () => {
  // Symptom: after `mkdir -p a/b/c` nothing that was written in a/b or a/b/c was seen until the next start.
  const folder = mkdtempSync(join(tmpdir(), 'codehound-watcher-'))
  const index = await openIndex({ root: folder, workers: 1 })
  await index.ready()
  await expect.poll(() => index.status().watcher, patient).toBe('watching')
  const seen = new Set<string>()
  index.onChange((paths) => paths.forEach((path) => seen.add(path)))
  mkdirSync(join(folder, 'a/b/c'), { recursive: true })
  writeFileSync(join(folder, 'a/b/c/first.ts'), 'export const first = 1\n')
  await expect.poll(() => seen, patient).toContain('a/b/c/first.ts')
  await expect.poll(() => index.status().watcher, patient).toBe('watching')
  writeFileSync(join(folder, 'a/b/c/second.ts'), 'export const second = 1\n')
  await expect.poll(() => seen, patient).toContain('a/b/c/second.ts')
  await index.close()
  rmSync(folder, { recursive: true })
})
