// A long session: 200 reads of 20 KB in one conversation, in a window of 128k. What is sent, what of it a server's cache does
// not know, whether every read arrives whole, time and memory. Builds nothing: run `npm run build` first. Linux only.
//   node bench/long/run.ts [--agents codehound,pi] [--runs 3] [--reads 200]
// Runs are interleaved (A B A B …); the table has medians. Tokens are characters / 4.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { makePlace } from '../../test/support/cli.ts'
import { startModelServer } from '../../test/support/model-server.ts'
import { agents } from '../weak-model/agents.ts'
import type { Agent } from '../weak-model/run-one.ts'

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: 'codehound,pi' },
    runs: { type: 'string', default: '3' },
    reads: { type: 'string', default: '200' },
  },
})
const READS = Number(values.reads)
const FILE_CHARS = 20_000
const TIME_LIMIT_MS = 300_000
const SAMPLE_MS = 50
const PROMPT = 'Read all files of src/ in order, one after the other.'

const nameOf = (at: number): string => `src/file${at}.ts`
const endOf = (at: number): string => `// the end of file ${at}`

function fileText(at: number): string {
  const lines: string[] = []
  let chars = 0
  for (let line = 0; chars < FILE_CHARS - 40; line++) {
    const text = `export const value${at}_${line} = 'the quick brown fox ${at * 1000 + line}'`
    lines.push(text)
    chars += text.length + 1
  }
  return `${[...lines, endOf(at)].join('\n')}\n`
}

interface Measured {
  completed: boolean
  wallMs: number
  peakMiB: number
  sent: number
  notInPrefix: number
  most: number
  whole: number
}

/** The most memory the process held, in KiB; 0 when it is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Tokens that a server with a prompt cache reads anew: what follows the longest beginning shared with the request before. */
function notInPrefixOf(bodies: readonly Record<string, unknown>[]): number {
  let before = ''
  let chars = 0
  for (const { tools, system, messages } of bodies) {
    const now = JSON.stringify([tools, system, messages])
    let same = 0
    while (same < now.length && now.charCodeAt(same) === before.charCodeAt(same)) same++
    chars += now.length - same
    before = now
  }
  return chars / 4
}

async function measure(agent: Agent): Promise<Measured> {
  const place = makePlace(Object.fromEntries(Array.from({ length: READS }, (_, at) => [nameOf(at), fileText(at)])))
  let next = 0
  let whole = 0
  const server = await startModelServer((request) => {
    if (request.toolNames.length === 0) return { text: 'The user wants all files of src/ read in order.' }
    if (next > 0 && request.messages.at(-1)!.text.includes(endOf(next - 1))) whole += 1
    if (next === READS) return { text: 'All files are read.' }
    const at = next++
    const call = agent.profile({ kind: 'read', path: nameOf(at), seen: '' }, place.folder, request.toolNames)
    return { calls: [{ name: call.name, arguments: call.args }] }
  })
  for (const [path, text] of Object.entries(agent.setup(server.url))) {
    const file = join(place.home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const [program, ...args] = agent.command(PROMPT)
  const env = { ...place.env, ...agent.env(server.url) }
  const started = performance.now()
  const child = spawn(program!, args, { cwd: place.folder, env, stdio: 'ignore', detached: true })
  let peak = 0
  const sampler = setInterval(() => (peak = Math.max(peak, peakOf(child.pid!))), SAMPLE_MS)
  const killer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), TIME_LIMIT_MS)
  const code = await new Promise<number | null>((done) => child.on('close', done))
  const wallMs = performance.now() - started
  clearInterval(sampler)
  clearTimeout(killer)
  const { requests } = server
  const sum = (of: (request: (typeof requests)[number]) => number): number =>
    requests.reduce((total, request) => total + of(request), 0)
  await server.close()
  place.remove()
  return {
    completed: code === 0 && next === READS,
    wallMs,
    peakMiB: peak / 1024,
    sent: sum(({ tokens }) => tokens),
    notInPrefix: notInPrefixOf(requests.map(({ body }) => body)),
    most: Math.max(...requests.map(({ tokens }) => tokens)),
    whole,
  }
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const wanted = values.agents.split(',').flatMap((name) => agents.get(name) ?? [])
const found = new Map<string, Measured[]>(wanted.map(({ name }) => [name, []]))
for (let run = 0; run < Number(values.runs); run++) {
  for (const agent of wanted) {
    const measured = await measure(agent)
    found.get(agent.name)!.push(measured)
    console.error(`${agent.name}: ${Math.round(measured.wallMs)} ms, ${Math.round(measured.peakMiB)} MiB`)
  }
}
console.log(`load ${loadavg()[0]!.toFixed(1)}, ${values.runs} runs\n`)
console.log(
  '| agent | completed | wall s | peak RSS MiB | tokens sent (M) | not in prefix (M) | largest request | reads whole |',
)
console.log('|---|---|---|---|---|---|---|---|')
for (const [name, all] of found) {
  const mid = (of: (each: Measured) => number): number => median(all.map(of))
  const million = (tokens: number): string => (tokens / 1e6).toFixed(2)
  const cells = [
    name,
    `${all.filter(({ completed }) => completed).length} of ${all.length}`,
    (mid(({ wallMs }) => wallMs) / 1000).toFixed(1),
    Math.round(mid(({ peakMiB }) => peakMiB)),
    million(mid(({ sent }) => sent)),
    million(mid(({ notInPrefix }) => notInPrefix)),
    Math.round(mid(({ most }) => most)).toLocaleString('en-US'),
    mid(({ whole }) => whole),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
