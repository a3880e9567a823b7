import { beforeAll, expect, test } from 'vitest'
import type { Event } from '../protocol/index.ts'
import { Highlighter } from './highlight.ts'
import { withoutStyle } from './styled-text.ts'
import { themeOf } from './theme.ts'

const theme = themeOf('dark', { LANG: 'C.UTF-8' })
const highlighter = new Highlighter()
const fence = (language: string): Event => ({
  type: 'text-delta',
  text: `\`\`\`${language}\n`,
  seq: 1,
  time: 0,
  sessionId: 's',
})

beforeAll(() => highlighter.load([fence('ts'), fence('python'), fence('css')]))

test('words of the language are coloured and every letter stays', () => {
  const line = "const name = 'a < b' // why"
  const shown = highlighter.line(line, 'ts', [], theme)
  expect(withoutStyle(shown)).toBe(line)
  expect(shown).toContain(`${theme.keyword}const${theme.reset}`)
  expect(shown).toContain(`${theme.comment}// why${theme.reset}`)
})

test('a line inside a comment or a string that began before is coloured as such', () => {
  const before = ['/* one', 'two']
  expect(highlighter.line('const three', 'ts', before, theme)).toBe(`${theme.comment}const three${theme.reset}`)
  expect(highlighter.line('def inside', 'python', ['x = """', 'y'], theme)).toBe(
    `${theme.string}def inside${theme.reset}`,
  )
})

test('after the end of such a comment code is code again', () => {
  expect(highlighter.line('const a = 1', 'ts', ['/* one', 'two */'], theme)).toContain(`${theme.keyword}const`)
})

test('a language whose lines depend on one another has its lines before as context', () => {
  expect(highlighter.line('  color: red;', 'css', ['a {'], theme)).toContain(theme.name)
})

test('without colour nothing is styled or loaded', () => {
  const plain = new Highlighter()
  plain.active = false
  expect(plain.mustLoad([fence('ts')])).toBe(false)
  expect(plain.line('const a', 'ts', [], theme)).toBe('const a')
})
