import { expect, test } from 'vitest'
import { editLines } from './edit-lines.ts'
import { splitLines } from './lines.ts'
import { createSeenFiles } from './seen-files.ts'
import fc from '../../../test/support/property.ts'

function lines(text: string): string[] {
  return splitLines(text).map((line) => line.text)
}

test('Lines are replaced, inserted and deleted by number with the line ends of the file', () => {
  const cases: [text: string, start: number, end: number, content: string, expected: string][] = [
    ['a\nb\nc\n', 2, 2, 'x', 'a\nx\nc\n'],
    ['a\nb\nc\n', 2, 3, 'x\ny\n', 'a\nx\ny\n'],
    ['a\nb\n', 1, 0, 'x', 'x\na\nb\n'],
    ['a\nb\n', 3, 2, 'x', 'a\nb\nx\n'],
    ['a\nb', 3, 2, 'x', 'a\nb\nx'],
    ['a\nb', 2, 2, 'x\ny', 'a\nx\ny'],
    ['a\r\nb\r\n', 2, 2, 'x\ny', 'a\r\nx\r\ny\r\n'],
    ['a\nb\nc\n', 2, 2, '', 'a\nc\n'],
    ['a\nb', 2, 2, '', 'a'],
    ['a\nb\n', 1, 2, '', ''],
    ['', 1, 0, 'x\n', 'x\n'],
    ['', 1, 0, 'x', 'x'],
    ['a\n', 1, 1, '\n', '\n'],
  ]
  for (const [text, start, end, content, expected] of cases) {
    expect([text, start, end, editLines(text, start, end, content)]).toEqual([
      text,
      start,
      end,
      { ok: true, text: expected },
    ])
  }
  expect(editLines('a\n', 2, 3, 'x')).toMatchObject({ ok: false })
  expect(editLines('a\n', 0, 1, 'x')).toMatchObject({ ok: false })
  expect(editLines('a\n', 3, 1, 'x')).toMatchObject({ ok: false })
})

test('Numbers of a file that was never shown or that somebody else changed are stale', () => {
  const seen = createSeenFiles()
  expect(seen.mapLines('a', 1, 2, 'h1')).toMatchObject({ code: 'STALE_LINES' })
  seen.show('a', 'h1', 1, 10)
  expect(seen.mapLines('a', 1, 2, 'h1')).toEqual({ ok: true, start: 1, end: 2 })
  expect(seen.mapLines('a', 1, 2, 'h2')).toMatchObject({ code: 'STALE_LINES' })
  expect([seen.compare('a', 'h1'), seen.compare('a', 'h2'), seen.compare('b', 'h1')]).toEqual([
    'same',
    'changed',
    'never',
  ])
})

test('A range that overlaps an own edit is stale and comes with its new numbers', () => {
  const seen = createSeenFiles()
  seen.show('a', 'h1', 1, 6)
  const [before, after] = ['1\n2\n3\n4\n5\n6\n', '1\n2\nx\ny\nz\n4\n5\n6\n']
  seen.wrote('a', { before, after, beforeHash: 'h1', afterHash: 'h2' })
  expect(seen.mapLines('a', 5, 6, 'h2')).toEqual({ ok: true, start: 7, end: 8 })
  expect(seen.mapLines('a', 3, 4, 'h2')).toMatchObject({ code: 'STALE_LINES', start: 3, end: 6 })
})

test('After an edit only the lines that were read again, or stand above it, are sure', () => {
  const seen = createSeenFiles()
  seen.show('a', 'h1', 1, 100)
  const before = Array.from({ length: 100 }, (_, at) => `${at}\n`).join('')
  seen.wrote('a', { before, after: before.replace('\n9\n', '\n9\nnew\n'), beforeHash: 'h1', afterHash: 'h2' })
  seen.show('a', 'h2', 50, 60)
  expect(seen.mapLines('a', 50, 60, 'h2')).toEqual({ ok: true, start: 50, end: 60 })
  expect(seen.mapLines('a', 2, 3, 'h2')).toEqual({ ok: true, start: 2, end: 3 })
  // 80 may be a number from before the edit: guessing could change the wrong line.
  expect(seen.mapLines('a', 80, 80, 'h2')).toMatchObject({ code: 'STALE_LINES' })
})

test('Of a file somebody else changed only what was shown since is sure; reads that touch count as one', () => {
  const seen = createSeenFiles()
  seen.show('a', 'h1', 1, 100)
  seen.show('a', 'h2', 50, 60)
  expect(seen.mapLines('a', 55, 60, 'h2')).toEqual({ ok: true, start: 55, end: 60 })
  expect(seen.mapLines('a', 80, 80, 'h2')).toMatchObject({ code: 'STALE_LINES' })
  seen.show('a', 'h2', 61, 120)
  expect(seen.mapLines('a', 58, 80, 'h2')).toEqual({ ok: true, start: 58, end: 80 })
  // Inserting after the last line and before the first one that was shown.
  expect(seen.mapLines('a', 121, 120, 'h2')).toEqual({ ok: true, start: 121, end: 120 })
  expect(seen.mapLines('a', 50, 49, 'h2')).toEqual({ ok: true, start: 50, end: 49 })
  expect(seen.mapLines('a', 49, 48, 'h2')).toMatchObject({ code: 'STALE_LINES' })
})

test('Mapped lines are the lines that were shown, after any edits', () => {
  const step = fc.record({
    start: fc.nat(12),
    count: fc.nat(3),
    content: fc.constantFrom('', 'x\n', 'x\ny\n', '3\n3\n'),
  })
  fc.assert(
    fc.property(fc.nat(12), fc.array(step, { maxLength: 5 }), fc.nat(12), fc.nat(3), (size, steps, from, count) => {
      // Lines repeat, so that a diff may be ambiguous.
      const shown = Array.from({ length: size }, (_, at) => `${at % 5}\n`).join('')
      const seen = createSeenFiles()
      seen.show('a', 'h0', 1, size)
      let text = shown
      for (const [at, { start, count, content }] of steps.entries()) {
        const edited = editLines(text, start + 1, Math.min(lines(text).length, start + count), content)
        if (!edited.ok || edited.text === text) continue
        const beforeHash = seen.hashOf('a')!
        seen.wrote('a', { before: text, after: edited.text, beforeHash, afterHash: `h${at + 1}` })
        text = edited.text
      }
      const [start, end] = [from + 1, Math.min(size, from + 1 + count)]
      fc.pre(start <= end)
      const mapped = seen.mapLines('a', start, end, seen.hashOf('a')!)
      if (mapped.ok) expect(lines(text).slice(mapped.start - 1, mapped.end)).toEqual(lines(shown).slice(start - 1, end))
    }),
    { numRuns: 3000 },
  )
})
