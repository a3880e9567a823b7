// A file is saved: how long until a query sees it, through the watcher; and a storm of 1,000 changed files until all is seen.
// node bench/index/freshness.ts [CORPUS] [--runs 40]   (works on a copy)
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openIndex } from '../../src/index/code-index.ts'
import { FILE_FLAG, HEAD } from '../../src/index/facts.ts'
import { corpusOf } from './corpus.ts'
import { median } from './language-service.ts'

const corpus = corpusOf(process.argv[2])
const runsAt = process.argv.indexOf('--runs')
const runs = runsAt < 0 ? 40 : Number(process.argv[runsAt + 1])
const root = mkdtempSync(join(tmpdir(), 'codehound-fresh-'))
cpSync(corpus, root, { recursive: true })
const index = await openIndex({ root, watch: true })
try {
  await index.ready()
  while (index.status().watcher === 'off') await wait(20)
  const view = index.view()
  const isParsed = (path: string): boolean => {
    const flags = view.facts(view.fileId(path)!)?.[HEAD.flags] ?? FILE_FLAG.textOnly
    return (flags & (FILE_FLAG.textOnly | FILE_FLAG.parseError)) === 0
  }
  const sources = index.files().filter((path) => path.endsWith('.ts') && isParsed(path))
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const path = sources[(run * 7919) % sources.length]!
    const name = `freshName${run}`
    writeFileSync(join(root, path), `${readFileSync(join(root, path), 'utf8')}\nexport function ${name}() {}\n`)
    const begun = performance.now()
    while ((await index.definitions({ name })).length === 0) await wait(2)
    times.push(performance.now() - begun)
    await wait(30)
  }
  times.sort((a, b) => a - b)
  console.log(
    `saved to seen: median ${median(times).toFixed(0)} ms, p95 ${times[Math.floor(times.length * 0.95)]!.toFixed(0)} ms (wanted <= 200)`,
  )
  const storm = sources.slice(0, 1000)
  for (const path of storm)
    writeFileSync(join(root, path), `${readFileSync(join(root, path), 'utf8')}\nexport const stormName = 1\n`)
  const begun = performance.now()
  while ((await index.definitions({ name: 'stormName' })).length < storm.length) {
    if (performance.now() - begun > 60_000) throw new Error('The storm was not taken in within a minute.')
    await wait(20)
  }
  console.log(
    `${storm.length} files changed to all seen: ${(performance.now() - begun).toFixed(0)} ms (wanted <= 3,000)`,
  )
} finally {
  await index.close()
  rmSync(root, { recursive: true, force: true })
}
