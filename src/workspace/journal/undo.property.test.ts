import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from '../workspace.ts'
import { createMemoryBlobStore } from './blob-store.ts'
import { createMemoryJournalStore } from './memory-journal-store.ts'
import fc from '../../../test/support/property.ts'

const path = fc.constantFrom('a', 'b.txt', 'd/c', 'd/e/f', 'g h', 'é')
const content = fc.constantFrom('', 'x', 'one\n', 'one\r\ntwo\r\n', '\ufeffbom\n', 'no end', 'long '.repeat(50))
const quoted = (each: string): string => `'${each}'`
const command = fc.oneof(
  fc
    .tuple(path, content)
    .map(([at, text]) => `mkdir -p "$(dirname ${quoted(at)})" && printf %s ${quoted(text)} > ${quoted(at)}`),
  path.map((at) => `rm -f ${quoted(at)}`),
  path.map((at) => `chmod 755 ${quoted(at)}`),
  path.map((at) => `printf more >> ${quoted(at)}`),
  fc.tuple(path, path).map(([from, to]) => `mv ${quoted(from)} ${quoted(to)}`),
  path.map((at) => `ln -sfn /nowhere ${quoted(at)}`),
  path.map((at) => `touch -d '1 hour ago' ${quoted(at)}`),
  fc.constant('rm -rf d'),
  fc.constant('rm -rf d; echo file > d'),
  fc.constant('rm -f d; mkdir -p d/e; echo z > d/e/f'),
  fc.constant('git add -A; git -c user.name=a -c user.email=a@b commit -qm c'),
  fc.constant('true'),
)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), path, content: fc.option(content) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('command' as const), command }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('redo' as const), count: fc.integer({ min: 1, max: 3 }) }) },
)

/** Each step of a run starts processes; on a busy machine that adds up. */
const TIMEOUT_MS = 180_000

/** Bytes, mode or target of every file and link; folders do not count. */
function snapshot(root: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const each of readdirSync(join(root, below), { withFileTypes: true })) {
    const inner = join(below, each.name)
    if (inner === '.git') continue
    const at = join(root, inner)
    if (each.isDirectory()) Object.assign(found, snapshot(root, inner))
    else if (each.isSymbolicLink()) found[inner] = `-> ${readlinkSync(at)}`
    else found[inner] = `${(lstatSync(at).mode & 0o7777).toString(8)} ${readFileSync(at).toString('base64')}`
  }
  return found
}

test.each([true, false])(
  'Undo and redo go through the very states the work tree had (git: %s)',
  async (git) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 9 }), async (steps) => {
        const root = realpathSync(mkdtempSync(join(tmpdir(), 'undo-')))
        const sh = (command: string): void => {
          execFileSync('sh', ['-c', `${command} || true`], { cwd: root, stdio: 'ignore' })
        }
        try {
          chmodSync(root, 0o755)
          if (git)
            sh(
              'git init -q; echo tracked > a; mkdir d; echo c > d/c; git add -A; git -c user.name=a -c user.email=a@b commit -qm c',
            )
          const journalParts = { store: createMemoryJournalStore(), blobs: createMemoryBlobStore() }
          const workspace = openWorkspace({ root, journal: journalParts, durable: false, home: '/nowhere' })
          const journal = workspace.journal!
          // The model: states left behind, and states undone.
          const past: Record<string, string>[] = []
          let future: Record<string, string>[] = []
          for (const each of steps) {
            const before = snapshot(root)
            if (each.kind === 'edit') await workspace.apply([{ path: each.path, after: each.content }])
            if (each.kind === 'command') {
              const watch = await journal.watchCommand({})
              sh(each.command)
              await watch.finish()
            }
            if (each.kind === 'undo') {
              const done = journal.undo({ count: each.count })
              expect(done.ok || done.code).toBe(past.length === 0 ? 'NOTHING' : true)
              for (let at = 0, now = before; at < each.count && past.length > 0; at++) {
                future.push(now)
                now = past.pop()!
                if (at === each.count - 1 || past.length === 0) expect(snapshot(root)).toEqual(now)
              }
            } else if (each.kind === 'redo') {
              const done = journal.redo({ count: each.count })
              expect(done.ok || done.code).toBe(future.length === 0 ? 'NOTHING' : true)
              for (let at = 0, now = before; at < each.count && future.length > 0; at++) {
                past.push(now)
                now = future.pop()!
                if (at === each.count - 1 || future.length === 0) expect(snapshot(root)).toEqual(now)
              }
            } else if (JSON.stringify(snapshot(root)) !== JSON.stringify(before)) {
              past.push(before)
              future = []
            } else if (journal.changes().filter((entry) => entry.state === 'done').length > past.length) {
              // An edit that wrote what was there is a change with its own entry.
              past.push(before)
              future = []
            }
          }
        } finally {
          rmSync(root, { recursive: true })
        }
      }),
      { numRuns: git ? 15 : 40 },
    )
  },
  TIMEOUT_MS,
)
