import { expect, test } from 'vitest'
import type { FrontSettings } from '../client/workbench.ts'
import type { FileDiff, Report } from '../protocol/index.ts'
import { defaultSettings } from './default-settings.ts'
import { Printer } from './item-rows.ts'
import { wrap } from './styled-text.ts'
import { themeOf } from './theme.ts'
import type { Item } from './item.ts'

const plain = themeOf('none', { LANG: 'C.UTF-8' })

function printed(items: Item[], settings: Partial<FrontSettings> = {}, details = false, width = 60): string[] {
  const printer = new Printer({
    width,
    theme: plain,
    settings: { ...defaultSettings, ...settings },
    highlight: (line) => line,
    details,
  })
  return items.flatMap((item) => printer.rows(item)).filter((row) => row !== '')
}

const call: Extract<Item, { kind: 'call' }> = {
  kind: 'call',
  name: 'read_file',
  title: 'read src/a.ts',
  result: { status: 'success', text: 'one\ntwo' },
  durationMs: 12,
  output: '',
}
const failed: Item = { ...call, result: { status: 'failed', code: 'NOT_FOUND', text: 'src/a.ts is not there.' } }
const diff: FileDiff = {
  path: 'src/a.ts',
  change: 'modified',
  added: 1,
  removed: 1,
  note: 'says hello',
  hunks: [
    {
      oldStart: 3,
      oldLines: 1,
      newStart: 3,
      newLines: 1,
      lines: [
        { kind: 'remove', text: 'a' },
        { kind: 'add', text: `${'b'.repeat(40)} ${'c'.repeat(40)}` },
      ],
    },
  ],
}
const report = {
  elapsedMs: 3200,
  inputTokens: 1000,
  outputTokens: 247,
  cachedTokens: 0,
  toolCalls: 1,
  filesChanged: [{ path: 'src/a.ts', change: 'modified', added: 1, removed: 1 }],
  refused: [],
} as unknown as Report

test('a call is one line; a failed one says why; details show what it gave', () => {
  expect(printed([call])).toEqual(['hound', '▸ read_file src/a.ts  0.01s'])
  expect(printed([failed])).toEqual(['hound', '▸ read_file src/a.ts  0.01s', '  NOT_FOUND src/a.ts is not there.'])
  expect(printed([call], {}, true)).toEqual(['hound', '▸ read_file src/a.ts  0.01s', '  one', '  two'])
})

test('display.showToolCalls hides calls that went well, display.showStats the line after an answer', () => {
  const display = { ...defaultSettings.display, showToolCalls: false, showStats: false }
  expect(printed([call, { kind: 'stats', report }], { display })).toEqual(['hound'])
  expect(printed([failed], { display })).toHaveLength(3)
  expect(printed([{ kind: 'stats', report }])).toEqual(['3.2s · 1,247 tokens · 1 tool call · changed src/a.ts +1 −1'])
})

test('a run that said and did nothing has no statistics', () => {
  const nothing = { ...report, inputTokens: 0, outputTokens: 0, toolCalls: 0 }
  expect(printed([{ kind: 'stats', report: nothing }])).toEqual([])
})

test('the keys of edit say how a diff is drawn', () => {
  const with_ = (edit: Partial<FrontSettings['edit']>) =>
    printed([{ kind: 'diff', diff }], { edit: { ...defaultSettings.edit, ...edit } }).slice(1)
  expect(with_({})).toEqual([
    'src/a.ts  lines 3–3  +1 −1   says hello',
    '3 - a',
    `3 + ${'b'.repeat(40)}`,
    `    ${'c'.repeat(40)}`,
  ])
  expect(with_({ wrapLongLines: false })[2]).toBe(`3 + ${'b'.repeat(40)} ${'c'.repeat(14)}…`)
  expect(with_({ showDescription: false })[0]).toBe('src/a.ts  lines 3–3  +1 −1')
  expect(with_({ showDiff: false })).toEqual(['src/a.ts  lines 3–3  +1 −1   says hello'])
})

test('a diff stands side by side where there is room for two columns', () => {
  const edit = { ...defaultSettings.edit, diffFormat: 'side-by-side' as const }
  const [, , row] = printed([{ kind: 'diff', diff }], { edit }, false, 120)
  expect(row).toMatch(/^ {3}3 - a {50,} │ {4}3 \+ b{40} c+…$/)
})

test('a long message of the user is shown by its first rows', () => {
  const text = Array.from({ length: 500 }, (_, i) => `row ${i}`).join('\n')
  const rows = printed([{ kind: 'user', text, attachments: [{ kind: 'path', ref: '@a.ts', summary: 'outline' }] }])
  expect(rows).toHaveLength(10)
  expect(rows.at(-2)).toBe('       … 492 more rows')
  expect(rows.at(-1)).toBe('       @a.ts · outline')
  const line = printed([{ kind: 'user', text: 'x'.repeat(1_000_000), attachments: [] }], {}, false, 107)
  expect(line.at(-1)).toBe('       … 9,992 more rows')
})

test('a command that failed, and tests, say so under their call', () => {
  const ran = (name: string, text: string, exitCode: number, output = ''): Item => ({
    ...call,
    name,
    title: 'x',
    output,
    result: { status: 'success', text, data: { exitCode } },
  })
  const rows = printed([
    ran(
      'shell_exec',
      'exit code 127, 0.1 s\nstderr:\nbunx: command not found',
      127,
      'start\nbunx: command not found\n',
    ),
    ran('shell_exec', 'exit code 0, 0.1 s', 0, 'fine\n'),
    ran('run_tests', '3 passed, 1 failed, 0 skipped (npm test, exit code 1, 2 s)\n…', 1),
  ])
  expect(rows.filter((row) => row.startsWith('  '))).toEqual([
    '  exit code 127 · bunx: command not found',
    '  3 passed, 1 failed, 0 skipped (npm test, exit code 1, 2 s)',
  ])
})

test('a line end in what is wrapped ends the row, and the blanks behind it stay', () => {
  expect(wrap('if x:\n  do this and that', 14, '    ')).toEqual(['if x:', '      do this', '    and that'])
})

test('whatever has several lines, no row has', () => {
  const long = 'run make\necho two\necho three'
  const items: Item[] = [
    { ...call, name: 'shell_exec', title: long },
    { kind: 'approval', titles: [long], answer: 'no', reason: 'too\nslow' },
    { kind: 'plan', items: [{ text: long, state: 'open' }] },
  ]
  const rows = printed(items)
  expect(rows.filter((row) => row.includes('\n'))).toEqual([])
  expect(rows.join('\n')).toContain('shell_exec run make … 3 lines')
})

test('text of the model and of tools cannot move the cursor or ring', () => {
  const nasty = 'a\u001B[2Jb\u0007\u202Ec'
  const items: Item[] = [
    { kind: 'user', text: nasty, attachments: [] },
    { kind: 'note', level: 'info', text: nasty, suggestion: undefined },
    { ...call, title: nasty, result: { status: 'failed', code: 'TOOL_ERROR', text: nasty } },
    { kind: 'output', text: `${nasty}\n` },
    { kind: 'question', question: nasty, answer: nasty },
    { kind: 'plan', items: [{ text: nasty, state: 'open' }] },
  ]
  expect(printed(items, {}, true).join('\n')).not.toMatch(/(?!\n)\p{Cc}|\u202E/u)
})

test('a note, output and what the user does while an answer streams cut no word and end no block of code', () => {
  const printer = new Printer({
    width: 60,
    theme: plain,
    settings: defaultSettings,
    highlight: (line) => line,
    details: false,
  })
  const rows = [
    ...printer.rows({ kind: 'text', text: 'See:\n```ts\nconst a = 1\nconst lo' }),
    ...printer.rows({ kind: 'note', level: 'info', text: '/status', suggestion: undefined }),
    ...printer.rows({ kind: 'user', text: '!ls', attachments: [] }, true),
    ...printer.rows({ kind: 'output', text: 'src\n' }),
    ...printer.rows({ kind: 'text', text: 'ng = 2\n```\nthe end\n' }),
    ...printer.rows({ kind: 'text-end' }),
  ].filter((row) => row !== '')
  expect(rows).toEqual([
    'hound',
    'See:',
    '  const a = 1',
    '/status',
    'you    !ls',
    '  src',
    'hound',
    '  const long = 2',
    'the end',
  ])
})
