// Sums up what `run.ts --out FILE` wrote, by kind of garble: how many of the tasks were done, and how many of those that were
// not ended with exit code 0 all the same.   node bench/weak-model/summary.ts FILE [FILE …]   (later files win)
import { readFileSync } from 'node:fs'
import type { Outcome } from './run-one.ts'

type Row = { agent: string; outcome: Outcome }

const all = new Map<string, Row>()
for (const file of process.argv.slice(2)) {
  for (const row of JSON.parse(readFileSync(file, 'utf8')) as Row[])
    all.set([row.agent, row.outcome.correction, row.outcome.garble].join('|'), row)
}
const rows = [...all.values()]
const agents = [...new Set(rows.map(({ agent }) => agent))]
const kinds = [...new Set(rows.map(({ outcome }) => outcome.garble.split(':')[0]!))]

for (const correction of ['never', 'third'] as const) {
  const of = (agent: string, kind?: string): Outcome[] =>
    rows
      .filter((row) => row.agent === agent && row.outcome.correction === correction)
      .map(({ outcome }) => outcome)
      .filter(({ garble }) => kind === undefined || garble.startsWith(`${kind}:`))
  const done = (outcomes: Outcome[]): string =>
    outcomes.length === 0 ? '–' : `${outcomes.filter(({ faults }) => faults.length === 0).length} of ${outcomes.length}`
  const count = (agent: string, is: (outcome: Outcome) => boolean): number => of(agent).filter(is).length
  console.log(`\nmodel that ${correction === 'never' ? 'never corrects itself' : 'is right at its third try'}\n`)
  console.log(`| garbled | ${agents.join(' | ')} |\n|---|${agents.map(() => '---|').join('')}`)
  for (const kind of kinds) console.log(`| ${kind} | ${agents.map((agent) => done(of(agent, kind))).join(' | ')} |`)
  console.log(`| **all** | ${agents.map((agent) => `**${done(of(agent))}**`).join(' | ')} |`)
  const undone = agents.map((agent) => count(agent, ({ faults, exitCode }) => faults.length > 0 && exitCode === 0))
  console.log(`| not done, exit 0 | ${undone.join(' | ')} |`)
  const trapped = agents.map((agent) => count(agent, (outcome) => outcome.trapped))
  console.log(`| ran a quoted call | ${trapped.join(' | ')} |`)
  const unsound = agents.map((agent) => count(agent, (outcome) => outcome.unsound.length > 0))
  console.log(`| sent a request that breaks the protocol | ${unsound.join(' | ')} |`)
}
