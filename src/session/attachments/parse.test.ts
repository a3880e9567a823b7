import { expect, test } from 'vitest'
import { parseMentions } from './parse.ts'

test('a path, lines, a folder, content, and the named kinds are found in order', () => {
  expect(
    parseMentions(
      'look at @src/a.ts, @src/b.ts:10-40 and @@c.ts in @lib/ (see @symbol:Foo.bar) with @diff @todo @https://x.org/y. @template:rule',
    ),
  ).toEqual([
    { kind: 'path', ref: '@src/a.ts', whole: false, path: 'src/a.ts' },
    { kind: 'path', ref: '@src/b.ts:10-40', whole: true, path: 'src/b.ts', lines: { start: 10, end: 40 } },
    { kind: 'path', ref: '@@c.ts', whole: true, path: 'c.ts' },
    { kind: 'path', ref: '@lib/', whole: false, path: 'lib/' },
    { kind: 'symbol', ref: '@symbol:Foo.bar', name: 'Foo.bar' },
    { kind: 'diff', ref: '@diff' },
    { kind: 'todo', ref: '@todo' },
    { kind: 'url', ref: '@https://x.org/y', url: 'https://x.org/y' },
    { kind: 'template', ref: '@template:rule', name: 'rule' },
  ])
})

test('a path with spaces is quoted; one line is a range of one', () => {
  expect(parseMentions('@"my file.ts" @a.ts:7')).toEqual([
    { kind: 'path', ref: '@"my file.ts"', whole: false, path: 'my file.ts' },
    { kind: 'path', ref: '@a.ts:7', whole: true, path: 'a.ts', lines: { start: 7, end: 7 } },
  ])
})

test('an address, a decorator in code and a lone sign are none', () => {
  expect(parseMentions('write to me@example.org or foo@1.2 and @ alone')).toEqual([])
})

test('the same mention twice is one', () => {
  expect(parseMentions('@a.ts and again @a.ts')).toHaveLength(1)
})
