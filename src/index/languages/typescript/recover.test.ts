import { expect, test } from 'vitest'
import fc from '../../../../test/support/property.ts'
import { loadRawParser } from './raw-parser.ts'
import { withoutFaults } from './recover.ts'

const parser = await loadRawParser()
const findFault = (text: string): number | undefined => parser.parse('a.ts', Buffer.from(text), 'ts').fault
const read = (...lines: string[]): string[] | undefined =>
  withoutFaults(lines.join('\n'), findFault)
    ?.split('\n')
    .map((line) => line.trimEnd())

test('a statement that is not finished goes, what stands around it stays', () => {
  expect(read('export const a = 1', 'const b = ;', 'export class C {}')).toEqual([
    'export const a = 1',
    '',
    'export class C {}',
  ])
})

test('a function with a fault in it keeps its head and its lines', () => {
  expect(read('export function f(a: number) {', '  if (a {', '    go()', '  }', '  return 1', '}', 'f(1)')).toEqual([
    'export function f(a: number) {',
    '',
    '',
    '',
    '  return 1',
    '}',
    'f(1)',
  ])
})

test('of a class only the method with the fault is emptied', () => {
  expect(
    read('class C {', '  one() {', '    return this.', '  }', '', '  two(): void {', '    this.one()', '  }', '}'),
  ).toEqual(['class C {', '  one() {', '', '  }', '', '  two(): void {', '    this.one()', '  }', '}'])
})

test('a brace that is not closed does not take the next declaration with it', () => {
  expect(read('export function f() {', '  if (a) {', '    b()', '}', '', 'export class C {', '  m() {}', '}')).toEqual([
    'export function f() {',
    '',
    '',
    '}',
    '',
    'export class C {',
    '  m() {}',
    '}',
  ])
})

test('a file that ends in the middle keeps what came before', () => {
  expect(read("import { x } from './x.ts'", 'export const a = x', 'export function half(')).toEqual([
    "import { x } from './x.ts'",
    'export const a = x',
    '',
  ])
  expect(read('export const a = 1', 'export function half(b: string) {', '  const c = b.')).toEqual([
    'export const a = 1',
    'export function half(b: string) {',
    expect.stringMatching(/^ *}$/) as string,
  ])
})

test('a head with nothing inside keeps its name and its line', () => {
  expect(read('export class C {', 'export const a = 1')).toEqual(['export class C{}', 'export const a = 1'])
})

test('line comments of what goes stay', () => {
  expect(read('const a = (', '  // TODO: more', '  1,', 'const b = 2')).toEqual([
    '',
    '  // TODO: more',
    '',
    'const b = 2',
  ])
})

test('marks of a merge conflict hide only themselves', () => {
  expect(
    read('const a = 1', '<<<<<<< HEAD', 'const b = 2', '=======', 'const b = 3', '>>>>>>> other', 'const c = 4'),
  ).toEqual(['const a = 1', '', 'const b = 2', '', 'const b = 3', '', 'const c = 4'])
})

test('whatever was cut out of a file, lines and length stay, and nothing is made up', () => {
  const whole =
    "import { a } from './ä.ts'\n\n/** Doc. */\nexport class C<T> extends B {\n  #x = 1\n  get y() {\n    return `${this.#x}`\n  }\n}\n\nexport const f = (a: number) => {\n  if (a) {\n    return { a }\n  }\n  return [a, 'x']\n}\n"
  fc.assert(
    fc.property(
      fc.nat(whole.length),
      fc.nat(40),
      fc.constantFrom('', '}', '{', '(', '`', '/*', 'ü', '\n'),
      (at, cut, put) => {
        const text = whole.slice(0, at) + put + whole.slice(at + cut)
        const found = withoutFaults(text, findFault)
        if (found === undefined) return
        expect(found).toHaveLength(text.length)
        expect(findFault(found)).toBeUndefined()
        for (let i = 0; i < text.length; i++)
          if (found[i] !== text[i]) {
            expect(text[i]).not.toBe('\n')
            expect([' ', '{', '}']).toContain(found[i])
          }
      },
    ),
  )
})
