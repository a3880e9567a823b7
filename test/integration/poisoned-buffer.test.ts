// Facts come from what the parser wrote for a file, whatever stood in its buffer before. A share of test/proof/poison.ts.
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { extractorOf } from '../../src/index/languages/typescript/extract.ts'
import { loadRawParser } from '../../src/index/languages/typescript/raw-parser.ts'
import { FactsWriter } from '../../src/index/facts-writer.ts'
import { filesOf, proveNoPoison } from '../proof/poison.ts'

const ROOT = resolve(import.meta.dirname, '../..')

test('facts of real files are the same in a poisoned buffer, and imports and exports those of the module record', async () => {
  const files = filesOf([join(ROOT, 'src'), join(ROOT, 'node_modules')], 100, 20261122, 40_000)
  const { differences, outgrown, failed, modules } = await proveNoPoison(files, 20261122)
  expect({ differences, outgrown, failed }).toEqual({ differences: [], outgrown: 0, failed: 0 })
  expect(modules).toBeGreaterThan(30)
})

test.each([0xff, 0x01, 0x23])('fields that are absent are read nowhere: %d stands there', async (poison) => {
  // Symptom: six imports without names took 19 seconds and 4.4 GB, now and then.
  const parser = await loadRawParser((memory, textStart) => memory.fill(poison, textStart - 65_536, textStart))
  const text = [
    ...Array.from({ length: 6 }, (_, i) => `import "core-js/modules/es.array.${i}";`),
    'export * from "./all"',
    'class A { \\u0023x; #\\u0061 = 1; m() { return this.#\\u0061 } }',
    'declare module "m";',
    'function f(): void',
    'label: for (;;) { break; continue label }',
    'const [, a = 1, ...b] = [, 1], { c, ...d } = {}',
    'try { return } catch { }',
    'type M = { [K in T] }; type I = import("i"); abstract class C { abstract p }',
    'switch (a) { default: }',
    'let t = <A b />, u = <></>',
  ]
  for (const line of [...text, text.slice(0, 6).join('\n')]) {
    const out = new FactsWriter()
    const bytes = Buffer.from(line)
    extractorOf(parser).extract({ path: 'head.tsx', bytes, text: line }, out)
    out.endFile()
    const { facts } = out.takeBatch()
    expect(facts.length).toBeLessThan(line.length * 4 + 200)
  }
})
