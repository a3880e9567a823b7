import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { factsText } from '../../../../test/support/facts-text.ts'
import { mangled } from '../../../../test/support/mangled.ts'
import { FILE_FLAG, HEAD, sectionStart, STRIDE, SYMBOL } from '../../facts.ts'
import { FactsWriter } from '../../facts-writer.ts'
import type { Extract } from '../../language.ts'
import { loadExtract } from './engine.ts'
import { readLanguages } from './language-data.ts'
import fc from '../../../../test/support/property.ts'

const folder = dirname(dirname(fileURLToPath(import.meta.url)))
const languages = readLanguages()

function fixtureOf(id: string): string {
  const name = readdirSync(join(folder, id)).find((file) => file.startsWith('fixture.'))!
  return readFileSync(join(folder, id, name), 'utf8')
}

function factsOf(extract: Extract, text: string): Int32Array {
  const out = new FactsWriter()
  extract({ path: 'a', bytes: new Uint8Array(), text }, out)
  out.endFile()
  return out.takeBatch().facts
}

/** What is wrong with the symbols of a file: ranges outside the text or out of order, containers that are none. */
function faultsOf(facts: Int32Array, text: string): string[] {
  const faults: string[] = []
  const count = facts[HEAD.symbols]!
  const base = sectionStart(facts, 'symbols')
  for (let row = 0; row < count; row++) {
    const cell = (column: number): number => facts[base + row * STRIDE.symbols + column]!
    const [start, end, body, name] = [
      cell(SYMBOL.start),
      cell(SYMBOL.end),
      cell(SYMBOL.bodyStart),
      cell(SYMBOL.nameStart),
    ]
    const ordered = 0 <= start && start <= name && name < end && start <= body && body <= end && end <= text.length
    if (!ordered) faults.push(`symbol ${row}: ${start} ${name} ${body} ${end} of ${text.length}`)
    const seen = new Set([row])
    for (let at = cell(SYMBOL.container); at !== -1; at = facts[base + at * STRIDE.symbols + SYMBOL.container]!) {
      if (at < 0 || at >= count || seen.has(at)) {
        faults.push(`symbol ${row}: container ${at}`)
        break
      }
      seen.add(at)
    }
  }
  return faults
}

describe('no text makes an extractor throw or write nonsense', () => {
  test.each(languages)('$id', async (data) => {
    const extract = await loadExtract(data)
    fc.assert(
      fc.property(mangled(fixtureOf(data.id)), (text) => {
        expect(faultsOf(factsOf(extract, text), text)).toEqual([])
      }),
      { numRuns: 25, interruptAfterTimeLimit: 3000 },
    )
  })

  test.each(languages)('$id: deep nesting, one long line, nothing at all', async (data) => {
    const extract = await loadExtract(data)
    const texts = [
      '',
      '\ufeff',
      '\n\n',
      '('.repeat(20_000),
      '{[('.repeat(5000),
      'a'.repeat(300_000),
      '<a>'.repeat(5000),
      'if (x) '.repeat(3000),
    ]
    for (const text of texts) expect(faultsOf(factsOf(extract, text), text)).toEqual([])
  })
})

test('a file that takes too long is given up with parseError, and the next one is read as ever', async () => {
  const data = languages.find(({ id }) => id === 'python')!
  const long = 'def f(): pass\n'.repeat(20_000)
  const hasty = await loadExtract(data, 0)
  const facts = factsOf(hasty, long)
  expect([facts[HEAD.flags]! & FILE_FLAG.parseError, facts[HEAD.symbols]]).toEqual([FILE_FLAG.parseError, 0])
  expect(factsText(await loadExtract(data), 'a.py', 'def f(): pass\n')).toContain('function f 1-1@1')
})

test('a file that is parsed in time, but not searched, says parseError', async () => {
  const data = languages.find(({ id }) => id === 'python')!
  const text = 'def f(): pass\n'
  // The parser looks at the clock only after some work, the walk of the tree at its first node.
  const facts = factsOf(await loadExtract(data, -1), text)
  expect([facts[HEAD.flags]! & FILE_FLAG.parseError, facts[HEAD.symbols]]).toEqual([FILE_FLAG.parseError, 0])
  const inTime = factsOf(await loadExtract(data), text)
  expect([inTime[HEAD.flags]! & FILE_FLAG.parseError, inTime[HEAD.symbols]]).toEqual([0, 1])
})

test('offsets are UTF-16 code units also behind characters of two units', async () => {
  const data = languages.find(({ id }) => id === 'python')!
  const text = 'x = "\u{1f600}\u{1f600}"; é = 1\ndef größe(): return é\n'
  expect(factsText(await loadExtract(data), 'a.py', text)).toBe(
    [
      'file: nesting 0 module',
      'variable x 1-1@1 exported | x = "\u{1f600}\u{1f600}"',
      'variable é 1-1@1 exported | é = 1',
      'function größe 2-2@2 exported | def größe():',
      'use größe: 2/declaration',
      'use x: 1/declaration',
      'use é: 1/declaration 2',
      '',
    ].join('\n'),
  )
})
