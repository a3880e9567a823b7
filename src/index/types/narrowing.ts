// What the tests around a use say of its type: `instanceof`, a type predicate, a discriminant, `in`.
import { made } from './construct.ts'
import { parts, union, type Checker, type Type } from './model.ts'
import { FUNCTIONS } from './scope.ts'
import type { Node } from './syntax.ts'

const AND = 1
const NOT = 2
const STRICT_EQUAL = 2
const EQUAL = 0
const IN = 20
const INSTANCEOF = 21
const LEAVES = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'])

/** The type of a name or member access, narrowed by the tests that hold where it stands. */
export function narrowed(c: Checker, node: Node, declared: Type): Type {
  let type = declared
  for (const test of testsAround(node)) type = by(c, test, node, type)
  return type
}

function testsAround(node: Node): Node[] {
  const tests: Node[] = []
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at
    const { kind } = parent
    if (kind === 'IfStatement' || kind === 'ConditionalExpression') {
      if (parent.get('consequent') === at) conjuncts(parent.get('test')!, tests)
    } else if (kind === 'LogicalExpression') {
      if (parent.byte('operator') === AND && parent.get('right') === at) conjuncts(parent.get('left')!, tests)
    } else if (kind === 'BlockStatement' || kind === 'FunctionBody') {
      for (const before of parent.list('body')) {
        if (before === at) break
        if (before.kind === 'IfStatement') left(before, tests)
      }
    }
    if (FUNCTIONS.has(at.kind) && at.kind !== 'ArrowFunctionExpression') break
  }
  return tests
}

/** `if (!test) return` holds the test for what follows. */
function left(statement: Node, tests: Node[]): void {
  const consequent = statement.get('consequent')!
  const last = consequent.kind === 'BlockStatement' ? consequent.list('body').at(-1) : consequent
  const test = statement.get('test')!
  if (!last || !LEAVES.has(last.kind) || test.kind !== 'UnaryExpression' || test.byte('operator') !== NOT) return
  conjuncts(test.get('argument')!, tests)
}

function conjuncts(test: Node, tests: Node[]): void {
  if (test.kind === 'LogicalExpression' && test.byte('operator') === AND) {
    conjuncts(test.get('left')!, tests)
    conjuncts(test.get('right')!, tests)
  } else if (test.kind === 'BinaryExpression' || test.kind === 'CallExpression') tests.push(test)
}

function by(c: Checker, test: Node, node: Node, type: Type): Type {
  if (test.kind === 'CallExpression') return byPredicate(c, test, node, type)
  const left = test.get('left')!
  const right = test.get('right')!
  switch (test.byte('operator')) {
    case INSTANCEOF: {
      if (!isSame(left, node)) return type
      const instance = made(c, c.expression(right), [])
      return instance.kind === 'unknown' ? type : instance
    }
    case IN:
      if (left.kind !== 'StringLiteral' || !isSame(right, node)) return type
      return only(type, (part) => c.members(part, left.text('value')).length > 0)
    case EQUAL:
    case STRICT_EQUAL: {
      if (left.kind !== 'StaticMemberExpression' || right.kind !== 'StringLiteral') return type
      if (!isSame(left.get('object')!, node)) return type
      const name = left.get('property')!.text('name')
      const value = right.text('value')
      return only(type, (part) => {
        const types = parts(c.memberType(part, name))
        return (
          !types.every((one) => one.kind === 'literal') ||
          types.some((one) => one.kind === 'literal' && one.value === value)
        )
      })
    }
    default:
      return type
  }
}

function byPredicate(c: Checker, call: Node, node: Node, type: Type): Type {
  const index = call.list('arguments').findIndex((argument) => isSame(argument, node))
  if (index < 0) return type
  const found: Type[] = []
  for (const { node: owner, env } of c.signatures(c.expression(call.get('callee')!))) {
    const predicate = owner.get('returnType')?.get('typeAnnotation')
    const annotation = predicate?.kind === 'TSTypePredicate' ? predicate.get('typeAnnotation') : undefined
    const parameter = owner.get('params')?.list('items')[index]?.get('pattern')
    if (!annotation || parameter?.kind !== 'BindingIdentifier') continue
    if (predicate?.get('parameterName')?.text('name') === parameter.text('name')) found.push(c.typed(annotation, env))
  }
  return found.length === 0 ? type : union(found)
}

/** Those parts of a union that pass; all where none does. */
function only(type: Type, passes: (part: Type) => boolean): Type {
  const all = parts(type)
  if (all.length < 2) return type
  const left = all.filter(passes)
  return left.length > 0 ? union(left) : type
}

/** Whether two names or chains of members are written alike. */
function isSame(a: Node, b: Node): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'IdentifierReference') return a.text('name') === b.text('name')
  if (a.kind === 'ThisExpression') return true
  if (a.kind !== 'StaticMemberExpression') return false
  return (
    a.get('property')!.text('name') === b.get('property')!.text('name') && isSame(a.get('object')!, b.get('object')!)
  )
}
