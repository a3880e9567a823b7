import { describe, expect, test } from 'vitest'
import { MarkdownStream } from './markdown.ts'
import { styledCells, wrap, withoutStyle } from './styled-text.ts'
import { themeOf } from './theme.ts'
import fc from '../../test/support/property.ts'

const plain = themeOf('none', { LANG: 'C.UTF-8' })
const make = (width = 40) => new MarkdownStream({ width, theme: plain, highlight: (line) => line })
const whole = (text: string, width?: number): string[] => {
  const stream = make(width)
  return [...stream.feed(text), ...stream.end()]
}

describe('Markdown', () => {
  test('headings, lists with a hanging indent, quotes and inline marks', () => {
    expect(
      whole(
        '# Title\n\nSome **bold** and `code`.\n- one that is so long that it must be wrapped\n> said\n---\n1. first',
      ),
    ).toEqual([
      'Title',
      '',
      'Some bold and code.',
      '• one that is so long that it must be',
      '  wrapped',
      '│ said',
      '────────────────────────────────────────',
      '1. first',
    ])
  })

  test('code keeps its lines and marks in it are no Markdown', () => {
    expect(whole('```ts\nconst a = **b**\n# no heading\n```\nafter')).toEqual([
      '  const a = **b**',
      '  # no heading',
      'after',
    ])
  })

  test('a table is drawn in columns', () => {
    expect(whole('| a | long head |\n|---|---|\n| 1 | 2 |\nafter')).toEqual([
      'a │ long head',
      '─────────────',
      '1 │ 2',
      'after',
    ])
  })

  test('a table that is too wide has cells that wrap; without room for columns each cell has its line', () => {
    const table =
      '| file | what it does |\n|---|---|\n| a.ts | it reads all files and **says** what is in them |\n| b.ts | x |\n'
    expect(whole(table)).toEqual([
      'file │ what it does',
      '────────────────────────────────────────',
      'a.ts │ it reads all files and says what',
      '     │ is in them',
      'b.ts │ x',
    ])
    const wide = `| ${'a column | '.repeat(6)}\n|${'---|'.repeat(6)}\n| ${'some words | '.repeat(6)}\n`
    expect(whole(wide).slice(0, 3)).toEqual(['some words', '  a column: some words', '  a column: some words'])
  })

  test('a link after bold text is a link, also when its label is styled', () => {
    const stream = new MarkdownStream({
      width: 60,
      theme: themeOf('dark', { LANG: 'C.UTF-8' }),
      highlight: (line) => line,
    })
    expect(stream.feed('all of **them** [hono](https://hono.dev), [**x** y](u)\n').map(withoutStyle)).toEqual([
      'all of them hono (https://hono.dev), x y (u)',
    ])
  })

  test('snake_case, arithmetic and file globs are no emphasis', () => {
    expect(whole('call read_file_now with 2 * 3 * 4 and src/**/*.ts')).toEqual([
      'call read_file_now with 2 * 3 * 4 and',
      'src/**/*.ts',
    ])
  })

  test('control characters of the model are shown, not obeyed', () => {
    expect(whole('a\u001B[2Jb\u0007')).toEqual(['a\\x1b[2Jb\\x07'])
  })

  test('a paragraph longer than the screen is never live as a whole', () => {
    const stream = make()
    const rows = stream.feed('word '.repeat(400))
    expect(stream.live().length).toBeLessThanOrEqual(7)
    expect([...rows, ...stream.end()].join(' ').split(/\s+/).filter(Boolean)).toHaveLength(400)
  })
})

const text = fc
  .array(
    fc.constantFrom(
      'word',
      ' ',
      '\n',
      '**b** ',
      '`c`',
      '```\n',
      '| a | b |\n',
      '- ',
      '# ',
      '漢字',
      'é',
      'x'.repeat(50),
      '> ',
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

test('the rows do not depend on the chunks and no row is wider than the screen', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.nat(60), { maxLength: 10 }),
      fc.integer({ min: 10, max: 60 }),
      (source, cuts, width) => {
        const stream = make(width)
        const rows: string[] = []
        const places = [0, ...cuts.filter((at) => at < source.length).sort((a, b) => a - b), source.length]
        for (let i = 1; i < places.length; i++) rows.push(...stream.feed(source.slice(places[i - 1], places[i])))
        rows.push(...stream.end())
        for (const row of rows) expect(styledCells(row)).toBeLessThanOrEqual(width)
        const letters = (all: string[]): string => all.join('').replaceAll(/\s/g, '')
        expect(letters(rows)).toBe(letters(whole(source, width)))
      },
    ),
  )
})

test('a resize in the middle of a paragraph cuts no word and loses none, nor does a mark that ends late', () => {
  const words = fc.array(fc.constantFrom('word', '**bold', 'end**', '`co', 'de`', '[a', 'b](u)', 'n'), {
    maxLength: 120,
  })
  const change = fc.record({ at: fc.nat(400), width: fc.integer({ min: 12, max: 90 }) })
  fc.assert(
    fc.property(words, fc.array(change, { maxLength: 3 }), (source, changes) => {
      const text = source.map((word, i) => `${word}${i}`).join(' ')
      const stream = make(60)
      const rows: string[] = []
      let width = 60
      let at = 0
      const feed = (to: number): void => {
        for (; at < to; at++) for (const row of stream.feed(text[at]!)) rows.push(row)
        for (const row of stream.live()) expect(styledCells(row)).toBeLessThanOrEqual(width)
      }
      for (const each of changes.toSorted((a, b) => a.at - b.at)) {
        feed(Math.min(each.at, text.length))
        stream.resize((width = each.width))
      }
      feed(text.length)
      const bare = (all: string): string[] =>
        all.replaceAll('](', ' (').replaceAll(/[*`[]/g, '').split(/\s+/).filter(Boolean)
      expect(bare([...rows, ...stream.end()].join(' '))).toEqual(bare(text))
    }),
  )
})

test('wrapping keeps every letter and every style, and ends each row plain', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'bb ', '漢', '\u001B[1m', '\u001B[0m', ' ', 'ccc'), { maxLength: 40 }),
      fc.integer({ min: 4, max: 20 }),
      (parts, width) => {
        const rows = wrap(parts.join(''), width)
        const letters = (s: string): string => withoutStyle(s).replaceAll(/\s/g, '')
        expect(letters(rows.join(''))).toBe(letters(parts.join('')))
        for (const row of rows) expect(styledCells(row)).toBeLessThanOrEqual(width)
      },
    ),
  )
})
