// Text search against ripgrep on the same corpus: as a query inside a running process, and as a process of its own.
// 50 identifiers, 20 rare strings, 10 regular expressions, each in turn with ripgrep; totals must agree.
// node bench/index/search.ts [CORPUS]
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openIndex } from '../../src/index/code-index.ts'
import { HEAD, sectionStart, STRIDE } from '../../src/index/facts.ts'
import { bundle, OUT } from './bundle.ts'
import { corpusOf } from './corpus.ts'
import { median, sample } from './language-service.ts'

const root = corpusOf(process.argv[2])
const [child] = await bundle(['child'])
const snapshot = join(OUT, 'search.snapshot')
execFileSync(process.execPath, [child!, 'save', root, snapshot, 'dispose'])
// Ripgrep reads .gitignore only in a git work tree; the index's built-in patterns come as an ignore file.
if (!existsSync(join(root, '.git'))) execFileSync('git', ['init', '-q'], { cwd: root })
const ignore = join(OUT, 'rgignore')
writeFileSync(ignore, 'node_modules\ndist\nbuild\n.git\n*.min.js\n')
const index = await openIndex({ root, watch: true, snapshotPath: snapshot })
await index.ready()

const counts = new Map<string, number>()
const view = index.view()
for (let file = 0; file < view.fileCount; file++) {
  const facts = view.facts(file)
  if (!facts) continue
  const start = sectionStart(facts, 'symbols')
  for (let row = 0; row < facts[HEAD.symbols]!; row++) {
    const name = view.names.text(facts[start + row * STRIDE.symbols]!)
    if (/^\w{5,}$/.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
}
const names = [...counts.keys()].sort()
const identifiers = sample(
  names.filter((name) => counts.get(name)! > 1),
  50,
)
const rare = sample(
  names.filter((name) => counts.get(name) === 1 && name.length > 14),
  20,
)
const expressions = [
  'function \\w+Service\\(',
  'TODO|FIXME',
  '\\bawait\\s+this\\.\\w+',
  'import .* from .vs/base',
  'class \\w+ extends \\w+',
  '0x[0-9a-f]{6}',
  'https?://[a-z]+',
  'catch \\(\\w+\\) \\{$',
  '^export (const|let) ',
  '\\.(map|filter)\\(\\w+ => ',
]
for (const [what, queries, regex] of [
  ['identifiers', identifiers, false],
  ['rare strings', rare, false],
  ['regular expressions', expressions, true],
] as const) {
  const inside: number[] = []
  const ripgrep: number[] = []
  let differ = 0
  for (let round = 0; round < 3; round++) {
    for (const query of queries) {
      let begun = performance.now()
      const { total } = await index.searchText({ query, caseSensitive: true, regex, limit: 100_000 })
      if (round > 0) inside.push(performance.now() - begun)
      begun = performance.now()
      const out = spawnSync(
        'rg',
        ['--no-messages', '--hidden', '--ignore-file', ignore, '-n', ...(regex ? [] : ['-F']), '--', query, '.'],
        { cwd: root, maxBuffer: 1 << 28 },
      )
      if (round > 0) ripgrep.push(performance.now() - begun)
      const theirs = out.stdout.toString('latin1').split('\n').length - 1
      if (round === 0 && theirs !== total) {
        differ++
        if (process.argv.includes('-v')) console.log(`${query}: index ${total}, ripgrep ${theirs}`)
      }
    }
  }
  const ratio = median(inside.map((time, i) => time / ripgrep[i]!))
  console.log(
    `${what}: inside a process ${median(inside).toFixed(1)} ms, ripgrep ${median(ripgrep).toFixed(1)} ms, ratio ${ratio.toFixed(3)} (wanted <= 0.5); ${differ} of ${queries.length} totals differ`,
  )
}
const own: number[] = []
const theirs: number[] = []
const bare: number[] = []
let apart = 0
for (const query of identifiers.slice(0, 15)) {
  let begun = performance.now()
  const found = execFileSync(process.execPath, [child!, 'search', root, snapshot, query], { encoding: 'utf8' })
  own.push(performance.now() - begun)
  if (Number(found) !== (await index.searchText({ query, caseSensitive: true, limit: 1 })).total) apart++
  begun = performance.now()
  spawnSync('rg', ['--no-messages', '--hidden', '--ignore-file', ignore, '-n', '-F', '--', query, '.'], {
    cwd: root,
    stdio: 'ignore',
  })
  theirs.push(performance.now() - begun)
  begun = performance.now()
  execFileSync(process.execPath, ['-e', '0'])
  bare.push(performance.now() - begun)
}
console.log(
  `as a process: ${median(own).toFixed(0)} ms less bare Node ${median(bare).toFixed(0)} ms, ripgrep ${median(theirs).toFixed(0)} ms, ratio ${((median(own) - median(bare)) / median(theirs)).toFixed(2)} (wanted <= 1.0); ${apart} of 15 totals differ`,
)
await index.close()
