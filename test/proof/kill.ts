// Kills the program at random moments of a streamed answer, headless (text, jsonl) and in a terminal, and compares every
// character that was shown with what the store gives back: none may be missing, and the session goes on.
//   node test/proof/kill.ts --count 300 --seed 1
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { workspaceDatabaseFile } from '../../src/store/data-folder.ts'
import { openSessionStore } from '../../src/store/sqlite/session-store.ts'
import { configure, eventsOf, makePlace, runCli, startCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ServerStep } from '../support/model-server.ts'
import { startPty } from '../support/pty.ts'
import { proofArguments, Random } from '../support/random.ts'

/** Kills side by side. */
const LANES = 2
/** From the first request on, in which both answers are told. Milliseconds. */
const SPAN_MS = 1500
/** A start that takes longer than this is killed before it asks the model. */
const START_MS = 20_000
const LOOK_MS = 5
const WORDS = 400

export interface KillCounts {
  kills: number
  /** Kills after which something had been shown. */
  shown: number
  characters: number
  lost: number
  stuck: number
  failures: string[]
}

/** Words that are found again wherever a screen breaks its lines. */
const numbered = (sign: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `${sign}${String(i).padStart(4, '0')}`).join(' ')

const script: ServerStep[] = [
  {
    reasoning: numbered('r', 40),
    text: numbered('a', 60),
    calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }],
    faults: [{ type: 'slow', ms: 1, times: 99 }],
  },
  { reasoning: numbered('s', 40), text: numbered('w', WORDS), faults: [{ type: 'slow', ms: 1, times: 99 }] },
]

const squeeze = (text: string): string => text.replaceAll(/[^a-z0-9]/g, '')

/** What of the model's words stands in a text: runs of numbered words, the last one perhaps cut. */
const saidIn = (text: string): string[] =>
  text.replaceAll(/\s/g, '').match(/(?:[arsw]\d{4}){2,}(?:[arsw]\d{0,3})?(?![a-z])/g) ?? []

async function show(kind: 'text' | 'jsonl' | 'terminal', place: Place, wait: () => Promise<void>): Promise<string[]> {
  if (kind === 'terminal') {
    const screen = startPty(place, ['--mode', 'auto', '--no-sandbox'])
    try {
      await screen.ready()
      await screen.send('tell it')
      await wait()
      process.kill(screen.pid, 'SIGKILL')
      await screen.ended
      await sleep(30)
      return saidIn(screen.joined().slice(screen.joined().indexOf('tell it')))
    } finally {
      screen.close()
    }
  }
  const run = startCli(place, ['run', '--mode', 'auto', '--no-sandbox', '--output', kind, 'tell it'])
  await wait()
  try {
    process.kill(run.child.pid!, 'SIGKILL')
  } catch {
    // It had ended already.
  }
  const { stdout, stderr } = await run.ended
  if (kind === 'text') return [...saidIn(stdout), ...saidIn(stderr)]
  const said: string[] = ['']
  for (const event of eventsOf(stdout)) {
    if (event.type === 'text-start' || event.type === 'reasoning-start') said.push('')
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') said.push(said.pop()! + squeeze(event.text))
  }
  return said.filter((each) => each !== '')
}

async function killOnce(seed: number, counts: KillCounts): Promise<void> {
  const random = new Random(seed)
  const kind = random.pick(['text', 'jsonl', 'terminal'] as const)
  const place = makePlace({ 'a.txt': 'a\n' }, { git: false })
  const server = await startModelServer(script, { deltaChars: 1 + random.below(9) })
  try {
    configure(place, server.url)
    const afterMs = random.below(SPAN_MS)
    const shown = await show(kind, place, async () => {
      for (let waited = 0; server.requests.length === 0 && waited < START_MS; waited += LOOK_MS) await sleep(LOOK_MS)
      await sleep(afterMs)
    })
    const file = workspaceDatabaseFile(join(place.home, '.local/share/codehound'), place.folder, 'user')
    const what = `seed ${seed} (${kind}, ${afterMs} ms)`
    counts.kills += 1
    if (shown.length > 0) counts.shown += 1
    if (!existsSync(file)) {
      if (shown.length > 0) counts.failures.push(`${what}: nothing is stored`)
      return
    }
    const store = openSessionStore(file)
    const [session] = store.list()
    const stored = (session ? store.messages(session.id) : []).flatMap(({ text, output }) => [
      squeeze(text),
      squeeze(output?.reasoning ?? ''),
    ])
    store.close()
    for (const each of shown) {
      counts.characters += each.length
      if (stored.some((text) => text.includes(each))) continue
      const missing = each.length - Math.max(...stored.map((text) => commonLength(text, each)), 0)
      counts.lost += missing
      counts.failures.push(`${what}: ${missing} of ${each.length} characters are lost`)
    }
    if (session && random.below(4) === 0) {
      const next = await startModelServer([{ text: 'Going on.' }], { by: 'requests' })
      configure(place, next.url)
      const again = await runCli(place, ['run', '--mode', 'auto', '--no-sandbox', '--resume', session.id, 'go on'])
      if (again.code !== 0) {
        counts.stuck += 1
        counts.failures.push(`${what}: the next run ended ${again.code}: ${again.stderr.slice(0, 200)}`)
      }
      next.assertSound()
      await next.close()
    }
    server.assertSound()
  } finally {
    await server.close()
    place.remove()
  }
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** Kills `count` times; the seeds follow one another from `seed`. */
export async function kills(count: number, seed: number): Promise<KillCounts> {
  const counts: KillCounts = { kills: 0, shown: 0, characters: 0, lost: 0, stuck: 0, failures: [] }
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await killOnce(seed + next++, counts)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return counts
}

if (import.meta.main) {
  const { count, seed } = proofArguments(300)
  const { failures, ...counts } = await kills(count, seed)
  for (const failure of failures) console.log(failure)
  console.log(`kill: ${JSON.stringify({ seed, ...counts })}`)
  process.exit(failures.length > 0 ? 1 : 0)
}
