import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { GraphReport } from './answers.ts'
import { openIndex } from './code-index.ts'

let root = ''
afterEach(() => rmSync(root, { recursive: true }))

async function graphOf(files: Record<string, string>): Promise<GraphReport> {
  root = mkdtempSync(join(tmpdir(), 'codehound-graph-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const index = await openIndex({ root, watch: false, workers: 1 })
  await index.ready()
  const graph = await index.graph()
  await index.close()
  return graph
}

const uses = (path: string): string => `import { a } from '${path}'\na()\n`

test('files in a ring of imports are a cycle, and one that more than five need is a hub', async () => {
  const graph = await graphOf({
    'hub.ts': 'export const a = () => 1\n',
    'one.ts': `${uses('./two.ts')}export { a }\n`,
    'two.ts': `${uses('./one.ts')}export { a }\n`,
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`use${n}.ts`, uses('./hub.ts')])),
  })
  expect(graph.cycles).toEqual([['one.ts', 'two.ts']])
  expect(graph.hubs).toEqual([{ path: 'hub.ts', dependents: 6 }])
})

test('ways in are told by name, by manifest, by who runs them, and by nobody needing them', async () => {
  const alone = 'console.log(1)\n'
  const graph = await graphOf({
    'package.json': JSON.stringify({
      main: './lib/way.ts',
      bin: { tool: 'bin/tool.js' },
      exports: { './sub': './lib/sub.ts' },
      scripts: { build: 'node --strip-types script/build.mts && rm -rf dist/none.js' },
    }),
    '.github/workflows/ci.yml': 'on: push\njobs: { a: { steps: [{ run: ./script/ci.sh }] } }\n',
    Makefile: 'all:\n\tpython3 script/make_all.py\n',
    'packages/p/package.json': JSON.stringify({ name: 'p', scripts: { go: 'node run.js' } }),
    'packages/p/run.js': alone,
    'lib/way.ts': alone,
    'lib/sub.ts': alone,
    'bin/tool.js': alone,
    'src/index.ts': alone,
    'script/build.mts': alone,
    'script/ci.sh': 'echo\n',
    'script/make_all.py': 'print(1)\n',
    'script/forgotten.ts': alone,
    'src/start.ts': uses('./needed.ts'),
    'src/needed.ts': 'export const a = () => 1\n',
  })
  expect(graph.entryPoints).toEqual([
    'bin/tool.js',
    'lib/sub.ts',
    'lib/way.ts',
    'packages/p/run.js',
    'script/build.mts',
    'script/ci.sh',
    'script/make_all.py',
    'src/index.ts',
    'src/start.ts',
  ])
  expect(graph.orphans).toEqual(['script/forgotten.ts'])
})
