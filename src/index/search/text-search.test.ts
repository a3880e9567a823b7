import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TextMatch, TextQuery } from '../answers.ts'
import { openIndex, type CodeIndex } from '../code-index.ts'

const FILES: Readonly<Record<string, string>> = {
  'a/plain.ts':
    '\nexport const first = 1\nexport let second = 2\n  export const third = foo.map(x => x)\n// TODO: Straße\n',
  'a/dos.ts': 'class One extends Two {\r\n  catch (error) {\r\n  }\r\n}\r\n',
  'a/mark.ts': '\uFEFFimport { x } from "./vs/base"\nimport y from "vs/base"\nawait\n  this.run()\n await this.run()\n',
  'b/wide.md': 'ä TODO 😀 fixme\n\n\nKelvin: K, straße STRASSE\n日本語のテキスト TODO\n',
  'b/end.txt': 'no newline at the end: https://example.org/0x0a1b2c',
  'b/empty.txt': '',
  'b/lines.txt': `${'needle in a haystack\n'.repeat(300)}last needle`,
}
let root: string
let index: CodeIndex
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'codehound-text-search-'))
  for (const folder of ['a', 'b']) mkdirSync(join(root, folder))
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(root, path), text)
  index = await openIndex({ root, watch: false, workers: 1 })
  await index.ready()
})
afterAll(async () => {
  await index.close()
  rmSync(root, { recursive: true })
})

/** Every line of every file, each tried alone. */
function linesMatching({ query, regex, caseSensitive }: TextQuery): TextMatch[] {
  const source = regex ? query : query.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const expression = new RegExp(source, caseSensitive ? 'm' : 'im')
  return Object.keys(FILES)
    .toSorted()
    .flatMap((path) =>
      FILES[path]!.replace(/^\uFEFF/, '')
        .split('\n')
        .flatMap((line, at) => {
          const text = line.replace(/\r$/, '')
          const match = expression.exec(text)
          return match ? [{ path, line: at + 1, column: match.index + 1, text }] : []
        }),
    )
    .filter(({ path, line, text }) => text !== '' || line < FILES[path]!.split('\n').length)
}

test.each<TextQuery>(
  ['TODO', 'straße', 'export const', 'needle', 'https://', 'x', '日本語', '😀', 'K', 'nowhere at all'].map((query) => ({
    query,
  })),
)('the text $query is found in the lines that hold it', async ({ query }) => {
  for (const caseSensitive of [true, false]) {
    const expected = linesMatching({ query, caseSensitive })
    const { matches, total } = await index.searchText({ query, caseSensitive })
    expect(matches).toEqual(expected)
    expect(total).toBe(expected.length)
  }
})

test.each([
  'TODO|FIXME',
  '^export (const|let) ',
  '\\.(map|filter)\\(\\w+ => ',
  'import .* from .vs/base',
  '\\bawait\\s+this\\.\\w+',
  'class \\w+ extends \\w+',
  'catch \\(\\w+\\) \\{$',
  '0x[0-9a-f]{6}',
  'https?://[a-z]+',
  'last.*needle$',
  'n..dle',
  '[äß]',
  'stra(ss|ß)e',
  '^$',
  '^\\s*$',
  '\\s*',
  '\\s+fixme',
  '.{40}',
  '(?<=export )const|let',
])('the expression %s matches the lines that it matches alone', async (query) => {
  for (const caseSensitive of [true, false]) {
    const expected = linesMatching({ query, regex: true, caseSensitive })
    const { matches, total } = await index.searchText({ query, regex: true, caseSensitive })
    expect(matches).toEqual(expected)
    expect(total).toBe(expected.length)
  }
})

test('lines around a match, and no more matches than asked for', async () => {
  const { matches, total, files } = await index.searchText({ query: 'second', context: 1 })
  expect({ matches, total, files }).toEqual({
    matches: [
      {
        path: 'a/plain.ts',
        line: 3,
        column: 12,
        text: 'export let second = 2',
        before: ['export const first = 1'],
        after: ['  export const third = foo.map(x => x)'],
      },
    ],
    total: 1,
    files: 1,
  })
  const few = await index.searchText({ query: 'needle', limit: 7 })
  expect([few.matches.length, few.total, few.matches.at(-1)?.line]).toEqual([7, 301, 7])
})

test('an expression that would run for ever is ended, and the next is answered', async () => {
  writeFileSync(join(root, 'a/long.txt'), `${'a'.repeat(40)}!`)
  await index.changed(['a/long.txt'])
  const { error } = await index.searchText({ query: '^(a+)+$', regex: true })
  expect(error).toMatch(/took longer than 1000 ms on a\/long\.txt/)
  expect((await index.searchText({ query: 'needle in', regex: true })).total).toBe(300)
})

test('a text that was read before is read again when its file has changed', async () => {
  const path = join(root, 'b/changing.txt')
  writeFileSync(path, 'the first state\n')
  await index.changed(['b/changing.txt'])
  expect((await index.searchText({ query: 'first state' })).total).toBe(1)
  writeFileSync(path, 'line\nthe first state, grown\n')
  expect((await index.searchText({ query: 'first state' })).matches).toEqual([
    { path: 'b/changing.txt', line: 2, column: 5, text: 'the first state, grown' },
  ])
})
