import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sharedParser } from '../languages/typescript/extract.ts'
import { hasPlace } from '../languages/typescript/tree.ts'
import { Tree, type Node } from './syntax.ts'

const SOURCES = resolve(import.meta.dirname, '../..')

/** Nodes that stand outside of what they are in, or at no place of the text at all. */
function misplaced(tree: Tree, length: number): string[] {
  const wrong: string[] = []
  const look = (node: Node, start: number, end: number): void => {
    // Parameters of an async arrow are placed wrongly by the parser in a text that is not ASCII.
    const placed = hasPlace(node.type) && node.kind !== 'FormalParameters'
    if (placed && (node.start < start || node.end < node.start || node.end > end))
      return void wrong.push(`${tree.path}: ${node.kind} in ${node.parent?.kind}`)
    for (const child of node.children()) look(child, placed ? node.start : start, placed ? node.end : end)
  }
  look(tree.program, 0, length)
  return wrong
}

test('every node stands inside the one it is in', async () => {
  const parser = await sharedParser()
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  expect(files.length).toBeGreaterThan(400)
  for (const file of files) {
    const text = readFileSync(join(SOURCES, file))
    expect(misplaced(Tree.parse(parser, 0, file, text), text.length)).toEqual([])
  }
})

test('what stands at an offset is found in texts with classes, patterns and templates', async () => {
  const parser = await sharedParser()
  // What the parser leaves in the memory of a class without a super class is by chance: many of them, large ones before.
  const filler = 'const filler = () => ({ a: [1, 2], b: `x${1}y`, c: /a+/g })\n'.repeat(50)
  const text = `import data from './data.json' with { type: 'json' }
${filler}class A { x = /[a-z]+/u; y = \`a\${this.x}b\` }
class B<T> extends A implements I<T> { z = 1 }
class C extends Base<number> {}
abstract class D implements I<string> { w = class { v = 2 } }`
  const bytes = Buffer.from(text)
  const tree = Tree.parse(parser, 0, 'a.ts', bytes)
  expect(misplaced(tree, bytes.length)).toEqual([])
  for (let at = 0; at < bytes.length; at++) {
    const node = tree.at(at)
    expect(node.start <= at && (at < node.end || node.parent === undefined)).toBe(true)
  }
  const classes = tree.program.list('body').filter((node) => node.kind === 'Class')
  expect(classes.map((node) => node.get('superTypeArguments')?.list('params').length)).toEqual([
    undefined,
    undefined,
    1,
    undefined,
  ])
})

test('what stands in parameters is found in a text that is not ASCII', async () => {
  const text = `// ${'é'.repeat(200)}\nconst f = async (first: Some.Type, second = 1) => first\n`
  const tree = Tree.parse(await sharedParser(), 0, 'a.ts', Buffer.from(text))
  for (const name of ['first', 'Some', 'Type', 'second']) {
    const node = tree.at(text.indexOf(name))
    expect([node.kind, text.slice(node.start, node.end)]).toEqual([expect.stringContaining('Identifier'), name])
  }
})
