import { expect, test } from 'vitest'
import type { LadderCase } from './cases.ts'
import { shapeCases } from './cases-shape.ts'
import { textCases } from './cases-text.ts'
import { editText } from './edit-text.ts'
import { findPlaces } from './ladder.ts'
import { viewOf } from './lines.ts'
import fc from '../../../test/support/property.ts'

function outcome({ file, old, new: wanted, all, path }: LadderCase): LadderCase['want'] {
  const edit = { oldText: old, newText: wanted, ...(all === true ? { replaceAll: true } : {}) }
  const edited = editText(file, [edit], path === undefined ? {} : { path })
  return edited.ok ? { rung: edited.matches[0]!.rung, text: edited.text } : { code: edited.code }
}

const cases = [...textCases, ...shapeCases]

test('The table has at least a hundred rows, each with its own name', () => {
  expect(cases.length).toBeGreaterThanOrEqual(100)
  expect(new Set(cases.map((each) => each.name)).size).toBe(cases.length)
})

test.each(cases)('ladder: $name', (row) => {
  expect(outcome(row)).toEqual(row.want)
})

test('Several edits are made all or none, each on what the ones before left', () => {
  const file = 'a\nb\nc\n'
  const both = [
    { oldText: 'a', newText: 'x' },
    { oldText: 'x\nb', newText: 'y' },
  ]
  expect(editText(file, both)).toEqual({
    ok: true,
    text: 'y\nc\n',
    matches: [
      { rung: 'exact', count: 1, startLine: 1, endLine: 1, notes: [] },
      { rung: 'exact', count: 1, startLine: 1, endLine: 1, notes: [] },
    ],
  })
  expect(editText(file, [...both, { oldText: 'gone', newText: '' }])).toMatchObject({
    ok: false,
    code: 'NO_MATCH',
    edit: 3,
  })
})

test('An edit goes to the text that was shown, not to its likeness an earlier edit wrote', () => {
  const swap = [
    { oldText: 'left', newText: 'right' },
    { oldText: 'right\n', newText: 'left\n' },
  ]
  expect(editText('left\nmiddle\nright\n', swap)).toMatchObject({ text: 'right\nmiddle\nleft\n' })
})

test('A place inside a longer word is said', () => {
  expect(editText('const foobar = 1\n', [{ oldText: 'foo', newText: 'baz' }])).toMatchObject({
    text: 'const bazbar = 1\n',
    matches: [{ notes: ['it was found inside "foobar"'] }],
  })
  expect(editText('foo(bar)\n', [{ oldText: 'foo', newText: 'baz' }])).toMatchObject({ matches: [{ notes: [] }] })
})

test('A miss shows the nearest lines with their numbers and what differs', () => {
  const file = 'import a\n\nfunction total(items) {\n  return items.length\n}\n'
  const missed = editText(file, [{ oldText: 'function total(list) {\n  return items.length\n}', newText: 'x' }])
  expect(missed).toMatchObject({
    code: 'NO_MATCH',
    near: [
      { line: 3, text: 'function total(items) {' },
      { line: 4, text: '  return items.length' },
      { line: 5, text: '}' },
    ],
  })
  expect(missed).toMatchObject({
    message: expect.stringContaining(
      'Line 1 of old_text is "function total(list) {", the file has "function total(items) {"',
    ),
  })
})

test('A miss of a piece of a long line shows the line', () => {
  // Symptom: "nor anything like it" for `h: 3_600_000, d: 86_400_00` in a table of one line.
  const table = 'const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 360_000, d: 86_400_000 }'
  const file = `${table}\n\nexport function parse(text: string): number {\n  return 1\n}\n`
  expect(editText(file, [{ oldText: 'h: 3_600_000, d: 86_400_000', newText: 'x' }])).toMatchObject({
    code: 'NO_MATCH',
    near: [{ line: 1, text: table }],
  })
  expect(editText(file, [{ oldText: 'something else', newText: 'x' }])).not.toHaveProperty('near')
})

test('A miss says when the edit was made before', () => {
  const edit = { oldText: 'const limit = 10', newText: 'const limit = 20' }
  expect(editText('a\nconst limit = 20\n', [edit])).toMatchObject({
    code: 'NO_MATCH',
    message: expect.stringContaining('new_text already is, at line 2'),
  })
})

// Lines that are told apart by their number, with the shapes that trip other engines.
const lineText = fc.tuple(
  fc.constantFrom('', '  ', '    ', '\t', '\t\t'),
  fc.constantFrom('call(“x”)', "it's", 'a – b', 'if (x) {', '}', 'wait…', 'x'),
  fc.constantFrom('', ' ', '  ', '\t'),
)
const fileText = fc.array(fc.tuple(lineText, fc.constantFrom('\n', '\n', '\r\n')), { minLength: 3, maxLength: 14 })
const damage = fc.constantFrom('none', 'trim', 'shift', 'ascii', 'numbers', 'fence', 'crlf', 'blanks')

const ASCII: Record<string, string> = { '“': '"', '”': '"', '–': '-', '…': '...' }

function damaged(lines: string[], kind: string, firstLine: number): string {
  const text = lines.join('\n')
  switch (kind) {
    case 'trim':
      return lines.map((line) => line.trimEnd()).join('\n')
    case 'shift':
      return lines.map((line) => `   ${line}`).join('\n')
    case 'ascii':
      return text.replace(/[“”–…]/g, (each) => ASCII[each]!)
    case 'numbers':
      return lines.map((line, at) => `${firstLine + at}\t${line}`).join('\n')
    case 'fence':
      return `\`\`\`\n${text}\n\`\`\``
    case 'crlf':
      return lines.join('\r\n')
    case 'blanks':
      return `\n${text}\n`
    default:
      return text
  }
}

test('However the old text is damaged, only its own place changes, or nothing', () => {
  fc.assert(
    fc.property(fileText, fc.nat(), fc.nat(3), damage, damage, (rows, from, count, one, two) => {
      const lines = rows.map(([[indent, body, trail], eol], at) => ({ text: `${indent}${body} ${at}${trail}`, eol }))
      const first = from % lines.length
      const last = Math.min(lines.length - 1, first + count)
      const bytes = (part: typeof lines): string => part.map(({ text, eol }) => text + eol).join('')
      const file = bytes(lines)
      const chosen = lines.slice(first, last + 1).map((line) => line.text)
      const wanted = [...chosen.slice(0, -1), 'NEW', chosen.at(-1)!]
      const damage = (part: string[]): string => damaged(damaged(part, one, first + 1).split('\n'), two, first + 1)
      const edited = editText(file, [{ oldText: damage(chosen), newText: damage(wanted) }])
      if (!edited.ok) return edited.code !== 'NO_CHANGE'
      const [head, tail] = [bytes(lines.slice(0, first)), bytes(lines.slice(last + 1))]
      expect(edited.text.startsWith(head)).toBe(true)
      expect(edited.text.endsWith(tail)).toBe(true)
      const middle = edited.text.slice(head.length, edited.text.length - tail.length)
      expect(middle).toContain('NEW')
      return true
    }),
    { numRuns: 2000 },
  )
})

test('One kind of damage never keeps an edit from its place', () => {
  fc.assert(
    fc.property(fileText, fc.nat(), fc.nat(3), damage, (rows, from, count, kind) => {
      const lines = rows.map(([[indent, body, trail], eol], at) => ({ text: `${indent}${body} ${at}#${trail}`, eol }))
      const first = from % lines.length
      const chosen = lines.slice(first, first + count + 1).map((line) => line.text)
      const file = lines.map(({ text, eol }) => text + eol).join('')
      const wanted = ['NEW', ...chosen]
      const edited = editText(file, [
        { oldText: damaged(chosen, kind, first + 1), newText: damaged(wanted, kind, first + 1) },
      ])
      // In a layout that says nothing, a shifted new text may be meant in two ways.
      if (kind !== 'shift' || edited.ok) expect(edited).toMatchObject({ ok: true })
      else expect(edited.message).toContain('it cannot be told which')
    }),
    { numRuns: 1000 },
  )
})

test('On plain text the engine agrees with a search for the text', () => {
  const small = fc.array(fc.constantFrom('a', 'b', '\n', ' '), { maxLength: 12 }).map((each) => each.join(''))
  fc.assert(
    fc.property(small, small, small, (file, old, wanted) => {
      const count = viewOf(file).lf === '' || old === '' ? 0 : occurrences(file, old)
      const edited = editText(file, [{ oldText: old, newText: wanted }])
      if (count > 1 && old !== wanted) expect(edited).toMatchObject({ ok: false, code: 'AMBIGUOUS_MATCH' })
      if (count === 1 && old !== wanted) {
        const plain = file.replace(old, () => wanted)
        const before = file.slice(0, file.indexOf(old)).split('\n').at(-1)!
        // Behind its line's indentation, the new text may be meant with it or without; the words are the same.
        if (before === '' || before.trim() !== '' || old.trim() === '' || wanted.trim() === '')
          expect(edited).toMatchObject({ text: plain })
        else if (edited.ok) expect(edited.text.replaceAll(/^ +/gm, '')).toBe(plain.replaceAll(/^ +/gm, ''))
      }
      if (count === 0 && file !== '' && edited.ok) expect(findPlaces(viewOf(file), old)?.places).toHaveLength(1)
    }),
    { numRuns: 3000 },
  )
})

function occurrences(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1
  return count
}
