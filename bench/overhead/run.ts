// The agents' own time and memory: a scripted model answers at once, what is left is the agent. Builds nothing: `npm run build`.
//   node bench/overhead/run.ts [--agents codehound,codehound-ollama,pi] [--runs 7]
// Runs are interleaved (A B A B …) after one warm-up each; the table has medians and, against the first peer, ratios. Linux only
// (memory comes from /proc). `one`: one question, one answer. `ten`: 4 reads, 3 edits, 2 commands, an answer.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { makePlace } from '../../test/support/cli.ts'
import type { Place } from '../../test/support/cli.ts'
import { startModelServer } from '../../test/support/model-server.ts'
import type { ServerScript } from '../../test/support/model-server.ts'
import { agents, codehoundAgent } from '../weak-model/agents.ts'
import type { Agent } from '../weak-model/run-one.ts'
import type { Step } from '../weak-model/task.ts'

const FILES = 200
const FUNCTIONS = 20
const TIME_LIMIT_MS = 60_000
const RSS_EVERY_MS = 15

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: 'codehound,codehound-ollama,pi' },
    runs: { type: 'string', default: '7' },
  },
})
const runs = Number(values.runs)

/** codehound over Ollama's own API. */
const ollamaAgent: Agent = {
  ...codehoundAgent,
  name: 'codehound-ollama',
  setup: (url) => ({
    '.config/codehound/config.yaml': `backends:\n  mock: { type: ollama, url: "${url}", context_max_tokens: 128000 }\nmodel: mock/mock\n`,
  }),
}
const known = new Map([...agents, [ollamaAgent.name, ollamaAgent]])

const pathOf = (i: number): string => `src/d${Math.floor(i / FUNCTIONS)}/m${i}.ts`

/** A repository of TypeScript files, each of which imports the one before. */
function repository(): Record<string, string> {
  const one = (i: number): string => {
    const before =
      i === 0 ? '' : `import { value${i - 1} } from '../d${Math.floor((i - 1) / FUNCTIONS)}/m${i - 1}.ts'\n\n`
    const functions = Array.from(
      { length: FUNCTIONS },
      (_, j) =>
        `export function f${i}_${j}(x: number): number {\n  return x * ${j + 1} + value${i}${i === 0 ? '' : ` - value${i - 1}`}\n}\n`,
    )
    return `${before}export const value${i} = ${i}\n\n${functions.join('\n')}`
  }
  return Object.fromEntries(Array.from({ length: FILES }, (_, i) => [pathOf(i), one(i)]))
}

const read = (i: number): Step => ({ kind: 'read', path: pathOf(i), seen: '' })
const shell = (command: string): Step => ({ kind: 'shell', command, seen: '' })
const edit = (i: number): Step => ({
  kind: 'edit',
  path: pathOf(i),
  old: `export const value${i} = ${i}\n`,
  new: `export const value${i} = ${i + 1000}\n`,
})
const tests = {
  one: [] as Step[],
  ten: [read(11), read(57), edit(11), shell('true'), read(103), edit(57), read(149), edit(103), shell('echo ok')],
}
type Test = keyof typeof tests

interface Measured {
  wall: number
  first: number
  gap: number
  rssMiB: number
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN

/** Resident memory of a process and its descendants. MiB. */
function treeRss(root: number): number {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It has ended.
    }
  }
  const inTree = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === root || inTree(parents.get(pid)))
  return [...parents.keys()].filter(inTree).reduce((sum, pid) => sum + rssOf(pid), 0)
}

function rssOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** One process. Throws when it does not do the task. */
async function measure(agent: Agent, place: Place, test: Test): Promise<Measured> {
  execFileSync('git', ['checkout', '-q', '.'], { cwd: place.folder, env: place.env })
  const answered: number[] = []
  const asked: number[] = []
  const script: ServerScript = (request, n) => {
    asked.push(performance.now())
    const step = tests[test][n]
    const call = step && agent.profile(step, place.folder, request.toolNames)
    answered.push(performance.now())
    return call ? { calls: [{ name: call.name, arguments: call.args }] } : { text: 'Done.' }
  }
  const server = await startModelServer(script, { by: 'answers' })
  try {
    for (const [path, text] of Object.entries(agent.setup(server.url))) {
      mkdirSync(dirname(join(place.home, path)), { recursive: true })
      writeFileSync(join(place.home, path), text)
    }
    const [program, ...args] = agent.command('Add one thousand to value11, value57 and value103.')
    const begun = performance.now()
    const child = spawn(program!, args, {
      cwd: place.folder,
      env: { ...place.env, ...agent.env(server.url) },
      stdio: 'ignore',
      detached: true,
    })
    let rssMiB = 0
    const sampler = setInterval(() => (rssMiB = Math.max(rssMiB, treeRss(child.pid!))), RSS_EVERY_MS)
    const killer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), TIME_LIMIT_MS)
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    const wall = performance.now() - begun
    clearInterval(sampler)
    clearTimeout(killer)
    const edited = [11, 57, 103].every((i) =>
      readFileSync(join(place.folder, pathOf(i)), 'utf8').includes(`value${i} = ${i + 1000}`),
    )
    if (code !== 0 || (test === 'ten' && !edited))
      throw new Error(`${agent.name} ${test}: exit ${code}, edited: ${edited}`)
    const gaps = asked.slice(1).map((time, i) => time - answered[i]!)
    return { wall, first: asked[0]! - begun, gap: median(gaps), rssMiB }
  } finally {
    await server.close()
  }
}

async function main(): Promise<void> {
  const chosen = values.agents.split(',').map((name) => {
    const agent = known.get(name)
    if (!agent) throw new Error(`${name} is not installed or cannot be driven; known: ${[...known.keys()].join(', ')}`)
    return { agent, place: makePlace(repository()), one: [] as Measured[], ten: [] as Measured[] }
  })
  try {
    for (let run = 0; run <= runs; run++)
      for (const test of ['one', 'ten'] as const)
        for (const each of chosen) {
          const measured = await measure(each.agent, each.place, test)
          if (run > 0) each[test].push(measured)
        }
  } finally {
    for (const { place } of chosen) place.remove()
  }
  const peer = chosen.find(({ agent }) => !agent.name.startsWith('codehound'))
  const columns: [title: string, of: (each: (typeof chosen)[number]) => number][] = [
    ['first request, ms', ({ one }) => median(one.map(({ first }) => first))],
    ['one turn, ms', ({ one }) => median(one.map(({ wall }) => wall))],
    ['peak RSS of it, MiB', ({ one }) => median(one.map(({ rssMiB }) => rssMiB))],
    ['ten steps, ms', ({ ten }) => median(ten.map(({ wall }) => wall))],
    ['gap per step, ms', ({ ten }) => median(ten.map(({ gap }) => gap))],
    ['peak RSS of them, MiB', ({ ten }) => median(ten.map(({ rssMiB }) => rssMiB))],
  ]
  console.log(`medians of ${runs}, load ${loadavg()[0]!.toFixed(1)}\n`)
  console.log(`| agent | ${columns.map(([title]) => title).join(' | ')} |\n|---|${columns.map(() => '---|').join('')}`)
  for (const each of chosen) {
    const cells = columns.map(([, of]) => {
      const ratio = peer === undefined || each === peer ? '' : ` (${(of(each) / of(peer)).toFixed(2)})`
      return `${of(each).toFixed(of(each) < 100 ? 1 : 0)}${ratio}`
    })
    console.log(`| ${each.agent.name} | ${cells.join(' | ')} |`)
  }
}

await main()
