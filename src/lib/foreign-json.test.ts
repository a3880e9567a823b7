import { describe, expect, test } from 'vitest'
import fc from '../../test/support/property.ts'
import { isTooDeep, isTooDeepValue, MOST_NESTED, parseForeignJson, TooDeepError } from './foreign-json.ts'

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

describe('the bound on the nesting of foreign JSON', () => {
  test.each([lists, objects])('is met by %o at its depth and not by one level more', (make) => {
    expect(parseForeignJson(make(MOST_NESTED))).toEqual(JSON.parse(make(MOST_NESTED)))
    expect(() => parseForeignJson(make(MOST_NESTED + 1))).toThrow(TooDeepError)
    expect(() => parseForeignJson(make(100_000))).toThrow(`${MOST_NESTED}`)
    expect(isTooDeepValue(JSON.parse(make(MOST_NESTED)))).toBe(false)
    expect(isTooDeepValue(JSON.parse(make(MOST_NESTED + 1)))).toBe(true)
    expect(isTooDeepValue(JSON.parse(make(100_000)))).toBe(true)
  })

  test('brackets in strings and values side by side do not count', () => {
    const flat = { ['[{'.repeat(500)]: '\\"[{'.repeat(500), list: Array.from({ length: 500 }, () => [{}]) }
    expect(parseForeignJson(JSON.stringify(flat))).toEqual(flat)
  })

  test('a value that refers to itself is too deep and does not hang', () => {
    const round: Record<string, unknown> = {}
    round['again'] = [round, round]
    expect(isTooDeepValue(round)).toBe(true)
  })

  test('text and value agree, and what is shallow is read as JSON.parse reads it', () => {
    const depths = fc.integer({ min: MOST_NESTED - 8, max: MOST_NESTED + 8 })
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), depths, (text, depth) => {
        expect(parseForeignJson(text)).toEqual(JSON.parse(text))
        const deep = '[0,'.repeat(depth) + text + ']'.repeat(depth)
        expect(isTooDeep(deep)).toBe(isTooDeepValue(JSON.parse(deep)))
      }),
    )
  })
})
