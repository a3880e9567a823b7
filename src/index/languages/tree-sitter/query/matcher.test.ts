// tree-sitter's own queries are the measure: for every language, on its fixture and on broken texts made of it, they must find the
// same matches, with the same captures at the same places. The order of matches is not compared: theirs is that in which states of
// a machine end, ours is by node and pattern, and captures.ts puts in order what depends on it. One thing differs on purpose: of
// `(ERROR "def" . (identifier) @name)` tree-sitter sees the first "def" of an ERROR only, because a step that captures nothing is not
// tried at a second place there. Each "def" is the beginning of a function, so that ours finds them all: more for patterns at ERROR.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Parser, Query as TreeSitterQuery, Tree } from 'web-tree-sitter'
import { mangled } from '../../../../../test/support/mangled.ts'
import fc from '../../../../../test/support/property.ts'
import { loadGrammar, loadTreeSitter } from '../../../../lib/grammar.ts'
import { readLanguages, readQueries } from '../language-data.ts'
import { compileQuery, type Query } from './compile.ts'
import { FlatTree } from './flat-tree.ts'
import { Matcher } from './matcher.ts'
import type { QuerySource } from './parse-query.ts'

const folder = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const flat = new FlatTree()

function fixtureOf(id: string): string {
  const name = readdirSync(join(folder, id)).find((file) => file.startsWith('fixture.'))!
  return readFileSync(join(folder, id, name), 'utf8')
}

interface Both {
  parser: Parser
  query: Query
  oracle: TreeSitterQuery
}

async function compileBoth(id: string, sources: QuerySource[]): Promise<Both> {
  const treeSitter = await loadTreeSitter()
  const grammar = await loadGrammar(id)
  const parser = new treeSitter.Parser()
  parser.setLanguage(grammar)
  const oracle = new treeSitter.Query(grammar, sources.map(({ text }) => text).join('\n'))
  return { parser, query: compileQuery(grammar, sources), oracle }
}

function ours(query: Query, tree: Tree, text: string): string[] {
  const lines: string[] = []
  expect(flat.read(tree, query, () => false)).toBe(true)
  const isWhole = new Matcher(query).run(
    flat,
    text,
    () => false,
    ({ pattern, captures }) => {
      lines.push(
        line(
          pattern.index,
          captures.map(({ is, start, end }) => `${is.name} ${start}-${end}`),
        ),
      )
    },
  )
  expect(isWhole).toBe(true)
  return lines.sort()
}

function theirs(oracle: TreeSitterQuery, tree: Tree): string[] {
  return oracle
    .matches(tree.rootNode)
    .map(({ patternIndex, captures }) =>
      line(
        patternIndex,
        captures.map(({ name, node }) => `${name} ${node.startIndex}-${node.endIndex}`),
      ),
    )
    .sort()
}

function line(pattern: number, captures: string[]): string {
  return `${pattern}: ${captures.join(', ')}`
}

/** What one finds in a text and the other does not. */
function difference({ parser, query, oracle }: Both, text: string): { missing: string[]; extra: string[] } {
  const tree = parser.parse(text)!
  try {
    const [found, wanted] = [ours(query, tree, text), theirs(oracle, tree)]
    const atErrors = new Set(query.entries[query.errorType]?.map(({ pattern }) => pattern.index))
    const extra = without(found, wanted).filter((one) => !atErrors.has(Number.parseInt(one, 10)))
    return { missing: without(wanted, found), extra }
  } finally {
    tree.delete()
  }
}

/** The lines of one list that the other does not have as often. */
function without(lines: string[], others: string[]): string[] {
  const counts = new Map<string, number>()
  for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1)
  return lines.filter((one) => {
    const left = counts.get(one) ?? 0
    counts.set(one, left - 1)
    return left <= 0
  })
}

const SAME = { missing: [], extra: [] }

describe("matches are those of tree-sitter's own queries", () => {
  test.each(readLanguages())('$id', async ({ id }) => {
    const both = await compileBoth(id, readQueries(id))
    const fixture = fixtureOf(id)
    expect(difference(both, fixture)).toEqual(SAME)
    fc.assert(
      fc.property(mangled(fixture), (text) => {
        expect(difference(both, text)).toEqual(SAME)
      }),
      { numRuns: 20, interruptAfterTimeLimit: 2000 },
    )
  })
})

describe('what languages may use, but few do', () => {
  const text = [
    '# one',
    '# two',
    'x = f(a, b, *c, d=1)',
    'def g(a, b: int, *c):',
    '  # three',
    '  if a: pass',
    '  return h(b, a, b,)(1)',
    'class K(A, B): pass',
    'x = [1, a, 2, b, b, 3]',
    'del a, b',
    'print (not a in b is not c, (',
  ].join('\n')

  test.each([
    '(list (integer) @a (identifier) @b)',
    '(list (integer) @a . (identifier) @b)',
    '(list (integer) @a . (identifier)? @b)',
    '(list (identifier) @a (identifier)? @b)',
    '(list (integer)? @a (identifier)? @b (integer) @c)',
    '(list (integer) (identifier) @b)',
    '(list "[" @open . (integer) @a "]" @close)',
    '(list (identifier) @a . (integer) @b .)',
    '(list . (integer)* . (identifier) @a)',
    '(list (identifier)+ (integer) @a)',
    '(list (identifier)+ . (integer) @a)',
    '(list [(integer) @a (identifier) @b (identifier)])',
    '(list [(integer) (identifier)] @a [(integer) (identifier)] @b)',
    '(list _ @a)',
    '(list (_) @a .)',
    '(list) @a',
    '(module . (comment) @a)',
    '(module (comment) @a . (comment) @b)',
    '(module . (comment)* . (_) @a)',
    '(module (comment)* . (_) @a)',
    '(call function: (call function: (_) @a arguments: (argument_list . (_) @b)) @c)',
    '(call function: (_) @f arguments: (argument_list [(identifier) @a (list_splat (identifier) @b)]))',
    '(argument_list !value (identifier) @a)',
    '(keyword_argument !name) @a',
    '(function_definition !return_type name: (_) @a body: (block (comment)? @b (if_statement) @c)) @d',
    '(parameters [(identifier) @a (typed_parameter (identifier) @a type: (type (_) @b))])',
    '((identifier) @a (#any-of? @a "a" "b"))',
    '((list (identifier) @a (identifier) @b) (#eq? @a "a") (#not-eq? @b "c"))',
    '((list (identifier)? @a (integer) @b) (#eq? @a "a"))',
    '((list (identifier)? @a (integer) @b) (#match? @a "a"))',
    '((list (identifier)? @a (integer) @b) (#not-any-of? @a "a"))',
    '(ERROR (_) @a)',
    '(comparison_operator _ @a)',
    '("def" @a)',
    '["def" "class" (comment)] @a',
  ])('%s', async (query) => {
    const both = await compileBoth('python', [{ name: 'made up', text: query }])
    expect(difference(both, text)).toEqual(SAME)
  })
})

describe('the clock, and trees of odd sizes', () => {
  const never = (): boolean => false

  async function read(
    text: string,
    query: string,
    isLate = never,
  ): Promise<{ flat: FlatTree; matcher: Matcher; isWhole: boolean }> {
    const { parser, query: compiled } = await compileBoth('python', [{ name: 'made up', text: query }])
    const tree = parser.parse(text)!
    const flat = new FlatTree()
    const isWhole = flat.read(tree, compiled, isLate)
    tree.delete()
    return { flat, matcher: new Matcher(compiled), isWhole }
  }

  test('reading a tree stops when it is late, and so does matching, also inside one wide node', async () => {
    const text = `[${'a, '.repeat(20_000)}]`
    const pairs = '(list (identifier) @a (identifier) @b)'
    let looks = 0
    expect((await read(text, pairs, () => ++looks > 3)).isWhole).toBe(false)
    expect(looks).toBe(4)
    const { flat, matcher, isWhole } = await read(text, pairs)
    expect(isWhole).toBe(true)
    looks = 0
    expect(
      matcher.run(
        flat,
        text,
        () => ++looks > 3,
        () => {},
      ),
    ).toBe(false)
    expect(looks).toBe(4)
  })

  test('a tree of any depth is read', async () => {
    const text = `x = ${'a + '.repeat(30_000)}a`
    const { flat, matcher } = await read(text, '(binary_operator (identifier) @a .)')
    let matches = 0
    matcher.run(flat, text, never, () => matches++)
    expect(matches).toBe(30_000)
  })

  test('the room that a huge file took is given back at the next', async () => {
    const { parser, query } = await compileBoth('python', [{ name: 'made up', text: '(identifier) @a' }])
    const flat = new FlatTree()
    const sizes = ['a = b\n'.repeat(40_000), 'a = b\n'].map((text) => {
      const tree = parser.parse(text)!
      flat.read(tree, query, never)
      tree.delete()
      return [flat.count, flat.type.length]
    })
    expect(sizes).toEqual([
      [200_001, 262_144],
      [6, 4096],
    ])
  })
})
