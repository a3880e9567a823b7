// Where sampled identifiers are defined, asked at their use, against the TypeScript language service.
// node bench/index/definition-at-use.ts [CORPUS] [--count 200] [-v]
import { relative } from 'node:path'
import ts from 'typescript-5'
import { openIndex } from '../../src/index/code-index.ts'
import { corpusOf } from './corpus.ts'
import { loadOracle, median, sample } from './language-service.ts'

const root = corpusOf(process.argv[2])
const verbose = process.argv.includes('-v')
const countAt = process.argv.indexOf('--count')
const count = countAt < 0 ? 200 : Number(process.argv[countAt + 1])

const index = await openIndex({ root, watch: false })
await index.ready()
const paths = index
  .files()
  .filter((path) => /\.[cm]?tsx?$/.test(path) && index.view().facts(index.view().fileId(path)!) !== undefined)
const { service, program } = loadOracle(root, paths)
const own = new Set(paths)

// Three uses out of each of many files, then those whose definition lies in the corpus.
const uses: { path: string; offset: number; name: string }[] = []
for (const path of sample(paths, 400)) {
  const source = program.getSourceFile(`${root}/${path}`)
  if (!source) continue
  const found: { path: string; offset: number; name: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isName(node)) found.push({ path, offset: node.getStart(source), name: node.text })
    ts.forEachChild(node, visit)
  }
  visit(source)
  uses.push(...sample(found, 3))
}
let asked = 0
let right = 0
const times: number[] = []
for (const { path, offset, name } of sample(uses, uses.length)) {
  if (asked === count) break
  const theirs = service.getDefinitionAtPosition(`${root}/${path}`, offset) ?? []
  const inside = theirs.filter(({ fileName }) => own.has(relative(root, fileName)))
  if (inside.length === 0) continue
  asked++
  const place = placeIn(program.getSourceFile(`${root}/${path}`)!.text, offset)
  const begun = performance.now()
  const ours = await index.definitions({ path, ...place })
  times.push(performance.now() - begun)
  const wanted = new Set(
    inside.map(
      ({ fileName, textSpan }) =>
        `${relative(root, fileName)}:${placeIn(program.getSourceFile(fileName)!.text, textSpan.start).line}`,
    ),
  )
  const hit =
    ours.length > 0 &&
    ours.length <= Math.max(3, wanted.size) &&
    ours.some((definition) => wanted.has(`${definition.path}:${definition.line}`))
  if (hit) right++
  else if (verbose)
    console.log(
      `${name} at ${path}:${place.line}:${place.column}: wanted ${[...wanted].join(' ')}; got ${ours.length}: ${ours
        .slice(0, 3)
        .map((d) => `${d.path}:${d.line}`)
        .join(' ')}`,
    )
}
await index.close()
console.log(`${right} of ${asked} right (${(right / asked).toFixed(4)}); median ${median(times).toFixed(2)} ms`)

/** Whether an identifier is the name of a declaration, or no use of anything. */
function isName(node: ts.Identifier): boolean {
  const { parent } = node
  if (
    (parent as { name?: ts.Node }).name === node &&
    !ts.isPropertyAccessExpression(parent) &&
    !ts.isMetaProperty(parent)
  )
    return true
  return ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)
}
function placeIn(text: string, offset: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}
