import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBackgroundProcesses, type BackgroundProcesses } from './background.ts'

let folder: string
let processes: BackgroundProcesses
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codehound-background-'))
  processes = createBackgroundProcesses({ outputFolder: join(folder, 'out'), clock: () => 5 })
})
afterEach(async () => {
  await processes.endAll()
  rmSync(folder, { recursive: true, force: true })
})

async function until(done: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200 && !done(); attempt++) await new Promise((next) => setTimeout(next, 10))
}

test('a started command is listed, read piece by piece, and stopped', async () => {
  const started = processes.start({ command: 'echo one; sleep 0.1; echo two; sleep 60', cwd: folder })
  expect(started).toEqual({
    id: 'bg1',
    command: 'echo one; sleep 0.1; echo two; sleep 60',
    cwd: folder,
    startedAt: 5,
    running: true,
    exitCode: null,
    signal: null,
  })
  let text = ''
  await until(() => {
    text += processes.read('bg1')!.text
    return text === 'one\ntwo\n'
  })
  expect(text).toBe('one\ntwo\n')
  expect(processes.read('bg1')!.text).toBe('')
  expect(processes.read('bg1', 4)).toMatchObject({ text: 'two\n', nextOffset: 8, totalBytes: 8 })
  expect(await processes.stop('bg1')).toMatchObject({ id: 'bg1', running: false })
  expect(processes.list().map(({ running }) => running)).toEqual([false])
})

test('a command that ends by itself keeps its output and exit code', async () => {
  processes.start({ command: 'echo bye; exit 4', cwd: folder })
  await until(() => !processes.list()[0]!.running)
  expect(processes.read('bg1')).toMatchObject({ text: 'bye\n', running: false, exitCode: 4 })
})

test('a read never ends inside a character while the command runs', async () => {
  processes.start({ command: String.raw`printf 'ab\xe2\x82'; sleep 0.2; printf '\xac'; sleep 60`, cwd: folder })
  await until(() => processes.read('bg1', 0)!.totalBytes >= 4)
  expect(processes.read('bg1', 0)).toMatchObject({ text: 'ab', nextOffset: 2 })
  await until(() => processes.read('bg1', 0)!.totalBytes === 5)
  expect(processes.read('bg1', 2)!.text).toBe('€')
})

test('an unknown id is undefined', async () => {
  expect(processes.read('bg9')).toBeUndefined()
  expect(await processes.stop('bg9')).toBeUndefined()
})
