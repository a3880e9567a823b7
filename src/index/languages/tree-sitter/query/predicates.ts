// What must hold of the texts of captures: `#eq?`, `#match?`, `#any-of?` and their `#not-…`; `#set!` says something of a pattern.
import { queryError, type PatternShape, type PredicateShape } from './parse-query.ts'

/** Holds when every node captured under `capture` has a text that fits. */
export interface TextTest {
  capture: string
  fits: (text: string) => boolean
  /** What holds when nothing is captured under that name. */
  without: boolean
}

/** Takes a pattern's predicates apart. @throws Error for one that is not understood, or that speaks of no capture of `captures` */
export function compilePredicates(
  { source, predicates }: PatternShape,
  captures: ReadonlySet<string>,
): { settings: Partial<Record<string, string>>; tests: TextTest[] } {
  const settings: Partial<Record<string, string>> = {}
  const tests: TextTest[] = []
  for (const predicate of predicates) {
    const fail = (what: string): never => {
      throw queryError(source, predicate.at, `#${predicate.operator}: ${what}`)
    }
    if (predicate.operator === 'set!') {
      const [key, value, ...more] = predicate.words
      if (!key || key.capture || value?.capture || more.length > 0) fail('expected a word and a value')
      else settings[key.text] = value?.text ?? ''
    } else tests.push(textTest(predicate, captures, fail))
  }
  return { settings, tests }
}

function textTest(
  { operator, words: [capture, ...values] }: PredicateShape,
  captures: ReadonlySet<string>,
  fail: (what: string) => never,
): TextTest {
  const isNegative = operator.startsWith('not-')
  const kind = isNegative ? operator.slice('not-'.length) : operator
  if (kind !== 'eq?' && kind !== 'match?' && kind !== 'any-of?') fail('not understood')
  if (!capture?.capture) return fail('expected a capture first')
  if (!captures.has(capture.text)) fail(`the pattern captures no @${capture.text}`)
  if (values.some((value) => value.capture)) fail('expected texts behind the capture')
  if (values.length === 0 || (kind !== 'any-of?' && values.length > 1)) fail('expected one text')
  const texts = new Set(values.map(({ text }) => text))
  let holds = (text: string): boolean => texts.has(text)
  if (kind === 'match?') {
    const expression = regExp(values[0]!.text, fail)
    holds = (text) => expression.test(text)
  }
  return {
    capture: capture.text,
    fits: isNegative ? (text) => !holds(text) : holds,
    // As tree-sitter has it.
    without: kind === 'eq?' || isNegative,
  }
}

function regExp(source: string, fail: (what: string) => never): RegExp {
  try {
    // Without flags, as tree-sitter has it: `u` forbids escapes that queries use.
    return new RegExp(source)
  } catch (error) {
    return fail((error as Error).message)
  }
}
