// Cold index (every query of the index answerable, rank edges too) against universal-ctags on the same files: wall time, taken
// in turn, and the peak memory of the index's process.
// node bench/index/cold.ts [CORPUS] [--runs 5] [--query NAME]   The queries are for a name declared once (usual-name.ts), or NAME.
import { execFileSync, spawnSync } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { bundle, OUT } from './bundle.ts'
import { corpusOf } from './corpus.ts'
import { median } from './language-service.ts'

const root = corpusOf(process.argv[2])
const runsAt = process.argv.indexOf('--runs')
const runs = runsAt < 0 ? 5 : Number(process.argv[runsAt + 1])
const [child] = await bundle(['child'])
const list = join(OUT, 'files.txt')
const usual = execFileSync(process.execPath, [child!, 'list', root, list], { encoding: 'utf8' })
const queryAt = process.argv.indexOf('--query')
const query = queryAt < 0 ? usual : process.argv[queryAt + 1]!
const ours: number[] = []
const theirs: number[] = []
const ratios: number[] = []
let last: { rss: number; files: number; parsed: number; symbols: number; cpu: NodeJS.CpuUsage } | undefined
for (let run = 0; run < runs; run++) {
  let begun = performance.now()
  const out = execFileSync(process.execPath, [child!, 'build', root, '', query], { encoding: 'utf8' })
  ours.push(performance.now() - begun)
  last = JSON.parse(out) as typeof last
  begun = performance.now()
  spawnSync('ctags', ['-f', '/dev/null', '-L', list], { cwd: root, stdio: 'ignore' })
  theirs.push(performance.now() - begun)
  ratios.push(ours.at(-1)! / theirs.at(-1)!)
}
console.log(`${last!.files} files, ${last!.parsed} parsed, ${last!.symbols} symbols; queries for ${query}`)
console.log(
  `index ${median(ours).toFixed(0)} ms, ctags ${median(theirs).toFixed(0)} ms, ratio ${median(ratios).toFixed(3)} (wanted <= 0.5), peak ${last!.rss.toFixed(0)} MB (wanted <= 400), processor time ${((last!.cpu.user + last!.cpu.system) / 1e6).toFixed(1)} s; load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors`,
)
