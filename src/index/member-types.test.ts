import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openIndex, type CodeIndex } from './code-index.ts'

let root = ''
let index: CodeIndex
afterEach(async () => {
  await index.close()
  rmSync(root, { recursive: true })
})

async function indexOf(files: Record<string, string>): Promise<void> {
  root = mkdtempSync(join(tmpdir(), 'codehound-types-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  index = await openIndex({ root, watch: false, workers: 1 })
  await index.ready()
}

/** Where the last word of `use`, which is text of a file, is defined, as `path:line`. */
async function definitionsAt(path: string, text: string, use: string): Promise<string[]> {
  const end = text.indexOf(use) + use.length
  const name = /[\w$#]+$/.exec(use)![0]
  const before = text.slice(0, end - name.length)
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return (await index.definitions({ path, line, column })).map((found) => `${found.path}:${found.line}`)
}

// Many declare the same member, so that a name alone does not tell.
const OTHER =
  'export interface Other { size: string; name: string; inner: string }\nexport class Another { size = 1; name = 1 }\n'

/** What leads to the member, a source, the use in it that is asked about, and the line the member is declared at. */
const CASES: [name: string, text: string, use: string, line: number][] = [
  ['a property of an object literal', 'const A = { size: 1, inner: { name: 2 } } as const\nA.size\n', '\nA.size', 1],
  [
    'a property of a literal in a literal',
    'const A = {\n  inner: {\n    name: 2 },\n}\nA.inner.name\n',
    'A.inner.name',
    3,
  ],
  ['a literal that is checked by satisfies', 'const A = {\n  size: 1 } satisfies object\nA.size\n', '\nA.size', 2],
  ['a parameter of a type', 'interface P {\n  size: number }\nexport const f = (p: P) => p.size\n', 'p.size', 2],
  [
    'a type that is two in one',
    'type P = { name: 1 } & {\n  size: number }\nexport const f = (p: P) => p.size\n',
    'p.size',
    2,
  ],
  [
    'a destructured parameter',
    'interface P {\n  size: number }\nexport const f = ({ size: s }: P) => s\n',
    '({ size',
    2,
  ],
  [
    'a destructured value used again',
    'interface P { inner: Q }\ninterface Q {\n  size: 1 }\nexport function f({ inner }: P) {\n  return inner.size\n}\n',
    'inner.size',
    3,
  ],
  [
    'the parameter of a callback of a list',
    'interface P {\n  size: number }\nexport const f = (all: P[]) => all.filter(Boolean).map((p) => p.size)\n',
    'p.size',
    2,
  ],
  [
    'the parameter of a callback that is declared',
    'interface P {\n  size: number }\ndeclare function each(f: (p: P) => void): void\neach((p) => p.size)\n',
    'p.size',
    2,
  ],
  [
    'a loop over a map',
    'interface P {\n  size: number }\nexport function f(all: Map<string, P>) {\n  for (const [, p] of all) p.size\n}\n',
    ' p.size',
    2,
  ],
  [
    'what a promise holds',
    'interface P {\n  size: number }\nasync function get(): Promise<P> { return undefined! }\nexport const f = async () => (await get()).size\n',
    ').size',
    2,
  ],
  [
    'what an async function without a type gives',
    'interface P {\n  size: number }\ndeclare const p: P\nconst get = async () => p\nexport const f = () => get().then((it) => it.size)\n',
    'it.size',
    2,
  ],
  [
    'a type parameter that an argument sets',
    'interface P {\n  size: number }\ndeclare const p: P\ndeclare function id<T>(it: { of: T }): T[]\nid({ of: p })[0]!.size\n',
    '!.size',
    2,
  ],
  [
    'a class that gets its type parameter from its base',
    'interface P {\n  size: number }\nclass Box<T> { get(): T { return undefined! } }\nclass Own extends Box<P> {}\nnew Own().get().size\n',
    ').size',
    2,
  ],
  [
    'a constraint of a type parameter',
    'interface P {\n  size: number }\nexport const f = <T extends P>(p: T) => p.size\n',
    'p.size',
    2,
  ],
  [
    'a mapped type over the keys of another',
    'interface P {\n  size: number }\ntype M<T> = { [K in keyof T]: T[K][] }\nexport const f = (p: M<P>) => p.size\n',
    'p.size',
    2,
  ],
  [
    'a part of a type',
    'interface P {\n  size: number; name: 1 }\nexport const f = (p: Readonly<Pick<Partial<P>, "size">>) => p.size\n',
    'p.size',
    2,
  ],
  [
    'an indexed type',
    'interface P { inner: Q[] }\ninterface Q {\n  size: number }\nexport const f = (p: P["inner"][number]) => p.size\n',
    'p.size',
    3,
  ],
  [
    'what a conditional type infers',
    'interface P {\n  size: number }\ntype Of<T> = T extends (...all: any[]) => infer R ? R : never\ndeclare const get: () => P\nexport const f = (p: Of<typeof get>) => p.size\n',
    'p.size',
    2,
  ],
  [
    'an overload that the arguments choose',
    'interface P {\n  size: number }\ndeclare function on(a: "x", f: (p: string) => void): void\ndeclare function on(a: "y", f: (p: P) => void): void\non("y", (p) => p.size)\n',
    'p.size',
    2,
  ],
  [
    'the value of a record',
    'interface P {\n  size: number }\nexport const f = (all: Record<string, P>) => Object.values(all).map((p) => p.size)\n',
    'p.size',
    2,
  ],
  [
    'a member of a type of a namespace',
    'namespace N { export interface P {\n  size: number } }\nexport const f = (p: N.P) => p.size\n',
    'p.size',
    2,
  ],
  [
    'a test of its class',
    'class P {\n  size = 1 }\nexport const f = (p: unknown) => p instanceof P && p.size\n',
    '&& p.size',
    2,
  ],
  [
    'a predicate',
    'interface P {\n  size: 1 }\ndeclare function isP(it: unknown): it is P\nexport function f(p: unknown) {\n  if (!isP(p)) return\n  return p.size\n}\n',
    'p.size',
    2,
  ],
  [
    'a discriminant',
    'type P = { kind: "a"; size: 1 } | {\n kind: "b"; size: 2 }\nexport const f = (p: P) => p.kind === "b" ? p.size : 0\n',
    'p.size',
    2,
  ],
  [
    'a member that is only inherited',
    'class A {\n  size = 1 }\nclass B extends A { f() { return this.size + super.toString() } }\nnew B()\n',
    'this.size',
    2,
  ],
]

describe('the definition of a member is found through', () => {
  test('each way that a type is handed on', async () => {
    const files = Object.fromEntries(CASES.map(([, text], i) => [`case-${i}.ts`, `${text}export {}\n`]))
    await indexOf({ ...files, 'other.ts': OTHER })
    for (const [i, [name, text, use, line]] of CASES.entries())
      expect(await definitionsAt(`case-${i}.ts`, text, use), name).toEqual([`case-${i}.ts:${line}`])
  })

  test('names of `declare module` and `declare global`', async () => {
    const text =
      "import * as outer from 'outer'\nimport { Q } from 'outer'\nexport const f = (q: Q) => [q.size, window.inner.size, new outer.P().size]\n"
    await indexOf({
      'a.ts': text,
      'outer.d.ts':
        "declare module 'outer' {\n  export class P {\n    size: Q }\n  export interface Q {\n    size: number }\n}\n",
      'outer-2.d.ts': "declare module 'outer' {\n  export const q: Q\n}\n",
      'global.ts':
        'export {}\ndeclare global {\n  interface Window {\n    inner: W }\n  interface W {\n    size: 1 }\n}\n',
      'other.ts': OTHER,
    })
    expect(await definitionsAt('a.ts', text, '(q: Q')).toEqual(['outer.d.ts:4'])
    expect(await definitionsAt('a.ts', text, '[q.size')).toEqual(['outer.d.ts:5'])
    expect(await definitionsAt('a.ts', text, 'outer.P')).toEqual(['outer.d.ts:2'])
    expect(await definitionsAt('a.ts', text, 'P().size')).toEqual(['outer.d.ts:3'])
    expect(await definitionsAt('a.ts', text, 'inner.size')).toEqual(['global.ts:6'])
    expect(await uses({ name: 'Q', path: 'outer.d.ts' })).toEqual([
      'a.ts:2:10',
      'a.ts:3:22',
      'outer-2.d.ts:2:19',
      'outer.d.ts:3:11',
      'outer.d.ts:4:20',
    ])
  })

  test('types of other files, re-exported under other names', async () => {
    const text = "import type { Renamed } from './index.ts'\nexport const f = (all: Renamed[]) => all[0]!.size\n"
    await indexOf({
      'a.ts': text,
      'index.ts': "export { type P as Renamed } from './p.ts'\n",
      'p.ts': "import type { Q } from './q.ts'\nexport interface P extends Q<number> {}\n",
      'q.ts': 'export interface Q<T> {\n  size: T\n}\n',
      'other.ts': OTHER,
    })
    expect(await definitionsAt('a.ts', text, '!.size')).toEqual(['q.ts:2'])
  })
})

const uses = async (query: { name: string; path?: string }, sure = true) =>
  (await index.references(query)).references
    .filter(({ confidence }) => !sure || confidence === 'exact')
    .map(({ path, line, column }) => `${path}:${line}:${column}`)

describe('references of a member', () => {
  test('include keys, attributes and patterns that a type is expected of', async () => {
    await indexOf({
      'p.ts': 'export interface P { size: number }\n',
      'a.tsx':
        "import type { P } from './p.ts'\nconst a: P = { size: 1 }\nconst f = (all: P[]) => all.length\nf([{ size: 2 }])\nconst Show = ({ size }: P) => size\nexport const b = [a, <Show size={3} />]\n",
      'other.ts': `${OTHER}export const c: Other = { size: '', name: '', inner: '' }\n`,
    })
    expect(await uses({ name: 'P.size' })).toEqual(['a.tsx:2:16', 'a.tsx:4:6', 'a.tsx:5:17', 'a.tsx:6:28', 'p.ts:1:22'])
  })

  test('include the indexes of types', async () => {
    await indexOf({ 'a.ts': "export interface P { size: number }\nexport type S = P['size']\n", 'other.ts': OTHER })
    expect(await uses({ name: 'P.size' })).toEqual(['a.ts:1:22', 'a.ts:2:20'])
  })

  test('of one literal of an alias are not those of the others', async () => {
    await indexOf({
      'a.ts':
        "export type T = { kind: 'a'; size: 1 } | { kind: 'b'; size: 2 }\nexport const a: T = { kind: 'a', size: 1 }\nexport const b: T = { kind: 'b', size: 2 }\n",
    })
    const { references } = await index.references({ path: 'a.ts', line: 1, column: 30 })
    expect(references.map(({ line, column }) => `${line}:${column}`)).toEqual(['1:30', '2:34'])
  })

  test('leave out a member of the same name of another type, which only its receiver tells', async () => {
    await indexOf({
      'a.ts':
        'export interface P { size: number }\nexport interface Q { size: number }\nexport const f = (p: P[], q: Map<string, Q>) => [p.map((it) => it.size), [...q.values()].map((it) => it.size)]\n',
    })
    expect(await uses({ name: 'P.size' }, false)).toEqual(['a.ts:1:22', 'a.ts:3:67'])
    expect(await uses({ name: 'Q.size' }, false)).toEqual(['a.ts:2:22', 'a.ts:3:105'])
  })

  test('of a property of an object literal are found from a use of it', async () => {
    await indexOf({
      'colors.ts': 'export const COLORS = { white: 1, black: 2 } as const\n',
      'a.ts':
        "import { COLORS } from './colors.ts'\nexport const a = [COLORS.white, COLORS['white'], COLORS.black]\nexport const { white } = { white: 3 }\n",
    })
    const { definitions, references } = await index.references({ path: 'a.ts', line: 2, column: 26 })
    expect(definitions).toMatchObject([{ name: 'white', kind: 'property', path: 'colors.ts', line: 1 }])
    expect(references.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual([
      'a.ts:2:26',
      'a.ts:2:41',
      'colors.ts:1:25',
    ])
  })

  test('are right again after a type changed', async () => {
    await indexOf({
      'p.ts': 'export interface P { size: number }\nexport interface Q { size: number }\n',
      't.ts': "import type { P, Q } from './p.ts'\nexport type T = P\nexport type U = Q\n",
      'a.ts': "import type { T } from './t.ts'\nexport const f = (all: T[]) => all.map((it) => it.size)\n",
    })
    expect(await uses({ name: 'P.size' })).toEqual(['a.ts:2:51', 'p.ts:1:22'])
    writeFileSync(join(root, 't.ts'), "import type { P, Q } from './p.ts'\nexport type T = Q\nexport type U = P\n")
    await index.changed(['t.ts'])
    expect(await uses({ name: 'P.size' })).toEqual(['p.ts:1:22'])
    expect(await uses({ name: 'Q.size' })).toEqual(['a.ts:2:51', 'p.ts:2:22'])
  })

  test('and of names are right again after a `declare module` changed', async () => {
    const text = "import { q } from 'outer'\nexport const r = q\n"
    await indexOf({ 'a.ts': text, 'outer.d.ts': "declare module 'outer' {\n  export const p: 1\n}\n" })
    expect(await definitionsAt('a.ts', text, 'r = q')).toEqual(['a.ts:1'])
    writeFileSync(join(root, 'outer.d.ts'), "declare const x: 1\ndeclare module 'outer' {\n  export const q: 1\n}\n")
    await index.changed(['outer.d.ts'])
    expect(await definitionsAt('a.ts', text, 'r = q')).toEqual(['outer.d.ts:3'])
  })

  test('types that run in a ring end', async () => {
    const text =
      'type A<T> = T extends string ? A<B<T>> : A<T[]>\ntype B<T> = { size: A<T>; next: B<B<T>> }\nexport const f = (b: B<string>) => b.next.next.next.size\nconst g = () => g().size\nlet x = y.size, y = x.size\n'
    await indexOf({ 'a.ts': text })
    expect(await definitionsAt('a.ts', text, 'next.size')).toEqual(['a.ts:2'])
    expect(await definitionsAt('a.ts', text, 'g().size')).toEqual(['a.ts:2'])
  })
})
