import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sideBySide } from '../../lib/side-by-side.ts'
import { fileDiffSchema } from '../../protocol/index.ts'
import { withoutHunks } from './drop-hunks.ts'
import { diffFile } from './file-diff.ts'
import { refit } from './refit.ts'
import { unifiedText } from './unified.ts'
import fc from '../../../test/support/property.ts'

const text = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'let x = 1', ''), fc.constantFrom('\n', '\n', '\n', '\r\n')), {
    maxLength: 30,
  })
  .chain((lines) => fc.constantFrom('', 'end').map((end) => lines.map((line) => line.join('')).join('') + end))

test('A change is plain data with words marked', () => {
  const before = 'one\ntwo\nconst limit = 10\nfour\n'
  const after = 'one\ntwo\nconst limit = 20\nfour\nfive'
  const diff = diffFile('a.ts', before, after)
  expect(diff).toEqual({
    path: 'a.ts',
    change: 'modified',
    added: 2,
    removed: 1,
    hunks: [
      {
        oldStart: 1,
        oldLines: 4,
        newStart: 1,
        newLines: 5,
        lines: [
          { kind: 'same', text: 'one' },
          { kind: 'same', text: 'two' },
          { kind: 'remove', text: 'const limit = 10', marks: [[14, 16]] },
          { kind: 'add', text: 'const limit = 20', marks: [[14, 16]] },
          { kind: 'same', text: 'four' },
          { kind: 'add', text: 'five', noNewline: true },
        ],
      },
    ],
  })
  expect(fileDiffSchema.parse(JSON.parse(JSON.stringify(diff)))).toEqual(diff)
  expect(sideBySide(diff.hunks[0]!).map(({ left, right }) => [left?.number, right?.number])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
    [undefined, 5],
  ])
})

test('Created and deleted files, and a change of line ends alone, are told apart', () => {
  expect(diffFile('a', null, 'x\n')).toMatchObject({ change: 'created', added: 1, removed: 0 })
  expect(diffFile('a', 'x\n', null)).toMatchObject({ change: 'deleted', added: 0, removed: 1 })
  expect(diffFile('a', 'x\r\ny\r\n', 'x\ny\n')).toMatchObject({ added: 2, note: 'line ends change: CRLF to LF' })
})

test('Dropping no hunk gives the new text, dropping all gives the old one, and hunks are independent', () => {
  fc.assert(
    fc.property(text, text, fc.infiniteStream(fc.boolean()), (before, after, coin) => {
      const { hunks } = diffFile('a', before, after)
      const all = hunks.map((_, at) => at)
      expect(withoutHunks(before, after, [])).toBe(after)
      expect(withoutHunks(before, after, all)).toBe(before)
      const some = all.filter(() => coin.next().value)
      const partly = withoutHunks(before, after, some)
      expect(withoutHunks(before, partly, []).length).toBe(partly.length)
      const kept = hunks.filter((_, at) => !some.includes(at))
      const changed = (kind: string): number =>
        kept.flatMap((each) => each.lines).filter((each) => each.kind === kind).length
      const lines = (of: string): number => of.split('\n').length - (of.endsWith('\n') || of === '' ? 1 : 0)
      expect(lines(partly) - lines(before)).toBe(changed('add') - changed('remove'))
    }),
    { numRuns: 500 },
  )
})

test('git applies the unified text and gets the new text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== '' && after !== '' && !(before + after).includes('\r'))
      writeFileSync(join(folder, 'file'), before)
      const input = unifiedText(diffFile('file', before, after))
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
        cwd: folder,
        input,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      expect(readFileSync(join(folder, 'file'), 'utf8')).toBe(after)
    }),
    { numRuns: 60 },
  )
})

test('A change fits on a newer version when its own lines and their neighbours did not move apart', () => {
  const base = 'a\nb\nc\nd\ne\nf\n'
  const wanted = 'a\nb\nC\nd\ne\nf\n'
  expect(refit(base, wanted, 'new\na\nb\nc\nd\ne\nF\n')).toEqual({ fits: true, text: 'new\na\nb\nC\nd\ne\nF\n' })
  expect(refit(base, wanted, 'a\nb\nc2\nd\ne\nf\n')).toEqual({ fits: false })
  expect(refit(base, wanted, 'a\nb\nc\nbetween\nd\ne\nf\n')).toEqual({ fits: false })
  expect(refit(base, `${base}g\n`, `x\n${base}`)).toEqual({ fits: true, text: `x\n${base}g\n` })
  expect(refit(base, `${base}g\n`, `${base}h\n`)).toEqual({ fits: false })
  expect(refit('', 'a\n', 'b\n')).toEqual({ fits: false })
})

test('Fitting a change on the version it was made for gives the new text', () => {
  fc.assert(
    fc.property(text, text, (base, wanted) => {
      expect(refit(base, wanted, base)).toEqual({ fits: true, text: wanted })
    }),
  )
})
