import { expect, test } from 'vitest'
import { InputHistory } from './input-history.ts'

test('arrows walk from the draft to what was typed, and back', () => {
  const history = new InputHistory(() => ['one', 'two'])
  history.add('three')
  expect([history.move(-1, 'draft'), history.move(-1, ''), history.move(1, ''), history.move(1, '')]).toEqual([
    'three',
    'two',
    'three',
    'draft',
  ])
})

test('an arrow pressed before the store is open does not hide what it holds', () => {
  let stored: string[] | undefined
  const history = new InputHistory(() => stored)
  expect(history.move(-1, '')).toBeUndefined()
  stored = ['from before']
  expect(history.move(-1, '')).toBe('from before')
})
