import { expect, test } from 'vitest'
import { nearest } from './similar.ts'

test('a misspelt name is nearer than a short one that it contains, and a long one that contains it is found', () => {
  const names = ['parse', 'parsed', 'parseDuration', 'UserRepository', 'zebra']
  expect(nearest('parseduratoin', names, 5)).toEqual(['parseDuration', 'parsed', 'parse'])
  expect(nearest('user', names, 5)).toEqual(['UserRepository'])
  expect(nearest('zebra', names, 5)).toEqual([])
})
