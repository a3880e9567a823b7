// Damages the files of stored sessions at random and holds three things against originals kept outside: a message or journal
// entry that is read back is as it was stored, or it is named as lost; the next run of the session ends well; and every
// request is one that a server accepts.
//   node test/proof/flips.ts --count 300 --seed 1
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Message, NewMessage } from '../../src/protocol/index.ts'
import { workspaceDatabaseFile } from '../../src/store/data-folder.ts'
import { createJournalStore } from '../../src/store/sqlite/journal-store.ts'
import { openSessionStore } from '../../src/store/sqlite/session-store.ts'
import type { JournalEntry } from '../../src/workspace/journal/journal-store.ts'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import { proofArguments, Random } from '../support/random.ts'

const PAGE_BYTES = 4096
/** Trials side by side. */
const LANES = 2
const RUN_NAMES = ['read_file', 'search_text', 'shell_exec']
const WORDS = 'the login of a hound is über 🐕 and "quoted" \\ back\tslash\n\u0000 line'.split(' ')

interface Original {
  sessions: Map<string, Message[]>
  journal: Map<number, JournalEntry>
}

export interface FlipCounts {
  trials: number
  /** Trials in which something was named as lost. */
  damaged: number
  /** Sessions of which nothing was left, which was said. */
  gone: number
  silent: number
  stuck: number
  invalid: number
  failures: string[]
}

function words(random: Random): string {
  const length = random.pick([0, 3, 20, 20, 200, 1500])
  return Array.from({ length }, () => random.pick(WORDS)).join(' ')
}

function anyTurn(random: Random, n: number, image: NewMessage['attachments']): NewMessage[] {
  const text = words(random)
  const kind = random.below(6)
  if (kind === 0) {
    const attached = image && random.below(2) === 0 ? { attachments: image } : {}
    return [{ sender: 'USER', text: text === '' ? 'go' : text, ...attached }]
  }
  if (kind === 1) {
    const output = { text, toolCalls: [], finishReason: 'stop' as const, model: 'some-model' }
    return [{ sender: 'AI', text, output }]
  }
  if (kind === 2)
    return [
      { sender: 'SYSTEM', text: '', system: { type: 'COMPACTION', data: JSON.stringify({ results: { c1: 'stub' } }) } },
    ]
  const calls = Array.from({ length: 1 + random.below(3) }, (_, i) => {
    const args = { path: `src/${i}.ts`, query: words(random).slice(0, 80) }
    return { id: `call_${n}_${i}`, name: random.pick(RUN_NAMES), args, rawArgs: JSON.stringify(args) }
  })
  const output = { text, reasoning: words(random), toolCalls: calls, finishReason: 'tool_calls' as const, model: 'm' }
  return [
    { sender: 'AI', text, output },
    ...calls.map(({ id, name }): NewMessage => {
      const result = { status: 'success' as const, text: words(random), data: { n } }
      return { sender: 'SYSTEM', text: '', system: { type: 'DATA_ADDED', callId: id, toolName: name, result } }
    }),
  ]
}

/** Stores sessions and gives what was stored; `killed` leaves the files as a kill would. */
function fill(file: string, root: string, random: Random, killed: boolean): Original {
  const live = `${file}.live`
  const store = openSessionStore(live)
  const journal = createJournalStore(store.database)
  const original: Original = { sessions: new Map(), journal: new Map() }
  for (let s = 0, most = 1 + random.below(3); s < most; s++) {
    const { id } = store.create({ title: `s${s}`, type: 'CHAT', workspaceId: 'w', root, model: 'mock/some-model' })
    const bytes = Uint8Array.from({ length: 5000 }, () => random.below(256))
    bytes.set([137, 80, 78, 71, 13, 10, 26, 10])
    const hash = createHash('sha256').update(bytes).digest('hex')
    store.addImage(id, hash, bytes)
    const facts = { hash, mediaType: 'image/png' as const, bytes: bytes.length }
    const image = [{ kind: 'image' as const, ref: 'a.png', summary: 'PNG', image: facts }]
    const kept = [store.append(id, { sender: 'USER', text: `start of ${s}` })]
    for (let n = 0, turns = random.below(25); n < turns; n++)
      for (const message of anyTurn(random, n, image)) kept.push(store.append(id, message))
    original.sessions.set(id, kept)
    for (let n = random.below(6); n > 0; n--) {
      const after = { hash: createHash('sha256').update(String(n)).digest('hex'), mode: 0o644, kept: true }
      const position = journal.append({
        sessionId: id,
        kind: 'edit',
        description: words(random).slice(0, 60),
        state: 'pending',
        files: [{ path: `src/${n}.ts`, before: null, after }],
        made: [],
        notKept: [],
        time: 1_700_000_000_000 + n,
      })
      journal.update(position, { state: 'done' })
    }
  }
  for (const entry of journal.list()) original.journal.set(entry.position, entry)
  if (!killed) store.close()
  for (const end of ['', '-wal', '-shm', '-mark']) if (existsSync(live + end)) cpSync(live + end, file + end)
  if (killed) store.close()
  return original
}

/** Damages one of the files; what was done, in words. */
function damage(file: string, random: Random): string {
  const files = ['', '-wal', '-shm']
    .map((end) => file + end)
    .filter((name) => existsSync(name) && statSync(name).size > 0)
  const name = random.below(10) < 6 ? files[0]! : random.pick(files)
  const bytes = readFileSync(name)
  const which = name.slice(file.length) || 'db'
  const kind = random.below(10)
  if (kind === 0) {
    const size = random.below(bytes.length)
    truncateSync(name, size)
    return `${which} cut to ${size}`
  }
  if (kind < 3) {
    const page = random.below(Math.ceil(bytes.length / PAGE_BYTES))
    bytes.fill(0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
    writeFileSync(name, bytes)
    return `${which} page ${page} zeroed`
  }
  const places = Array.from({ length: 1 + random.below(8) }, () => random.below(bytes.length))
  for (const at of places) bytes[at] = bytes[at]! ^ (1 + random.below(255))
  writeFileSync(name, bytes)
  return `${which} flipped at ${places.join(', ')}`
}

const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b))
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

/** Reads everything back and says what differs without a word about it. */
function readBack(file: string, original: Original): { silent: string[]; told: string[]; gone: string[] } {
  const store = openSessionStore(file)
  const silent: string[] = []
  const gone: string[] = []
  try {
    const read = new Map([...original.sessions.keys()].map((id) => [id, store.get(id) && store.messages(id)]))
    const entries = createJournalStore(store.database).list()
    const told = [...store.database.notices, ...store.takeDamage()]
    const isSaid = /was damaged|was lost|were lost|count of messages/
    for (const [id, messages] of original.sessions) {
      const found = read.get(id)
      if (found === undefined) {
        gone.push(id)
        if (!told.some((line) => isSaid.test(line))) silent.push(`session ${id} is gone`)
        continue
      }
      const lost = told.flatMap((line) => {
        const [, from, , to] = new RegExp(`messages? (\\d+)( to (\\d+))? of session ${id} `).exec(line) ?? []
        return from === undefined ? [] : [[Number(from), Number(to ?? from)] as const]
      })
      const bySeq = new Map(found.map((message) => [message.seq, message]))
      for (const message of messages) {
        if (lost.some(([from, to]) => message.seq >= from && message.seq <= to)) continue
        const stored = bySeq.get(message.seq)
        const isTail = !found.some(({ seq }) => seq >= message.seq)
        if (stored === undefined && isTail && told.some((line) => isSaid.test(line))) continue
        if (!isSame(stored, message)) silent.push(`message ${message.seq} of ${id}`)
      }
      for (const { seq, id: own } of found)
        if (seq > messages.length && own !== `damaged-${seq}`) silent.push(`message ${seq} of ${id} is invented`)
    }
    for (const entry of entries)
      if (!isSame(original.journal.get(entry.position), entry)) silent.push(`journal entry ${entry.position}`)
    if (entries.length < original.journal.size && told.length === 0) silent.push('journal entries are missing')
    return { silent, told, gone }
  } finally {
    store.close()
  }
}

function place(): { place: Place; file: string } {
  const made = makePlace({ 'a.txt': 'a\n' }, { git: false })
  const data = join(made.home, '.local/share/codehound')
  mkdirSync(data, { recursive: true })
  return { place: made, file: workspaceDatabaseFile(data, made.folder, 'user') }
}

async function trial(seed: number, counts: FlipCounts): Promise<void> {
  const random = new Random(seed)
  const { place: made, file } = place()
  const server = await startModelServer([{ text: 'Going on.' }], { by: 'requests' })
  try {
    configure(made, server.url)
    const original = fill(file, made.folder, random, random.below(3) === 0)
    const what = damage(file, random)
    const copy = join(made.home, 'copy', 'workspace.db')
    mkdirSync(dirname(copy))
    for (const end of ['', '-wal', '-shm', '-mark']) if (existsSync(file + end)) cpSync(file + end, copy + end)
    let told: string[] = []
    let gone: string[] = []
    try {
      const back = readBack(copy, original)
      told = back.told
      gone = back.gone
      counts.silent += back.silent.length > 0 ? 1 : 0
      for (const each of back.silent.slice(0, 2)) counts.failures.push(`seed ${seed} (${what}): silent: ${each}`)
    } catch (error) {
      counts.stuck += 1
      counts.failures.push(`seed ${seed} (${what}): cannot be read: ${String(error)}`)
    }
    counts.damaged += told.length > 0 ? 1 : 0
    counts.gone += gone.length
    const left = [...original.sessions.keys()].filter((id) => !gone.includes(id))
    const resume = left.length === 0 ? [] : ['--resume', random.pick(left)]
    const run = await runCli(made, ['run', '--mode', 'auto', '--no-sandbox', ...resume, 'go on'])
    if (run.code !== 0 || run.stdout !== 'Going on.\n') {
      counts.stuck += 1
      counts.failures.push(`seed ${seed} (${what}): the run ended ${run.code}: ${run.stderr.slice(0, 300)}`)
    }
    try {
      server.assertSound()
    } catch (error) {
      counts.invalid += 1
      counts.failures.push(`seed ${seed} (${what}): ${String(error).slice(0, 300)}`)
    }
    counts.trials += 1
  } finally {
    await server.close()
    made.remove()
  }
}

/** Runs `count` trials whose seeds follow one another from `seed`. */
export async function flips(count: number, seed: number): Promise<FlipCounts> {
  const counts: FlipCounts = { trials: 0, damaged: 0, gone: 0, silent: 0, stuck: 0, invalid: 0, failures: [] }
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await trial(seed + next++, counts)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return counts
}

if (import.meta.main) {
  const { count, seed } = proofArguments(300)
  const { failures, ...counts } = await flips(count, seed)
  for (const failure of failures) console.log(failure)
  console.log(`flips: ${JSON.stringify({ seed, ...counts })}`)
  process.exit(failures.length > 0 ? 1 : 0)
}
