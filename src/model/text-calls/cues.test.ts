import { describe, expect, test } from 'vitest'
import { isShown } from './cues.ts'

describe('isShown', () => {
  test.each([
    'A call looks like this:',
    'For example:\n\n',
    'This is an example of a call. It reads a file:',
    'You could do it so:',
    'The file says:',
    'The tests pass. The log of the other agent shows:\n',
    'I will not run this:',
    "I won't call it:",
    'Par exemple :',
    'Le fichier contient :',
  ])('%j announces something shown', (prose) => {
    expect(isShown(prose)).toBe(true)
  })

  test.each([
    '',
    'Let me read the file:',
    'The output shows a failing test. Let me look at the file.',
    'The test does not pass. I will fix it now.',
    'For example, this one fails.\n\nLet me read it.',
    'Now I edit src/example_format.ts:',
    'Je lis le fichier :',
  ])('%j does not', (prose) => {
    expect(isShown(prose)).toBe(false)
  })
})
