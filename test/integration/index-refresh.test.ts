// Folders whose time has not moved are not listed again. Whatever else decides what is in the index must be seen all the same, by
// an index that lives and by one that is opened from its snapshot.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openIndex, type CodeIndex, type IndexOptions } from '../../src/index/code-index.ts'
import { dumpIndex } from './index-dump.ts'

/** More than a tick of the clock of files. */
const SETTLED_MS = 15
const FILES = ['a.ts', 'gen/x.ts', 'gen/deep/y.ts', 'src/a.ts', 'src/gen/z.ts', 'src/gen/w.json', 'src/img.png']

let top: string
/** The workspace is a folder of the git tree. */
let root: string

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'codehound-refresh-'))
  root = join(top, 'work')
  for (const path of FILES) put(path, path.endsWith('.ts') ? `export const x = '${path}'\n` : '{}')
  put('src/.gitignore', '*.log\n')
  symlinkSync('a.ts', join(root, 'src/link.ts'))
  execFileSync('git', ['init', '-q'], { cwd: top })
  writeFileSync(join(top, '.gitignore'), '*.yaml\n')
  put('src/left-out.yaml', 'a: 1\n')
})

afterEach(() => rmSync(top, { recursive: true, force: true }))

const changes: Record<string, () => void> = {
  'an ignore file comes': () => put('.gitignore', 'gen/\n'),
  'an ignore file comes in a folder': () => put('gen/.codehoundignore', 'deep\n'),
  'an ignore file changes': () => put('src/.gitignore', 'gen\n'),
  'an ignore file goes': () => rmSync(join(root, 'src/.gitignore')),
  'an ignore file comes above the root': () => writeFileSync(join(top, '.codehoundignore'), 'gen/\n'),
  'an ignore file above the root changes': () => writeFileSync(join(top, '.gitignore'), 'gen/\n'),
  'the excludes of the git tree change': () => appendFileSync(join(top, '.git/info/exclude'), '*.json\n'),
  'the git tree goes': () => rmSync(join(top, '.git'), { recursive: true }),
  'a git tree comes within': () => execFileSync('git', ['init', '-q'], { cwd: root }),
  'a file comes, and its folder gets its old time back': () => {
    put('gen/deep/new.ts', 'export const n = 1\n')
    utimesSync(join(root, 'gen/deep'), new Date(1e12), new Date(1e12))
  },
  'a file goes': () => rmSync(join(root, 'gen/deep/y.ts')),
  'a file changes': () => put('gen/deep/y.ts', 'export const other = 1\n'),
  'a file becomes a link': () => {
    rmSync(join(root, 'gen/x.ts'))
    symlinkSync('../a.ts', join(root, 'gen/x.ts'))
  },
  'a link leads elsewhere': () => {
    rmSync(join(root, 'src/link.ts'))
    symlinkSync('gen/z.ts', join(root, 'src/link.ts'))
  },
  'folders change places': () => {
    renameSync(join(root, 'gen/deep'), join(root, 'other'))
    renameSync(join(root, 'src/gen'), join(root, 'gen/deep'))
  },
  'a folder becomes a file': () => {
    rmSync(join(root, 'src/gen'), { recursive: true })
    put('src/gen', 'now text\n')
  },
  'nothing changes': () => undefined,
}

const UNSEEN = new Set(['nothing changes'])

/** Everything an index knows, and where its links lead. */
const everything = async (index: CodeIndex) => ({ files: dumpIndex(index), tree: await index.structure('', 20) })

const CONCERN_A_FOLDER = Object.keys(changes).filter((name) => /ignore|exclude|tree/.test(name))

test.each([
  ...Object.keys(changes).map((name) => ({ name, scope: '' })),
  ...CONCERN_A_FOLDER.map((name) => ({ name, scope: 'src' })),
])('$name: seen in /$scope', async ({ name, scope }) => {
  const snapshotPath = join(top, 'index.bin')
  const open = async (more: Partial<IndexOptions>) => {
    const index = await openIndex({ root, scope, watch: false, workers: 1, settledMs: SETTLED_MS, ...more })
    await index.ready()
    return index
  }
  await setTimeout(2 * SETTLED_MS)
  const live = await open({ snapshotPath })
  await live.save()
  const before = await everything(live)
  changes[name]!()
  await live.refresh()
  const stored = await open({ snapshotPath })
  const fresh = await open({})
  expect(stored.status().source).toBe('snapshot')
  expect(await everything(live)).toEqual(await everything(fresh))
  expect(await everything(stored)).toEqual(await everything(fresh))
  // A change that changes nothing would prove nothing.
  if (!scope && !UNSEEN.has(name)) expect(await everything(fresh)).not.toEqual(before)
  for (const index of [live, stored, fresh]) await index.close()
})

test('a folder that cannot be read is told of, by an index from a snapshot too', async () => {
  // A path longer than the system takes: one that is forbidden could be read by root.
  const deep = `for (let i = 0; i < 20; i++) { fs.mkdirSync('n'.repeat(250)); process.chdir('n'.repeat(250)) }`
  execFileSync(process.execPath, ['-e', deep], { cwd: root })
  await setTimeout(2 * SETTLED_MS)
  const snapshotPath = join(top, 'index.bin')
  for (const source of ['scan', 'snapshot']) {
    const index = await openIndex({ root, snapshotPath, watch: false, workers: 1, settledMs: SETTLED_MS })
    await index.ready()
    const { warnings, source: found } = index.status()
    expect({ source: found, warnings }).toEqual({
      source,
      warnings: ['1 folder could not be read; what is inside is left out.'],
    })
    await index.save()
    await index.close()
  }
  // Which Node cannot remove either.
  execFileSync('rm', ['-rf', top])
})

test('folders that had just changed at the first start are not listed at each start', async () => {
  for (let i = 0; i < 120; i++) put(`many/${i}/a.ts`, 'export const a = 1\n')
  const snapshotPath = join(top, 'index.bin')
  const open = async (settledMs: number) => {
    const index = await openIndex({ root, snapshotPath, watch: false, workers: 1, settledMs })
    await index.ready()
    await index.close()
    return statSync(snapshotPath).ino
  }
  const first = await open(60_000)
  await setTimeout(2 * SETTLED_MS)
  const second = await open(SETTLED_MS)
  expect(second).not.toBe(first)
  expect(await open(SETTLED_MS)).toBe(second)
})
