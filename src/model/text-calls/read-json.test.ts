import { describe, expect, test } from 'vitest'
import { readJson, type JsonRead } from './read-json.ts'
import { readWhole } from './reader.ts'
import fc from '../../../test/support/property.ts'

const read = (text: string): JsonRead => readWhole(text, readJson)
const value = (text: string): unknown => {
  const { state, value, repairs } = read(text)
  return { state, value, repairs: [...repairs].sort() }
}

describe('readJson', () => {
  test('reads all that is JSON as JSON.parse does, and repairs nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (data, indent) => {
        const text = JSON.stringify(data, null, indent)
        expect(read(text)).toEqual({
          state: 'closed',
          value: JSON.parse(text),
          repairs: new Set(),
          openString: undefined,
        })
      }),
      { numRuns: 1000 },
    )
  })

  test('takes no text for JSON that JSON.parse reads otherwise', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      "'",
      '1',
      '-',
      'true',
      'null',
      ' ',
      '\\',
      'x',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        let strict: unknown
        try {
          strict = JSON.parse(text)
        } catch {
          return
        }
        expect(value(text)).toEqual({ state: 'closed', value: strict, repairs: [] })
      }),
      { numRuns: 5000 },
    )
  })

  test('a key named like something of the language is a key', () => {
    const { value } = read('{"__proto__": {"a": 1}, constructor: 2}')
    expect(Object.entries(value as object)).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 2],
    ])
  })

  test.each([
    ['{"a": 1,}', { state: 'closed', value: { a: 1 }, repairs: ['trailing-comma'] }],
    ['[1, 2,]', { state: 'closed', value: [1, 2], repairs: ['trailing-comma'] }],
    ["{'a': 'it\\'s'}", { state: 'closed', value: { a: "it's" }, repairs: ['bad-escape', 'single-quotes'] }],
    ['{"a": True, "b": None}', { state: 'closed', value: { a: true, b: null }, repairs: ['python-literal'] }],
    ['{"a": "x\ny"}', { state: 'closed', value: { a: 'x\ny' }, repairs: ['raw-newline'] }],
    ['{a: 1}', { state: 'closed', value: { a: 1 }, repairs: ['unquoted-key'] }],
    ['{"a": "\\d"}', { state: 'closed', value: { a: '\\d' }, repairs: ['bad-escape'] }],
    ['{"a": 1 "b": 2}', { state: 'closed', value: { a: 1, b: 2 }, repairs: ['missing-comma'] }],
    ['{"a": [1, 2}', { state: 'closed', value: { a: [1, 2] }, repairs: ['missing-closer'] }],
    ['{"a": {"b": 1', { state: 'cut', value: { a: {} }, repairs: ['missing-closer'] }],
    ['{"a": {"b": true', { state: 'cut', value: { a: { b: true } }, repairs: ['missing-closer'] }],
    ['{"a": {"b": "x', { state: 'cut', value: { a: { b: 'x' } }, repairs: ['missing-closer'] }],
    ['{"a": 1, "b', { state: 'cut', value: { a: 1 }, repairs: ['missing-closer'] }],
    ['{"a": 1</tag>', { state: 'short', value: { a: 1 }, repairs: ['missing-closer'] }],
    ['{"a" 1}', { state: 'bad', value: undefined, repairs: [] }],
    ['{"a": 01}', { state: 'bad', value: undefined, repairs: [] }],
    ['{"a": undefined}', { state: 'bad', value: undefined, repairs: [] }],
    ['{"a": "say "x""}', { state: 'short', value: { a: 'say ' }, repairs: ['missing-closer'] }],
  ])('%s', (text, expected) => {
    expect(value(text)).toEqual(expected)
  })

  test('stops right after the value', () => {
    const rest = readWhole('{"a":1} and more', function* (reader) {
      yield* readJson(reader)
      return reader.text.slice(reader.at)
    })
    expect(rest).toBe(' and more')
  })

  test('depth is bounded', () => {
    expect(read('['.repeat(5000)).state).toBe('bad')
  })
})
