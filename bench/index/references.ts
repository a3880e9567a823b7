// References of sampled symbols against the TypeScript language service: F1 and time per query after load.
// node bench/index/references.ts [CORPUS] [--members] [--count 200] [-v]
// Uses that only the index gives, at places where the service has no type itself (an installed package is missing, so all is
// `any`), are counted apart: it cannot tell whether they are right. -v lists what differs, with the kind of place.
import { relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type ts from 'typescript-5'
import { openIndex } from '../../src/index/code-index.ts'
import { HEAD, sectionStart, STRIDE, SYMBOL } from '../../src/index/facts.ts'
import { KIND, SYMBOL_FLAG } from '../../src/index/kinds.ts'
import { corpusOf } from './corpus.ts'
import { isUntold, loadOracle, median, placeKind, sample, tokenAt } from './language-service.ts'

const root = corpusOf(process.argv[2])
const members = process.argv.includes('--members')
const verbose = process.argv.includes('-v')
const countAt = process.argv.indexOf('--count')
const count = countAt < 0 ? 200 : Number(process.argv[countAt + 1])
/** Time in which all uses of the largest corpus are resolved, in milliseconds. */
const SETTLED_MS = 5_000
const MEMBER_KINDS = new Set([KIND.method, KIND.property, KIND.getter, KIND.setter])

// As in a running program: without a watcher each question compares the disk, at most once a second.
const index = await openIndex({ root, watch: true })
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
const oracle = loadOracle(root, paths)
const { service, program } = oracle
const own = new Set(paths)
service.getReferencesAtPosition(`${root}/${chosen[0]!.path}`, chosen[0]!.offset)
console.log(
  `${paths.length} files, ${candidates.length} candidates; service loaded in ${Math.round(performance.now() - loading)} ms`,
)
await index.references({ name: chosen[0]!.name, path: chosen[0]!.path })
// As in a running program, where the first question has all uses resolved behind it; the loop below lets no timer run.
await setTimeout(SETTLED_MS)

let right = 0
let extra = 0
let missed = 0
let exact = 0
let untold = 0
const kinds = new Map<string, number>()
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
  const wanted = new Map<string, { path: string; line: number; column: number }>()
  for (const { fileName, textSpan } of theirs) {
    const at = relative(root, fileName)
    const text = program.getSourceFile(fileName)?.text
    if (!own.has(at) || text === undefined) continue
    const place = placeIn(text, textSpan.start)
    wanted.set(`${at}:${place.line}:${place.column}`, { path: at, ...place })
  }
  const found = new Map<string, { path: string; line: number; column: number }>()
  for (const reference of ours.references) {
    if (reference.confidence === 'possible' || !own.has(reference.path)) continue
    found.set(`${reference.path}:${reference.line}:${reference.column}`, reference)
  }
  let same = true
  for (const [key, place] of found) {
    if (wanted.has(key)) {
      right++
      continue
    }
    const node = nodeAt(place)
    if (node && isUntold(oracle, node)) {
      untold++
      continue
    }
    extra++
    same = false
    differs('extra', node, `${name} (${path}): ${key}`)
  }
  for (const [key, place] of wanted) {
    if (found.has(key)) continue
    missed++
    same = false
    differs('missed', nodeAt(place), `${name} (${path}): ${key}`)
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
  `${untold} more at places the service has no type for; with them as wrong: precision ${(right / (right + extra + untold)).toFixed(4)}`,
)
console.log(
  [...kinds]
    .sort((a, b) => b[1] - a[1])
    .map(([kind, number]) => `${kind} ${number}`)
    .join(', '),
)
console.log(
  `median per query: service ${median(theirTimes).toFixed(2)} ms, index ${median(ourTimes).toFixed(2)} ms (1/${(median(theirTimes) / median(ourTimes)).toFixed(0)}); sum ${sum(theirTimes).toFixed(0)} and ${sum(ourTimes).toFixed(0)} ms`,
)

function differs(what: 'extra' | 'missed', node: ts.Node | undefined, text: string): void {
  const kind = `${what} ${node ? placeKind(node) : '?'}`
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  if (verbose) console.log(`${kind} ${text}`)
}
function nodeAt({ path, line, column }: { path: string; line: number; column: number }): ts.Node | undefined {
  const source = program.getSourceFile(`${root}/${path}`)
  return source && tokenAt(source, source.getPositionOfLineAndCharacter(line - 1, column - 1))
}
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
