// Which agents get a fixed repair task done when the model garbles its calls. Builds nothing: run `npm run build` first.
//   node bench/weak-model/run.ts [--agents codehound,pi] [--correction never|third|both] [--only TEXT] [--every N] [--at N]
//     [--limit SECONDS] [--out FILE] [--show]
// Prints a table: garble × agent, and sums. `done` the task is done; else the exit code and what is wrong.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { agents } from './agents.ts'
import { garbles } from './garbles.ts'
import { runOne } from './run-one.ts'
import type { Outcome } from './run-one.ts'
import type { Correction } from './weak-model.ts'

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: 'codehound' },
    correction: { type: 'string', default: 'never' },
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    at: { type: 'string', default: '2' },
    limit: { type: 'string', default: '90' },
    show: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
})

const wanted = values.agents.split(',').flatMap((name) => {
  const agent = agents.get(name)
  if (!agent) console.error(`${name} is not installed or cannot be driven; known: ${[...agents.keys()].join(', ')}`)
  return agent ? [agent] : []
})
const corrections: Correction[] =
  values.correction === 'both' ? ['never', 'third'] : [values.correction === 'third' ? 'third' : 'never']
const chosen = garbles.filter(({ id }, at) => id.includes(values.only) && at % Number(values.every) === 0)

function cell({ faults, exitCode, trapped, unsound }: Outcome): string {
  const what = faults.length === 0 ? 'done' : `not done (${faults.length})`
  const exit = exitCode === 0 && faults.length === 0 ? '' : `, exit ${exitCode ?? 'killed'}`
  return `${what}${exit}${trapped ? ', RAN A QUOTED CALL' : ''}${unsound.length > 0 ? `, ${unsound.length} unsound requests` : ''}`
}

/** At most so many at a time: the machine has few cores, and every run starts a program. */
async function pooled<T, R>(items: readonly T[], at: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const mine = next++
      results[mine] = await work(items[mine]!)
    }
  }
  await Promise.all(Array.from({ length: at }, worker))
  return results
}

const rows: { agent: string; outcome: Outcome }[] = []
for (const correction of corrections) {
  for (const agent of wanted) {
    const outcomes = await pooled(chosen, Number(values.at), async (garble) => {
      const outcome = await runOne(agent, garble, correction, Number(values.limit) * 1000)
      if (values.show && (outcome.faults.length > 0 || outcome.exitCode !== 0)) {
        console.error(`--- ${agent.name} · ${garble.id} · ${correction}: ${outcome.faults.join('; ')}`)
        console.error(outcome.stdout.slice(-600), outcome.stderr.slice(-2500))
      }
      return outcome
    })
    for (const outcome of outcomes) rows.push({ agent: agent.name, outcome })
    if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(rows, null, 1))
  }
  console.log(`\nmodel that ${correction === 'never' ? 'never corrects itself' : 'is right at its third try'}\n`)
  console.log(`| garble | ${wanted.map(({ name }) => name).join(' | ')} |`)
  console.log(`|---|${wanted.map(() => '---|').join('')}`)
  const of = (agent: string) => rows.filter((row) => row.agent === agent && row.outcome.correction === correction)
  for (const garble of chosen) {
    const cells = wanted.map(({ name }) => of(name).find((row) => row.outcome.garble === garble.id)!.outcome)
    console.log(`| ${garble.id} | ${cells.map(cell).join(' | ')} |`)
  }
  const sums = wanted.map(({ name }) => {
    const all = of(name).map(({ outcome }) => outcome)
    const undone = all.filter(({ faults }) => faults.length > 0)
    return `${all.length - undone.length} of ${all.length} done, ${undone.filter(({ exitCode }) => exitCode === 0).length} undone with exit 0`
  })
  console.log(`| **sum** | ${sums.join(' | ')} |`)
}
