import { expect, test } from 'vitest'
import { inForm } from './result-form.ts'

const call = { id: 'c', name: 'shell_exec', args: { command: 'make' } }

test('a result that is left out keeps its first line: an exit code says much', () => {
  const text = `exit code 2, 1.0 s\n${'x'.repeat(900)}`
  expect(inForm(text, 'stub', call)).toBe(
    'exit code 2, 1.0 s\n[900 characters left out to save room; to load them again: shell_exec {"command":"make"}]',
  )
})

test('a long first line is no heading', () => {
  expect(inForm(`${'x'.repeat(900)}\nend`, 'stub', call)).toMatch(/^\[904 characters left out/)
})

test('no form makes a result longer', () => {
  expect(inForm('short', 'stub', call)).toBe('short')
})
