import { describe, expect, test } from 'vitest'
import { loadGrammar } from '../../../../lib/grammar.ts'
import { compileQuery } from './compile.ts'

const grammar = await loadGrammar('python')

function errorOf(text: string): string {
  try {
    compileQuery(grammar, [{ name: 'python/symbols.scm', text }])
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

describe('an error in a query names the file, the place and what is wrong', () => {
  test.each([
    ['(identifier) @use\n(identifer) @use', '2:1 (offset 18): the grammar has no node `(identifer)`'],
    ['(assignment lft: (identifier) @x)', '1:13 (offset 12): the grammar has no field `lft`'],
    ['(assignment !lft) @x', '1:13 (offset 12): the grammar has no field `lft`'],
    ['(ERROR "dev")', '1:8 (offset 7): the grammar has no node `"dev"`'],
    ['(expression) @x', '1:1 (offset 0): the grammar has no node `(expression)` but as a name for several'],
    ['(identifier', '1:12 (offset 11): `)` is missing'],
    ['[(identifier) (string)', '1:23 (offset 22): `]` is missing'],
    ['(identifier))', '1:13 (offset 12): expected a node: `(type)`, `"text"`, `_`, `[…]`'],
    ['("def', '1:2 (offset 1): a string without its end'],
    ['(identifier) @', '1:15 (offset 14): expected the name of a capture'],
    ['(MISSING identifier) @x', '1:1 (offset 0): `MISSING` is not understood'],
    ['(_) @x', '1:1 (offset 0): a pattern begins with the type of a node, not with `_`'],
    ['name: (identifier) @x', '1:7 (offset 6): the first node of a pattern has no field'],
    ['(identifier)* @x', '1:1 (offset 0): a whole pattern cannot have `*`'],
    ['((identifier) (string))', '1:15 (offset 14): a group holds one node and its predicates'],
    ['(block [(identifier)? (string)])', '1:9 (offset 8): a quantifier belongs behind the `]`, not inside'],
    ['(block (identifier)?? @x)', '1:21 (offset 20): one quantifier is enough'],
    ['(block (identifier)* @x)', '1:8 (offset 7): what `*` repeats has no captures and no children'],
    ['(block .) @x', '1:1 (offset 0): an anchor `.` needs a child'],
    ['(block _ . (identifier) @x)', '1:1 (offset 0): an anchor `.` behind `_` is not understood'],
    ['((identifier) @x (#is-local? @x))', '1:18 (offset 17): #is-local?: not understood'],
    ['((identifier) @x (#eq? @y "a"))', '1:18 (offset 17): #eq?: the pattern captures no @y'],
    [
      '((identifier) @x (#match? @x "("))',
      '1:18 (offset 17): #match?: Invalid regular expression: /(/: Unterminated group',
    ],
    ['((identifier) @x (#eq? @x "a" "b"))', '1:18 (offset 17): #eq?: expected one text'],
    ['((identifier) @x (#set! @x "a"))', '1:18 (offset 17): #set!: expected a word and a value'],
  ])('%s', (text, message) => {
    expect(errorOf(text)).toBe(`python/symbols.scm:${message}`)
  })

  test('a query with all that is understood has none', () => {
    const text = `; a comment
      ((module . (comment)* . (expression_statement (string) @a @b) .) (#not-match? @a "^;\\\\s\\"") (#set! key) (#set! k "v"))
      [(identifier) (ERROR ["def" "class"] . (_ !body name: _ @c)?)] @d.e-f`
    expect(errorOf(text)).toBe('none')
  })
})
