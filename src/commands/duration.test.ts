import { expect, test } from 'vitest'
import { parseDuration } from './duration.ts'

test('a bare number is seconds', () => expect(parseDuration('90')).toBe(90_000))

test('units and fractions', () => {
  expect(['500ms', '1.5h', '7d'].map(parseDuration)).toEqual([500, 5_400_000, 604_800_000])
})

test.each(['', '-5', '5 m', '1w', '1e3'])('%s is no time', (text) => expect(parseDuration(text)).toBeUndefined())
