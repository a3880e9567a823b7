import { expect, test } from 'vitest'
import { QueryWords } from './query-words.ts'
import { wordsOf } from './words.ts'
import fc from '../../../test/support/property.ts'

const found = (query: string, text: string): string[] => {
  const words = new QueryWords(query)
  return words.find(text).words.map((word) => words.stems[word]!)
}

test('the words of a question are found in every form and case', () => {
  expect(found('apply changes', 'applyChange APPLIES_CHANGED reapply HTTPApply appliedTo appl')).toEqual([
    'apply',
    'chang',
    'apply',
    'chang',
    'apply',
    'apply',
  ])
  expect(found('файлы größe', 'Файлы: Größe')).toEqual(['файлы', 'gr', 'öße'])
})

test('they are found where the words of the text are', () => {
  const part = fc.constantFrom(
    'file',
    'Files',
    'FILE',
    'id',
    'Id',
    'ID',
    'apply',
    'Applies',
    'x',
    'S',
    '_',
    ' ',
    '1',
    'filter',
    'ed',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      const stems = new Set(wordsOf('apply the id of files'))
      expect(found('apply the id of files', text), text).toEqual(wordsOf(text).filter((word) => stems.has(word)))
    }),
    { numRuns: 2000 },
  )
})
