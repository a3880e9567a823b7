import { expect, test } from 'vitest'
import { twoColumns } from './two-columns.ts'

const rows = [
  { head: '/map', text: 'the repository map' },
  { head: '', text: '' },
  { head: '/context [pin]', text: 'what is in the prompt, block by block' },
]

test('what is too long goes on in its column', () => {
  expect(twoColumns(rows, 40, 20)).toBe(
    '/map            the repository map\n\n/context [pin]  what is in the prompt,\n                block by block',
  )
})

test('where there is no room for two columns the second is under the first', () => {
  expect(twoColumns(rows, 30, 20)).toBe(
    '/map\n    the repository map\n\n/context [pin]\n    what is in the prompt,\n    block by block',
  )
})
