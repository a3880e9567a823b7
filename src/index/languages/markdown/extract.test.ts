import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { factsText } from '../../../../test/support/facts-text.ts'
import { extractMarkdown } from './extract.ts'
import { readBlocks } from './blocks.ts'
import { markdown } from './language.ts'

const folder = import.meta.dirname

test('the fixture is read as expected.txt says', () => {
  const text = readFileSync(join(folder, 'fixture.md'), 'utf8')
  expect(factsText(extractMarkdown, 'fixture.md', text)).toBe(readFileSync(join(folder, 'expected.txt'), 'utf8'))
})

test('links lead to files: relative ones, folders, pages without an ending, the root of a site', () => {
  const paths = new Set(['docs/index.md', 'docs/setup.md', 'docs/ref/README.md', 'README.md'])
  const files = { has: (path: string) => paths.has(path), filesIn: () => [], named: () => [] }
  const links = ['setup.md#install', 'ref/', '../README.md', '/docs/setup', 'none.md', '../../x.md']
  expect(links.map((link) => markdown.resolve!(link, 'docs/index.md', files)[0])).toEqual([
    'docs/setup.md',
    'docs/ref/README.md',
    'README.md',
    'docs/setup.md',
    undefined,
    undefined,
  ])
})

const headings = (text: string): string[] =>
  readBlocks(text).flatMap(({ kind, level, nameStart, nameEnd }) =>
    kind === 'heading' ? [`${level} ${text.slice(nameStart, nameEnd)}`] : [],
  )
const prose = (text: string): string[] =>
  readBlocks(text).flatMap(({ kind, start, end }) => (kind === 'prose' ? [text.slice(start, end)] : []))

describe('headings, as CommonMark has them', () => {
  test.for<[string, string[]]>([
    ['# foo\n## bar #\n###### baz ###### \n', ['1 foo', '2 bar', '6 baz']],
    ['####### foo\n#5 bolt\n\\## foo\n', []],
    ['   # foo\n    # code\n', ['1 foo']],
    ['foo\n    # bar\n', []],
    ['## foo #\\##\n# foo#\n#\n# ### \n', ['2 foo #\\##', '1 foo#', '1 ', '1 ']],
    ['Foo *bar*\n=========\n\nFoo\nbar\n---\n', ['1 Foo *bar*', '2 Foo\nbar']],
    ['Foo\n= =\n\nFoo\n--- -\n', []],
    ['> Foo\n---\n', []],
    ['- Foo\n---\n', []],
    ['- # Foo\n- Bar\n  ---\n  baz\n', ['1 Foo', '2 Bar']],
    ['> # Foo\n> bar\n> ===\n', ['1 Foo', '1 bar']],
    ['---\n---\n', []],
    ['---\ntitle: x\n# no\n---\n# yes\n', ['1 yes']],
    ['a\n\n---\n\nb\n---\n', ['2 b']],
    ['```\n# no\n````\n# yes\n', ['1 yes']],
    ['~~~ md\n```\n# no\n~~~\n# yes\n', ['1 yes']],
    ['````\n# no\n```\n# no\n', []],
    ['> ```\n# yes\n', ['1 yes']],
    ['- ```\n  # no\n  ```\n  # yes\n', ['1 yes']],
    ['1. a\n\n   # in\n\n# out\n', ['1 in', '1 out']],
    ['-\n  # in\n', ['1 in']],
    ['-   a\n\n    # in\n\n        # code\n', ['1 in']],
    ['<!--\n# no\n-->\n# yes\n', ['1 yes']],
    ['<div>\n# no\n\n# yes\n', ['1 yes']],
    ['<script>\n\n# no\n</script>\n# yes\n', ['1 yes']],
    ['a\n<b>\n# yes\n', ['1 yes']],
    ['<b>\n# no\n\n# yes\n', ['1 yes']],
    ['\t# code\n-\t# item\n>\t\t# code\n', ['1 item']],
    ['# crlf\r\nnext\r\n====\r\n', ['1 crlf', '1 next']],
  ])('%j', ([text, expected]) => expect(headings(text)).toEqual(expected))
})

describe('prose', () => {
  test.for<[string, string[]]>([
    ['a\nb\n\n    c\n', ['a', 'b']],
    ['> a\nb\n> - c\nd\n', ['a', 'b', 'c', 'd']],
    ['a\n1. b\n', ['a', 'b']],
    ['a\n2. b\n', ['a', '2. b']],
    ['- a\n\n  b\n\n      c\n', ['a', 'b']],
    ['[a]: b\n[c]: <d e> "f"\ntext\n[g]: h\n', ['text', '[g]: h']],
    ['* * *\na\n***\nb\n', ['a', 'b']],
  ])('%j', ([text, expected]) => expect(prose(text)).toEqual(expected))
})

test('any text is read to its end, and what is found lies in it in order', () => {
  const parts = [
    '#',
    ' ',
    '  ',
    '    ',
    '\t',
    '\n',
    '\r\n',
    '>',
    '- ',
    '1. ',
    '2)',
    '```',
    '~~~',
    '---',
    '===',
    '<!--',
    '-->',
    '<div>',
    '<b>',
  ]
  const words = [...parts, 'a', '[a]: b', '](c)', '\\', '`', '<script>', '</script>', '<?', ']]>', '***']
  let seed = 11
  const next = (limit: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 9) % limit
  }
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: next(40) }, () => words[next(words.length)]).join('')
    let last = 0
    for (const { kind, start, end, nameStart, nameEnd } of readBlocks(text)) {
      const range = [start, end, nameStart, nameEnd]
      expect(end >= start && nameEnd >= nameStart && end <= text.length, JSON.stringify({ text, range })).toBe(true)
      // A heading of two lines comes after the prose that it was.
      if (kind !== 'heading') expect(start, JSON.stringify({ text, range })).toBeGreaterThanOrEqual(last)
      if (kind !== 'heading') last = end
    }
    factsText(extractMarkdown, 'x.md', text)
  }
})
