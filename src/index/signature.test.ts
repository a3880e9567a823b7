import { expect, test } from 'vitest'
import { KIND } from './kinds.ts'
import { signatureText } from './signature.ts'

const of = (text: string, kind: number, bodyStart = text.length): string =>
  signatureText(text, { start: 0, bodyStart, kind }, 80)

test('comments inside a declaration are left out, and what only looks like one stays', () => {
  expect(
    of(
      'class Context<\n  // eslint-disable-next-line no-any\n  E extends Env = any, /* more */ P = 1\n> {',
      KIND.class,
    ),
  ).toBe('class Context< E extends Env = any, P = 1 >')
  expect(of("function list(glob = '**/*.ts', url = 'http://a') {", KIND.function)).toBe(
    "function list(glob = '**/*.ts', url = 'http://a')",
  )
  expect(of('type Info = {\n  /** never closed', KIND.type)).toBe('type Info')
})

test('a declaration that goes on behind what is read says so', () => {
  expect(of(`type Options = {\n  strict?: boolean\n  /** ${'x'.repeat(400)} */\n  other: string\n}`, KIND.type)).toBe(
    'type Options = { strict?: boolean …',
  )
})

test('a union begins with its first member', () => {
  expect(of("type Kind =\n  | 'a'\n  | 'b'\n", KIND.type)).toBe("type Kind = 'a' | 'b'")
})

test('a value of several lines is shown by its name and type', () => {
  expect(of('const routes: Route[] = [\n  1,\n]', KIND.constant)).toBe('const routes: Route[]')
  expect(of('const NOTES = `# Faults\nmore`', KIND.constant)).toBe('const NOTES')
  expect(of("const globs = ['**/*.ts'] // all", KIND.constant)).toBe("const globs = ['**/*.ts'] // all")
  expect(of('const LIMIT = 5', KIND.constant)).toBe('const LIMIT = 5')
})
