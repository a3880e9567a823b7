import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openIndex } from './code-index.ts'
import { Watcher } from './watcher.ts'

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
