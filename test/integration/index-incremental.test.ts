// The heart of freshness: whatever happens to the files, the index that took it in step by step equals one made anew.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openIndex } from '../../src/index/code-index.ts'
import { dumpIndex } from './index-dump.ts'
import fc from '../support/property.ts'

/** Of a longer search: RUNS=1000 LIMIT_MS=3600000. */
const LIMIT_MS = Number(process.env['LIMIT_MS'] ?? 100_000)
const NAMES = ['a', 'b', 'c', 'sub/a', 'sub/b', 'sub/deep/c', 'build/x', 'lib/index']
const EXTENSIONS = ['.ts', '.tsx', '.js', '.json', '.yaml', '.txt', '.png']
const path = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...EXTENSIONS))
  .map(([name, extension]) => name + extension)
const folder = fc.constantFrom('sub', 'sub/deep', 'lib', 'lib/sub')
const content = fc.oneof(
  fc
    .tuple(fc.constantFrom(...NAMES), fc.integer({ min: 0, max: 3 }))
    .map(
      ([from, n]) =>
        `import { x${n} as y } from './${from}'\nexport const x${n} = y\nexport class K${n} { m() { return this.m() } }\n// TODO ${n}\n`,
    ),
  fc.constantFrom(
    '',
    '{"a": 1}',
    'a:\n  b: 1\n',
    'export * from "./a"\n',
    'function (',
    '\u{1F600} é\nexport let z = "é"\n',
    'bin\0ary',
  ),
)
type Operation =
  | { kind: 'write'; path: string; content: string }
  | { kind: 'rename'; from: string; to: string }
  | { kind: 'delete'; path: string }
  | { kind: 'ignore'; folder: string; patterns: string }
  | { kind: 'link'; path: string; to: string }
  | { kind: 'branch'; name: string }

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), path, content }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), from: path, to: path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), from: folder, to: folder }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      path: fc.oneof(path, folder),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('ignore' as const),
      folder: fc.constantFrom('', 'sub/', 'lib/'),
      patterns: fc.constantFrom('*.json\n', 'deep/\n', '!*.json\nb.ts\n', '', '/a.*\n'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('link' as const), path, to: fc.constantFrom('a.ts', 'nowhere') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('branch' as const), name: fc.constantFrom('one', 'two') }) },
)

/** An operation, whether the index is told where, and whether folders then rest for so long that their times are believed. */
interface Step {
  operation: Operation
  isNamed: boolean
  rests: boolean
}
const step: fc.Arbitrary<Step> = fc.record({ operation, isNamed: fc.boolean(), rests: fc.boolean() })
/** More than a tick of the clock of files. */
const SETTLED_MS = 15

const named = (operations: Operation[]): Step[] =>
  operations.map((one) => ({ operation: one, isNamed: true, rests: false }))

function git(root: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: root, stdio: 'ignore' })
}

/** Does an operation; gives the paths a watcher would name. */
function run(root: string, operation: Operation): string[] | undefined {
  const at = (relative: string) => join(root, relative)
  const put = (relative: string, text: string) => {
    mkdirSync(dirname(at(relative)), { recursive: true })
    rmSync(at(relative), { recursive: true, force: true })
    writeFileSync(at(relative), text)
  }
  switch (operation.kind) {
    case 'write':
      put(operation.path, operation.content)
      return [operation.path]
    case 'rename':
      try {
        mkdirSync(dirname(at(operation.to)), { recursive: true })
        renameSync(at(operation.from), at(operation.to))
      } catch {
        // There was nothing to rename.
      }
      return [operation.from, operation.to]
    case 'delete':
      rmSync(at(operation.path), { recursive: true, force: true })
      return [operation.path]
    case 'ignore':
      put(`${operation.folder}.gitignore`, operation.patterns)
      return [`${operation.folder}.gitignore`]
    case 'link':
      mkdirSync(dirname(at(operation.path)), { recursive: true })
      rmSync(at(operation.path), { recursive: true, force: true })
      symlinkSync(operation.to, at(operation.path))
      return [operation.path]
    case 'branch':
      git(root, 'add', '-A')
      git(root, 'commit', '-q', '--allow-empty', '-m', 'x')
      try {
        git(root, 'checkout', '-q', operation.name)
      } catch {
        git(root, 'checkout', '-q', '-b', operation.name)
        put('a.ts', `export const branch = '${operation.name}'\n`)
      }
      // A storm: nobody knows which files.
      return undefined
  }
}

test(
  'any sequence of file operations leaves the incremental index equal to a fresh one',
  { timeout: LIMIT_MS + 20_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const root = mkdtempSync(join(tmpdir(), 'codehound-index-'))
        git(root, 'init', '-q')
        writeFileSync(join(root, 'a.ts'), 'export const a = 1\n')
        const live = await openIndex({ root, watch: false, workers: 1, settledMs: SETTLED_MS })
        try {
          await live.ready()
          for (const { operation: one, isNamed, rests } of steps) {
            const paths = run(root, one)
            if (rests) await setTimeout(2 * SETTLED_MS)
            if (paths && isNamed) await live.changed(paths)
            else await live.refresh()
          }
          const fresh = await openIndex({ root, watch: false, workers: 1 })
          await fresh.ready()
          expect(dumpIndex(live)).toEqual(dumpIndex(fresh))
          expect(await live.graph()).toEqual(await fresh.graph())
          expect(await live.references({ name: 'x1' })).toEqual(await fresh.references({ name: 'x1' }))
          await fresh.close()
        } finally {
          await live.close()
          rmSync(root, { recursive: true, force: true })
        }
      }),
      {
        numRuns: Number(process.env['RUNS'] ?? 15),
        interruptAfterTimeLimit: LIMIT_MS,
        examples: [
          // The rules of a folder go with it.
          [
            named([
              { kind: 'ignore', folder: 'sub/', patterns: '*.json\n' },
              { kind: 'delete', path: 'sub' },
              { kind: 'write', path: 'sub/b.json', content: '' },
            ]),
          ],
          // And come with it.
          [
            named([
              { kind: 'write', path: 'sub/a.json', content: '' },
              { kind: 'delete', path: 'sub' },
              { kind: 'ignore', folder: 'lib/', patterns: '*.json\n' },
              { kind: 'write', path: 'lib/b.json', content: '' },
              { kind: 'rename', from: 'lib', to: 'sub' },
            ]),
          ],
        ],
      },
    )
  },
)
