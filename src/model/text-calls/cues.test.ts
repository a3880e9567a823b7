import { describe, expect, test } from 'vitest'
import { explains, isEmbedded, isShown } from './cues.ts'

const around = (before: string, after = '', inline = false): { before: string; after: string; inline: boolean } => ({
  before,
  after,
  inline,
})

describe('isShown', () => {
  test.each([
    'A call looks like this:',
    'For example:\n\n',
    'The syntax would be:\n',
    'The file says:',
    'The tests pass. The log of the other agent shows:\n',
    'The log shows what went wrong:',
    'Par exemple :',
    'Le fichier contient :',
  ])('%j says that what follows is shown', (before) => {
    expect(isShown(around(before))).toBe(true)
  })

  test('an unfinished sentence that denies its object refuses the call behind it', () => {
    expect(isShown(around('I will not run ', '', true))).toBe(true)
    expect(isShown(around("The test doesn't pass yet. ", '', true))).toBe(false)
  })

  test('a sentence after the call can say what it is', () => {
    expect(isShown(around('', '\n\nThis is what the other agent sent.'))).toBe(true)
    expect(isShown(around('', '\n\nThis will show the content.'))).toBe(false)
  })

  test.each([
    '',
    'Let me read the file:',
    'The output shows a failing test. Let me look at the file.',
    'The output shows three failing tests:',
    'I will use the contents of the file instead of the log.',
    'The test does not pass. I will fix it now.',
    'For example, this one fails.\n\nLet me read it.',
    'Let me see what it says:',
    'Now I edit src/example_format.ts:',
    'Je lis le fichier :',
  ])('%j does not', (before) => {
    expect(isShown(around(before))).toBe(false)
  })
})

describe('isEmbedded', () => {
  test('a call followed by the mark of its sentence is a word of it', () => {
    expect(isEmbedded(around('Shall I call ', '?', true))).toBe(true)
    expect(isEmbedded(around('It printed ', ' and stopped.', true))).toBe(true)
    expect(isEmbedded(around('Let me check this. ', '\nThen I go on.', true))).toBe(false)
  })
})

describe('explains', () => {
  test.each(['You can write', 'To call the tool, you would send:', 'The call that failed was:', 'Observation: '])(
    '%j explains a form that people quote',
    (before) => {
      expect(explains(around(before))).toBe(true)
    },
  )

  test.each(["I'll use the tool instead of guessing:", 'First, the configuration:', 'Reading the file.', 'Tool call:'])(
    '%j does not',
    (before) => {
      expect(explains(around(before))).toBe(false)
    },
  )
})
