// Definitions (kind, name, line) of every TypeScript and JavaScript file of a corpus against the TypeScript compiler's tree.
// node bench/index/definitions.ts [CORPUS]   (`-v` prints the differences)
import { openIndex } from '../../src/index/code-index.ts'
import { FILE_FLAG, HEAD, STRIDE, SYMBOL } from '../../src/index/facts.ts'
import { SYMBOL_KINDS } from '../../src/index/kinds.ts'
import { placeOf } from '../../src/index/rows.ts'
import { Tables } from '../../src/index/tables.ts'
import { corpusOf } from './corpus.ts'
import { trueDefinitions } from './ts-definitions.ts'

const root = corpusOf(process.argv[2])
const verbose = process.argv.includes('-v')
const index = await openIndex({ root, watch: false })
await index.ready()
const view = index.view()
const lines = new Tables(view.names)
let right = 0
let extra = 0
let missed = 0
let files = 0
let rejected = 0
let skipped = 0
for (let file = 0; file < view.fileCount; file++) {
  const path = view.path(file)
  if (!/\.[cm]?[jt]sx?$/.test(path)) continue
  const facts = view.facts(file)
  const text = view.text(file)
  if (!facts || text === undefined) continue
  if (facts[HEAD.flags]! & FILE_FLAG.textOnly) {
    skipped++
    continue
  }
  const truth = trueDefinitions(path, text)
  if (truth.errors > 0) continue
  files++
  if (facts[HEAD.flags]! & FILE_FLAG.parseError) {
    rejected++
    if (verbose) console.log(`rejected ${path}`)
  }
  const wanted = new Map<string, number>()
  for (const { kind, name, line } of truth.definitions) count(wanted, `${kind} ${name} ${line}`, 1)
  lines.setFacts(lines.add(path), facts)
  const own = lines.ids.get(path)!
  const start = lines.starts[own]![HEAD.symbols]!
  for (let row = 0; row < facts[HEAD.symbols]!; row++) {
    const at = start + row * STRIDE.symbols
    const { line } = placeOf(lines, own, facts[at + SYMBOL.nameStart]!)
    const key = `${SYMBOL_KINDS[facts[at + SYMBOL.kind]! & 255]} ${view.names.text(facts[at]!)} ${line}`
    if ((wanted.get(key) ?? 0) > 0) {
      right++
      count(wanted, key, -1)
    } else {
      extra++
      if (verbose) console.log(`extra  ${path}: ${key}`)
    }
  }
  for (const [key, left] of wanted) {
    missed += left
    if (verbose && left > 0) console.log(`missed ${path}: ${key}`)
  }
}
await index.close()
console.log(
  `${files} files that tsc parses; ${skipped} left as text; ${rejected} rejected (${((100 * rejected) / files).toFixed(3)} %)`,
)
console.log(
  `precision ${(right / (right + extra)).toFixed(5)} recall ${(right / (right + missed)).toFixed(5)} (${right} right, ${extra} extra, ${missed} missed)`,
)

function count(map: Map<string, number>, key: string, by: number): void {
  map.set(key, (map.get(key) ?? 0) + by)
}
