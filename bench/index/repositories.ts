// A first index of whole repositories, as the built program makes it, against universal-ctags on the same folder: wall time, taken in
// turn, and the peak memory of the whole process. Exits 1 where a bound is broken.
// npm run build && node bench/index/repositories.ts FOLDER... [--runs 3] [--times 10] [--memory 600]
// Needs ctags (apt install universal-ctags) and GNU time (apt install time).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { median } from './language-service.ts'

const PROGRAM = resolve(import.meta.dirname, '../../dist/cli.js')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '3' },
    times: { type: 'string', default: '10' },
    memory: { type: 'string', default: '600' },
  },
})

interface Timed {
  ms: number
  megabytes: number
  text: string
}

/** Runs a program and gives its wall time and peak memory, which GNU time writes to its last line. */
function timed(cwd: string, command: string, args: string[], env: NodeJS.ProcessEnv = process.env): Timed {
  const begun = performance.now()
  const { stdout, stderr, status } = spawnSync('/usr/bin/time', ['-f', '%M', command, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const ms = performance.now() - begun
  // ctags ends with 1 where it cannot cut its output back, which /dev/null does not let it.
  if (status !== 0 && command !== 'ctags')
    throw new Error(`${command} in ${cwd} ended with ${status}: ${stderr.slice(-500)}`)
  return { ms, megabytes: Number(stderr.trim().split('\n').at(-1)) / 1024, text: stdout }
}

function indexed(folder: string): Timed {
  const home = mkdtempSync(join(tmpdir(), 'codehound-bench-home-'))
  try {
    const env = { ...process.env, HOME: home, XDG_DATA_HOME: '', XDG_CONFIG_HOME: '', XDG_CACHE_HOME: '' }
    return timed(folder, process.execPath, [PROGRAM, 'index', '--yes'], env)
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** Files of a folder and their size in MB, without git's own. */
function sizeOf(folder: string): { files: number; megabytes: number; share: number } {
  let [files, bytes, own] = [0, 0, 0]
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /(?:^|\/)\.git(?:\/|$)/.test(entry.parentPath.slice(folder.length))) continue
    files++
    const { size } = statSync(join(entry.parentPath, entry.name))
    bytes += size
    if (/\.[cm]?[jt]sx?$/.test(entry.name)) own++
  }
  return { files, megabytes: bytes / 2 ** 20, share: own / Math.max(1, files) }
}

const broken: string[] = []
console.log('| repository | files | MB | index | ctags | ratio | peak memory |\n|---|--:|--:|--:|--:|--:|--:|')
for (const folder of positionals.map((path) => resolve(path))) {
  const { files, megabytes, share } = sizeOf(folder)
  const ours: Timed[] = []
  const theirs: number[] = []
  for (let run = 0; run < Number(values.runs); run++) {
    ours.push(indexed(folder))
    theirs.push(timed(folder, 'ctags', ['-R', '-f', '/dev/null', '.']).ms)
  }
  const [wall, other] = [median(ours.map(({ ms }) => ms)), median(theirs)]
  const peak = Math.max(...ours.map((run) => run.megabytes))
  const ratio = wall / other
  const name = basename(folder)
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
  console.log(
    `| ${name} | ${files.toLocaleString('en')} | ${megabytes.toFixed(0)} | ${seconds(wall)} | ${seconds(other)} | ${ratio.toFixed(1)} | ${peak.toFixed(0)} MB |`,
  )
  if (peak > Number(values.memory)) broken.push(`${name}: ${peak.toFixed(0)} MB`)
  // Of a repository that is mostly something else, ctags is no measure.
  if (share > 0.3 && ratio > Number(values.times)) broken.push(`${name}: ${ratio.toFixed(1)} times the time of ctags`)
}
console.log(`load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors`)
for (const line of broken) console.log(`over the bound: ${line}`)
process.exitCode = broken.length > 0 ? 1 : 0
