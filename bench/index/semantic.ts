// Offline semantic search: the doc comment of a function, without the function's own name, finds the function. The comments
// are left out of the index. Against plain BM25 over the lines of the same files (comments left out too), where a function
// is found when one of its lines is.
// node bench/index/semantic.ts [CORPUS] [--count 1000]
import { openIndex } from '../../src/index/code-index.ts'
import { KIND } from '../../src/index/kinds.ts'
import { symbolRows } from '../../src/index/map/symbol-rows.ts'
import { SemanticSearch } from '../../src/index/search/semantic.ts'
import { corpusOf } from './corpus.ts'
import { median, sample } from './language-service.ts'
import { LineSearch } from './line-search.ts'

const root = corpusOf(process.argv[2])
const countAt = process.argv.indexOf('--count')
const count = countAt < 0 ? 1000 : Number(process.argv[countAt + 1])
const TOP = 10
const MIN_WORDS = 5
const MAX_QUERY = 300
const FUNCTIONS = new Set<number>([KIND.function, KIND.method])

const index = await openIndex({ root, watch: false })
await index.ready()
const view = index.view()

interface Sample {
  path: string
  name: string
  query: string
  startLine: number
  endLine: number
}
const samples: Sample[] = []
const lines: { path: string; line: number; text: string }[] = []
for (let file = 0; file < view.fileCount; file++) {
  const path = view.path(file)
  if (!/\.[cm]?tsx?$/.test(path) || !view.facts(file)) continue
  const text = view.text(file)
  if (text === undefined) continue
  for (const symbol of symbolRows(view, file)) {
    if (!FUNCTIONS.has(symbol.kind) || symbol.docStart < 0 || symbol.docStart > symbol.start) continue
    const query = queryOf(text.slice(symbol.docStart, symbol.start), symbol.name)
    if (query.split(/\s+/).length < MIN_WORDS) continue
    const [startLine, endLine] = [lineOf(text, symbol.start), lineOf(text, symbol.end - 1)]
    samples.push({ path, name: symbol.name, query, startLine, endLine })
  }
  const bare = text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
  bare.split('\n').forEach((line, i) => {
    if (line.trim() !== '') lines.push({ path, line: i + 1, text: line })
  })
}
const chosen = sample(samples, count)
const search = new SemanticSearch(index, { docs: false })
await search.search('warm up', 1)
const plain = new LineSearch(lines)
const reciprocal = { index: 0, lines: 0 }
const times: number[] = []
for (const wanted of chosen) {
  const isHit = (at: { path: string; startLine: number; endLine: number }): boolean =>
    at.path === wanted.path && at.startLine <= wanted.endLine && at.endLine >= wanted.startLine
  const begun = performance.now()
  const found = await search.search(wanted.query, TOP)
  times.push(performance.now() - begun)
  reciprocal.index += rank(found.findIndex((hit) => isHit(hit) && hit.name === wanted.name))
  reciprocal.lines += rank(plain.search(wanted.query).findIndex(isHit))
}
await index.close()
const [ours, theirs] = [reciprocal.index / chosen.length, reciprocal.lines / chosen.length]
console.log(
  `${chosen.length} of ${samples.length} commented functions: MRR@${TOP} ${ours.toFixed(3)}, BM25 over ${lines.length} lines ${theirs.toFixed(3)}, ratio ${(ours / theirs).toFixed(2)} (wanted >= 1.5); median ${median(times).toFixed(0)} ms`,
)

function rank(at: number): number {
  return at < 0 ? 0 : 1 / (at + 1)
}

/** The words of a comment up to its first tag, without the name in any case. */
function queryOf(comment: string, name: string): string {
  return comment
    .replaceAll(/^\s*(?:\/\*+|\*\/|\*|\/\/+)/gm, ' ')
    .replace(/(?:^|\s)@\w[^]*$/, ' ')
    .replaceAll('*/', ' ')
    .replaceAll(new RegExp(`\\b${name.replaceAll(/[^\w]/g, '\\$&')}\\b`, 'gi'), ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_QUERY)
}

function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
