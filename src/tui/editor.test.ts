import { describe, expect, test } from 'vitest'
import { edit, emptyEditor, expanded, insert, moveLine, paste, setText } from './editor.ts'
import type { EditAction, Editor } from './editor.ts'
import fc from '../../test/support/property.ts'

const at = (text: string, cursor: number): Editor => ({ ...emptyEditor, text, cursor })

describe('the editor', () => {
  test('inserts at the cursor and deletes whole graphemes', () => {
    const typed = insert(insert(emptyEditor, 'a'), '👨‍👩‍👧é')
    expect(edit(edit(typed, 'delete-left'), 'delete-left')).toMatchObject({ text: 'a', cursor: 1 })
  })

  test('moves by words and lines', () => {
    const two = at('one two\nthree four', 11)
    expect(edit(two, 'word-left').cursor).toBe(8)
    expect(edit(two, 'word-right').cursor).toBe(13)
    expect(edit(two, 'line-start').cursor).toBe(8)
    expect(edit(two, 'line-end').cursor).toBe(18)
    expect(moveLine(two, -1)?.cursor).toBe(3)
    expect(moveLine(at('one', 1), 1)).toBeUndefined()
  })

  test('what was cut can be put back', () => {
    const cleared = edit(at('some text', 9), 'kill-to-start')
    expect(cleared).toMatchObject({ text: '', killed: 'some text' })
    expect(edit(cleared, 'yank')).toMatchObject({ text: 'some text', cursor: 9 })
  })

  test('a paste of many lines is one chip that goes as a whole and expands when sent', () => {
    const pasted = paste(insert(emptyEditor, 'look: '), 'line\r\n'.repeat(500))
    expect(pasted.text).toBe('look: [pasted #1: 501 lines]')
    expect(expanded(pasted)).toBe(`look: ${'line\n'.repeat(500)}`)
    expect(edit(pasted, 'delete-left').text).toBe('look: ')
    expect(edit(pasted, 'left').cursor).toBe(6)
  })

  test('a pasted text with $ signs is sent as it is', () => {
    const text = '$& $1\n'.repeat(10)
    expect(expanded(paste(emptyEditor, text))).toBe(text)
  })
})

test('whatever is done, the cursor stays inside the text and between graphemes, and nothing but deletions shortens it', () => {
  const actions: EditAction[] = [
    'left',
    'right',
    'word-left',
    'word-right',
    'line-start',
    'line-end',
    'delete-left',
    'delete-right',
    'kill-word-left',
    'kill-word-right',
    'kill-to-start',
    'kill-to-end',
    'yank',
  ]
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.array(fc.constantFrom(...actions), { maxLength: 20 }),
      (text, done) => {
        let editor = setText(emptyEditor, text)
        for (const action of done) {
          const next = edit(editor, action)
          expect(next.cursor).toBeGreaterThanOrEqual(0)
          expect(next.cursor).toBeLessThanOrEqual(next.text.length)
          if (!/delete|kill|yank/.test(action)) expect(next.text).toBe(editor.text)
          if (action.startsWith('kill') && next !== editor) expect(insert(next, next.killed).text).toBe(editor.text)
          editor = next
        }
      },
    ),
  )
})
