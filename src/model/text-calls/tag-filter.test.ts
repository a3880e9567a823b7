import { expect, test } from 'vitest'
import { tools } from '../../../test/corpora/text-calls/tools.ts'
import { tagFilter } from './tag-filter.ts'
import { CALL_TAGS, QUOTE_TAGS, THINK_TAGS, WEAK_WRAPPERS, WRAPPERS } from './tags.ts'
import { toolIndex } from './tool-index.ts'
import fc from '../../../test/support/property.ts'

const filter = tagFilter(toolIndex(tools))
const known: string[] = []
for (const names of [WRAPPERS, WEAK_WRAPPERS, CALL_TAGS, THINK_TAGS, QUOTE_TAGS]) known.push(...names)
for (const tool of tools) known.push(tool.name, ...tool.aliases.map((alias) => alias.name))
const isTagName = (name: string): boolean => /^[a-z_][\w.-]*$/i.test(name)

test('every spelling of a name that may mean something passes the filter', () => {
  const respelt = (name: string, at: number): string[] => [
    name,
    name.toUpperCase(),
    name.replaceAll('_', '-'),
    name.replaceAll('_', ''),
    name.replaceAll('_', '.'),
    `${name.slice(0, at)}_${name.slice(at)}`,
    `antml:${name}`,
  ]
  const dropped = known.flatMap((name, at) =>
    respelt(name, at % name.length)
      .filter((each) => isTagName(each.replace('antml:', '')))
      .filter((each) => filter.nothingUntil(`<${each}>`, 1) >= 0),
  )
  expect(dropped).toEqual([])
})

test('a name is nothing only when all of it is there', () => {
  expect(filter.nothingUntil('<zzqx y', 1)).toBe(5)
  expect(filter.nothingUntil('<zzqx', 1)).toBe(-1)
  expect(filter.nothingUntil(`<${'zzqx'.repeat(20)}>`, 1)).toBe(-1)
})

test('most names of markup are nothing', () => {
  const words = fc.stringMatching(/^[a-z]{2,12}$/)
  const passed = fc.sample(words, { numRuns: 1000, seed: 1 }).filter((word) => filter.nothingUntil(`<${word}>`, 1) < 0)
  expect(passed.length).toBeLessThan(200)
})
