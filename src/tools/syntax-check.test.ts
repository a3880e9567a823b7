import { expect, test } from 'vitest'
import { createSyntaxCheck } from './syntax-check.ts'

const check = createSyntaxCheck()

test('what parses gets no word, in every language known', async () => {
  const texts: [string, string][] = [
    ['a.ts', 'export const a: number = 1\n'],
    ['a.tsx', 'const a = <b>{1}</b>\n'],
    ['a.js', 'const a = <b>{1}</b>\n'],
    ['b.js', 'const a: number = 1\n'],
    ['a.mjs', 'await 1\n'],
    ['a.cjs', 'return 1\n'],
    ['a.json', '{"a": [1]}'],
    ['tsconfig.json', '{ /* why */ "a": 1, }'],
    ['a.yml', 'a: 1\n---\nb: [1, 2]\n'],
    ['a.py', 'def f(x):\n    return x\n'],
    ['a.go', 'package a\n\nfunc f() int { return 1 }\n'],
    ['a.rs', 'fn main() { println!("{}", 1); }\n'],
    ['README.md', '``` {{'],
    ['a.unknown', '{{'],
  ]
  for (const [path, text] of texts) expect([path, await check(path, text)]).toEqual([path, undefined])
})

test('the first fault is given with its place', async () => {
  const faults: [string, string, number, number][] = [
    ['a.ts', 'const a = 1\nconst b = (\n', 3, 1],
    ['a.js', 'const a = 1\n  const = 2\n', 2, 9],
    ['a.json', '{\n  "a": 1,\n}', 3, 1],
    ['a.json', '{"a": ', 1, 7],
    ['a.yaml', 'a: 1\nb: [1\n', 3, 1],
    ['a.go', 'package a\n\nfunc f( {\n}\n', 3, 8],
  ]
  for (const [path, text, line, column] of faults)
    expect([path, await check(path, text)]).toMatchObject([path, { line, column }])
  expect(await check('a.py', 'def f(x:\n    return x\n')).toMatchObject({ line: 1 })
})

test('a text over a million characters is not looked at', async () => {
  expect(await check('a.json', 'x'.repeat(1_000_001))).toBeUndefined()
})
