import { expect, test } from 'vitest'
import { JsonBody } from './json-body.ts'
import fc from '../../test/support/property.ts'

const textOf = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString()

test('the bytes are those of JSON.stringify, whatever was sent before', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constant(undefined))
  const message = fc.record({
    role: fc.constantFrom('user', 'tool'),
    content: fc.string({ unit: 'grapheme' }),
    more: value,
  })
  const body = fc.record({ model: fc.string(), stop: value, messages: fc.array(message), 'odd "key"': fc.jsonValue() })
  fc.assert(
    fc.property(fc.array(body, { minLength: 1, maxLength: 4 }), (bodies) => {
      const sender = new JsonBody()
      for (const each of [...bodies, ...bodies]) expect(textOf(sender.parts(each))).toBe(JSON.stringify(each))
    }),
    { seed: 20261122 },
  )
})

test('a body of nothing, and elements that JSON does not know', () => {
  const sender = new JsonBody()
  expect(textOf(sender.parts({}))).toBe('{}')
  expect(textOf(sender.parts({ a: undefined, b: [undefined, () => 1], c: [] }))).toBe('{"b":[null,null],"c":[]}')
})

test('what was given before stays as it was, whether the next list goes on from it or differs', () => {
  const lists = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 }), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(lists, (made) => {
      const sender = new JsonBody()
      const given = made.map((list) => ({ list, parts: sender.parts({ list }) }))
      for (const { list, parts } of given) expect(textOf(parts)).toBe(JSON.stringify({ list }))
    }),
    { seed: 20261122 },
  )
})
