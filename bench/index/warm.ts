// Warm start with nothing changed, to the first answer (where a name is defined), over a bare Node start.
// node bench/index/warm.ts [CORPUS] [--runs 9] [--query NAME]   A name declared once (usual-name.ts), or NAME.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, OUT } from './bundle.ts'
import { corpusOf } from './corpus.ts'
import { median } from './language-service.ts'

const root = corpusOf(process.argv[2])
const runsAt = process.argv.indexOf('--runs')
const runs = runsAt < 0 ? 9 : Number(process.argv[runsAt + 1])
const [child] = await bundle(['child'])
mkdirSync(OUT, { recursive: true })
const snapshot = join(OUT, 'warm.snapshot')
const usual = execFileSync(process.execPath, [child!, 'list', root, join(OUT, 'files.txt')], { encoding: 'utf8' })
const queryAt = process.argv.indexOf('--query')
const query = queryAt < 0 ? usual : process.argv[queryAt + 1]!
execFileSync(process.execPath, [child!, 'save', root, snapshot, query])
const all: number[] = []
const linked: number[] = []
const bare: number[] = []
for (let run = 0; run < runs; run++) {
  let begun = performance.now()
  const out = execFileSync(process.execPath, [child!, 'warm', root, snapshot, query], { encoding: 'utf8' })
  const took = performance.now() - begun
  const { source, answered, ms } = JSON.parse(out) as { source: string; answered: number; ms: number }
  if (source !== 'snapshot') throw new Error('The snapshot was not used.')
  // The process goes on to its second answer, references; the first was there this much earlier.
  all.push(took - (ms - answered))
  linked.push(took)
  begun = performance.now()
  execFileSync(process.execPath, ['-e', '0'])
  bare.push(performance.now() - begun)
}
console.log(
  `warm start to first answer ${median(all).toFixed(0)} ms, bare Node ${median(bare).toFixed(0)} ms, over it ${(median(all) - median(bare)).toFixed(0)} ms (wanted <= 250 for 6,000 files); with all references of "${query}" too ${(median(linked) - median(bare)).toFixed(0)} ms`,
)
