import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openIndex } from './code-index.ts'
import type { Engine } from './engine.ts'
import { bindingAt, bindingCount, exportAt, exportCount } from './rows.ts'
import type { TableView } from './table-view.ts'
import { UseIndex } from './use-index.ts'

async function engineOf(root: string, scope = ''): Promise<Engine> {
  const index = await openIndex({ root, scope, watch: false, workers: 2 })
  await index.ready()
  onTestFinished(() => index.close())
  return (index.view() as TableView).engine
}

const pairs = (flat: readonly number[]): string[] =>
  Array.from({ length: flat.length / 2 }, (_unused, i) => `${flat[2 * i]}:${flat[2 * i + 1]}`).sort()

/** Compares what both ways give for every name of every file; gives how many uses there were. */
async function compare({ tables, links }: Engine): Promise<number> {
  const byName = new UseIndex(tables, links)
  const built = new UseIndex(tables, links)
  await built.build()
  expect([byName.isBuilt, built.isBuilt]).toEqual([false, true])
  let uses = 0
  for (let file = 0; file < tables.count; file++) {
    if (!tables.facts[file]) continue
    const names = new Set([tables.names.idOf('default')])
    for (let row = 0; row < bindingCount(tables, file); row++) names.add(bindingAt(tables, file, row, 'name'))
    for (let row = 0; row < exportCount(tables, file); row++) names.add(exportAt(tables, file, row, 'local'))
    for (const name of names) {
      const entity = { file, name }
      const what = `${tables.names.text(name)} of ${tables.paths[file]}`
      const bindings = pairs(built.bindingsOf(entity))
      expect(pairs(byName.bindingsOf(entity)), `bindings of ${what}`).toEqual(bindings)
      expect(pairs(byName.exportsOf(entity)), `exports of ${what}`).toEqual(pairs(built.exportsOf(entity)))
      uses += bindings.length
    }
  }
  return uses
}

test('uses found by name are those found by resolving everything', { timeout: 120_000 }, async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  expect(await compare(await engineOf(root, 'src/index'))).toBeGreaterThan(500)
})

test('uses are found by name through every way to call something else', async () => {
  const root = mkdtempSync(join(tmpdir(), 'codehound-uses-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const files: Record<string, string> = {
    'a.ts': 'export function a() {}\nexport default class D {}\nexport const v = 1\nexport { v as w }\n',
    'renamed.ts': "import { a as b } from './a'\nexport { b as c }\n",
    'stars.ts':
      "export * from './renamed'\nexport * as all from './a'\nexport { default as Z, w as default } from './a'\n",
    'user.ts':
      "import def, { c as e, all, Z as Y } from './stars'\nimport D2 from './a'\ne(); all.a(); new Y(); new D2(); def\n",
    'equals.ts': "import eq = require('./a')\nimport { a } from './equals-user'\neq.a(); a()\n",
    'equals-user.ts': "import eq from './a'\nexport = eq\n",
    'common.cjs': 'const { a } = require("./a")\nmodule.exports.x = a\na()\n',
    'types.d.ts':
      "declare module 'given' { export default function made(): void; export const other: number }\ndeclare const everywhere: number\n",
    'given.ts': "import mine, { other as o } from 'given'\nmine(); o; everywhere\n",
    'one.go': 'package p\nfunc Shared() {}\n',
    'two.go': 'package p\nfunc Use() { Shared() }\n',
    'pkg/mod.py': 'def helper():\n  pass\n',
    'use.py': 'from pkg.mod import helper as h\nh()\n',
    'A.java': 'package x; public class A { static void run() {} }\n',
    'B.java': 'package x; class B { void go() { A.run(); } }\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  expect(await compare(await engineOf(root))).toBeGreaterThan(8)
})
