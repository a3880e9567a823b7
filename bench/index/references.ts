// References of sampled symbols against the TypeScript language service: F1 and time per query after load.
// node bench/index/references.ts [CORPUS] [--members] [--count 200] [-v]
import { relative } from 'node:path'
import { openIndex } from '../../src/index/code-index.ts'
import { HEAD, sectionStart, STRIDE, SYMBOL } from '../../src/index/facts.ts'
import { KIND, SYMBOL_FLAG } from '../../src/index/kinds.ts'
import { corpusOf } from './corpus.ts'
import { loadOracle, median, sample } from './language-service.ts'

const root = corpusOf(process.argv[2])
const members = process.argv.includes('--members')
const verbose = process.argv.includes('-v')
const countAt = process.argv.indexOf('--count')
const count = countAt < 0 ? 200 : Number(process.argv[countAt + 1])
const MEMBER_KINDS = new Set([KIND.method, KIND.property, KIND.getter, KIND.setter])

const index = await openIndex({ root, watch: false })
await index.ready()
const view = index.view()
const paths: string[] = []
const candidates: { path: string; offset: number; name: string }[] = []
for (let file = 0; file < view.fileCount; file++) {
  const path = view.path(file)
  const facts = view.facts(file)
  if (!facts || !/\.[cm]?tsx?$/.test(path)) continue
  paths.push(path)
  const start = sectionStart(facts, 'symbols')
  const seen = new Set<number>()
  for (let row = 0; row < facts[HEAD.symbols]!; row++) {
    const at = start + row * STRIDE.symbols
    const kind = facts[at + SYMBOL.kind]! & 255
    const flags = facts[at + SYMBOL.kind]! >>> 8
    const wanted = members
      ? MEMBER_KINDS.has(kind) &&
        facts[at + SYMBOL.container]! >= 0 &&
        (flags & (SYMBOL_FLAG.literalMember | SYMBOL_FLAG.local)) === 0
      : (flags & SYMBOL_FLAG.exported) !== 0 &&
        facts[at + SYMBOL.container] === -1 &&
        (flags & SYMBOL_FLAG.default) === 0
    // A name that is declared in parts (a function and the namespace of its types) is one symbol: asked at its first part.
    const isFirst = members || !seen.has(facts[at]!)
    seen.add(facts[at]!)
    if (wanted && isFirst)
      candidates.push({ path, offset: facts[at + SYMBOL.nameStart]!, name: view.names.text(facts[at]!) })
  }
}
const chosen = sample(candidates, count)
const loading = performance.now()
const { service, program } = loadOracle(root, paths)
const own = new Set(paths)
service.getReferencesAtPosition(`${root}/${chosen[0]!.path}`, chosen[0]!.offset)
console.log(
  `${paths.length} files, ${candidates.length} candidates; service loaded in ${Math.round(performance.now() - loading)} ms`,
)
await index.references({ name: chosen[0]!.name, path: chosen[0]!.path })

let right = 0
let extra = 0
let missed = 0
let exact = 0
const theirTimes: number[] = []
const ourTimes: number[] = []
for (const { path, offset, name } of chosen) {
  const file = `${root}/${path}`
  const source = program.getSourceFile(file)
  if (!source) continue
  const { line, column } = placeIn(source.text, offset)
  let begun = performance.now()
  const theirs = service.getReferencesAtPosition(file, offset) ?? []
  theirTimes.push(performance.now() - begun)
  begun = performance.now()
  const ours = await index.references({ path, line, column })
  ourTimes.push(performance.now() - begun)
  const wanted = new Set<string>()
  for (const { fileName, textSpan } of theirs) {
    const at = relative(root, fileName)
    const text = program.getSourceFile(fileName)?.text
    if (!own.has(at) || text === undefined) continue
    const place = placeIn(text, textSpan.start)
    wanted.add(`${at}:${place.line}:${place.column}`)
  }
  const found = new Set<string>()
  for (const reference of ours.references) {
    if (reference.confidence === 'possible' || !own.has(reference.path)) continue
    found.add(`${reference.path}:${reference.line}:${reference.column}`)
  }
  let same = true
  for (const key of found) {
    if (wanted.has(key)) right++
    else {
      extra++
      same = false
      if (verbose) console.log(`extra  ${name} (${path}): ${key}`)
    }
  }
  for (const key of wanted) {
    if (found.has(key)) continue
    missed++
    same = false
    if (verbose) console.log(`missed ${name} (${path}): ${key}`)
  }
  if (same) exact++
}
await index.close()
const precision = right / (right + extra)
const recall = right / (right + missed)
console.log(
  `precision ${precision.toFixed(4)} recall ${recall.toFixed(4)} F1 ${((2 * precision * recall) / (precision + recall)).toFixed(4)}; ${exact} of ${chosen.length} symbols the same to the last reference`,
)
console.log(
  `median per query: service ${median(theirTimes).toFixed(2)} ms, index ${median(ourTimes).toFixed(2)} ms (1/${(median(theirTimes) / median(ourTimes)).toFixed(0)}); sum ${sum(theirTimes).toFixed(0)} and ${sum(ourTimes).toFixed(0)} ms`,
)

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
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
