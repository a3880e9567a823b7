import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { setInText, unsetInText } from './edit-text.ts'
import fc from '../../test/support/property.ts'

const text = `# my machine
model:   a/b # the good one

context: # little
    # a word on the map
    map_tokens: 100 # enough
    mapWait: 5
flow: { a: 1,   b: 2 } # kept
list:
  - one # first
  - two

# the end
`

test('a value is changed in its place and every other byte stays', () => {
  expect(setInText(text, ['model'], 'c/d')).toBe(text.replace('a/b', 'c/d'))
  expect(setInText(text, ['context', 'map_tokens'], 200)).toBe(text.replace('100', '200'))
  expect(setInText(text, ['flow', 'b'], 'x: y')).toBe(text.replace('b: 2', 'b: "x: y"'))
  expect(setInText(text, ['list'], ['three'])).toBe(text.replace('  - one # first\n  - two\n', '  [ three ]\n'))
})

test('a new key stands at the end of its group', () => {
  expect(setInText(text, ['context', 'x'], true)).toBe(text.replace('mapWait: 5\n', 'mapWait: 5\n    x: true\n'))
  expect(setInText(text, ['undo', 'stackSize'], 3)).toBe(text.replace('  - two\n', '  - two\nundo:\n  stackSize: 3\n'))
  expect(setInText('', ['a', 'b'], 1)).toBe('a:\n  b: 1\n')
  expect(setInText('# mine', ['a'], 1)).toContain('# mine')
  expect(setInText('a: 1', ['b'], [])).toBe('a: 1\nb: []\n')
  expect(parse(setInText('a:\nb: 1\n', ['a', 'c'], 2))).toEqual({ a: { c: 2 }, b: 1 })
  expect(parse(setInText('a: &x { c: 1 }\nb: *x\n', ['a', 'c'], 2))).toEqual({ a: { c: 2 }, b: { c: 2 } })
  expect(() => setInText('a: &x { c: 1 }\nb: *x\n', ['b', 'c'], 2)).toThrow('b is an alias (*x)')
})

test('a key that goes takes its lines and nothing else', () => {
  expect(unsetInText(text, ['context', 'mapWait'])).toBe(text.replace('    mapWait: 5\n', ''))
  expect(unsetInText(text, ['model'])).toBe(text.replace('model:   a/b # the good one\n', ''))
  expect(unsetInText(text, ['list'])).toBe(text.replace('list:\n  - one # first\n  - two\n', ''))
  expect(parse(unsetInText(text, ['flow', 'a'])!)).toEqual({ ...(parse(text) as object), flow: { b: 2 } })
  expect(unsetInText(text, ['nothing', 'here'])).toBeUndefined()
})

test('whatever is set is what the text then says, and the rest says what it said', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'x y', '1', '#')
  const leaf = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
  )
  const value = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)))
  fc.assert(
    fc.property(value, key, key, leaf, leaf, (start, group, inner, first, second) => {
      fc.pre(typeof start[group] === 'object' && start[group] !== null && !Array.isArray(start[group]))
      let page = '# head\n'
      for (const [name, content] of Object.entries(start)) page = setInText(page, [name], content)
      expect(parse(page)).toEqual(Object.keys(start).length === 0 ? null : start)
      const once = setInText(page, [group, inner], first)
      const twice = setInText(once, [group, inner], second)
      const wanted = { ...start, [group]: { ...(start[group] as object), [inner]: second } }
      expect(parse(twice)).toEqual(wanted)
      expect(twice).toContain('# head')
      const gone = parse(unsetInText(twice, [group, inner])!) as Record<string, Record<string, unknown>>
      expect(Object.hasOwn(gone[group]!, inner)).toBe(false)
    }),
    { numRuns: 60 },
  )
})
