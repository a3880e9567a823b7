// Whatever ends a process of the index or befalls its snapshot, the next start is right.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openIndex } from '../../src/index/code-index.ts'
import type { IndexStatus } from '../../src/index/answers.ts'
import { dumpIndex } from './index-dump.ts'

const SOURCES = resolve(import.meta.dirname, '../../src/index')
const PROGRAM = resolve(import.meta.dirname, '../support/index-process.ts')
let base: string
let root: string
let snapshot: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'codehound-faults-'))
  root = join(base, 'work')
  snapshot = join(base, 'kept/index.bin')
  mkdirSync(root)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

interface Seen {
  dump: Record<string, unknown>
  status: IndexStatus
}
/** Everything an index knows that is opened now, without a snapshot when none is given. */
async function look(snapshotPath?: string, save = false): Promise<Seen> {
  const index = await openIndex({ root, watch: false, workers: 1, ...(snapshotPath && { snapshotPath }) })
  try {
    await index.ready()
    const dump = dumpIndex(index)
    if (save) await index.save()
    return { dump, status: index.status() }
  } finally {
    await index.close()
  }
}

/** Starts a process that indexes and saves; `until` is what it has to say before this resolves. */
async function start(until?: 'ready' | 'saved') {
  const child = spawn(process.execPath, [PROGRAM, root, snapshot], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<void>((done) => child.on('exit', () => done()))
  while (!said.includes(until ?? 'open')) await sleep(2)
  return {
    kill: async (): Promise<void> => {
      child.kill('SIGKILL')
      await ended
    },
    said: () => said,
  }
}

test(
  'kill -9 at any moment of reading and saving leaves a next start that is right',
  { timeout: 120_000 },
  async () => {
    cpSync(SOURCES, join(root, 'src'), { recursive: true })
    const fresh = await look()
    for (const delay of [0, 30, 90, 200, 400, 800]) {
      const process = await start()
      await sleep(delay)
      await process.kill()
      expect((await look(snapshot)).dump).toEqual(fresh.dump)
    }
    const ready = await start('ready')
    await ready.kill()
    expect((await look(snapshot)).dump).toEqual(fresh.dump)
    const saved = await start('saved')
    await saved.kill()
    expect(await look(snapshot)).toMatchObject({ dump: fresh.dump, status: { source: 'snapshot' } })
  },
)

test('a snapshot that is cut, damaged or of another folder is as none', async () => {
  write('a.ts', "import { b } from './b.ts'\nexport const a = b\n")
  write('b.ts', 'export const b = 1\n')
  const fresh = await look(snapshot, true)
  expect((await look(snapshot)).status.source).toBe('snapshot')
  const whole = readFileSync(snapshot)
  const flipped = Buffer.from(whole)
  flipped[flipped.length - 9]! ^= 1
  const cases: [string, Buffer][] = [
    ['empty', Buffer.alloc(0)],
    ['only its head', whole.subarray(0, 24)],
    ['half', whole.subarray(0, whole.length >> 1)],
    ['short of one byte', whole.subarray(0, -1)],
    ['too long', Buffer.concat([whole, Buffer.alloc(8)])],
    ['one bit', flipped],
    ['something else', Buffer.from('SQLite format 3\0'.repeat(40))],
    ['of another folder', Buffer.from(whole.toString('latin1').replace(root, `${root.slice(0, -1)}K`), 'latin1')],
  ]
  for (const [what, bytes] of cases) {
    writeFileSync(snapshot, bytes)
    const { dump, status } = await look(snapshot)
    expect([what, status.source, dump]).toEqual([what, 'scan', fresh.dump])
  }
})

test('changes while nobody looked are found at the next start', async () => {
  write('a.ts', 'export const a = 1\n')
  write('gone/b.ts', 'export const b = 1\n')
  await look(snapshot, true)
  write('a.ts', 'export const c = 1\n')
  write('new/d.ts', 'export const d = 1\n')
  rmSync(join(root, 'gone'), { recursive: true })
  const { dump, status } = await look(snapshot)
  expect(status.source).toBe('snapshot')
  expect(dump).toEqual((await look()).dump)
})

test('several processes on one workspace leave one whole snapshot and nothing else', async () => {
  cpSync(join(SOURCES, 'search'), join(root, 'search'), { recursive: true })
  const fresh = await look()
  const all = await Promise.all([start('saved'), start('saved'), start('saved')])
  expect(all.map(({ said }) => said().split('\n')[2])).toEqual(['saved ', 'saved ', 'saved '])
  await Promise.all(all.map(({ kill }) => kill()))
  expect(readdirSync(dirname(snapshot)).filter((name) => name.includes('tmp'))).toEqual([])
  expect(await look(snapshot)).toMatchObject({ dump: fresh.dump, status: { source: 'snapshot' } })
})

/** Mounts a file system in memory at a folder; false where that is not allowed. */
function mount(folder: string, options: string): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('a full disk costs the snapshot, says so, and nothing more', async ({ skip }) => {
  if (!mount(dirname(snapshot), 'size=64k')) return skip('mounting needs root: run the tests as root in a container')
  try {
    cpSync(join(SOURCES, 'search'), join(root, 'search'), { recursive: true })
    writeFileSync(join(dirname(snapshot), 'filler'), Buffer.alloc(48 * 1024))
    const { dump, status } = await look(snapshot, true)
    expect(status.warnings).toEqual([expect.stringContaining('could not be saved')])
    expect(readdirSync(dirname(snapshot))).toEqual(['filler'])
    expect(dump).toEqual((await look()).dump)
    rmSync(join(dirname(snapshot), 'filler'))
    expect(await look(snapshot)).toMatchObject({ dump, status: { source: 'scan' } })
  } finally {
    execFileSync('umount', [dirname(snapshot)])
  }
})

test('a folder that nobody may write is indexed as any other', async ({ skip }) => {
  if (!mount(root, 'size=1m')) return skip('mounting needs root: run the tests as root in a container')
  try {
    write('a.ts', 'export const a = 1\n')
    execFileSync('mount', ['-o', 'remount,ro', root])
    const inside = join(root, '.codehound/index.bin')
    const { dump, status } = await look(inside, true)
    expect(Object.keys(dump)).toEqual(['a.ts'])
    expect(status.warnings).toEqual([expect.stringContaining('could not be saved')])
    expect(existsSync(inside)).toBe(false)
  } finally {
    execFileSync('umount', [root])
  }
})
